/** Refusals of calls of the page, each with a status, a tag and a remedy. */
import * as Data from "effect/Data"
import type { DrawingError } from "../../engine/PageDrawing.ts"
import type { AnsweredError } from "../../service/Api.ts"
import * as Remedies from "../base/remedies.ts"
import type { Refusal } from "./messages.ts"

/** A call that is refused or failed, as the browser gets it. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  readonly body: Refusal
  /** Milliseconds after which the call may be made again. */
  readonly retryAfter?: number | undefined
}> {}

/** What the page's own refusals mean: status, message where there is only one, remedy. */
const own = {
  SpoolFull: [507, "remove documents that you have looked at, or wait until the server removes them"],
  EmptyFile: [400, "drop a file that has something in it"],
  UnsupportedFile: [415, "convert the file to a type that the server reads, such as PDF or HTML"],
  FileTooLarge: [413, "split the file, or drop a smaller one"],
  UploadBroken: [400, "drop the file again"],
  InvalidRequest: [400, "reload the page; its script and the server may be of two versions"],
  OptionError: [400, "correct the option that the message names"],
  DocumentGone: [404, "drop the file again"],
  NotParsed: [409, "parse the document again"],
  NoSuchPage: [404, "ask for a page that the document has"],
  NoPictures: [403, "look at the blocks without the picture: nothing of this document may be retained"],
  PageUndrawable: [422, "look at the text instead; the page is damaged, or too heavy to be drawn"],
  PageTooSlow: [504, "try again; a page that stays too slow can only be looked at as text"],
  DrawingUnavailable: [503, "try again in a moment"],
  NoStore: [404, "start the page with a store: docsluice look --to TARGET"],
  NotFound: [404, "reload the page"],
  ForeignPage: [403, "open the page at the address of the server itself"],
  PageNotBuilt: [503, "build the page: npm run build"]
} as const satisfies Readonly<Record<string, readonly [number, string]>>

export type Tag = keyof typeof own

/** A refusal of the page's own. */
export const make = (tag: Tag, message: string): Refused => {
  const [status, remedy] = own[tag]
  return new Refused({ status, body: { error: { tag, message, remedy } } })
}

/** A refusal of the service. */
export const ofService = (error: AnsweredError): Refused =>
  new Refused({
    status: error.status,
    body: { error: { tag: error._tag, message: error.error, remedy: Remedies.pageRemedyOf(error._tag) } },
    retryAfter: "retryAfter" in error ? error.retryAfter : undefined
  })

const drawing = { Undrawable: "PageUndrawable", TooSlow: "PageTooSlow", Unavailable: "DrawingUnavailable" } as const

/** A page that is not drawn. */
export const ofDrawing = ({ error, reason }: DrawingError): Refused =>
  make(drawing[reason], `The page cannot be drawn: ${error}.`)

export const noSuchDocument = (): Refused =>
  make("DocumentGone", "The server does not hold this document: it was removed, or its time is over.")
