import type { Where } from "chromadb"
import { SinkError } from "docsluice/ChunkSink"
import type { Condition, Leaf, Operator, Order, Subject } from "docsluice/Filter"
import * as Effect from "effect/Effect"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Conditions from "../shared/Conditions.ts"
import * as FlatChunk from "../shared/FlatChunk.ts"

/** Chroma knows neither parts of texts nor absent members. */
export const supported: ReadonlyArray<Operator> = ["eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "and", "or"]

/** Every record has a member that is not empty. */
const always: Where = { [FlatChunk.recordKey]: { $ne: "" } }
const never: Where = { [FlatChunk.recordKey]: "" }

const all = (parts: ReadonlyArray<Where>): Where => {
  const [only = always] = parts
  return parts.length < 2 ? only : { $and: [...parts] }
}

const any = (parts: ReadonlyArray<Where>): Where => {
  const [only = never] = parts
  return parts.length < 2 ? only : { $or: [...parts] }
}

/** The key of the subject, and whether its value is a list; `null`: it may be. */
const keyOf = (subject: Subject): { readonly key: string; readonly list: boolean | null } | null => {
  switch (subject.name) {
    case "metadata":
      return { key: FlatChunk.key(subject.key), list: null }
    case "source":
      return { key: "source", list: false }
    case "documentId":
      return { key: "document_id", list: false }
    case "heading":
      return { key: "headings", list: true }
    case "page":
      return { key: "pages", list: true }
    default:
      return null
  }
}

const unsupported = (sink: string, what: string) =>
  new SinkError({
    sink,
    reason: "Unsupported",
    problem: `a search cannot be filtered by ${what} here, since Chroma's metadata cannot say it; leave it out, or keep the chunks in another store`
  })

/** Any value is one of these; or, when `opposite`, none is. A list never has a number or a boolean, except that of pages. */
const among = (
  { booleans, numbers, subject, texts }: Extract<Leaf, { readonly _tag: "In" }>,
  opposite: boolean
): Where | null => {
  const found = keyOf(subject)
  if (found === null) return null
  const { key, list } = found
  const plain = texts.map(ChunkRecord.plain)
  const whole = [
    ...numbers.map((number) => equal(key, number, opposite)),
    ...[...plain, ...booleans].map((value): Where => ({ [key]: opposite ? { $ne: value } : value }))
  ]
  const held = (subject.name === "page" ? numbers : plain).map((item) => holding(key, item, opposite))
  const tests = [...(list === true ? [] : whole), ...(list === false ? [] : held)]
  return opposite ? all(tests) : any(tests)
}

/** A list has this item, or has not. Computed names, since `Object.assign` would take `__proto__` for a prototype. */
const holding = (key: string, item: string | number, opposite: boolean): Where => {
  const [has, lacks] = [{ $contains: "" }, { $not_contains: "" }]
  // The client's types know only texts; the server compares numbers too.
  Object.assign(has, { $contains: item })
  Object.assign(lacks, { $not_contains: item })
  return { [key]: opposite ? lacks : has }
}

/** Chroma compares a whole number with the filter's number cut at its point, which has to be taken back. */
const equal = (key: string, number: number, opposite: boolean): Where => {
  const cut = Math.trunc(number)
  if (opposite) return cut === number ? { [key]: { $ne: number } } : any([{ [key]: { $ne: number } }, { [key]: cut }])
  return cut === number ? { [key]: number } : all([{ [key]: number }, { [key]: { $ne: cut } }])
}

const compared = (key: string, order: Exclude<Order, "eq">, number: number): Where => {
  const own: Where = {
    [key]: { gt: { $gt: number }, gte: { $gte: number }, lt: { $lt: number }, lte: { $lte: number } }[order]
  }
  const cut = Math.trunc(number)
  if (cut === number) return own
  const holds = order === "gt" || order === "gte" ? cut > number : cut < number
  return holds ? any([own, { [key]: cut }]) : all([own, { [key]: { $ne: cut } }])
}

const amongOr = (sink: string, ...given: Parameters<typeof among>): Effect.Effect<Where, SinkError> => {
  const where = among(...given)
  return where === null ? unsupported(sink, "kind") : Effect.succeed(where)
}

const leafOf = (sink: string, leaf: Leaf): Effect.Effect<Where, SinkError> => {
  switch (leaf._tag) {
    case "In":
      return amongOr(sink, leaf, false)
    case "Compare": {
      const found = keyOf(leaf.subject)
      return found === null || found.list === true
        ? unsupported(sink, `a range of ${leaf.subject.name}`)
        : Effect.succeed(compared(found.key, leaf.order, leaf.number))
    }
    case "CompareTime":
      return unsupported(sink, "a date")
    default:
      return unsupported(sink, leaf._tag === "Exists" ? "$exists" : "$contains")
  }
}

/** The condition as Chroma's own; fails for a subject or a value that it cannot compare. */
export const translate = (sink: string, condition: Condition): Effect.Effect<Where, SinkError> =>
  Conditions.translate<Effect.Effect<Where, SinkError>>(condition, {
    and: (parts) => Effect.map(Effect.all(parts), all),
    or: (parts) => Effect.map(Effect.all(parts), any),
    // Without `$not` and `$exists`, the opposites are those of values and of dates.
    not: (_, part) => (part._tag === "In" ? amongOr(sink, part, true) : unsupported(sink, "a date")),
    leaf: (leaf) => leafOf(sink, leaf)
  })
