import { assert, describe, it } from "@effect/vitest"
import * as Filter from "docsluice/Filter"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect, Either, FastCheck as fc, Schema } from "effect"
import { agrees, chunks, filters } from "./fixtures/filters.ts"
import { chunk } from "./fixtures/sinkChunks.ts"
import { space } from "./fixtures/vectorChunks.ts"

const holds = (filter: Filter.Filter, one: ReturnType<typeof chunk>): boolean =>
  Filter.matches(Either.getOrThrow(Filter.parse(filter)).condition, one)

const messageOf = (filter: unknown): string =>
  Either.match(Filter.parse(filter), { onLeft: ({ message }) => message, onRight: () => "valid" })

const nested = (depth: number): unknown => (depth === 0 ? {} : { $not: nested(depth - 1) })

describe("parse", () => {
  it.each([
    ["a text", "year", 'filter: it is "year" instead of an object such as {"metadata.year":{"$gte":2020}}'],
    ["null", null, "filter: it is null instead of an object"],
    ["a list", [], "filter: it is a list instead of an object"],
    ["an instance of a class", new Map(), "filter: it is an object instead of an object such as"],
    [
      "a bare name",
      { year: 2020 },
      'filter.year: it is not a field; for a member of the metadata write "metadata.year"'
    ],
    [
      "an object of metadata",
      { metadata: { year: 1 } },
      'filter.metadata: it is not a field; for a member of the metadata write "metadata.year"'
    ],
    [
      "an operator without its sign",
      { "metadata.year": { gte: 1 } },
      'filter["metadata.year"].gte: there is no such operator; operators begin with $: $gte'
    ],
    [
      "an operator that there is not",
      { source: { $regex: "a" } },
      "filter.source.$regex: there is no such operator; inside a field there are $eq, $ne,"
    ],
    [
      "an operator that there is not, at the top",
      { $nor: [] },
      "filter.$nor: there is no such operator; on this level there are $and, $or and $not"
    ],
    ["a comparison at the top", { $gte: 1 }, 'filter.$gte: it belongs inside a field: {"metadata.year":{"$gte": …}}'],
    ["no operator", { page: {} }, "filter.page: it has no operator; there are $eq,"],
    [
      "null as a value",
      { "metadata.a": null },
      'filter["metadata.a"]: null is no value here; write {"$exists":false} for chunks without metadata.a'
    ],
    ["a list as a value", { "metadata.a": [1] }, 'filter["metadata.a"]: a list is no value here; write $in'],
    [
      "one value for several",
      { "metadata.a": { $in: 1 } },
      'filter["metadata.a"].$in: it takes a list of values, and this is 1'
    ],
    [
      "a value that is none in a list",
      { "metadata.a": { $in: [1, null] } },
      'filter["metadata.a"].$in[1]: null is no value here'
    ],
    [
      "a number that is not finite",
      { "metadata.a": { $gt: Number.NaN } },
      'filter["metadata.a"].$gt: NaN is no value here; a number must be finite'
    ],
    [
      "an order of texts",
      { "metadata.a": { $gt: "m" } },
      'filter["metadata.a"].$gt: it takes a number or an ISO 8601 date such as "2024-05-31"'
    ],
    [
      "an order of sources",
      { source: { $gt: "m" } },
      "filter.source.$gt: source is a text, which has no order; use $eq, $in or $contains"
    ],
    ["a page as a text", { page: "3" }, 'filter.page: "3" is no value here; page is a number'],
    ["a part of a page", { page: { $contains: "3" } }, "filter.page.$contains: page is a number, which has no parts"],
    ["a kind as a number", { kind: 3 }, "filter.kind: 3 is no value here; kind is a text"],
    [
      "a date that is none",
      { date: { $lt: "2024-02-30" } },
      'filter.date.$lt: "2024-02-30" is no value here; date takes an ISO 8601 date'
    ],
    ["an empty part", { source: { $contains: "" } }, "filter.source.$contains: it takes a text that is not empty"],
    [
      "a word for a boolean",
      { page: { $exists: "yes" } },
      'filter.page.$exists: it takes true or false, and this is "yes"'
    ],
    ["no alternatives", { $or: [] }, "filter.$or: it takes a list of one or more filters, and this is an empty list"],
    ["an alternative that is none", { $or: [{}, { $and: [{ b: 1 }] }] }, "filter.$or[1].$and[0].b: it is not a field"],
    [
      "the opposite of a value",
      { source: { $not: "a" } },
      'filter.source.$not: it takes an object of operators, and this is "a"; write $ne'
    ],
    ["nine levels", nested(9), "it is nested more than 8 deep"],
    [
      "too many conditions",
      { $or: Array.from({ length: 257 }, () => ({ page: 1 })) },
      "filter.$or[255].page: the filter has more than 256 conditions"
    ],
    [
      "too many values",
      { page: { $in: Array.from({ length: 1001 }, () => 1) } },
      "filter.page.$in: the filter lists more than 1000 values"
    ],
    [
      "too long a text",
      { source: "x".repeat(100_001) },
      "filter.source: the filter's names and texts are longer than 100000 characters together"
    ]
  ])("refuses %s, and names the place and the remedy", (_, filter, message) => {
    assert.include(messageOf(filter), message)
  })

  it("reads a filter that refers to itself as one that is too deep", () => {
    const filter: Record<string, unknown> = {}
    filter["$not"] = filter
    assert.include(messageOf(filter), "nested more than 8 deep")
  })

  it("takes a filter at its bounds, members that are undefined, and an object without a prototype", () => {
    assert.strictEqual(messageOf(nested(8)), "valid")
    assert.strictEqual(messageOf({ $or: Array.from({ length: 255 }, () => ({ page: 1 })) }), "valid")
    assert.strictEqual(messageOf({ page: undefined, source: { $eq: "a", $ne: undefined } }), "valid")
    assert.strictEqual(messageOf(Object.assign(Object.create(null), { page: 1 })), "valid")
  })

  it("names each operator that a filter uses, at its first place", () => {
    const parsed = Filter.parse({ page: 1, $or: [{ source: { $ne: "a" } }, { $not: { page: { $in: [1], $lt: 2 } } }] })
    assert.deepEqual(Either.getOrThrow(parsed).uses, [
      { operator: "and", path: "filter" },
      { operator: "eq", path: "filter.page" },
      { operator: "or", path: "filter.$or" },
      { operator: "ne", path: "filter.$or[0].source.$ne" },
      { operator: "not", path: "filter.$or[1].$not" },
      { operator: "in", path: "filter.$or[1].$not.page.$in" },
      { operator: "lt", path: "filter.$or[1].$not.page.$lt" }
    ])
  })

  it("is what the schema decodes by", () => {
    assert.deepEqual(Schema.decodeUnknownSync(Filter.Filter)({ page: 1 }), { page: 1 })
    const error = Either.flip(Schema.decodeUnknownEither(Filter.Filter)({ pages: 1 }))
    assert.include(Either.getOrThrow(error).message, "filter.pages: it is not a field")
  })
})

