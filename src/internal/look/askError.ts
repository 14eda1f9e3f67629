/** Refusals and failures of calls about a store. */
import * as Schema from "effect/Schema"
import type { SinkError } from "../../ChunkSink.ts"
import { inWordsOf, page, render } from "../base/message.ts"
import type { QueryVectorError } from "../target/queryVector.ts"
import type { SearchError, StoreMissing } from "../target/storeSearch.ts"
import type { HitMissing } from "./hitMissing.ts"
import type { StoreRefusal } from "./store.ts"

/** A query or its bounds cannot be used. */
export class QueryRefused extends Schema.TaggedError<QueryRefused>("docsluice/look/QueryRefused")("QueryRefused", {
  problem: Schema.String
}) {
  override get message(): string {
    return this.problem
  }
}

/** The store did not answer in time. */
export class SearchTimeout extends Schema.TaggedError<SearchTimeout>("docsluice/look/SearchTimeout")("SearchTimeout", {
  /** The target, without credentials. */
  store: Schema.String,
  /** Milliseconds. */
  waited: Schema.Number
}) {
  override get message(): string {
    return `${this.store} did not answer within ${this.waited / 1000} s`
  }
}

/** The id names no hit of this caller. */
export class HitUnknown extends Schema.TaggedError<HitUnknown>("docsluice/look/HitUnknown")("HitUnknown", {}) {
  override get message(): string {
    return "This hit is no longer known to the server."
  }
}

/** The chunk is not on that page. */
export class PageUnknown extends Schema.TaggedError<PageUnknown>("docsluice/look/PageUnknown")("PageUnknown", {
  page: Schema.Number
}) {
  override get message(): string {
    return `The hit has no page ${this.page}.`
  }
}

export type AskError =
  | QueryRefused
  | SearchTimeout
  | HitUnknown
  | PageUnknown
  | HitMissing
  | StoreMissing
  | SearchError
  | SinkError
  | QueryVectorError

type Row = readonly [status: number, remedy: string | null]

const fitting = "Start again with an --embedder that fits the store, or with none."

const sinks: Readonly<Record<SinkError["reason"], Row>> = {
  Unavailable: [503, "See that the store runs and that nobody holds its lock; then search again."],
  TooLarge: [400, "Search with fewer words."],
  Rejected: [502, "See what the store says; docsluice search says the same on the command line."],
  Mismatch: [409, "Start again: the store is another one than it was."],
  Unsupported: [409, "Start with a store that can be searched, such as libsql:FILE."]
}

const rows: Readonly<Record<Exclude<AskError["_tag"], "HitMissing" | "SinkError">, Row>> = {
  QueryRefused: [400, null],
  HitUnknown: [404, "Search again."],
  PageUnknown: [404, null],
  SearchError: [409, "Start with a store that can be searched, such as libsql:FILE."],
  StoreMissing: [503, "Fill it with docsluice ingest; then search again."],
  SearchTimeout: [504, "See that the store runs and nothing else keeps it busy; then search again."],
  OptionError: [409, fitting],
  EmbeddingError: [502, "See that the server of the model runs, or start again with --embedder none."],
  EmbeddingCacheError: [503, fitting]
}

const rowOf = (error: AskError): Row => {
  if (error._tag === "HitMissing") return [409, error.remedy]
  return error._tag === "SinkError" ? sinks[error.reason] : rows[error._tag]
}

/** Status and body of the answer to a call that failed. */
export const refusal = (error: AskError): StoreRefusal => {
  const [status, remedy] = rowOf(error)
  const message = error._tag === "OptionError" ? render(error.template ?? error.problem, page) : inWordsOf(page, error)
  return { status, body: { error: { tag: error._tag, message, remedy } } }
}
