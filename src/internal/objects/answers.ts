/** Answers of any object store: pages of a listing one after the other, and what a status means for an object. */
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import type { ObjectEntry, ObjectRead } from "./objectStore.ts"
import { beginning } from "./requests.ts"

/** A page of a listing. */
export interface ListingPage {
  readonly entries: ReadonlyArray<ObjectEntry>
  /** Where the next page begins; null after the last. */
  readonly next: string | null
}

/** The error of an answer whose body ended too early. */
export const brokeOff =
  (source: string) =>
  (cause?: unknown): SourceUnavailable =>
    new SourceUnavailable({ source, reason: "Unreachable", problem: "an answer broke off; run again later", cause })

/** The page in an answer with status 200; fails for a text that is none, and for one that leads back to itself. */
export const pageOf = (
  source: string,
  page: ListingPage | null,
  from: string | null
): Effect.Effect<ListingPage, SourceUnavailable> => {
  if (page !== null && (page.next === null || page.next !== from)) return Effect.succeed(page)
  const problem = "a page of the listing cannot be read; check that this is an object store, or run again"
  return Effect.fail(new SourceUnavailable({ source, reason: "Invalid", problem }))
}

/** Pages in order. `page` gives null for one that broke off: nothing of it was used, so that it is asked for again, twice at most. */
export const listed = (
  source: string,
  page: (from: string | null) => Effect.Effect<ListingPage | null, SourceUnavailable>
): Stream.Stream<ReadonlyArray<ObjectEntry>, SourceUnavailable> =>
  Stream.paginateEffect<string | null, ReadonlyArray<ObjectEntry>, SourceUnavailable, never>(null, (from) =>
    Effect.repeat(page(from), { times: 2, while: (read) => read === null }).pipe(
      Effect.flatMap((read) => (read === null ? brokeOff(source)() : Effect.succeed(read))),
      Effect.map(({ entries, next }) => [entries, Option.fromNullable(next)] as const)
    )
  )

/** What an answer to a request for an object's bytes from `start` on means; `words` says more of an error, from its text. */
export const readOf = (
  source: string,
  entry: ObjectEntry,
  start: number,
  answer: HttpClientResponse.HttpClientResponse,
  words: (text: string) => string
): Effect.Effect<ObjectRead, SourceUnavailable> =>
  Effect.gen(function* () {
    const bytes = Stream.mapError(answer.stream, brokeOff(source))
    if (answer.status === (start > 0 ? 206 : 200)) return { _tag: "Bytes", bytes }
    const text = yield* beginning(answer)
    switch (answer.status) {
      case 404:
        return { _tag: "Gone" }
      case 401:
      case 403:
        return { _tag: "Denied" }
      // Another object is there, or one without the rest.
      case 412:
      case 416:
        return { _tag: "Changed", size: entry.size }
      default: {
        const problem = `${entry.key} was answered with ${answer.status}${words(text)}`
        return yield* new SourceUnavailable({ source, status: answer.status, reason: "Invalid", problem })
      }
    }
  })