describe("matches", () => {
  it.prop(
    "finds with $not, $ne, $nin and $exists: false exactly what the opposite does not",
    [filters, chunks(3)],
    ([filter, all]) => {
      const { condition } = Either.getOrThrow(Filter.parse({ $and: [filter] }))
      const opposite = Either.getOrThrow(Filter.parse({ $not: filter })).condition
      for (const one of all) assert.notStrictEqual(Filter.matches(condition, one), Filter.matches(opposite, one))
      for (const [yes, no] of [
        [{ $eq: "a" }, { $ne: "a" }],
        [{ $in: ["a", 1] }, { $nin: ["a", 1] }],
        [{ $exists: true }, { $exists: false }]
      ]) {
        for (const one of all) {
          assert.notStrictEqual(holds({ "metadata.a": yes }, one), holds({ "metadata.a": no }, one))
        }
      }
    }
  )

  it("does not read members that a chunk's metadata inherit", () => {
    assert.isFalse(holds({ "metadata.constructor": { $exists: true } }, chunk("a.md", 0)))
    const dated = (date: string) => chunk("a.md", 0, { metadata: { date } })
    assert.isTrue(holds({ date: { $exists: true } }, dated("2026-05-01")))
    assert.isTrue(holds({ date: { $exists: false } }, dated("in spring")))
  })

  it("is what the sink in memory finds", () =>
    Effect.gen(function* () {
      const stored = fc.sample(chunks(40), { numRuns: 1, seed: 1 })[0] ?? []
      const sink = yield* MemorySink.make()
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(stored)
      assert.deepEqual(yield* agrees(sink, stored, { runs: 200, seed: 1 }), [])
    }).pipe(Effect.runPromise))
})

describe("instantOf", () => {
  it("reads every form, to the millisecond", () => {
    for (const [text, iso] of [
      ["2024-05-31", "2024-05-31T00:00:00.000Z"],
      ["2024-05-31T09:30", "2024-05-31T09:30:00.000Z"],
      ["2024-05-31 09:30:15", "2024-05-31T09:30:15.000Z"],
      ["2024-05-31T09:30:15.5Z", "2024-05-31T09:30:15.500Z"],
      ["2024-05-31T09:30:15.1239999+02:00", "2024-05-31T07:30:15.123Z"],
      ["2024-05-31T09:30-01:30", "2024-05-31T11:00:00.000Z"],
      ["2000-02-29", "2000-02-29T00:00:00.000Z"],
      ["0099-12-31", "0099-12-31T00:00:00.000Z"]
    ] as const) {
      const instant = Filter.instantOf(text)
      assert.strictEqual(instant === null ? null : new Date(instant).toISOString(), iso, text)
    }
  })

  it.each([
    "2024-02-30",
    "1900-02-29",
    "2024-00-10",
    "2024-13-01",
    "24-05-31",
    "2024-5-1",
    "2024-05-31T24:00",
    "2024-05-31T9:30",
    "2024-05-31T09:30:60",
    "2024-05-31T09:30+24:00",
    "2024-05-31T09:30:00.",
    "2024-05-31Z",
    "2024-05-31\n",
    " 2024-05-31",
    "0000-01-01",
    "now",
    ""
  ])("knows that %j is no date", (text) => assert.isNull(Filter.instantOf(text)))

  it.prop(
    "agrees with the calendar on every day",
    [fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })],
    ([date]) => {
      assert.strictEqual(Filter.instantOf(date.toISOString()), date.getTime())
    }
  )
})
