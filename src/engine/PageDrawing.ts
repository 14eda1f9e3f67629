/** Draws pages of PDFs in a separate process, which a hostile document may end. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { answered } from "../internal/base/answerError.ts"
import {
  type Content,
  type Job,
  PagesResult,
  type PictureJob,
  PictureResult,
  type Sent,
  type SizesJob,
  SizesResult
} from "./jobs.ts"
import * as ParserPool from "./ParserPool.ts"
import type { Box } from "./Png.ts"

/** A page cannot be drawn: the document is damaged (`Undrawable`), or takes too long, or the server is being stopped (`Unavailable`). */
export class DrawingError extends answered<DrawingError>("docsluice/engine/DrawingError")("DrawingError", {
  reason: Schema.Literal("Undrawable", "TooSlow", "Unavailable"),
  error: Schema.String
}) {}

/** Size of a page as it is shown, in points. */
export interface PageSize {
  readonly number: number
  readonly width: number
  readonly height: number
}

/** Draws one page at a time. The bytes must not change during a call. */
export interface PageDrawing {
  /** Pages of the PDF; null for one that cannot be opened. */
  readonly count: (bytes: Content) => Effect.Effect<number | null>
  /** Sizes of these pages, in page order; of all pages where none are named, which reads all of them. */
  readonly sizes: (
    bytes: Content,
    pages?: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<PageSize>, DrawingError>
  /**
   * A PNG of the page (1-based) as it is shown, or of the part of it in a box, `width` pixels wide; a page of more than 12 million pixels is
   * drawn smaller, and its part too.
   */
  readonly draw: (bytes: Content, page: number, width: number, box?: Box) => Effect.Effect<Uint8Array, DrawingError>
}

/** Time of one call, and of its wait for its turn. */
const deadline = Duration.seconds(20)

const undrawable = (error: string): DrawingError => new DrawingError({ reason: "Undrawable", error })

const failed = ({ error, reason }: { readonly reason: string; readonly error: string }): DrawingError => {
  if (reason === "Deadline") return new DrawingError({ reason: "TooSlow", error: "it takes too long to draw" })
  if (reason === "Crashed" || reason === "OutOfMemory" || reason === "Killed") {
    return undrawable("it ended the process that draws it")
  }
  return new DrawingError({ reason: "Unavailable", error })
}

/**
 * Its one child process starts with the first document, ends after a minute without one, and with the scope. Interrupting a call that has
 * begun ends the process; the next call starts another.
 */
export const make: Effect.Effect<PageDrawing, never, Scope.Scope> = Effect.map(
  ParserPool.make(1),
  (lane): PageDrawing => {
    const asked = <A, I, J extends Job>(job: Sent<J>, result: Schema.Schema<A, I>): Effect.Effect<A, DrawingError> =>
      Effect.flatMap(Effect.mapError(lane.run(job, deadline), failed), (reply) =>
        reply._tag === "Done"
          ? Effect.mapError(Schema.decodeUnknown(result)(reply.value), () => undrawable("it has another shape"))
          : undrawable(reply.error)
      )
    const succeeded = <A extends { readonly kind: "success" }>(
      result: A | { readonly kind: "failure"; readonly error: string }
    ): Effect.Effect<A, DrawingError> => (result.kind === "failure" ? undrawable(result.error) : Effect.succeed(result))
    return {
      count: (bytes) => Effect.orElseSucceed(asked({ kind: "pages", bytes }, PagesResult), () => null),
      sizes: (bytes, pages) => {
        const job: Sent<SizesJob> = { kind: "sizes", bytes, pages }
        return Effect.map(Effect.flatMap(asked(job, SizesResult), succeeded), (found) => found.pages)
      },
      draw: (bytes, page, width, box) => {
        const job: Sent<PictureJob> = { kind: "picture", bytes, page, width, box }
        return Effect.map(Effect.flatMap(asked(job, PictureResult), succeeded), ({ png }) => png)
      }
    }
  }
)
