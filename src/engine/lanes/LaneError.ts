/** Errors of jobs on a lane. */
import * as Schema from "effect/Schema"

/**
 * The job has no answer. Other jobs are not affected: a lane that has ended is replaced.
 *
 * `Crashed`: the parser ended its process. `OutOfMemory`: it reached a bound of the lane. `Killed`: something outside ended it.
 * `Stopped`: the pool was closed. `Deadline`: the job took longer than its time. `QueueTimeout`: it did not start within its time.
 * `Unavailable`: no lane could be started.
 */
export class LaneError extends Schema.TaggedError<LaneError>("docsluice/engine/LaneError")("LaneError", {
  reason: Schema.Literal("Crashed", "OutOfMemory", "Killed", "Stopped", "Deadline", "QueueTimeout", "Unavailable"),
  /** Message of the system: a signal, an exit code, or that of an exception. */
  error: Schema.String
}) {
  override get message(): string {
    return `${this.reason}: ${this.error}`
  }
}
