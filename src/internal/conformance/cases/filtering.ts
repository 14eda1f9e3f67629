import * as Effect from "effect/Effect"
import { type Filter, type Operator, operators } from "../../../Filter.ts"
import { type Case, checks, claiming } from "../Case.ts"
import { asking, finding, having, of, type Row, write } from "../filterRows.ts"
import { turned } from "../samples.ts"

const languages = ["en", "EN", "en-GB", "e", "e%", "_n", "en ", "it's", "*", "é", "e\u0301"]

const dates = [
  { date: "2024-05-31" },
  { date: "2024-05-31T02:00:00+02:00" },
  { date: "2024-05-30 22:00-02:00" },
  { date: "2024-05-31T00:00:00.001Z" },
  { date: "2024-06-01T09:30" },
  { date: "1969-12-31T23:59:59.999999Z" },
  { date: "2024-02-30" },
  { date: "soon" },
  { date: 20240531 },
  {}
]

export const filtering: ReadonlyArray<Case> = [
  finding(
    "filters texts by equality, not by similarity",
    having("eq"),
    of(...languages.map((language) => ({ language })), { other: "en" }, {}),
    [
      ...languages.map((language, at): Row => [{ "metadata.language": language }, [at]]),
      [{ "metadata.language": "fr" }, []],
      [{ "metadata.language": "" }, []],
      [{ "metadata.language": { $eq: "en" } }, [0]],
      [{ "metadata.other": "en" }, [languages.length]],
      [{ "metadata.absent": "en" }, []],
      [{}, [...languages, "", ""].map((_, at) => at)]
    ]
  ),
  finding(
    "keeps texts, numbers and booleans apart, and mixes none of them up",
    having("eq"),
    of(
      { year: 2021 },
      { year: "2021" },
      { year: -1.5 },
      { year: 20211 },
      { year: true },
      { year: "true" },
      { year: 1 },
      { year: 0 }
    ),
    [
      [{ "metadata.year": 2021 }, [0]],
      [{ "metadata.year": "2021" }, [1]],
      [{ "metadata.year": -1.5 }, [2]],
      [{ "metadata.year": 202 }, []],
      [{ "metadata.year": true }, [4]],
      [{ "metadata.year": "true" }, [5]],
      [{ "metadata.year": 1 }, [6]],
      [{ "metadata.year": false }, []],
      [{ "metadata.year": "" }, []]
    ]
  ),
  finding(
    "finds a list by any of its items",
    having("eq"),
    of({ tags: ["red", "blue"] }, { tags: ["blue"] }, { tags: [] }, { tags: "red" }, { tags: ["red, blue"] }, {}),
    [
      [{ "metadata.tags": "red" }, [0, 3]],
      [{ "metadata.tags": "blue" }, [0, 1]],
      [{ "metadata.tags": "" }, []]
    ]
  ),
  finding(
    "filters by all members together",
    having("eq", "and"),
    of(
      { language: "en", tenant: "a" },
      { language: "en", tenant: "b" },
      { language: "de", tenant: "a" },
      { language: "b", tenant: "en" }
    ),
    [
      [{ "metadata.language": "en", "metadata.tenant": "a" }, [0]],
      [{ $and: [{ "metadata.tenant": "b" }, { "metadata.language": "en" }] }, [1]],
      [{ "metadata.language": "de", "metadata.tenant": "b" }, []]
    ]
  ),
  finding(
    "finds any of several values",
    having("in"),
    of({ n: 1 }, { n: "1" }, { n: true }, { n: ["1", "2"] }, { n: 2.5 }, {}),
    [
      [{ "metadata.n": { $in: [1, 2.5] } }, [0, 4]],
      [{ "metadata.n": { $in: ["1", true] } }, [1, 2, 3]],
      [{ "metadata.n": { $in: ["2"] } }, [3]],
      [{ "metadata.n": { $in: [] } }, []]
    ]
  ),
  finding(
    "finds with $ne exactly what $eq does not, absent values among them",
    having("ne"),
    of({ n: 1 }, { n: "1" }, { n: ["1", "2"] }, { n: [] }, {}),
    [
      [{ "metadata.n": { $ne: 1 } }, [1, 2, 3, 4]],
      [{ "metadata.n": { $ne: "1" } }, [0, 3, 4]],
      [{ "metadata.absent": { $ne: "1" } }, [0, 1, 2, 3, 4]]
    ]
  ),
  finding(
    "finds with $nin exactly what $in does not, absent values among them",
    having("nin"),
    of({ n: 1 }, { n: "1" }, { n: ["1", "2"] }, { n: [] }, {}),
    [
      [{ "metadata.n": { $nin: [1, "1"] } }, [3, 4]],
      [{ "metadata.n": { $nin: ["2", 7] } }, [0, 1, 3, 4]],
      [{ "metadata.n": { $nin: [] } }, [0, 1, 2, 3, 4]]
    ]
  ),
  finding(
    "compares numbers with numbers only",
    having("gt", "gte", "lt", "lte"),
    of({ n: 1 }, { n: 2 }, { n: 2.5 }, { n: 10 }, { n: -3 }, { n: "2" }, { n: true }, { n: ["9"] }, {}),
    [
      [{ "metadata.n": { $gt: 2 } }, [2, 3]],
      [{ "metadata.n": { $gte: 2 } }, [1, 2, 3]],
      [{ "metadata.n": { $lt: 2 } }, [0, 4]],
      [{ "metadata.n": { $lte: 2 } }, [0, 1, 4]],
      [{ "metadata.n": { $gt: 2.4 } }, [2, 3]],
      [{ "metadata.n": { $lte: -2.5 } }, [4]],
      [{ "metadata.absent": { $lt: 2 } }, []]
    ]
  ),
  finding("compares dates in time", having("eq", "gt", "gte", "lt", "lte"), of(...dates), [
    [{ date: { $gt: "2024-05-31" } }, [3, 4]],
    [{ date: { $gte: "2024-05-31T00:00:00Z" } }, [0, 1, 2, 3, 4]],
    [{ date: { $lt: "2024-05-31" } }, [5]],
    [{ "metadata.date": { $lte: "2024-05-31T01:00+01:00" } }, [0, 1, 2, 5]],
    [{ date: "2024-05-30T14:00-10:00" }, [0, 1, 2]],
    [{ "metadata.date": "2024-05-31" }, [0]]
  ]),
  finding(
    "finds a part of a text in its own case, and a whole item of a list",
    having("contains"),
    of(
      { t: "a red house" },
      { t: "Red" },
      { t: ["red", "blue"] },
      { t: ["reddish"] },
      { t: 'say "red"' },
      { t: 5 },
      { t: "100%" },
      {}
    ),
    [
      [{ "metadata.t": { $contains: "red" } }, [0, 2, 4]],
      [{ "metadata.t": { $contains: "Red" } }, [1]],
      [{ "metadata.t": { $contains: '"red' } }, [4]],
      [{ "metadata.t": { $contains: "%" } }, [6]],
      [{ "metadata.t": { $contains: "5" } }, []]
    ]
  ),
  finding(
    "takes an empty list for no value",
    having("exists"),
    of({ n: 0 }, { n: false }, { n: "" }, { n: ["a"] }, { n: [] }, {}, { other: 1 }),
    [
      [{ "metadata.n": { $exists: true } }, [0, 1, 2, 3]],
      [{ "metadata.n": { $exists: false } }, [4, 5, 6]]
    ]
  ),
  finding(
    "finds what any of several conditions finds",
    having("eq", "and", "or"),
    of({ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 1 }, { a: 2, b: 2 }, {}),
    [
      [{ $or: [{ "metadata.a": 1 }, { "metadata.b": 1 }] }, [0, 1, 2]],
      [
        {
          $or: [
            { "metadata.a": 1, "metadata.b": 2 },
            { "metadata.a": 2, "metadata.b": 1 }
          ]
        },
        [1, 2]
      ],
      [{ "metadata.a": 2, $or: [{ "metadata.b": 1 }, { "metadata.absent": 1 }] }, [2]]
    ]
  ),
  finding(
    "finds with $not exactly what its condition does not",
    having("eq", "gt", "or", "not"),
    of({ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 2 }, { a: "2" }, {}),
    [
      [{ $not: { "metadata.a": 1 } }, [2, 3, 4]],
      [{ "metadata.a": { $not: { $gt: 1 } } }, [0, 1, 3, 4]],
      [{ $not: { $or: [{ "metadata.b": 2 }, { "metadata.a": 2 }] } }, [0, 3, 4]],
      [{ $not: { $not: { "metadata.b": { $not: { $gt: 1 } } } } }, [0, 2, 3, 4]]
    ]
  ),
  ...checks("itself", claiming("search"), {
    *"refuses a filter that is not valid, and operators that it does not claim"(world) {
      yield* write(world, of({ n: 1 }))
      const lacking = operators.filter((operator) => !world.can.filter.includes(operator))
      const wrong = [
        ...lacking.map((operator) => [using[operator], "Unsupported"] as const),
        [{ "metadata.n": { $gt: "soon" } }, "Rejected"] as const
      ]
      yield* world.session((sink) =>
        Effect.forEach(wrong, ([filter, reason]) => {
          const ended = sink.search?.(asking(world, filter)) ?? Effect.succeed([])
          return Effect.flatMap(Effect.either(ended), (found) =>
            found._tag === "Left" && found.left.reason === reason
              ? Effect.void
              : world.fail(
                  `the filter ${JSON.stringify(filter)} should fail as \`${reason}\` and ${found._tag === "Left" ? `fails as \`${found.left.reason}\`` : `finds ${found.right.length} chunks`}`
                )
          )
        })
      )
    }
  }),
  ...checks("itself", having("eq"), {
    *"applies the filter before the limit: a chunk is found although every better one does not match"(world) {
      const chunks = yield* write(
        world,
        of(...Array.from({ length: 241 }, (_, at) => ({ tenant: at === 240 ? "last" : "first" })))
      )
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          for (const limit of [1, 3]) {
            const query = { ...asking(world, { "metadata.tenant": "last" }, limit), text: "lantern number 3" }
            const found = (yield* world.search(sink, query)).map(({ chunk }) => chunk.id).join(", ")
            if (found !== chunks[240]?.id) return yield* world.fail(`with limit ${limit} it finds [${found}]`)
          }
          return undefined
        })
      )
    },
    *"finds the nearest chunks of one of twenty tenants, as many as the limit"(world) {
      const { space } = world
      const chunks = yield* write(
        world,
        Array.from({ length: 20 * each }, (_, at) => ({
          metadata: { tenant: `tenant ${at % 20}` },
          ...(space && { embedding: turned(space, at / (10 * each)) })
        }))
      )
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          for (const tenant of [0, 7, 19]) {
            const query = asking(world, { "metadata.tenant": `tenant ${tenant}` }, 10)
            const hits = yield* world.search(sink, space === null ? query : { ...query, text: "" })
            const own = chunks.filter((_, at) => at % 20 === tenant)
            const nearest = new Set((space === null ? own : own.slice(0, 10)).map(({ id }) => id))
            const right = hits.filter(({ chunk }) => nearest.has(chunk.id)).length
            // An index may be approximate: it may miss one.
            if (hits.length === 10 && right >= 9) continue
            return yield* world.fail(
              `a search among the ${own.length} chunks of a tenant gives ${hits.length} of 10 hits, ${right} of them right`
            )
          }
          return undefined
        })
      )
    }
  })
]

/** Chunks of each tenant. */
const each = 30

/** A filter with one operator each. */
const using: Readonly<Record<Operator, Filter>> = {
  eq: { "metadata.n": 1 },
  ne: { "metadata.n": { $ne: 1 } },
  in: { "metadata.n": { $in: [1] } },
  nin: { "metadata.n": { $nin: [1] } },
  gt: { "metadata.n": { $gt: 1 } },
  gte: { "metadata.n": { $gte: 1 } },
  lt: { "metadata.n": { $lt: 1 } },
  lte: { "metadata.n": { $lte: 1 } },
  contains: { "metadata.n": { $contains: "1" } },
  exists: { "metadata.n": { $exists: true } },
  and: { $and: [{}] },
  or: { $or: [{}] },
  not: { $not: {} }
}
