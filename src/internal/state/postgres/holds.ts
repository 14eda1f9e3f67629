/** The documents that a session works on. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Document, entryOf, keyOf } from "../ledger/document.ts"
import type { Key } from "../ledger/entry.ts"
import * as Operations from "../ledger/operations.ts"
import type { Change, Holds, Selection } from "../ledger/rowStore.ts"
import type { Hold } from "../ledger/runLedger.ts"
import type { ServerFailure } from "../serverFailure.ts"
import type { Writer } from "./writer.ts"

/** Documents taken or let go at a time. */
const together = 256

/** Documents among these that have the property now. */
type Again<E> = (documents: ReadonlyArray<Document>, selection: Selection) => Effect.Effect<ReadonlyArray<Document>, E>

export interface SessionHolds<E> {
  readonly holds: Omit<Holds<E>, "isRootFree">
  /** Runs a rule. A document that another process took over is no longer this one's. */
  readonly change: <A>(change: Change<A>) => Effect.Effect<A, E>
  /** Lets documents go that could not be let go while the server was away: this process lives on, so that its lease does not end them. */
  readonly letGoAgain: Effect.Effect<void>
}

export const make = <E>(writer: Writer, failed: (failure: ServerFailure) => E, again: Again<E>): SessionHolds<E> => {
  const { held: mine } = writer
  /** Documents held only so that chunks of them can be removed. */
  const lent = new Map<string, Key>()
  /** Documents that this process may hold without use: the server did not say whether it took them, or let them go. */
  const owed = new Map<string, Key>()

  const ended = (key: Pick<Key, "documentId">): void => {
    lent.delete(key.documentId)
    mine.delete(key.documentId)
  }

  const change = <A>(next: Change<A>): Effect.Effect<A, ServerFailure> =>
    Effect.tapError(writer.write(next), ({ reason }) =>
      Effect.sync(() => {
        if (reason === "Superseded") ended(next.key)
      })
    )

  const owing = <A>(next: Change<A>): Effect.Effect<A, E> =>
    change(next).pipe(
      Effect.tapError(({ reason }) =>
        Effect.sync(() => {
          if (reason !== "Superseded") owed.set(next.key.documentId, next.key)
        })
      ),
      Effect.mapError(failed)
    )

  // Uninterruptible: a hold of which this process does not know would never end.
  const hold = (key: Key): Effect.Effect<Hold, E> =>
    Effect.uninterruptible(
      Effect.map(
        Effect.suspend(() => {
          owed.delete(key.documentId)
          return owing({
            key,
            creates: true,
            apply: (document, holder) => ({ held: Operations.hold(document, holder), entry: entryOf(document) })
          })
        }),
        ({ entry, held }) => {
          if (held === "busy") return { standing: "busy", entry }
          mine.set(key.documentId, held)
          return { standing: "held", entry }
        }
      )
    )

  const release = (key: Key) => Effect.tap(owing({ key, creates: false, apply: Operations.release }), () => ended(key))

  const letGo = (key: Key) => Effect.suspend(() => (mine.has(key.documentId) ? release(key) : Effect.void))

  const letGoAll = (keys: ReadonlyArray<Key>) => Effect.forEach(keys, letGo, { concurrency: together, discard: true })

  const letGoAgain = Effect.suspend(() =>
    Effect.forEach(
      [...owed.values()],
      // One that is taken again by then is in use.
      (key) => Effect.suspend(() => (owed.delete(key.documentId) ? Effect.ignore(release(key)) : Effect.void)),
      { concurrency: together, discard: true }
    )
  )

  const takenOf = (found: ReadonlyArray<Document>, selection: Selection) =>
    Effect.gen(function* () {
      const free = found.filter((document) => {
        const { documentId } = keyOf(document)
        return lent.has(documentId) || !mine.has(documentId)
      })
      const standings = yield* Effect.forEach(free, (document) => hold(keyOf(document)), { concurrency: together })
      const ours = free.filter((_, at) => standings[at]?.standing === "held")
      for (const document of ours) lent.set(keyOf(document).documentId, keyOf(document))
      const now = ours.length === 0 ? [] : yield* again(ours, selection)
      const kept = new Set(now.map(({ id }) => id))
      yield* letGoAll(ours.filter(({ id }) => !kept.has(id)).map(keyOf))
      return Chunk.unsafeFromArray(now)
    })

  return {
    holds: {
      hold,
      letGo,
      taken: (selection, found) => Stream.mapChunksEffect(found, (page) => takenOf([...page], selection)),
      isLent: ({ documentId }) => lent.has(documentId),
      ended,
      rest: Effect.suspend(() => letGoAll([...lent.values()]))
    },
    change: (next) => Effect.mapError(change(next), failed),
    letGoAgain
  }
}
