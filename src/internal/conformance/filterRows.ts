/** Tools of the cases about filters: chunks, and the filters that have to find some of them. */
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { Filter, Operator } from "../../Filter.ts"
import { all, type Case, claiming, type Need } from "./Case.ts"
import { turned } from "./samples.ts"
import type { World } from "./World.ts"

type Metadata = DocumentChunk["metadata"]

/** A filter and the indexes of the chunks that it has to find. */
export type Row = readonly [filter: Filter, at: ReadonlyArray<number>]

/** The sink must claim search and these operators. */
export const having = (...needed: ReadonlyArray<Operator>): Need =>
  all(claiming("search"), ({ can }) => {
    const missing = needed.find((operator) => !can.filter.includes(operator))
    return missing === undefined ? null : `the sink does not claim the operator \`${missing}\` of filters`
  })

/** Writes chunks that the word `lantern` and the vector of `asking` find, all of them. */
export const write = (world: World, chunks: ReadonlyArray<Partial<DocumentChunk>>) => {
  const { space } = world
  const made = chunks.map((more, index) =>
    world.chunk(more.source ?? "lantern.md", index, {
      text: `lantern number ${index}`,
      ...(space && { embedding: turned(space, index / 100) }),
      ...more
    })
  )
  return Effect.as(
    world.session((sink) => sink.write(made)),
    made
  )
}

/** A query that finds every chunk that the filter lets pass. */
export const asking = ({ space }: World, filter: Filter, limit = 80) => ({
  text: "lantern",
  ...(space && { vector: turned(space, 0) }),
  filter,
  limit
})

/** Fails unless each filter finds exactly its chunks. */
export const expectFound = (world: World, rows: ReadonlyArray<Row>) =>
  world.session(
    Effect.fnUntraced(function* (sink) {
      for (const [filter, wanted] of rows) {
        const hits = yield* world.search(sink, asking(world, filter))
        const found = hits.map(({ chunk }) => chunk.index).toSorted((a, b) => a - b)
        if (found.join() !== wanted.join()) {
          return yield* world.fail(
            `the filter ${JSON.stringify(filter)} should find the chunks [${wanted.join()}] and finds [${found.join()}]`
          )
        }
      }
      return undefined
    })
  )

/** A case that writes a chunk for each part, and asks for all rows. */
export const finding = (
  name: string,
  lacking: Need,
  chunks: ReadonlyArray<Partial<DocumentChunk>>,
  rows: ReadonlyArray<Row>
): Case => ({
  name,
  core: false,
  lacking,
  looks: "itself",
  run: (world) => Effect.zipRight(write(world, chunks), expectFound(world, rows))
})

/** Chunks with these metadata. */
export const of = (...metadata: ReadonlyArray<Metadata>): ReadonlyArray<Partial<DocumentChunk>> =>
  metadata.map((one) => ({ metadata: one }))
