/** Counts the pages of PDFs without reading the pages. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type PagesJob, PagesResult } from "./jobs.ts"
import * as ParserPool from "./ParserPool.ts"

/** Time limit; a document that takes longer counts as one that cannot be opened. */
const deadline = Duration.seconds(20)

const decode = Schema.decodeUnknownEither(PagesResult)

/**
 * A function that counts pages; null for a file that cannot be opened. Its one child process starts with the first document and ends with
 * the scope. The bytes must not change during the count.
 */
export const make: Effect.Effect<(bytes: Uint8Array) => Effect.Effect<number | null>, never, Scope.Scope> = Effect.map(
  ParserPool.make(1),
  (lane) => (bytes) => {
    const job: PagesJob = { kind: "pages", bytes }
    return lane.run(job, deadline).pipe(
      Effect.map((reply) => (reply._tag === "Done" ? Either.getOrElse(decode(reply.value), () => null) : null)),
      Effect.catchAll((error) =>
        Effect.as(Effect.logDebug("pages not counted").pipe(Effect.annotateLogs({ error: error.message })), null)
      )
    )
  }
)
