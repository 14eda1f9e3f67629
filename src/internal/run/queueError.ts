/** The error of a queue that documents are sent through. */
import * as Schema from "effect/Schema"
import { unsent } from "../base/wireFields.ts"

/**
 * The queue cannot be used, or not for this run.
 *
 * `Address`: it is no address of a queue. `Package`: an optional package is not installed. `Denied`: the server refuses the user, the
 * password or a right. `Unreachable`: no answer, at first or for a minute. `Unfit`: the server is too old. `Busy`: another process
 * coordinates a run of this root. `TakenOver`: another process does so since this one gave no sign of life. `Mismatch`: a worker has other
 * settings, or another state, than the run. `Unsupported`: an option that means nothing with a queue, or a state or target that only one
 * process can use. `Aside`: every worker was put aside, since none can get at the documents. `Newer`: a later version of this package uses the queue. `Failed`: anything else.
 *
 * @since 0.1.0
 * @category errors
 */
export class QueueError extends Schema.TaggedError<QueueError>("docsluice/QueueError")("QueueError", {
  /** Address of the server without user and password. */
  queue: Schema.String,
  reason: Schema.Literal(
    "Address",
    "Package",
    "Denied",
    "Unreachable",
    "Unfit",
    "Busy",
    "TakenOver",
    "Mismatch",
    "Unsupported",
    "Aside",
    "Newer",
    "Failed"
  ),
  /** What happened and what to do about it, in one line. */
  problem: Schema.String,
  cause: unsent
}) {
  override get message(): string {
    return `${this.queue}: ${this.problem}`
  }
}
