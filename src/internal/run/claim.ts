/** Claims of a run on the stores that it opens, derived from the ledger. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ChunkSink, type Claim, type Listed, SinkError } from "../../ChunkSink.ts"
import type { LedgerError } from "../../Ledger.ts"
import { documentId as idOf } from "../../SourceFile.ts"
import type { LedgerOptions } from "./options.ts"

export interface Asked {
  readonly how: Claim["how"]
  /** Names of the roots that the run writes, in addition to those with documents in the store. */
  readonly roots: ReadonlyArray<string>
  readonly rebuild: boolean
}

/** The claim of a run without state. */
export const stateless: Claim = { state: null, how: "own", stores: [], roots: [], knows: () => Effect.succeed(false) }

/** The claim of a state on the store of a sink. */
export const make = (
  ledger: LedgerOptions["ledger"],
  sink: Pick<ChunkSink.Service, "id">,
  { how, rebuild, roots }: Asked
): Effect.Effect<Claim, LedgerError> =>
  Effect.gen(function* () {
    const state = yield* ledger.state
    const belief = yield* ledger.belief(sink.id)
    return {
      state,
      how,
      stores: belief.stores.flatMap(({ store }) => store ?? []),
      roots: [...new Set([...belief.roots, ...roots])],
      rebuild,
      knows: (chunks) =>
        Effect.mapError(
          knows(ledger, chunks),
          (cause) =>
            new SinkError({
              sink: sink.id,
              reason: "Unavailable",
              problem: `the state cannot be asked whose it is: ${cause.message}`,
              cause
            })
        )
    }
  })

/** True when the ledger knows one of the chunks as held by any sink. */
const knows = (ledger: LedgerOptions["ledger"], chunks: ReadonlyArray<Listed>): Effect.Effect<boolean, LedgerError> =>
  Effect.gen(function* () {
    const { roots } = yield* ledger.stats
    const documents = new Set(chunks.map(({ documentId }) => documentId))
    const ids = new Set(chunks.map(({ id }) => id))
    for (const documentId of documents) {
      for (const { name } of roots) {
        if (!documentId.startsWith(`${name}/`)) continue
        const path = documentId.slice(name.length + 1)
        const holding = yield* ledger.holding({ documentId: idOf(name, path), path })
        const held = Option.match(holding, { onNone: () => [], onSome: (one) => one.held })
        if (held.some(({ chunkIds }) => chunkIds.some((id) => ids.has(id)))) return true
      }
    }
    return false
  })
