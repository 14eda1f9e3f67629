import * as Effect from "effect/Effect"
import type * as undici from "undici"
import { joined } from "./answerText.ts"
import type { Head, PlainPost, Post, Posted, PostFailure } from "./plainPost.ts"

type Settle = (result: Effect.Effect<Posted, PostFailure>) => void

const aborted = new Error("the exchange was given up")

/** One exchange, as undici's handler of it. Settles once; whatever undici reports afterwards is ignored. */
class Exchange implements undici.Dispatcher.DispatchHandler {
  private readonly post: Post
  private readonly settle: Settle
  private controller: undici.Dispatcher.DispatchController | null = null
  private head: Head | null = null
  private readonly parts: Array<Uint8Array> = []
  private size = 0
  private ended = false
  private readonly deadline: NodeJS.Timeout
  private idle: NodeJS.Timeout | null = null

  constructor(post: Post, settle: Settle) {
    this.post = post
    this.settle = settle
    this.deadline = setTimeout(() => this.giveUp("Late"), post.deadline)
  }

  onRequestStart(controller: undici.Dispatcher.DispatchController): void {
    if (this.ended) controller.abort(aborted)
    else this.controller = controller
  }

  onResponseStart(_controller: unknown, status: number, headers: Head["headers"]): void {
    // undici reports informational answers here as well.
    if (status < 200 || this.ended) return
    this.head = { status, headers }
    this.post.onHead()
    this.idle = setTimeout(() => this.giveUp("Idle"), this.post.idle)
  }

  onResponseData(_controller: unknown, part: Uint8Array): void {
    if (this.ended) return
    this.parts.push(part)
    this.size += part.length
    if (this.size > this.post.maxBytes) this.giveUp("TooLarge")
    else this.idle?.refresh()
  }

  onResponseEnd(): void {
    const { head } = this
    if (head !== null && this.end()) this.settle(Effect.succeed({ ...head, bytes: joined(this.parts, this.size) }))
  }

  onResponseError(_controller: unknown, cause: unknown): void {
    if (this.end()) this.settle(Effect.fail({ reason: "Broken", cause, head: this.head }))
  }

  /** Closes the socket and the body. */
  readonly abort = (): void => {
    if (this.end()) this.controller?.abort(aborted)
  }

  private giveUp(reason: PostFailure["reason"]): void {
    if (this.ended) return
    this.abort()
    this.settle(Effect.fail({ reason, cause: null, head: this.head }))
  }

  /** False when the exchange has ended before. */
  private end(): boolean {
    if (this.ended) return false
    this.ended = true
    clearTimeout(this.deadline)
    if (this.idle !== null) clearTimeout(this.idle)
    return true
  }
}

type RequestBody = NonNullable<undici.Dispatcher.DispatchOptions["body"]>

// undici takes any iterable of bytes; its types do not name them.
// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
const asBody = (body: Post["body"]): RequestBody => body as RequestBody

/** {@link PlainPost} over a dispatcher; undici's own time-outs are off. */
export const make =
  (dispatcher: undici.Dispatcher): PlainPost =>
  (post) =>
    Effect.async((resume) => {
      const exchange = new Exchange(post, resume)
      const { url } = post
      try {
        dispatcher.dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method: "POST",
            headers: post.headers,
            body: asBody(post.body),
            headersTimeout: 0,
            bodyTimeout: 0
          },
          exchange
        )
      } catch (cause) {
        exchange.onResponseError(null, cause)
      }
      return Effect.sync(exchange.abort)
    })
