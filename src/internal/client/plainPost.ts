import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Effect from "effect/Effect"

/** A request whose answer is read to its end. */
export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Milliseconds for the whole exchange. */
  readonly deadline: number
  /** Most milliseconds between two parts of the answer. */
  readonly idle: number
  /** Most bytes of the answer's body. */
  readonly maxBytes: number
  /** Called when the head of the answer has arrived. */
  readonly onHead: () => void
}

/** Status and headers of an answer; names in lower case. */
export interface Head {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** An answer, its body as it came. */
export interface Posted extends Head {
  readonly bytes: Uint8Array
}

/** Reason why an answer has not come to its end. `Broken`: the transport failed; `Late`: the deadline passed; `Idle`: no part for too long. */
export interface PostFailure {
  readonly reason: "Broken" | "Late" | "Idle" | "TooLarge"
  /** The transport's own failure; null for the other reasons. */
  readonly cause: unknown
  /** The head of the answer; null when none had arrived. */
  readonly head: Head | null
}

/**
 * Posts and reads the answer to its end as one effect, without scope, stream, span or fiber. Uses timers of the platform, not Effect's
 * clock. Interruption aborts the exchange: the socket is closed, and so is the body.
 */
export type PlainPost = (post: Post) => Effect.Effect<Posted, PostFailure>

const posts = new WeakMap<HttpClient.HttpClient, PlainPost>()

/** Registers the plain form of a client. A client made from it by a combinator is another one, and has none. */
export const attach = (client: HttpClient.HttpClient, post: PlainPost): HttpClient.HttpClient => {
  posts.set(client, post)
  return client
}

export const of = (client: HttpClient.HttpClient): PlainPost | undefined => posts.get(client)
