/** Answers of any object store: pages of a listing one after the other, and what a status means for an object. */
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import { SeenNames } from "../base/seenNames.ts"
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

const unreadable = (source: string): SourceUnavailable => {
  const problem = "a page of the listing cannot be read; check that this is an object store, or run again"
  return new SourceUnavailable({ source, reason: "Invalid", problem })
}

/** The page in an answer with status 200; fails for a text that is none. */
export const pageOf = (source: string, page: ListingPage | null): Effect.Effect<ListingPage, SourceUnavailable> =>
  page === null ? Effect.fail(unreadable(source)) : Effect.succeed(page)

/**
 * Pages in order. `page` gives null for one that broke off: nothing of it was used, so that it is asked for again, twice at most. Fails for
 * a page that leads back to an earlier one. An object that the page before held already is left out: some stores repeat the last ones.
 */
export const listed = (
  source: string,
  page: (from: string | null) => Effect.Effect<ListingPage | null, SourceUnavailable>
): Stream.Stream<ReadonlyArray<ObjectEntry>, SourceUnavailable> =>
  Stream.suspend(() => {
    const tokens = new SeenNames()
    let before: ReadonlySet<string> = new Set()
    const isNew = ({ key }: ObjectEntry): boolean => !before.has(key)
    return Stream.paginateEffect<string | null, ReadonlyArray<ObjectEntry>, SourceUnavailable, never>(null, (from) =>
      Effect.repeat(page(from), { times: 2, while: (read) => read === null }).pipe(
        Effect.flatMap((read) => (read === null ? brokeOff(source)() : Effect.succeed(read))),
        Effect.filterOrFail(
          ({ next }) => next === null || tokens.add(next),
          () => unreadable(source)
        ),
        Effect.map(({ entries, next }) => {
          const fresh = entries.filter(isNew)
          before = new Set(entries.map(({ key }) => key))
          return [fresh, Option.fromNullable(next)] as const
        })
      )
    )
  })

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
