import type { IncomingMessage, ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { type Asked, canned, type Document, type Received } from "./answers.ts"

/** Inputs of a scenario: the exchange, the document, and the parameters after `~` in the file name. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly file: Received
  readonly options: Asked
  /** Makes a faultless answer. */
  readonly document: (file: Received, asked: Asked) => Document
  readonly parameters: ReadonlyMap<string, string>
}

type Scenario = (exchange: Exchange) => void | Promise<void>

export const send = (
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {}
): void => {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers })
  response.end(body)
}

const answer = ({ document, file, options }: Exchange): string => JSON.stringify(document(file, options))

/** Changes the document before it is sent. */
const changed =
  (change: (body: Document) => unknown): Scenario =>
  (exchange) =>
    send(exchange.response, 200, JSON.stringify(change(exchange.document(exchange.file, exchange.options))))

const withData = (data: Readonly<Record<string, unknown>>): Scenario =>
  changed((body) => ({ ...body, data: { ...body.data, ...data } }))

const withBody =
  (body: string | Buffer, headers?: Readonly<Record<string, string>>): Scenario =>
  ({ response }) =>
    send(response, 200, body, headers)

const redirect =
  (status: number, location: string): Scenario =>
  ({ response }) => {
    response.writeHead(status, { location, "content-length": 0 })
    response.end()
  }

const reset = ({ socket }: IncomingMessage): void => {
  socket.resetAndDestroy()
}

