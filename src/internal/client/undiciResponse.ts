import { pipeline, type Readable, type Transform } from "node:stream"
import * as zlib from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Cookies from "@effect/platform/Cookies"
import * as Headers from "@effect/platform/Headers"
import { ResponseError } from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Effect from "effect/Effect"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as undici from "undici"

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: zlib.createGunzip,
  "x-gzip": zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress
}

const ignore = (): void => undefined

/** An answer of undici's dispatcher, decompressed while it is read; headers are copied only when read. */
export class UndiciResponse extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId]: HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  readonly remoteAddress: Option.Option<string> = Option.none()
  readonly #source: undici.Dispatcher.ResponseData
  #headers: Headers.Headers | undefined

  constructor(request: HttpClientRequest.HttpClientRequest, source: undici.Dispatcher.ResponseData) {
    super()
    this.request = request
    this.#source = source
    // An aborted body nobody reads raises an error event; without a listener it ends the process.
    source.body.on("error", ignore)
  }

  get #unpacker(): (() => Transform) | undefined {
    const packing = this.#source.headers["content-encoding"]
    return typeof packing === "string" ? unpackers[packing.trim().toLowerCase()] : undefined
  }

  get #body(): Readable {
    const unpacker = this.#unpacker
    return unpacker === undefined ? this.#source.body : pipeline(this.#source.body, unpacker(), ignore)
  }

  #broken(cause: unknown): ResponseError {
    return new ResponseError({ request: this.request, response: this, reason: "Decode", cause })
  }

  /**
   * The error of a body that broke off before anyone read it. Node tells of it once: a stream that is made of the body later would end as an
   * empty one does.
   */
  get #lost(): ResponseError | undefined {
    const { destroyed, errored, readableEnded } = this.#source.body
    return errored !== null || (destroyed && !readableEnded) ? this.#broken(errored) : undefined
  }

  get status(): number {
    return this.#source.statusCode
  }

  get headers(): Headers.Headers {
    if (this.#headers === undefined) {
      const { "content-encoding": packing, "content-length": length, ...rest } = this.#source.headers
      // The length is that of the packed bytes.
      const kept = this.#unpacker === undefined ? { "content-encoding": packing, "content-length": length } : {}
      this.#headers = Headers.fromInput({ ...rest, ...kept })
    }
    return this.#headers
  }

  get cookies(): Cookies.Cookies {
    const header = this.#source.headers["set-cookie"]
    return header === undefined ? Cookies.empty : Cookies.fromSetCookie(header)
  }

  get stream(): Stream.Stream<Uint8Array, ResponseError> {
    const body = NodeStream.fromReadable(
      () => this.#body,
      (cause) => this.#broken(cause)
    )
    return Stream.suspend(() => (this.#lost === undefined ? body : Stream.fail(this.#lost)))
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, ResponseError> {
    const body = Effect.map(
      NodeStream.toUint8Array(() => this.#body, { onFailure: (cause) => this.#broken(cause) }),
      (bytes) => new Uint8Array(bytes).buffer
    )
    return Effect.suspend(() => this.#lost ?? body)
  }

  get text(): Effect.Effect<string, ResponseError> {
    return Effect.map(this.arrayBuffer, (bytes) => new TextDecoder().decode(bytes))
  }

  get json(): Effect.Effect<unknown, ResponseError> {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({
        try: (): unknown => (text === "" ? null : JSON.parse(text)),
        catch: (cause) => this.#broken(cause)
      })
    )
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, ResponseError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get formData(): Effect.Effect<FormData, ResponseError> {
    const type = this.headers["content-type"] ?? ""
    return Effect.flatMap(this.arrayBuffer, (bytes) =>
      Effect.tryPromise({
        try: () => new Response(bytes, { headers: { "content-type": type } }).formData(),
        catch: (cause) => this.#broken(cause)
      })
    )
  }

  override toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "@effect/platform/HttpClientResponse",
      request: this.request.toJSON(),
      status: this.status
    })
  }
}
