/** The chunks around a hit: its neighbours, its section and its parent. */
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { Hit, Query, Range } from "./contract.ts"
import type { SinkError } from "./sinkError.ts"

/** Most chunks of a section on each side of a hit. */
const section = 32

const samePath = (left: DocumentChunk, right: DocumentChunk): boolean =>
  left.headingPath.length === right.headingPath.length &&
  left.headingPath.every(({ depth, text }, at) => {
    const other = right.headingPath[at]
    return other !== undefined && other.depth === depth && other.text === text
  })

/** The items from the first on that satisfy the test. */
const leading = <A>(all: ReadonlyArray<A>, test: (one: A) => boolean): ReadonlyArray<A> => {
  const end = all.findIndex((one) => !test(one))
  return end < 0 ? all : all.slice(0, end)
}

/** The hit with the chunks around it that the query asks for. */
export const withContext = (
  range: (range: Range) => Effect.Effect<ReadonlyArray<DocumentChunk>, SinkError>,
  { neighbours = 0, parent = false }: Query,
  hit: Hit
): Effect.Effect<Hit, SinkError> => {
  const { chunk } = hit
  const wide = Math.max(2 * neighbours, parent ? section : 0)
  return Effect.map(
    range({ documentId: chunk.documentId, from: Math.max(0, chunk.index - wide), to: chunk.index + wide }),
    (around) => {
      // Chunks to read and their children alternate; a neighbour is of the hit's own kind.
      const peers = around.filter((one) => (one.parentId === undefined) === (chunk.parentId === undefined))
      const before = peers.filter(({ index }) => index < chunk.index)
      const after = peers.filter(({ index }) => index > chunk.index)
      const inSection = (one: DocumentChunk) => samePath(one, chunk)
      const own = leading(before.toReversed(), inSection).toReversed()
      return {
        ...hit,
        ...(neighbours > 0 && { before: before.slice(-neighbours), after: after.slice(0, neighbours) }),
        ...(parent && {
          parent:
            chunk.parentId === undefined
              ? [...own, chunk, ...leading(after, inSection)]
              : around.filter(({ id }) => id === chunk.parentId)
        })
      }
    }
  )
}
