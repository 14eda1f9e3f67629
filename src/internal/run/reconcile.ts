/** Compares the contents of a store with the ledger when one of them may be outdated. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ChunkSink, SinkError, Store } from "../../ChunkSink.ts"
import type { ChunkId } from "../../DocumentChunk.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { DocumentId } from "../../SourceFile.ts"
import type { LedgerEntry } from "../state/ledger/entry.ts"
import type { LedgerOptions } from "./options.ts"
import type { Held } from "./sinkWriter.ts"

/** Time limit of a count. */
const patience = "1 second"

/** All chunk ids that the sink lists, by document. */
export const gather = (
  list: NonNullable<ChunkSink.Service["list"]>
): Effect.Effect<Map<DocumentId, Set<ChunkId>>, SinkError> =>
  Effect.suspend(() => {
    const held = new Map<DocumentId, Set<ChunkId>>()
    return Effect.as(
      Stream.runForEachChunk(list, (items) =>
        Effect.sync(() => {
          for (const { documentId, id } of items) {
            const ids = held.get(documentId)
            if (ids === undefined) held.set(documentId, new Set([id]))
            else ids.add(id)
          }
        })
      ),
      held
    )
  })

/** True when the sink has acknowledged the document for this store, but lacks some of its chunks. */
export const lacks = (
  entry: LedgerEntry,
  sink: Pick<ChunkSink.Service, "id">,
  store: string | null,
  there: ReadonlySet<ChunkId> | undefined
): boolean =>
  entry.stored?.acknowledged.some((ack) => ack.sink === sink.id && ack.store === store) === true &&
  entry.stored.chunkIds.some((id) => there?.has(id) !== true)

/**
 * Revokes the sink's acknowledgements of documents that it lacks, so that the run writes them again. Returns the stored chunk ids
 * when the store may hold more than the state knows, so that chunks already there are not written again; else null.
 */
export const reconcile = (
  ledger: LedgerOptions["ledger"],
  sink: ChunkSink.Service,
  store: Store
): Effect.Effect<Held | null, SinkError | LedgerError> =>
  Effect.gen(function* () {
    if (sink.list === undefined) return null
    if (!store.compare && !(yield* hasFewer(ledger, sink, store))) return null
    const storeId = Option.getOrNull(store.storeId)
    const held = yield* gather(sink.list)
    for (const documentId of held.keys()) if (store.isOthers(documentId)) held.delete(documentId)
    yield* Stream.runForEach(ledger.entries("all"), (entry) =>
      lacks(entry, sink, storeId, held.get(entry.documentId)) ? ledger.disown(entry, [sink.id]) : Effect.void
    )
    return store.adopted ? held : null
  })

/** Compares by one count. A shared store is not counted, since its count includes chunks of other states. */
const hasFewer = (
  ledger: LedgerOptions["ledger"],
  sink: ChunkSink.Service,
  { stamp, storeId }: Store
): Effect.Effect<boolean, SinkError | LedgerError> =>
  Effect.gen(function* () {
    if (sink.count === undefined || Option.isNone(stamp) || stamp.value.shared) return false
    const { stores } = yield* ledger.belief(sink.id)
    const believed = stores.find((one) => one.store === Option.getOrNull(storeId))?.chunks ?? 0
    if (believed === 0) return false
    const count = yield* Effect.timeoutOption(sink.count, patience)
    if (Option.isNone(count)) {
      yield* Effect.logWarning(
        `${sink.id}: counting its chunks took too long and was skipped; run doctor to compare it with the state`
      )
      return false
    }
    return count.value < believed
  })
