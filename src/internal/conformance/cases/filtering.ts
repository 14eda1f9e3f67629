import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../../DocumentChunk.ts"
import { all, type Case, claiming } from "../Case.ts"
import { turned } from "../samples.ts"
import type { World } from "../World.ts"

type Metadata = DocumentChunk["metadata"]

const needs = all(claiming("search"), claiming("filter"))

/** One chunk for each metadata, all found by the word `lantern`. */
const write = (world: World, metadata: ReadonlyArray<Metadata>) => {
  const { space } = world
  const chunks = metadata.map((one, index) =>
    world.chunk("lantern.md", index, {
      text: `lantern number ${index}`,
      metadata: one,
      ...(space && { embedding: turned(space, index / 100) })
    })
  )
  return Effect.as(
    world.session((sink) => sink.write(chunks)),
    chunks
  )
}

/** Fails unless exactly the chunks at these indexes are found. */
const expectFound = (
  world: World,
  filters: ReadonlyArray<readonly [filter: Readonly<Record<string, string>>, at: ReadonlyArray<number>]>
) =>
  world.session((sink) =>
    Effect.gen(function* () {
      const { space } = world
      for (const [filter, wanted] of filters) {
        const query = { text: "lantern", ...(space && { vector: turned(space, 0) }), filter, limit: 50 }
        const found = (yield* world.search(sink, query)).map(({ chunk }) => chunk.index).toSorted((a, b) => a - b)
        if (found.join() !== wanted.join()) {
          return yield* world.fail(
            `the filter ${JSON.stringify(filter)} should find the chunks [${wanted.join()}] and finds [${found.join()}]`
          )
        }
      }
      return undefined
    })
  )

export const filtering: ReadonlyArray<Case> = [
  {
    name: "filters texts by equality, not by similarity",
    lacking: needs,
    run: (world) =>
      Effect.gen(function* () {
        const languages = ["en", "EN", "en-GB", "e", "e%", "_n", "en ", "it's", "*"]
        yield* write(world, [...languages.map((language) => ({ language })), { other: "en" }, {}])
        yield* expectFound(world, [
          ...languages.map((language, at) => [{ language }, [at]] as const),
          [{ language: "fr" }, []],
          [{ language: "" }, []],
          [{ other: "en" }, [languages.length]],
          [{ absent: "en" }, []],
          [{}, [...languages, "", ""].map((_, at) => at)]
        ])
      })
  },
  {
    name: "filters by numbers and booleans as they are written",
    lacking: needs,
    run: (world) =>
      Effect.gen(function* () {
        yield* write(world, [
          { year: 2021, draft: true },
          { year: 2022, draft: false },
          { year: 20211, draft: true },
          { year: -1.5, draft: false }
        ])
        yield* expectFound(world, [
          [{ year: "2021" }, [0]],
          [{ year: "-1.5" }, [3]],
          [{ year: "202" }, []],
          [{ draft: "true" }, [0, 2]],
          [{ draft: "false" }, [1, 3]]
        ])
      })
  },
  {
    name: "filters by all members together",
    lacking: needs,
    run: (world) =>
      Effect.gen(function* () {
        yield* write(world, [
          { language: "en", tenant: "a" },
          { language: "en", tenant: "b" },
          { language: "de", tenant: "a" },
          { language: "b", tenant: "en" }
        ])
        yield* expectFound(world, [
          [{ language: "en", tenant: "a" }, [0]],
          [{ tenant: "b", language: "en" }, [1]],
          [{ language: "de", tenant: "b" }, []]
        ])
      })
  },
  {
    name: "applies the filter before the limit: a chunk is found although every better one does not match",
    lacking: needs,
    run: (world) =>
      Effect.gen(function* () {
        const chunks = yield* write(
          world,
          Array.from({ length: 61 }, (_, at) => ({ tenant: at === 60 ? "last" : "first" }))
        )
        const { space } = world
        yield* world.session((sink) =>
          Effect.gen(function* () {
            for (const limit of [1, 3]) {
              const query = { text: "lantern number 3", ...(space && { vector: turned(space, 0) }), limit }
              const hits = yield* world.search(sink, { ...query, filter: { tenant: "last" } })
              const found = hits.map(({ chunk }) => chunk.id).join(", ")
              if (found !== chunks[60]?.id) return yield* world.fail(`with limit ${limit} it finds [${found}]`)
            }
            return undefined
          })
        )
      })
  }
]
