/** Lists of addresses and sitemaps, downloaded whole before they are used: no connection waits while a run works. */
import { gunzip } from "node:zlib"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import { codeOf } from "../discovery/localFile.ts"
import { dismissed } from "../objects/requests.ts"
import { shown, type Web } from "./client.ts"

/** Bytes of a list or a sitemap, unpacked; sitemaps may have 50 MB. */
const mostBytes = 64 * 1024 * 1024

const stalled = "60 seconds"

const tooLarge = (source: string): SourceUnavailable =>
  new SourceUnavailable({
    source,
    reason: "Invalid",
    problem: `it has more than ${mostBytes / 1024 / 1024} MB; divide it, or download it and give list:FILE`
  })

const brokeOff = (source: string) => (cause?: unknown) =>
  new SourceUnavailable({ source, reason: "Unreachable", problem: "the answer broke off; run again later", cause })

/** The error of a list that was answered with this status. */
const refused = (source: string, status: number): SourceUnavailable => {
  if (status === 401 || status === 403) {
    return new SourceUnavailable({ source, status, reason: "Denied", problem: "it may not be read without signing in" })
  }
  if (status === 404 || status === 410) {
    return new SourceUnavailable({
      source,
      status,
      reason: "Missing",
      problem: "there is no such list; check its address"
    })
  }
  return new SourceUnavailable({ source, status, reason: "Invalid", problem: `it was answered with ${status}` })
}

const bounded = <E>(
  bytes: Stream.Stream<Uint8Array, E | SourceUnavailable>,
  source: string
): Stream.Stream<Uint8Array, E | SourceUnavailable> =>
  Stream.suspend(() => {
    let count = 0
    return Stream.mapEffect(bytes, (part) => {
      count += part.length
      return count > mostBytes ? Effect.fail(tooLarge(source)) : Effect.succeed(part)
    })
  })

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const gathered = <E>(bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<Buffer, E> =>
  Effect.map(
    Stream.runFold(bytes, new Array<Uint8Array>(), (parts, part) => {
      parts.push(part)
      return parts
    }),
    (parts) => Buffer.concat(parts)
  )

const bodyOf = (
  source: string,
  answer: HttpClientResponse.HttpClientResponse
): Effect.Effect<Buffer, SourceUnavailable> => {
  const arriving = answer.stream.pipe(Stream.mapError(brokeOff(source)), Stream.timeoutFail(brokeOff(source), stalled))
  return gathered(bounded(arriving, source))
}

/** All bytes of a list, unpacked where they are packed with gzip. An answer that broke off is asked for again, twice at most. */
export const download = (web: Web, url: string): Effect.Effect<Buffer, SourceUnavailable> =>
  Effect.gen(function* () {
    const source = shown(url)
    const answer = yield* web.ask("GET", url)
    if (answer.status !== 200) {
      yield* dismissed(answer)
      return yield* refused(source, answer.status)
    }
    return yield* bodyOf(source, answer)
  }).pipe(
    Effect.retry({ times: 2, while: ({ reason, status }) => reason === "Unreachable" && status === undefined }),
    Effect.flatMap((bytes) => (isPacked(bytes) ? unpacked(shown(url), bytes) : Effect.succeed(bytes)))
  )

const unpacked = (source: string, packed: Buffer): Effect.Effect<Buffer, SourceUnavailable> =>
  Effect.async((resume) => {
    gunzip(packed, { maxOutputLength: mostBytes }, (cause, bytes) => {
      if (cause === null) return resume(Effect.succeed(bytes))
      if (codeOf(cause) === "ERR_BUFFER_TOO_LARGE") return resume(Effect.fail(tooLarge(source)))
      const problem = "its gzip data is damaged; check the address"
      resume(Effect.fail(new SourceUnavailable({ source, reason: "Damaged", problem, cause })))
    })
  })
