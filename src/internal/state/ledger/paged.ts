import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** Rows in the order of their numbers, page by page; a page that is not full is the last. */
export const paged = <A extends { readonly id: number }, E>(
  size: number,
  page: (after: number) => Effect.Effect<ReadonlyArray<A>, E>
): Stream.Stream<A, E> =>
  Stream.paginateChunkEffect(0, (after) =>
    Effect.map(
      page(after),
      (rows) =>
        [
          Chunk.unsafeFromArray(rows),
          rows.length < size ? Option.none<number>() : Option.fromNullable(rows.at(-1)?.id)
        ] as const
    )
  )
