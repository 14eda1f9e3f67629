/**
 * Counts the pages of PDFs without reading them.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type PagesJob, PagesResult } from "./jobs.ts"
import * as LanePool from "./lanes/LanePool.ts"
import * as Transport from "./lanes/Transport.ts"
import * as PdfModule from "./PdfModule.ts"

/** A document that takes longer is counted as one that cannot be opened. */
const deadline = Duration.seconds(20)

const decode = Schema.decodeUnknownEither(PagesResult)

/**
 * Gives a function that counts; null for what cannot be opened. Its one worker thread starts with the first document and ends
 * with the scope. Takes the bytes over: the caller must not use them afterwards.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<(bytes: Uint8Array) => Effect.Effect<number | null>, never, Scope.Scope> = Effect.gen(
  function* () {
    const workers = yield* LanePool.make({
      start: Transport.worker(Transport.entryBeside("workerEntry", import.meta.url)),
      size: 1
    })
    const compiled = yield* Effect.cached(PdfModule.compile)
    return (bytes) =>
      Effect.gen(function* () {
        const job: PagesJob = { kind: "pages", bytes, module: yield* compiled }
        const reply = yield* workers.run(job, deadline)
        return reply._tag === "Done" ? Either.getOrElse(decode(reply.value), () => null) : null
      }).pipe(
        Effect.catchAll((error) =>
          Effect.as(Effect.logDebug("pages not counted").pipe(Effect.annotateLogs({ error: error.message })), null)
        )
      )
  }
)
