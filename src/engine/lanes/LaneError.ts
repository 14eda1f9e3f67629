/**
 * Ends of a job on a lane other than its answer.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The job has no answer. Other jobs are not touched: the lane, if it is gone, is replaced.
 *
 * `Crashed`: the parser ended its process. `OutOfMemory`: it reached a bound of the lane. `Killed`: something outside ended it.
 * `Stopped`: the pool was closed. `Deadline`: the job took longer than its time. `QueueTimeout`: it did not start within its time.
 * `Unavailable`: no lane could be started.
 *
 * @since 0.1.0
 * @category errors
 */
export class LaneError extends Schema.TaggedError<LaneError>("docsluice/engine/LaneError")("LaneError", {
  reason: Schema.Literal("Crashed", "OutOfMemory", "Killed", "Stopped", "Deadline", "QueueTimeout", "Unavailable"),
  /** The system's words: a signal, an exit code, an exception's message. */
  error: Schema.String
}) {
  override get message(): string {
    return `${this.reason}: ${this.error}`
  }
}
