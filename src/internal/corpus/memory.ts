import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as DeadLetter from "../../DeadLetter.ts"
import * as EmbeddingCache from "../../EmbeddingCache.ts"
import * as Ledger from "../../Ledger.ts"
import * as ParseCache from "../../ParseCache.ts"
import * as State from "../../State.ts"

/** Services of the memory of runs. */
export type Services = Ledger.Ledger | ParseCache.ParseCache | DeadLetter.DeadLetter

/** The vectors that were paid for; opened when a model is there that makes some. */
export type Vectors = Layer.Layer<EmbeddingCache.EmbeddingCache, EmbeddingCache.EmbeddingCacheError>

/** The open memory of runs. */
export interface Memory {
  readonly services: Context.Context<Services>
  readonly vectors: Vectors
}

export interface Place {
  /** Folder, or address of a server; null: in memory, and gone with the scope. */
  readonly state: string | null
  /** File of the dead letters; default: in the state. */
  readonly deadLetters?: string | undefined
  /** See `State.layerPostgres`. */
  readonly lease?: "8 seconds" | undefined
}

/** Lease of the documents of a process among others: those of one that was killed are free again within it. */
export const shortLease = "8 seconds"

/** True when a run has left a ledger there. Creates nothing. */
export const exists = (state: string): Effect.Effect<boolean, Ledger.LedgerError, FileSystem.FileSystem | Path.Path> =>
  State.isAddress(state)
    ? Ledger.existsPostgres({ url: state })
    : Effect.flatMap(Effect.all([FileSystem.FileSystem, Path.Path]), ([fs, path]) =>
        Effect.orElseSucceed(fs.exists(path.join(state, "ledger.db")), () => false)
      )

/** The roots that the state knows; none where there is no state. Waits for no run. */
export const roots = (state: string | null): Effect.Effect<Ledger.Stats["roots"], Ledger.LedgerError> =>
  state === null
    ? Effect.succeed([])
    : Effect.scoped(
        Effect.flatMap(Ledger.openReadOnly(state), (ledger) => Effect.map(ledger.stats, ({ roots }) => roots))
      )

/** Opens the state, which is created when missing, for as long as the scope. */
export const open = ({
  deadLetters,
  lease,
  state
}: Place): Effect.Effect<Memory, State.StateError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const letters = deadLetters === undefined ? undefined : DeadLetter.layer(deadLetters)
    if (state === null) {
      const empty = Layer.mergeAll(Ledger.layerMemory, ParseCache.layerMemory(), letters ?? DeadLetter.layerMemory)
      return { services: yield* Layer.build(empty), vectors: EmbeddingCache.layerMemory() }
    }
    if (State.isAddress(state)) {
      const services = yield* Layer.build(
        Layer.merge(State.layerPostgres({ url: state, lease }), letters ?? Layer.empty)
      )
      const cache = Context.get(services, EmbeddingCache.EmbeddingCache)
      return { services, vectors: Layer.succeed(EmbeddingCache.EmbeddingCache, cache) }
    }
    const places = yield* State.places(state)
    const services = Layer.mergeAll(
      Ledger.layer({ directory: places.ledger }),
      ParseCache.layer({ directory: places.cache }),
      letters ?? DeadLetter.layer(places.deadLetters)
    )
    return { services: yield* Layer.build(services), vectors: EmbeddingCache.layer({ directory: places.embeddings }) }
  })
