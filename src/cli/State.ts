/** `--state`: the contents of the state, in a folder or on a server. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as DeadLetter from "../DeadLetter.ts"
import * as Ledger from "../Ledger.ts"
import * as ParseCache from "../ParseCache.ts"
import { isAddress, places as inFolder, type Places, postgres, shown, type StateError } from "../State.ts"

export { isAddress, shown }

const places = (state: string): Effect.Effect<Places, never, Path.Path> =>
  Effect.zipWith(inFolder(state), Path.Path, (at, path) => ({ ...at, ledger: path.join(state, "ledger.db") }))

const isThere = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.orElseSucceed(fs.exists(path), () => false))

/** True when a run has left a ledger there. Creates nothing. */
export const exists = (state: string): Effect.Effect<boolean, Ledger.LedgerError, FileSystem.FileSystem | Path.Path> =>
  isAddress(state)
    ? Ledger.existsPostgres({ url: state })
    : Effect.flatMap(places(state), ({ ledger }) => isThere(ledger))

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
  isAddress(state) ? exists(state) : Effect.flatMap(places(state), ({ cache }) => isThere(cache))

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

/** The embedding cache's own directory, or the address of the state. */
export const embeddings = (state: string): Effect.Effect<string, never, Path.Path> =>
  isAddress(state) ? Effect.succeed(state) : Effect.map(places(state), (at) => at.embeddings)

/** The memory of a run. */
type OfRun = Ledger.Ledger | ParseCache.ParseCache | DeadLetter.DeadLetter

/** Lease of the documents of a process among others: those of one that was killed are free again within it. */
export const shortLease = "8 seconds"

/** The whole memory of a run; null: in memory only, and gone with the run. `lease`: see `State.postgres`. */
export const ofRun = (
  state: string | null,
  lease?: typeof shortLease
): Layer.Layer<OfRun, StateError, FileSystem.FileSystem | Path.Path> => {
  if (state === null) return Layer.merge(empty, DeadLetter.layerMemory)
  return isAddress(state)
    ? postgres({ url: state, lease })
    : Layer.mergeAll(ledger(state), cache(state), deadLetters(state))
}

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
