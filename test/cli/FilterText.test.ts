import { assert, describe, it } from "@effect/vitest"
import * as Filter from "docsluice/Filter"
import { Effect, Either } from "effect"
import * as FilterText from "../../src/cli/FilterText.ts"
import { chunk } from "../fixtures/sinkChunks.ts"

/** Indexes of the metadata that the texts after `--filter` let pass. */
const found = (texts: ReadonlyArray<string>, metadata: ReadonlyArray<Parameters<typeof chunk>[2]>) =>
  Effect.map(FilterText.parse(texts), (filter = {}) => {
    const { condition } = Either.getOrThrow(Filter.parse(filter))
    return metadata.flatMap((more, at) => (Filter.matches(condition, chunk(`${at}.md`, 0, more)) ? [at] : []))
  })

const years = [2020, "2020", "2020.0", ["2020"], true, "true"].map((year) => ({ metadata: { year } }))

describe("the texts after --filter", () => {
  it.effect.each([
    ["a number and the text that is written so", ["year=2020"], [0, 1, 3]],
    ["a text that is no number as it is written", ["year=2020.0"], [2]],
    ["a boolean and the text that is written so", ["year=true"], [4, 5]],
    ["the same with the whole name", ["metadata.year=true"], [4, 5]],
    ["nothing else than all of them", ["year=2020", "source=1.md"], [1]],
    ["JSON by its types", ['{"metadata.year":2020}'], [0]],
    ["JSON and a pair together", [' {"metadata.year":{"$in":[2020,true]}}', "source=4.md"], [4]],
    ["everything without any", [], [0, 1, 2, 3, 4, 5]]
  ] as const)("find %s", ([, texts, wanted]) =>
    Effect.gen(function* () {
      assert.deepEqual(yield* found(texts, years), [...wanted])
    })
  )

  it.effect("name fields and members apart", () =>
    Effect.gen(function* () {
      const all = [{ pages: [2] }, { metadata: { page: 2 } }, { metadata: { "a=b": 1, date: "2024-05-31" } }]
      assert.deepEqual(yield* found(["page=2"], all), [0])
      assert.deepEqual(yield* found(["metadata.page=2"], all), [1])
      assert.deepEqual(yield* found(["date=2024-05-31T00:00Z"], all), [2])
      const error = yield* Effect.flip(FilterText.parse(["date=May"]))
      assert.include(error.message, `--filter: filter.date: "May" is no value here; date takes an ISO 8601 date`)
    })
  )
})
