import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Batches from "../../base/batches.ts"

/** Rows in the order of their numbers, page by page; a page that is not full is the last. */
export const paged = <A extends { readonly id: number }, E>(
  usual: number,
  page: (after: number, size: number) => Effect.Effect<ReadonlyArray<A>, E>
): Stream.Stream<A, E> =>
  Stream.paginateChunkEffect(0, (after) =>
    Effect.flatMap(Batches.next(usual), (size) =>
      Effect.map(
        page(after, size),
        (rows) =>
          [
            Chunk.unsafeFromArray(rows),
            rows.length < size ? Option.none<number>() : Option.fromNullable(rows.at(-1)?.id)
          ] as const
      )
    )
  )
