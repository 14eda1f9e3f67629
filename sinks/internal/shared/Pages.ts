import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** The items of one page, and the cursor of the next one; null or undefined after the last. */
export type Page<A, Cursor> = readonly [items: ReadonlyArray<A>, next: Cursor | null | undefined]

/** Reads page by page, from the first cursor on. */
export const stream = <A, Cursor, E>(
  first: Cursor,
  read: (cursor: Cursor) => Effect.Effect<Page<A, Cursor>, E>
): Stream.Stream<A, E> =>
  Stream.paginateChunkEffect(first, (cursor: Cursor) =>
    Effect.map(read(cursor), ([items, next]) => [Chunk.unsafeFromArray(items), Option.fromNullable(next)])
  )
