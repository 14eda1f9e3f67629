/** Filters of Qdrant's interface, as far as its double has them, and the points that they let pass. */
import { Schema } from "effect"

export interface Collection {
  readonly vectors: { readonly size: number; readonly distance: "Cosine" | "Dot" | "Euclid" } | null
  /** Sparse vectors by name; true for those with the modifier `idf`. */
  readonly sparse: ReadonlyMap<string, boolean>
  readonly points: Map<string, Point>
  readonly indexes: Map<string, IndexKind>
}

export type IndexKind = "keyword" | "integer" | "float" | "bool" | "datetime"

export interface Point {
  readonly id: string
  readonly vector: ReadonlyArray<number> | null
  readonly sparse: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly payload: Readonly<Record<string, unknown>>
}

export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const Uuid = Schema.UUID

const Bounds = <A, I>(bound: Schema.Schema<A, I>) =>
  Schema.Struct({
    gt: Schema.optional(bound),
    gte: Schema.optional(bound),
    lt: Schema.optional(bound),
    lte: Schema.optional(bound)
  })

/** Microseconds of its dates: RFC 3339, also with a space, without seconds or without a zone, and days. */
const instant = (text: unknown): number | null => {
  const form =
    /^\d{4}-\d{2}-\d{2}(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?<seconds>:[0-5]\d(?:\.\d{1,9})?)?(?<zone>Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/u
  const found = typeof text === "string" ? form.exec(text) : null
  if (found === null || typeof text !== "string") return null
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10)) return null
  const { seconds = "", zone = "Z" } = found.groups ?? {}
  const time = text.length === 10 ? "00:00" : text.slice(11, 16)
  const micros = Number(seconds.slice(4).padEnd(6, "0").slice(0, 6))
  const ahead = zone === "Z" ? 0 : Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)))
  return (Date.parse(`${text.slice(0, 10)}T${time}${seconds.slice(0, 3)}Z`) - ahead * 60_000) * 1000 + micros
}

const DateTime = Schema.String.pipe(Schema.filter((text) => instant(text) !== null))

/** A field's path: names of letters, digits, `_` and `-`, or in quotes, between dots. */
const Key = Schema.String.pipe(Schema.pattern(/^(?:[\w-]+|"[^"]+")(?:\.(?:[\w-]+|"[^"]+"))*$/u))

const Field = Schema.Union(
  Schema.Struct({
    key: Key,
    match: Schema.Union(
      Schema.Struct({ value: Schema.Union(Schema.String, Schema.Int, Schema.Boolean) }),
      Schema.Struct({ any: Schema.Union(Schema.Array(Schema.String), Schema.Array(Schema.Int)) })
    )
  }),
  Schema.Struct({ key: Key, range: Schema.Union(Bounds(Schema.JsonNumber), Bounds(DateTime)) }),
  Schema.Struct({ is_empty: Schema.Struct({ key: Key }) }),
  Schema.Struct({ has_id: Schema.Array(Uuid) })
)

export interface Filter {
  readonly must?: ReadonlyArray<Condition> | undefined
  readonly should?: ReadonlyArray<Condition> | undefined
  readonly must_not?: ReadonlyArray<Condition> | undefined
}

type Condition = typeof Field.Type | Filter

const Conditions = Schema.optional(
  Schema.Array(Schema.suspend((): Schema.Schema<Condition> => Schema.Union(Field, Filter)))
)

export const Filter = Schema.Struct({ must: Conditions, should: Conditions, must_not: Conditions })

/** The values of a field, of a list its items. */
const valuesOf = ({ payload }: Point, key: string): ReadonlyArray<unknown> => {
  const names = [...key.matchAll(/"([^"]+)"|[\w-]+/gu)].map(([plain, quoted]) => quoted ?? plain)
  const found = names.reduce<unknown>((value, name) => new Map(Object.entries(Object(value))).get(name), payload)
  return found === undefined || found === null ? [] : Array.isArray(found) ? found : [found]
}

const within = (
  value: number,
  { gt, gte, lt, lte }: { readonly [K in "gt" | "gte" | "lt" | "lte"]?: number | null | undefined }
): boolean =>
  value > (gt ?? -Infinity) && value >= (gte ?? -Infinity) && value < (lt ?? Infinity) && value <= (lte ?? Infinity)

type Indexes = Collection["indexes"]

/** Kinds of indexes that serve a condition; any kind where there are none. */
const served = (condition: Exclude<typeof Field.Type, { readonly has_id: unknown }>): ReadonlyArray<IndexKind> => {
  if ("range" in condition) {
    return Object.values(condition.range).some((bound) => typeof bound === "string")
      ? ["datetime"]
      : ["float", "integer"]
  }
  if (!("match" in condition)) return []
  const [value] = "any" in condition.match ? condition.match.any : [condition.match.value]
  return [typeof value === "boolean" ? "bool" : typeof value === "number" ? "integer" : "keyword"]
}

/** Refuses a condition that no index serves, as strict mode does. */
export const checkIndexes = (indexes: Indexes, filter: Filter | undefined): void => {
  for (const condition of [...(filter?.must ?? []), ...(filter?.should ?? []), ...(filter?.must_not ?? [])]) {
    if ("must" in condition || "should" in condition || "must_not" in condition) {
      checkIndexes(indexes, condition)
    } else if ("key" in condition || "is_empty" in condition) {
      const key = "key" in condition ? condition.key : condition.is_empty.key
      const [kinds, index] = [served(condition), indexes.get(key)]
      if (index === undefined || (kinds.length > 0 && !kinds.includes(index))) {
        throw new Refused(
          400,
          `Bad request: Index required but not found for "${key}" of one of the following types: [${kinds.join(", ")}]. Help: Create an index for this key or use a different filter.`
        )
      }
    }
  }
}

const holds = (indexes: Indexes, point: Point, condition: Condition): boolean => {
  if ("has_id" in condition) return condition.has_id.includes(point.id)
  if ("is_empty" in condition) return valuesOf(point, condition.is_empty.key).length === 0
  if ("match" in condition) {
    const wanted: ReadonlyArray<unknown> = "any" in condition.match ? condition.match.any : [condition.match.value]
    return valuesOf(point, condition.key).some((value) => wanted.includes(value))
  }
  if ("range" in condition) {
    const { gt, gte, lt, lte } = condition.range
    const bounds = [gt, gte, lt, lte]
    if (bounds.some((bound) => typeof bound === "string")) {
      const [after, from, before, to] = bounds.map(instant)
      const range = { gt: after, gte: from, lt: before, lte: to }
      return valuesOf(point, condition.key).some((value) => {
        const time = instant(value)
        return time !== null && within(time, range)
      })
    }
    // An index of integers cuts the decimals of bounds off.
    const cut = indexes.get(condition.key) === "integer" ? Math.trunc : (bound: number) => bound
    const [after, from, before, to] = bounds.map((bound) => (typeof bound === "number" ? cut(bound) : null))
    const range = { gt: after, gte: from, lt: before, lte: to }
    return valuesOf(point, condition.key).some((value) => typeof value === "number" && within(value, range))
  }
  return matches(indexes, point, condition)
}

export const matches = (indexes: Indexes, point: Point, filter: Filter | undefined): boolean =>
  (filter?.must ?? []).every((one) => holds(indexes, point, one)) &&
  (filter?.should === undefined ||
    filter.should.length === 0 ||
    filter.should.some((one) => holds(indexes, point, one))) &&
  !(filter?.must_not ?? []).some((one) => holds(indexes, point, one))
