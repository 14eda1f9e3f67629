/** Refusals and failures of calls about a store. */
import * as Schema from "effect/Schema"
import type { SinkError } from "../../ChunkSink.ts"
import { inWordsOf, page, render } from "../base/message.ts"
import { pageRemedyOf } from "../base/remedies.ts"
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

const ofSink: Readonly<Record<SinkError["reason"], number>> = {
  Unavailable: 503,
  TooLarge: 400,
  Rejected: 502,
  Mismatch: 409,
  Unsupported: 409
}

/** Statuses of the answers, by the tag of the error. */
export const statuses: Readonly<Record<Exclude<AskError["_tag"], "SinkError">, number>> = {
  QueryRefused: 400,
  HitUnknown: 404,
  HitMissing: 409,
  PageUnknown: 404,
  SearchError: 409,
  StoreMissing: 503,
  SearchTimeout: 504,
  OptionError: 409,
  EmbeddingError: 502,
  EmbeddingCacheError: 503
}

/** Status and body of the answer to a call that failed. */
export const refusal = (error: AskError): StoreRefusal => {
  const status = error._tag === "SinkError" ? ofSink[error.reason] : statuses[error._tag]
  const remedy = error._tag === "HitMissing" ? error.remedy : pageRemedyOf(error)
  const message = error._tag === "OptionError" ? render(error.template ?? error.problem, page) : inWordsOf(page, error)
  return { status, body: { error: { tag: error._tag, message, remedy } } }
}
