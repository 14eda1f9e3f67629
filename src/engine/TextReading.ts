/** Reads texts in a separate process, which a hostile document may end. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { answered } from "../internal/base/answerError.ts"
import type { Reading } from "../internal/reading/contract.ts"
import { type Content, type Sent, type TextJob, TextResult } from "./jobs.ts"
import type { LaneError } from "./lanes/LaneError.ts"
import * as ParserPool from "./ParserPool.ts"

/**
 * A text cannot be read: it is binary data (`Binary`), or too much for the process that reads it (`TooMuch`), which `error` describes; or
 * that process cannot be started (`Unavailable`).
 */
export class TextReadingError extends answered<TextReadingError>("docsluice/engine/TextReadingError")(
  "TextReadingError",
  {
    reason: Schema.Literal("Binary", "TooMuch", "Unavailable"),
    error: Schema.String
  }
) {}

/**
 * Reads a text as the built-in format of the extension, within that time, 20 seconds by default, and as long for the wait for its turn.
 * The bytes must not change during a call.
 */
export type TextReading = (
  extension: string,
  bytes: Content,
  within?: Duration.Duration
) => Effect.Effect<Reading, TextReadingError>

const usual = Duration.seconds(20)

const tooMuch = (error: string): TextReadingError => new TextReadingError({ reason: "TooMuch", error })

const failed =
  (within: Duration.Duration) =>
  ({ error, reason }: LaneError): TextReadingError =>
    reason === "Unavailable"
      ? new TextReadingError({ reason, error })
      : tooMuch(
          reason === "Deadline"
            ? `it takes longer than ${Math.round(Duration.toSeconds(within))} seconds to read`
            : reason === "Crashed" || reason === "OutOfMemory" || reason === "Killed"
              ? "it ended the process that reads it"
              : error
        )

/**
 * Its one child process starts with the first text, ends after a minute without one, and with the scope. Interrupting a call that has
 * begun ends the process; the next call starts another.
 */
export const make: Effect.Effect<TextReading, never, Scope.Scope> = Effect.map(
  ParserPool.make(1),
  (lane): TextReading =>
    (extension, bytes, within = usual) => {
      const job: Sent<TextJob> = { kind: "text", bytes, extension }
      return Effect.flatMap(Effect.mapError(lane.run(job, within), failed(within)), (reply) => {
        if (reply._tag !== "Done") return tooMuch(reply.error)
        return Effect.flatMap(
          Effect.mapError(Schema.decodeUnknown(TextResult)(reply.value), () => tooMuch("it has another shape")),
          (result) =>
            result.kind === "success"
              ? Effect.succeed(result.reading)
              : new TextReadingError({ reason: "Binary", error: result.error })
        )
      })
    }
)
