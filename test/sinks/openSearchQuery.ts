/** Evaluation of the query language of OpenSearch and Elasticsearch, as far as their double has it. */
import { Schema } from "effect"
import type * as Body from "./openSearchSchema.ts"

export interface Document {
  readonly id: string
  readonly source: Readonly<Record<string, unknown>>
}

export interface Index {
  mappings: typeof Body.Mappings.Type
  readonly documents: Map<string, Document>
  /** Those that searches see. */
  visible: ReadonlyArray<Document>
}

export class Refused extends Error {
  readonly status: number
  readonly type: string
  constructor(status: number, type: string, reason: string) {
    super(reason)
    this.status = status
    this.type = type
  }
}

const dot = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

/** Dimensions and metric of the vectors' field; null without one. */
const vectorsOf = ({ mappings }: Index) => {
  const field = mappings.properties["embedding"]
  if (field?.type === "knn_vector") return { length: field.dimension, metric: field.method.space_type }
  return field?.type === "dense_vector" ? { length: field.dims, metric: field.similarity } : null
}

export const checkVector = (index: Index, vector: ReadonlyArray<number>): void => {
  const vectors = vectorsOf(index)
  if (vectors === null || vector.length !== vectors.length) {
    throw new Refused(400, "mapper_parsing_exception", `the vector has another length than ${vectors?.length}`)
  }
  if (vectors.metric.startsWith("cosine") && dot(vector, vector) === 0) {
    throw new Refused(400, "mapper_parsing_exception", "zero vector is not supported when space type is cosine")
  }
}

export const isNumbers = Schema.is(Schema.Array(Schema.Number))

const scoreOf = (index: Index, vector: ReadonlyArray<number>, of: unknown): number | null => {
  if (!isNumbers(of)) return null
  const metric = vectorsOf(index)?.metric ?? ""
  if (metric.startsWith("l2")) return 1 / (1 + Math.hypot(...vector.map((value, at) => value - (of[at] ?? 0))) ** 2)
  const product = dot(vector, of)
  return metric.startsWith("cosine") ? (1 + product / Math.sqrt(dot(vector, vector) * dot(of, of))) / 2 : product
}

/** Values of a field: one, or those of a list. */
const valuesOf = ({ source }: Document, field: string): ReadonlyArray<unknown> => {
  const value = source[field]
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

/** The tokens of a text, as the analyzer of its field makes them. */
const tokens = ({ mappings }: Index, field: string, text: unknown): ReadonlyArray<string> => {
  const mapped = mappings.properties[field]
  if (mapped?.type !== "text") throw new Refused(400, "query_shard_exception", `[${field}] is no text`)
  return mapped.analyzer === "whitespace"
    ? String(text).split(/\s+/u).filter(Boolean)
    : (String(text)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [])
}

/** Indexed terms of a document: of a text its tokens, of a keyword its values. */
const termsOf = (index: Index, document: Document, field: string): ReadonlyArray<string> => {
  const mapped = index.mappings.properties[field]
  if (mapped?.type === "text") return valuesOf(document, field).flatMap((text) => tokens(index, field, text))
  const indexed = mapped?.type === "keyword" && !("index" in mapped)
  if (!indexed) throw new Refused(400, "query_shard_exception", `[${field}] is not indexed as keyword`)
  const limit = mapped.ignore_above ?? Number.POSITIVE_INFINITY
  return valuesOf(document, field)
    .map(String)
    .filter((value) => value.length <= limit)
}

/** Order of keywords: by their bytes in UTF-8. Of numbers: as numbers. */
const order = (left: unknown, right: unknown): number =>
  typeof left === "number"
    ? left - Number(right)
    : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))

