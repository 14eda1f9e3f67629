import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { catalogue } from "../../service/ServiceError.ts"

const answers = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", catalogue.RequestTimeout.error]
} as const

const answerTo = (error: NodeJS.ErrnoException): readonly [string, string] => {
  const code = error.code ?? ""
  return code === "HPE_HEADER_OVERFLOW" || code === "ERR_HTTP_REQUEST_TIMEOUT"
    ? answers[code]
    : ["400 Bad Request", catalogue.BadRequest.error]
}

const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy()
    return
  }
  const [line, text] = answerTo(error)
  const body = JSON.stringify({ success: false, code: "BAD_REQUEST", error: text })
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  )
}

/** Requests whose client sends the body only after a `100 Continue`, each with the function that sends it. */
const waiting = new WeakMap<object, () => void>()

/**
 * Sends `100 Continue` to a client that waits for it. Without the call the connection is closed after the answer, since it is unknown
 * whether the body follows.
 */
export const proceed = (request: unknown): void => {
  if (typeof request === "object" && request !== null) waiting.get(request)?.()
}

const keepWaiting = (request: IncomingMessage, response: ServerResponse): void => {
  const { shouldKeepAlive } = response
  response.shouldKeepAlive = false
  waiting.set(request, () => {
    waiting.delete(request)
    response.shouldKeepAlive = shouldKeepAlive
    response.writeContinue()
  })
}

const unavailable = JSON.stringify({ success: false, error: catalogue.ServiceUnavailable.error })

/** Longest time, in milliseconds, that answers may take to be read after the server is closed. */
const lingering = 5000

const answerUnavailable = (response: ServerResponse): void => {
  response.writeHead(503, { "content-type": "application/json", "retry-after": "1", connection: "close" })
  response.end(unavailable)
}

/**
 * A node server that gives node's own refusals the shape of the interface: input that is not HTTP, headers that are too long, a request
 * that never ends, and requests that arrive when the handler is gone. Those that arrive before there is one wait for it: the platform
 * listens before the handler's layers are built, which takes seconds on a busy machine. Connections that are still open 5 seconds after
 * closing are destroyed. For `NodeHttpServer.layer`.
 */
export const make = (): Server => {
  const server = createServer({ requireHostHeader: false })
  server.on("clientError", refuse)
  server.on("checkContinue", (request, response) => {
    keepWaiting(request, response)
    server.emit("request", request, response)
  })
  server.on("checkExpectation", (request, response: ServerResponse) => server.emit("request", request, response))
  /** Requests that wait for the first handler; undefined once it is there, or will never be. */
  let early: Array<readonly [IncomingMessage, ServerResponse]> | undefined = []
  server.on("request", (request, response) => {
    if (server.listenerCount("request") > 1) return
    if (early === undefined) answerUnavailable(response)
    else early.push([request, response])
  })
  server.on("newListener", (event) => {
    if (event !== "request" || early === undefined) return
    const waited = early
    early = undefined
    // The handler is added after this event.
    process.nextTick(() => {
      for (const [request, response] of waited) server.emit("request", request, response)
    })
  })
  const close = server.close.bind(server)
  server.close = (closed) => {
    for (const [, response] of early ?? []) answerUnavailable(response)
    early = undefined
    setTimeout(() => server.closeAllConnections(), lingering).unref()
    return close(closed)
  }
  return server
}
