import * as net from "node:net"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import type { AccountsError } from "docsluice/service/Accounts"
import * as Embedded from "docsluice/service/Embedded"
import type { Engine } from "docsluice/service/Engine"
import * as Server from "docsluice/service/Server"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Effect, Layer, Schema, type Scope } from "effect"
import { make as createServer } from "../../src/internal/server/nodeHttpServer.ts"

const isLayer = (engine: StartOptions["engine"]): engine is Layer.Layer<Engine> => Layer.isLayer(engine)

const engineOf = (engine: StartOptions["engine"]): Layer.Layer<Engine> => {
  if (engine === "native") return Embedded.layerNative
  return isLayer(engine) ? engine : ScriptedEngine.layer(engine)
}

export interface StartOptions {
  readonly server?: Server.Options
  /** Default a free one. */
  readonly port?: number
  /** A script, the engine that really parses, or another engine; default an empty script. */
  readonly engine?: ScriptedEngine.Options | "native" | Layer.Layer<Engine>
  /** Services that the server uses where they are provided. */
  readonly services?: Layer.Layer<never, AccountsError>
}

/** A server on a free port of the loopback interface; gives its address without the version segment. */
export const start = (options: StartOptions): Effect.Effect<string, never, Scope.Scope> =>
  Server.layer(options.server).pipe(
    Layer.provide([engineOf(options.engine), options.services ?? Layer.empty]),
    Layer.provideMerge(NodeHttpServer.layer(createServer, { port: options.port ?? 0, host: "127.0.0.1" })),
    Layer.build,
    Effect.flatMap((context) => Effect.provide(HttpServer.addressWith(addressOf), context)),
    Effect.orDie
  )

export const addressOf = (address: HttpServer.Address): Effect.Effect<string> =>
  Effect.succeed(address._tag === "TcpAddress" ? `http://127.0.0.1:${address.port}` : address.path)

export interface Answer {
  readonly status: number
  readonly type: string | null
  readonly retryAfter: string | null
  readonly allowOrigin: string | null
  readonly body: unknown
}

export const request = (url: string, init: RequestInit = {}): Effect.Effect<Answer> =>
  Effect.promise(async (signal) => {
    const response = await fetch(url, { ...init, signal })
    const text = await response.text()
    const type = response.headers.get("content-type")
    const retryAfter = response.headers.get("retry-after")
    const allowOrigin = response.headers.get("access-control-allow-origin")
    return {
      status: response.status,
      type,
      retryAfter,
      allowOrigin,
      body: type?.startsWith("application/json") ? JSON.parse(text) : text
    }
  })

export interface FormOptions {
  readonly name?: string
  readonly bytes?: Uint8Array<ArrayBuffer> | string
  readonly type?: string
  readonly options?: unknown
}

/** An upload as `fetch` and the official client write it. */
export const form = ({ bytes = "%PDF-1.4 hello", name = "report.pdf", options, type = "" }: FormOptions): FormData => {
  const data = new FormData()
  if (options !== undefined) data.append("options", typeof options === "string" ? options : JSON.stringify(options))
  data.append("file", new Blob([bytes], { type }), name)
  return data
}

export const upload = (base: string, options: FormOptions, init: RequestInit = {}): Effect.Effect<Answer> =>
  request(`${base}/v2/parse`, { method: "POST", body: form(options), ...init })

/** A form written by hand: `[headers, content]` of each part. */
export const rawForm = (
  parts: ReadonlyArray<readonly [string, string | Uint8Array]>,
  boundary = "BOUNDARY"
): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat([
      ...parts.flatMap(([headers, content]) => [
        Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
        Buffer.from(content),
        Buffer.from("\r\n")
      ]),
      Buffer.from(`--${boundary}--\r\n`)
    ])
  )

const formType = "multipart/form-data; boundary=BOUNDARY"

export const raw = (base: string, body: Uint8Array<ArrayBuffer> | string, type = formType) =>
  request(`${base}/v2/parse`, { method: "POST", body, headers: { "content-type": type } })

export interface ExchangeOptions {
  /** Enough has come back. Default: all until the other side closes. */
  readonly until?: RegExp
  /** Milliseconds without a byte after which the socket is closed; default 10000. */
  readonly silence?: number
}

/** Bytes written to a socket as they are; what came back. */
export const exchange = (
  base: string,
  pieces: ReadonlyArray<string | Uint8Array>,
  { silence = 10_000, until }: ExchangeOptions = {}
): Effect.Effect<string> =>
  Effect.async<string>((resume) => {
    const { hostname, port } = new URL(base)
    const socket = net.connect(Number(port), hostname)
    let received = ""
    socket.setTimeout(silence)
    const done = () => {
      socket.destroy()
      resume(Effect.succeed(received))
    }
    socket.on("data", (data) => {
      received += data.toString()
      if (until?.test(received)) done()
    })
    socket.on("timeout", done)
    socket.on("close", done)
    socket.on("error", done)
    for (const piece of pieces) socket.write(piece)
    return Effect.sync(() => socket.destroy())
  })

/** Sends the head, and then a byte every 50 ms until the answer is there; what came back. */
export const drip = (base: string, head: string): Effect.Effect<string> =>
  Effect.async<string>((resume) => {
    const { hostname, port } = new URL(base)
    const socket = net.connect(Number(port), hostname)
    socket.write(head)
    const dripping = setInterval(() => socket.write("x"), 50)
    let received = ""
    const done = () => {
      clearInterval(dripping)
      socket.destroy()
      resume(Effect.succeed(received))
    }
    socket.on("data", (data) => {
      received += data.toString()
      done()
    })
    socket.on("close", done)
    socket.on("error", done)
    return Effect.sync(done)
  })

/** Asks for the metrics again and again until they hold a line. */
export const metricsWith = (base: string, line: string, init: RequestInit = {}): Effect.Effect<string> =>
  request(`${base}/metrics`, init).pipe(
    Effect.map((answer) => String(answer.body)),
    Effect.delay("20 millis"),
    Effect.repeat({ until: (metrics) => metrics.includes(line), times: 500 })
  )

export const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`

export const filePart = [disposition('name="file"; filename="a.pdf"'), "%PDF"] as const

/** Shape that every answer without a document must have. */
export const assertError = (answer: Answer, status: number, error: RegExp | string, code?: string) => {
  const body = Schema.decodeUnknownSync(
    Schema.Struct({
      success: Schema.Literal(false),
      error: Schema.String,
      code: Schema.optional(Schema.String),
      details: Schema.optional(Schema.Unknown)
    })
  )(answer.body, { onExcessProperty: "error" })
  assert.strictEqual(answer.status, status)
  assert.match(answer.type ?? "", /^application\/json/)
  if (typeof error === "string") assert.strictEqual(body.error, error)
  else assert.match(body.error, error)
  if (code !== undefined) assert.strictEqual(body.code, code)
}
