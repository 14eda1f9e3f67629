/** The tools over a corpus: what carries them out, and the same as values. */
import * as Effect from "effect/Effect"
import type * as EffectScope from "effect/Scope"
import type { OptionError } from "../base/optionError.ts"
import * as Changing from "./changing.ts"
import { reading, writing } from "./contract.ts"
import * as Looking from "./looking.ts"
import * as Settings from "./settings.ts"
import * as Texts from "./texts.ts"
import * as Value from "./value.ts"

/** What carries out the tools that change nothing, and those that change the store. */
export const handlers = (settings: Settings.Settings) => ({
  reading: reading.of({
    ...Texts.handlers(settings),
    look: Looking.look(settings),
    status: Looking.status(settings)
  }),
  writing: writing.of({ ingest: Changing.ingest(settings), remove: Changing.remove(settings) })
})

/** The tools over a corpus, in the order in which an agent is told of them. */
export interface Tools extends Readonly<Record<"list" | "read", Value.Value["call"]>> {
  readonly all: ReadonlyArray<Value.Value>
}

export const make = (
  corpus: Settings.WritableCorpus,
  options: Settings.Options = {}
): Effect.Effect<Tools, OptionError, EffectScope.Scope> =>
  Effect.map(Settings.make(corpus, options), (settings) => {
    const { list, outline, read, search, verify } = Texts.values(settings)
    const { reading: reads, writing: writes } = handlers(settings)
    const { look, status } = reading.tools
    const { ingest, remove } = writing.tools
    return {
      list: list.call,
      read: read.call,
      all: [
        search,
        outline,
        list,
        read,
        Value.make(look, reads.look),
        verify,
        Value.make(status, reads.status),
        ...(settings.write ? [Value.make(ingest, writes.ingest), Value.make(remove, writes.remove)] : [])
      ]
    }
  })