/** True if the document matches, of queries that do not rank. */
export const holds = (index: Index, query: Body.Query, document: Document): boolean => {
  const is = (part: Body.Query) => holds(index, part, document)
  if ("match_all" in query) return true
  if ("match_none" in query) return false
  if ("ids" in query) return query.ids.values.includes(document.id)
  if ("terms" in query) {
    return Object.entries(query.terms).every(([field, wanted]) => {
      const terms = new Set(termsOf(index, document, field))
      return wanted.some((term) => terms.has(term))
    })
  }
  if ("range" in query) {
    return Object.entries(query.range).every(([field, { gt, gte, lt, lte }]) => {
      const number = index.mappings.properties[field]?.type === "integer"
      return (number ? valuesOf(document, field) : termsOf(index, document, field)).some(
        (value) =>
          (gt === undefined || order(value, gt) > 0) &&
          (gte === undefined || order(value, gte) >= 0) &&
          (lt === undefined || order(value, lt) < 0) &&
          (lte === undefined || order(value, lte) <= 0)
      )
    })
  }
  if ("bool" in query) {
    const { filter = [], minimum_should_match, must = [], must_not = [], should = [] } = query.bool
    const least = minimum_should_match ?? (must.length + filter.length === 0 && should.length > 0 ? 1 : 0)
    return [...must, ...filter].every(is) && !must_not.some(is) && should.filter(is).length >= least
  }
  if ("match" in query) return scored(index, query, document) > 0
  throw new Refused(400, "parsing_exception", "[knn] is no filter here")
}

/** The score of the words that match, in all parts that rank. */
const scored = (index: Index, query: Body.Query, document: Document): number => {
  if ("bool" in query) {
    const { must = [], should = [] } = query.bool
    return [...must, ...should].reduce((sum, part) => sum + scored(index, part, document), 0)
  }
  if (!("match" in query)) return 1
  return Object.entries(query.match).reduce((sum, [field, { boost, query: text }]) => {
    const terms = termsOf(index, document, field)
    const found = new Set(tokens(index, field, text).filter((token) => terms.includes(token)))
    return sum + (boost * found.size) / Math.sqrt(1 + terms.length)
  }, 0)
}

/** Leaves of a query; a server refuses more than 1,024. */
const clauses = (query: Body.Query): number => {
  if ("bool" in query) {
    const { filter = [], must = [], must_not = [], should = [] } = query.bool
    return [...must, ...filter, ...should, ...must_not].reduce((sum, part) => sum + clauses(part), 0)
  }
  return "match" in query ? Object.values(query.match).reduce((sum, one) => sum + one.query.split(" ").length, 0) : 1
}

/** Levels of `bool`; a server refuses more than 20. */
const levels = (query: Body.Query): number => {
  if (!("bool" in query)) return 0
  const { filter = [], must = [], must_not = [], should = [] } = query.bool
  return 1 + Math.max(0, ...[...must, ...filter, ...should, ...must_not].map(levels))
}

const checkSize = (query: Body.Query): void => {
  if (clauses(query) > 1024) throw new Refused(400, "too_many_nested_clauses", "maxClauseCount is set to 1024")
  if (levels(query) > 20)
    throw new Refused(400, "illegal_argument_exception", "The nested depth of the query exceeds 20")
}

export type Ranked = ReadonlyArray<{ readonly document: Document; readonly score: number }>

export const nearest = (index: Index, vector: ReadonlyArray<number>, k: number, filter?: Body.Query): Ranked => {
  checkVector(index, vector)
  if (filter !== undefined) checkSize(filter)
  return index.visible
    .filter((document) => filter === undefined || holds(index, filter, document))
    .flatMap((document) => {
      const score = scoreOf(index, vector, document.source["embedding"])
      return score === null ? [] : [{ document, score }]
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, k)
}

export const matching = (index: Index, query: Body.Query): Ranked => {
  checkSize(query)
  return index.visible
    .filter((document) => holds(index, query, document))
    .map((document) => ({ document, score: scored(index, query, document) }))
    .toSorted((a, b) => b.score - a.score)
}
