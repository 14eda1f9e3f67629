/** Converts failures of lanes to the errors of the interface document. */
import type { EngineError } from "../service/Engine.ts"
import {
  BadRequest,
  DocumentUnparsable,
  InternalServerError,
  RequestTimeout,
  ServiceUnavailable
} from "../service/ServiceError.ts"
import type { RefusalReason, Reply } from "./jobs.ts"
import type { LaneError } from "./lanes/LaneError.ts"

/** A 500 that is final for these bytes and options. */
export const unparsable = (
  error: string,
  code: DocumentUnparsable["code"] = "SCRAPE_ALL_ENGINES_FAILED"
): DocumentUnparsable => new DocumentUnparsable({ status: 500, code, error })

/** A 500 of an answer that could not be redacted: nothing of it is returned. */
export const unredacted = (error: string): DocumentUnparsable =>
  unparsable(`the answer could not be redacted: ${error}; leave redactPII out, or name fewer entities or formats`)

const timeout = (code: "SCRAPE_TIMEOUT" | "CONCURRENCY_QUEUE_TIMEOUT", error: string): RequestTimeout =>
  new RequestTimeout({ status: 408, code, error })

/** A 408: the parse took longer than `timeout`. */
export const tooSlow = (milliseconds: number): RequestTimeout =>
  timeout(
    "SCRAPE_TIMEOUT",
    `Request Timeout: the file was not parsed within ${milliseconds} ms; give it a longer timeout`
  )

/** A 408: the document was not begun within `timeout`. */
export const queued = (milliseconds: number): RequestTimeout =>
  timeout(
    "CONCURRENCY_QUEUE_TIMEOUT",
    `Request Timeout: no parser was free for ${milliseconds} ms; send fewer at a time`
  )

const ofReason: Readonly<Record<LaneError["reason"], (error: LaneError, milliseconds: number) => EngineError>> = {
  Crashed: ({ error }) => unparsable(`the parser crashed on this file (${error})`),
  OutOfMemory: () => unparsable("the file needs more memory than a document is given"),
  // Our own kills are `Stopped`: this process was ended from outside, usually by a system that is short of memory.
  Killed: ({ error }) =>
    new InternalServerError({ status: 500, error: `the parser was ended from outside (${error})` }),
  Stopped: ({ error }) => new ServiceUnavailable({ status: 503, error: `Service Unavailable: ${error}` }),
  Deadline: (_, milliseconds) => tooSlow(milliseconds),
  QueueTimeout: (_, milliseconds) => queued(milliseconds),
  Unavailable: ({ error }) => new InternalServerError({ status: 500, error: `no parser could be started (${error})` })
}

/** Error of a job without an answer. */
export const ofLane = (error: LaneError, milliseconds: number): EngineError =>
  ofReason[error.reason](error, milliseconds)

const ofRefusal = (reason: RefusalReason, error: string): EngineError => {
  if (reason === "badOptions") {
    return new BadRequest({ status: 400, code: "BAD_REQUEST", error, details: [error] })
  }
  return unparsable(error)
}

/** Error of an answer that is not a parsed document. */
export const ofReply = (reply: Exclude<Reply, { readonly _tag: "Done" }>): EngineError => {
  if (reply._tag === "Refused") return ofRefusal(reply.reason, reply.error)
  return reply._tag === "Threw"
    ? unparsable(`the parser failed on this file (${reply.error})`)
    : new InternalServerError({ status: 500, error: `the parser could not be loaded (${reply.error})` })
}
