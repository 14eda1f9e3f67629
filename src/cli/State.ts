/** `--state`: the contents of the state, in a folder or on a server. */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as DeadLetter from "../DeadLetter.ts"
import { exists } from "../internal/corpus/memory.ts"
import * as Ledger from "../Ledger.ts"
import * as ParseCache from "../ParseCache.ts"
import { isAddress, places, shown } from "../State.ts"

export { exists, isAddress, shown }

/** The state has no ledger. */
export class StateMissing extends Schema.TaggedError<StateMissing>("docsluice/cli/StateMissing")("StateMissing", {
  state: Schema.String
}) {
  override get message(): string {
    return `${this.state}: there is no ledger; name the state (--state)`
  }
}

/** Fails where no run has left a ledger. */
export const required = (
  state: string
): Effect.Effect<void, StateMissing | Ledger.LedgerError, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(exists(state), (there) => (there ? Effect.void : new StateMissing({ state: shown(state) })))

/** True when there is a parse cache. */
export const hasCache = (
  state: string
): Effect.Effect<boolean, Ledger.LedgerError, FileSystem.FileSystem | Path.Path> =>
  isAddress(state)
    ? exists(state)
    : Effect.flatMap(Effect.all([FileSystem.FileSystem, places(state)]), ([fs, { cache }]) =>
        Effect.orElseSucceed(fs.exists(cache), () => false)
      )

/** The ledger, created when missing. */
export const ledger = (state: string): Layer.Layer<Ledger.Ledger, Ledger.LedgerError> =>
  isAddress(state) ? Ledger.layerPostgres({ url: state }) : Ledger.layer({ directory: state })

/** The parse cache, created when missing. */
export const cache = (state: string): Layer.Layer<ParseCache.ParseCache, ParseCache.ParseCacheError, Path.Path> =>
  isAddress(state)
    ? ParseCache.layerPostgres({ url: state })
    : Layer.unwrapEffect(Effect.map(places(state), ({ cache }) => ParseCache.layer({ directory: cache })))

/** The dead letters; the file is created with the first. */
export const deadLetters = (
  state: string
): Layer.Layer<DeadLetter.DeadLetter, DeadLetter.DeadLetterError, FileSystem.FileSystem | Path.Path> =>
  isAddress(state)
    ? DeadLetter.layerPostgres({ url: state })
    : Layer.unwrapEffect(Effect.map(places(state), (at) => DeadLetter.layer(at.deadLetters)))

/** The dead letters as stored; writes nothing. */
export const lettersAlone = (
  state: string
): Effect.Effect<ReadonlyArray<DeadLetter.Entry>, DeadLetter.DeadLetterError, FileSystem.FileSystem | Path.Path> =>
  isAddress(state)
    ? DeadLetter.readPostgres({ url: state })
    : Effect.flatMap(places(state), (at) => DeadLetter.read(at.deadLetters))

/** The ledger, read-only: for commands that must not wait for a run, or write. */
export const ledgerReadOnly = (state: string): Layer.Layer<Ledger.Ledger, Ledger.LedgerError> =>
  Layer.scoped(Ledger.Ledger, Ledger.openReadOnly(state))

/** The parse cache, read-only. */
export const cacheReadOnly = (
  state: string
): Layer.Layer<ParseCache.ParseCache, ParseCache.ParseCacheError, Path.Path> =>
  isAddress(state)
    ? ParseCache.layerPostgresReadOnly({ url: state })
    : Layer.unwrapEffect(Effect.map(places(state), ({ cache }) => ParseCache.layerReadOnly({ directory: cache })))

/** Ledger and parse cache, read-only; each is an empty one in memory when it does not exist. */
export const readOnly = (state: string) => Layer.merge(ledgerReadOnly(state), cacheReadOnly(state))

/** An empty ledger and parse cache, in memory. */
export const empty = Layer.merge(Ledger.layerMemory, ParseCache.layerMemory())
