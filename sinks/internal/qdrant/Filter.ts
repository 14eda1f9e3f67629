import { SinkError } from "docsluice/ChunkSink"
import { type Condition, type Leaf, type Operator, operators, type Order, type Subject } from "docsluice/Filter"
import * as Effect from "effect/Effect"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
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

/** Without `contains`: a part of a text needs a full-text index of its own. */
export const supported: ReadonlyArray<Operator> = operators.filter((operator) => operator !== "contains")

const members = { source: "source", documentId: "document_id", heading: "headings", page: "pages" } as const

const unsupported = (sink: string, problem: string) => new SinkError({ sink, reason: "Unsupported", problem })

/** The path of the subject in a point's payload. Its syntax knows no quote inside a quoted name. */
const keyOf = (sink: string, subject: Subject): Effect.Effect<string, SinkError> => {
  if (subject.name === "kind") {
    return unsupported(sink, "a search cannot be filtered by kind here, since the points do not have it; leave it out")
  }
  if (subject.name !== "metadata") return Effect.succeed(members[subject.name])
  const key = ChunkRecord.plain(subject.key)
  if (/^[A-Za-z0-9_-]+$/u.test(key)) return Effect.succeed(`metadata.${key}`)
  return key === "" || key.includes('"')
    ? unsupported(
        sink,
        `a search cannot be filtered by the member ${JSON.stringify(key)} here, since no path of Qdrant's names it; give it a name without quotes`
      )
    : Effect.succeed(`metadata."${key}"`)
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

const leaf = (condition: Leaf, key: string): QdrantCondition => {
  switch (condition._tag) {
    case "In": {
      const { booleans, numbers, subject, texts } = condition
      const exact = any([
        ...(texts.length > 0 ? [{ key, match: { any: texts.map(ChunkRecord.plain) } }] : []),
        ...numbers.map((number) => ({ key, range: { gte: number, lte: number } })),
        ...booleans.map((value) => ({ key, match: { value } }))
      ])
      if (subject.name !== "metadata") return exact
      // The tags mix types up, but they have an index.
      const tags = [...texts, ...numbers, ...booleans].map((value) => Tags.tag(subject.key, String(value)))
      return { must: [{ key: "tags", match: { any: tags } }, exact] }
    }
    case "Compare":
      return { key, range: { [condition.order]: condition.number } }
    case "CompareTime":
      return inTime(key, condition.order, condition.instant)
    case "Exists":
      return { must_not: [{ is_empty: { key } }] }
    default:
      return none
  }
}

/** The condition over a point's payload; fails for a subject that the payload does not have. */
export const translate = (sink: string, condition: Condition): Effect.Effect<QdrantCondition, SinkError> => {
  switch (condition._tag) {
    case "And":
      return Effect.map(
        Effect.forEach(condition.parts, (part) => translate(sink, part)),
        (must) => ({ must })
      )
    case "Or":
      return Effect.map(
        Effect.forEach(condition.parts, (part) => translate(sink, part)),
        (should) => ({ should })
      )
    case "Not":
      return Effect.map(translate(sink, condition.part), (part) => ({ must_not: [part] }))
    default:
      return Effect.map(keyOf(sink, condition.subject), (key) => leaf(condition, key))
  }
}
