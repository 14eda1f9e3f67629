/** Bytes of a document: those that are held, or an answer that is of the same version. */
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import { none, some } from "effect/Option"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import * as sha256 from "../base/sha256.ts"
import { brokeOff } from "../objects/answers.ts"
import { ObjectChanged, type ObjectRead } from "../objects/objectStore.ts"
import { dismissed } from "../objects/requests.ts"
import { shown, type Web } from "./client.ts"
import { ifRange, isSame, type WebEntry } from "./webEntry.ts"

/** The bytes without the first `start`. */
const from = <E>(bytes: Stream.Stream<Uint8Array, E>, start: number): Stream.Stream<Uint8Array, E> =>
  start === 0
    ? bytes
    : Stream.suspend(() => {
        let skip = start
        return Stream.filterMap(bytes, (part) => {
          const rest = part.subarray(Math.min(skip, part.length))
          skip -= part.length - rest.length
          return rest.length === 0 ? none() : some(rest)
        })
      })

/** Fails at the end of bytes that are not those that were listed. */
const verified = (
  bytes: Stream.Stream<Uint8Array, SourceUnavailable>,
  digest: string
): Stream.Stream<Uint8Array, SourceUnavailable | ObjectChanged> =>
  Stream.suspend(() => {
    const hash = sha256.incremental()
    return Stream.concat(
      Stream.tap(bytes, (part) => Effect.sync(() => hash.update(part))),
      Stream.suspend(() => (hash.digest() === digest ? Stream.empty : Stream.fail(new ObjectChanged())))
    )
  })

const lengthOf = ({ headers }: HttpClientResponse.HttpClientResponse): number | undefined => {
  const length = Number(headers["content-length"] ?? "")
  return headers["content-length"] !== undefined && Number.isSafeInteger(length) ? length : undefined
}

const readOf = (
  entry: WebEntry,
  start: number,
  answer: HttpClientResponse.HttpClientResponse
): Effect.Effect<ObjectRead, SourceUnavailable> => {
  const source = shown(entry.url)
  const bytes = Stream.mapError(answer.stream, brokeOff(source))
  const length = lengthOf(answer)
  const unread = (read: ObjectRead): Effect.Effect<ObjectRead> => Effect.as(dismissed(answer), read)
  switch (answer.status) {
    case 200: {
      if (!isSame(entry.version, answer.headers) || (length !== undefined && length !== entry.size)) {
        return unread({ _tag: "Changed", size: length ?? entry.size })
      }
      const whole = entry.version._tag === "Digest" ? verified(bytes, entry.version.value) : bytes
      return Effect.succeed({ _tag: "Bytes", bytes: from(whole, start) })
    }
    case 206: {
      const ranged = answer.headers["content-range"]?.startsWith(`bytes ${start}-`) === true
      if (start > 0 && ranged && isSame(entry.version, answer.headers)) return Effect.succeed({ _tag: "Bytes", bytes })
      return unread({ _tag: "Changed", size: entry.size })
    }
    case 404:
    case 410:
      return unread({ _tag: "Gone" })
    case 401:
    case 403:
      return unread({ _tag: "Denied" })
    case 412:
    case 416:
      return unread({ _tag: "Changed", size: entry.size })
    default: {
      const { status } = answer
      const problem = `it was answered with ${status}`
      return Effect.zipRight(
        dismissed(answer),
        Effect.fail(new SourceUnavailable({ source, status, reason: "Invalid", problem }))
      )
    }
  }
}

/** Reads a document from `start` on: a range where the server has versions that hold for it, else the whole. */
export const read = (web: Web, entry: WebEntry, start: number): Effect.Effect<ObjectRead, SourceUnavailable> =>
  Effect.suspend(() => {
    const held = entry.held?.bytes()
    if (held !== undefined) return Effect.succeed<ObjectRead>({ _tag: "Bytes", bytes: from(held, start) })
    // A date of the list shows in no answer, so that the rest may be of another version.
    if (start > 0 && entry.version._tag === "Listed") return brokeOff(shown(entry.url))()
    const condition = ifRange(entry.version)
    const headers = start > 0 && condition !== undefined ? { range: `bytes=${start}-`, "if-range": condition } : {}
    return Effect.flatMap(web.ask("GET", entry.url, headers), (answer) => readOf(entry, start, answer))
  })
