import * as Effect from "effect/Effect"
import type { Embedder } from "../../Embedder.ts"
import type { Outcome } from "../../Outcome.ts"
import { spans } from "../../Telemetry.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import type { Compared } from "./compare.ts"
import * as Embedding from "./embed.ts"
import type { Postponed } from "./postponed.ts"
import * as Stages from "./prepare.ts"
import { store } from "./store.ts"

/** A document between two stages. */
export type Item = Stages.Ended | Stages.Refused | Stages.Prepared

/** The work on one document, from its file to its commit: the same on one machine and on many. No stage fails. */
export interface Work {
  /** Parses and splits. */
  readonly prepare: (item: Compared) => Effect.Effect<Item, never, Tokenizer>
  /** The same, which may put off a document that another process works on. */
  readonly prepareOr: (
    postpone: Stages.Postpone<Postponed>
  ) => (item: Compared) => Effect.Effect<Item | Postponed, never, Tokenizer>
  /** Parses and splits a document that was put off. */
  readonly prepareAgain: (item: Compared) => Effect.Effect<Item, never, Tokenizer>
  /** See {@link Stages.endedAtOnce}. */
  readonly endedAtOnce: (item: Compared) => Stages.Ended | undefined
  /** Null for a run without an embedder. */
  readonly embedding: Embedding.Stage | null
  /** Writes the chunks, and records the outcome. */
  readonly store: (item: Item) => Effect.Effect<Outcome | Stages.Refused>
  /** All stages of one document. */
  readonly whole: (item: Compared) => Effect.Effect<Outcome | Stages.Refused, never, Tokenizer>
}

/** `together`: the most documents that are embedded or stored at a time. */
export const make = (context: Stages.Context, embedder: Embedder.Service | undefined, together: number): Work => {
  const { session, trace } = context
  const begun =
    <A>(stage: (item: Compared) => Effect.Effect<A, never, Tokenizer>) =>
    (one: Compared) =>
      Effect.suspend(() => {
        session.collected.began(one.found.path)
        return stage(one)
      })
  const patiently = Stages.prepare(context)
  const prepare: Work["prepare"] = begun(trace.first(patiently))
  const stage = embedder && Embedding.stage(context, embedder, together)
  const embedding = stage === undefined ? null : { ...stage, embed: trace.stage(spans.embed, stage.embed) }
  const write = trace.stage(spans.write, store(context))
  const embed = (item: Item): Effect.Effect<Item> => {
    if (embedding === null) return Effect.succeed(item)
    const without = embedding.withoutVectors(item)
    return without === undefined ? embedding.embed(item) : Effect.succeed(without)
  }
  return {
    prepare,
    prepareOr: (postpone) => begun(trace.first(Stages.prepareOr(context, postpone))),
    prepareAgain: begun(trace.again(patiently)),
    endedAtOnce: Stages.endedAtOnce(context),
    embedding,
    store: write,
    whole: (item) => Effect.flatMap(Effect.flatMap(prepare(item), embed), write)
  }
}
