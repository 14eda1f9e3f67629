import { createServer, type Server, type ServerResponse } from "node:http"
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

/**
 * A node server that also says in the interface's shape what node itself refuses: no HTTP, too long headers, a request
 * that never ends. For `NodeHttpServer.layer`.
 */
export const make = (): Server => {
  const server = createServer({ requireHostHeader: false })
  server.on("clientError", refuse)
  server.on("checkExpectation", (request, response: ServerResponse) => server.emit("request", request, response))
  return server
}
