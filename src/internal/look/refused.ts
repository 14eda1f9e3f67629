/** Refusals of calls of the page, each with a status, a tag and what helps. */
import * as Data from "effect/Data"
import type { DrawingError } from "../../engine/PageDrawing.ts"
import type { AnsweredError } from "../../service/Api.ts"
import { inWordsOf, page, type Worded } from "../base/message.ts"
import { pageRemedyOf } from "../base/remedies.ts"
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
  PageNotBuilt: 503
} as const

const refused = (status: number, error: { readonly _tag: string } & Worded, retryAfter?: number): Refused => {
  const message = inWordsOf(page, error)
  return new Refused({ status, body: { error: { tag: error._tag, message, remedy: pageRemedyOf(error) } }, retryAfter })
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
