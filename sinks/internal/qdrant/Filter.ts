import { SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import {
  type Condition,
  instantOf,
  type Leaf,
  type Operator,
  operators,
  type Order,
  type Subject
} from "docsluice/Filter"
import * as Effect from "effect/Effect"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Conditions from "../shared/Conditions.ts"
import * as Tags from "../shared/Tags.ts"

/** A condition in the words of Qdrant's interface. */
export type QdrantCondition =
  | { readonly must: ReadonlyArray<QdrantCondition> }
  | { readonly should: ReadonlyArray<QdrantCondition> }
  | { readonly must_not: ReadonlyArray<QdrantCondition> }
  | { readonly key: string; readonly match: { readonly any: ReadonlyArray<string> } | { readonly value: boolean } }
  | { readonly key: string; readonly range: Readonly<Partial<Record<Exclude<Order, "eq">, number | string>>> }
  | { readonly is_empty: { readonly key: string } }
  | { readonly has_id: ReadonlyArray<string> }

/** Without `contains`, which needs a full-text index of the member. */
export const supported: ReadonlyArray<Operator> = operators.filter((operator) => operator !== "contains")

const members = { source: "source", documentId: "document_id", heading: "headings", page: "pages" } as const

const unsupported = (sink: string, problem: string) => new SinkError({ sink, reason: "Unsupported", problem })

/** The path of a metadata member in a point's payload; null for one that no path names: there is no quote inside a quoted name. */
const pathOf = (member: string): string | null => {
  const key = ChunkRecord.plain(member)
  if (/^[A-Za-z0-9_-]+$/u.test(key)) return `metadata.${key}`
  return key === "" || key.includes('"') ? null : `metadata."${key}"`
}

/** Kinds of payload indexes. */
export type IndexKind = "keyword" | "integer" | "float" | "bool" | "datetime"

/** The index of each key that the sink's own filters address, but for tenants and other metadata than `date`. */
export const ownIndexes: ReadonlyArray<readonly [string, IndexKind]> = [
  ["tags", "keyword"],
  ["document_id", "keyword"],
  ["chunk_index", "integer"],
  ["source", "keyword"],
  ["pages", "integer"],
  ["headings", "keyword"],
  ["metadata.date", "datetime"]
]

/** Every number is indexed as a float, since an index of integers finds no others. */
const kindOf = (value: DocumentChunk["metadata"][string]): IndexKind => {
  if (typeof value === "number") return "float"
  if (typeof value === "boolean") return "bool"
  const [text = ""] = typeof value === "string" ? [value] : value
  return instantOf(text) !== null ? "datetime" : "keyword"
}

/** The index that filters on each metadata member need, by its path: a path has one, for the type of the first value. */
export const metadataIndexes = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyMap<string, IndexKind> => {
  const kinds = new Map<string, IndexKind>()
  for (const { metadata } of chunks) {
    for (const [member, value] of Object.entries(metadata)) {
      const path = pathOf(member)
      if (path !== null && !kinds.has(path)) kinds.set(path, kindOf(value))
    }
  }
  return kinds
}

/** The path of the subject in a point's payload. */
const keyOf = (sink: string, subject: Subject): Effect.Effect<string, SinkError> => {
  if (subject.name === "kind") {
    return unsupported(sink, "a search cannot be filtered by kind here, since the points do not have it; leave it out")
  }
  if (subject.name !== "metadata") return Effect.succeed(members[subject.name])
  const path = pathOf(subject.key)
  return path === null
    ? unsupported(
        sink,
        `a search cannot be filtered by the member ${JSON.stringify(ChunkRecord.plain(subject.key))} here, since no path of Qdrant's names it; give it a name without quotes`
      )
    : Effect.succeed(path)
}

const none: QdrantCondition = { has_id: [] }

const any = (should: ReadonlyArray<QdrantCondition>): QdrantCondition => {
  const [only = none] = should
  return should.length < 2 ? only : { should }
}

const westernmost = (23 * 60 + 59) * 60_000

/** The first instant that a filter's dates have, and the last one that is written in UTC. Qdrant also reads the year 0000. */
const [earliest, latest] = [Date.parse("0001-01-01T00:00:00+23:59"), Date.parse("9999-12-31T23:59:59.999Z")]

/** RFC 3339 has years of four digits: an instant after them is written in the westernmost zone. */
const rfc3339 = (instant: number): string =>
  instant <= latest
    ? new Date(Math.max(instant, earliest)).toISOString()
    : new Date(Math.min(instant - westernmost, latest)).toISOString().replace("Z", "-23:59")

/** The server keeps microseconds; a filter knows milliseconds, each of which is a range here. */
const inTime = (key: string, order: Order, instant: number): QdrantCondition => {
  const [from, next] = [rfc3339(instant), rfc3339(instant + 1)]
  const ranges = {
    eq: { gte: from, lt: next },
    gt: { gte: next },
    gte: { gte: from },
    lt: { gte: rfc3339(earliest), lt: from },
    lte: { gte: rfc3339(earliest), lt: next }
  } as const
  return { key, range: ranges[order] }
}

/** True of a text that a number or a boolean has as its tag too. */
const isAmbiguous = (text: string): boolean =>
  text === "true" || text === "false" || String(Number(text)) === ChunkRecord.plain(text)

const equalTo = (key: string, values: Pick<Extract<Leaf, { _tag: "In" }>, "booleans" | "numbers" | "texts">) =>
  any([
    ...(values.texts.length > 0 ? [{ key, match: { any: values.texts.map(ChunkRecord.plain) } }] : []),
    ...values.numbers.map((number) => ({ key, range: { gte: number, lte: number } })),
    ...values.booleans.map((value) => ({ key, match: { value } }))
  ])

/** The server cuts the decimals of a bound off where the index is one of integers. */
const wholes = { eq: Math.trunc, gt: Math.floor, gte: Math.ceil, lt: Math.ceil, lte: Math.floor } as const

const leaf = (condition: Leaf, key: string): QdrantCondition => {
  switch (condition._tag) {
    case "In": {
      const { booleans, numbers, subject, texts } = condition
      if (subject.name === "page") return equalTo(key, { booleans, texts, numbers: numbers.filter(Number.isInteger) })
      if (subject.name !== "metadata") return equalTo(key, condition)
      const tagged = (values: ReadonlyArray<string | number | boolean>) => ({
        key: "tags",
        match: { any: values.map((value) => Tags.tag(subject.key, String(value))) }
      })
      // A member's index serves values of one type; the tags serve all of them, but mix types up.
      const clear = texts.filter((text) => !isAmbiguous(text))
      const unclear = { booleans, numbers, texts: texts.filter(isAmbiguous) }
      const others = [...unclear.texts, ...numbers, ...booleans]
      return any([
        ...(clear.length > 0 ? [tagged(clear)] : []),
        ...(others.length > 0 ? [{ must: [tagged(others), equalTo(key, unclear)] }] : [])
      ])
    }
    case "Compare": {
      const { number, order, subject } = condition
      return { key, range: { [order]: subject.name === "page" ? wholes[order](number) : number } }
    }
    case "CompareTime":
      return inTime(key, condition.order, condition.instant)
    case "Exists":
      return { must_not: [{ is_empty: { key } }] }
    default:
      return none
  }
}

/** The condition over a point's payload; fails for a subject that the payload does not have. */
export const translate = (sink: string, condition: Condition): Effect.Effect<QdrantCondition, SinkError> =>
  Conditions.translate<Effect.Effect<QdrantCondition, SinkError>>(condition, {
    and: (parts) => Effect.map(Effect.all(parts), (must) => ({ must })),
    or: (parts) => Effect.map(Effect.all(parts), (should) => ({ should })),
    not: (part) => Effect.map(part, (one) => ({ must_not: [one] })),
    leaf: (one) => Effect.map(keyOf(sink, one.subject), (key) => leaf(one, key))
  })