const head = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`

/** Faults that act after the whole request was read. */
const late: Readonly<Record<string, Scenario>> = {
  ok: (exchange) => send(exchange.response, 200, answer(exchange)),
  "ok-slow": async (exchange) => {
    await sleep(Number(exchange.parameters.get("ms") ?? 100))
    send(exchange.response, 200, answer(exchange))
  },
  "ok-then-reset": (exchange) => {
    send(exchange.response, 200, answer(exchange))
    setTimeout(() => reset(exchange.request), 5)
  },
  "reset-after-request": ({ request }) => reset(request),
  "close-after-request": ({ request }) => {
    request.socket.destroy()
  },
  "reset-mid-headers": ({ request }) => {
    request.socket.write("HTTP/1.1 200 OK\r\nContent-Ty")
    setTimeout(() => reset(request), 10)
  },
  "reset-mid-response": (exchange) => {
    const body = answer(exchange)
    exchange.request.socket.write(head(body) + body.slice(0, 100))
    setTimeout(() => reset(exchange.request), 10)
  },
  "short-body": (exchange) => {
    const body = answer(exchange)
    exchange.request.socket.end(head(body) + body.slice(0, 100))
  },
  "chunked-abort": ({ request }) => {
    request.socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{"success":true,\r\n')
  },
  "truncated-json": (exchange) => send(exchange.response, 200, answer(exchange).slice(0, -20)),
  "html-200": withBody("<!doctype html><title>Sign in to Wi-Fi</title>", { "content-type": "text/html" }),
  "empty-200": withBody(""),
  "status-204": ({ response }) => {
    response.writeHead(204)
    response.end()
  },
  "wrong-type": (exchange) => send(exchange.response, 200, answer(exchange), { "content-type": "text/plain" }),
  gzip: (exchange) => send(exchange.response, 200, gzipSync(answer(exchange)), { "content-encoding": "gzip" }),
  "gzip-damaged": (exchange) => {
    const packed = gzipSync(answer(exchange))
    packed.fill(0, 20, 60)
    send(exchange.response, 200, packed, { "content-encoding": "gzip" })
  },
  "gzip-cut": (exchange) =>
    send(exchange.response, 200, gzipSync(answer(exchange)).subarray(0, -12), { "content-encoding": "gzip" }),
  "brotli-damaged": (exchange) => {
    const packed = brotliCompressSync(answer(exchange))
    packed.fill(0, 20, 60)
    send(exchange.response, 200, packed, { "content-encoding": "br" })
  },
  "gzip-aborted": (exchange) => {
    const packed = gzipSync(answer(exchange))
    exchange.response.writeHead(200, { "content-encoding": "gzip", "content-length": packed.length })
    exchange.response.write(packed.subarray(0, 60))
    setTimeout(() => reset(exchange.request), 10)
  },
  bom: (exchange) => send(exchange.response, 200, `\uFEFF${answer(exchange)}`),
  "invalid-utf8": withBody(
    Buffer.concat([Buffer.from('{"success":true,"data":{"markdown":"caf'), Buffer.from([0xe9]), Buffer.from('"}}')])
  ),
  hang: () => undefined,
  slowloris: (exchange) => {
    const body = answer(exchange)
    let at = 0
    exchange.response.writeHead(200, { "content-length": Buffer.byteLength(body) })
    const timer = setInterval(() => {
      exchange.response.write(body.charAt(at))
      at += 1
    }, 50)
    exchange.response.on("close", () => clearInterval(timer))
  },
  "success-false": changed(() => ({ success: false, error: "Document could not be parsed" })),
  "success-false-code": changed(() => ({
    success: false,
    code: "BAD_REQUEST",
    error: "Document could not be parsed",
    details: [{ path: ["formats"], message: "not known" }]
  })),
  "success-missing": changed(({ data }) => ({ data })),
  "success-string": changed((body) => ({ ...body, success: "true" })),
  "no-data": changed(() => ({ success: true })),
  "data-null": changed(() => ({ success: true, data: null })),
  "missing-markdown": withData({ markdown: undefined }),
  "bad-markdown": withData({ markdown: { text: "x" } }),
  "empty-markdown": withData({ markdown: "" }),
  "missing-metadata": withData({ metadata: undefined }),
  "unknown-members": withData({ embeddings: [[0.1]] }),
  warning: withData({ warning: "The model returned partial output" }),
  "redirect-302": redirect(302, "/login"),
  "redirect-307": redirect(307, "/v2/parse?redirected=1"),
  garbage: ({ request }) => {
    request.socket.end("\u0016\u0003\u0001 not http at all\r\n\r\n")
  },
  "extra-1xx": (exchange) => {
    const body = answer(exchange)
    exchange.request.socket.end(`HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${head(body)}${body}`)
  }
}

type EarlyFault = (
  request: IncomingMessage,
  response: ServerResponse,
  parameters: ReadonlyMap<string, string>
) => boolean

/** Faults that act while the request arrives, once its file name is known. True: nothing more of it is read. */
export const early: Readonly<Record<string, EarlyFault>> = {
  "reset-mid-upload": (request) => {
    reset(request)
    return true
  },
  "stall-upload": (request) => {
    request.pause()
    return true
  },
  "early-401": (_, response) => {
    send(response, 401, canned["e401"]?.body ?? "", { connection: "close" })
    return true
  },
  "early-413": (request, response) => {
    send(response, 413, canned["e413"]?.body ?? "", { connection: "close" })
    request.resume()
    return true
  },
  "slow-upload": (request, _, parameters) => {
    request.on("data", () => {
      request.pause()
      setTimeout(() => request.resume(), Number(parameters.get("ms") ?? 5))
    })
    return false
  }
}

const retryAfter = (value: string | undefined): Readonly<Record<string, string>> => {
  if (value === undefined) return {}
  const seconds = /^date:(\d+)$/.exec(value)?.[1]
  return {
    "retry-after": seconds === undefined ? value : new Date(Date.now() + Number(seconds) * 1000).toUTCString()
  }
}

/** Earliest time of the next request that an answer names, in milliseconds since the epoch; null when it names none. */
const earliest = (header: string | undefined, seconds: number | undefined, now: number): number | null => {
  if (header !== undefined && !/^\d+$/.test(header)) return Date.parse(header)
  const told = header === undefined ? seconds : Number(header)
  return told === undefined ? null : now + 1000 * told
}

/**
 * Answers by the scenario of that name. Returns the earliest time of the document's next request, in milliseconds since the epoch, when
 * the answer names one.
 */
export const play = async (name: string, exchange: Exchange): Promise<number | null> => {
  const row = canned[name]
  if (row === undefined) {
    await (late[name] ?? late["ok"])?.(exchange)
    return null
  }
  const headers = retryAfter(exchange.parameters.get("retryAfter"))
  const until = earliest(headers["retry-after"], row.tells, Date.now())
  send(exchange.response, row.status, row.body, { "content-type": row.type ?? "application/json", ...headers })
  return until
}
