/** Refusals of calls of the page, each with a status, a tag and what helps. */
import * as Data from "effect/Data"
import type { SinkError } from "../../ChunkSink.ts"
import type { DrawingError } from "../../engine/PageDrawing.ts"
import type { RerankError } from "../../Reranker.ts"
import type { FigureError } from "../base/figureError.ts"
import { inWordsOf, page, render, type Worded } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import { pageRemedyOf } from "../base/remedies.ts"
import type { AnsweredError } from "../server/api.ts"
import type { QueryVectorError } from "../target/queryVector.ts"
import type { SearchError, StoreMissing } from "../target/storeSearch.ts"
import { HitMissing } from "./hitMissing.ts"
import type { Refusal } from "./messages.ts"

/** A call that is refused or failed, as the browser gets it. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  readonly body: Refusal
  /** Milliseconds after which the call may be made again. */
  readonly retryAfter?: number | undefined
}> {}

/** Statuses of the page's own refusals. */
export const statuses = {
  SpoolFull: 507,
  EmptyFile: 400,
  UnsupportedFile: 415,
  FileTooLarge: 413,
  UploadBroken: 400,
  InvalidRequest: 400,
  OptionError: 400,
  DocumentGone: 404,
  NotParsed: 409,
  NoSuchPage: 404,
  NoPictures: 403,
  PageUndrawable: 422,
  PageTooSlow: 504,
  DrawingUnavailable: 503,
  NoStore: 404,
  NotFound: 404,
  ForeignPage: 403,
  PageNotBuilt: 503,
  QueryRefused: 400,
  SearchTimeout: 504,
  HitUnknown: 404,
  PageUnknown: 404,
  FigureUnknown: 404
} as const

const refused = (status: number, error: { readonly _tag: string } & Worded, retryAfter?: number): Refused => {
  const message = error instanceof OptionError ? render(error.template ?? error.problem, page) : inWordsOf(page, error)
  const remedy = error instanceof HitMissing ? error.remedy : pageRemedyOf(error)
  return new Refused({ status, body: { error: { tag: error._tag, message, remedy } }, retryAfter })
}

/** A refusal of the page's own. */
export const make = (tag: keyof typeof statuses, message: string): Refused =>
  refused(statuses[tag], { _tag: tag, message })

/** A document that cannot be read or split. */
export const ofDocument = (error: { readonly _tag: string } & Worded): Refused => refused(422, error)

/** A refusal of the service. */
export const ofService = (error: AnsweredError): Refused =>
  refused(
    error.status,
    { _tag: error._tag, message: error.error },
    "retryAfter" in error ? error.retryAfter : undefined
  )

const drawing = { Undrawable: "PageUndrawable", TooSlow: "PageTooSlow", Unavailable: "DrawingUnavailable" } as const

/** A page that is not drawn. */
export const ofDrawing = ({ error, reason }: DrawingError): Refused =>
  make(drawing[reason], `The page cannot be drawn: ${error}.`)

export const noSuchDocument = (): Refused =>
  make("DocumentGone", "The server does not hold this document: it was removed, or its time is over.")

/** An option that the page sets. */
export const ofOption = (error: OptionError): Refused => refused(statuses.OptionError, error)

/** Errors of a store, of its search and of the documents of its hits. */
type StoreFailure = HitMissing | StoreMissing | SearchError | SinkError | RerankError | QueryVectorError

const statusesOfSink: Readonly<Record<SinkError["reason"], number>> = {
  Unavailable: 503,
  TooLarge: 400,
  Rejected: 502,
  Mismatch: 409,
  Unsupported: 409
}

/** A figure that is not drawn. */
export const ofFigure = (error: FigureError): Refused =>
  refused(error.reason === "NoPicture" ? statuses.PageUndrawable : statusesOfStore.HitMissing, error)

/** Statuses of these errors. The options of a store are those that the server was started with: the page sets none of them. */
export const statusesOfStore: Readonly<Record<Exclude<StoreFailure["_tag"], "SinkError">, number>> = {
  HitMissing: 409,
  SearchError: 409,
  StoreMissing: 503,
  OptionError: 409,
  EmbeddingError: 502,
  RerankError: 502,
  EmbeddingCacheError: 503
}

/** A call about a store that failed. */
export const ofStore = (error: StoreFailure): Refused =>
  refused(error._tag === "SinkError" ? statusesOfSink[error.reason] : statusesOfStore[error._tag], error)
