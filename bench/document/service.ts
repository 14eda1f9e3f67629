/** The service of the bench `document`: answers 5 ms after the upload with the Markdown of the page. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { markdownOf } from "./pages.ts"

const delayMs = 5

export interface Service {
  readonly base: string
  /** Number of uploads so far. */
  readonly requests: () => number
  readonly close: () => void
}

export const start = async (): Promise<Service> => {
  let requests = 0
  const server: Server = createServer((incoming, response) => {
    const parts: Array<Uint8Array> = []
    incoming.on("data", (part: Uint8Array) => parts.push(part))
    incoming.on("end", () => {
      requests += 1
      const markdown = markdownOf(Buffer.concat(parts).toString())
      const metadata = { title: "A page", language: "en", sourceFile: "page.html", numPages: 1, creditsUsed: 1 }
      const answer = JSON.stringify({ success: true, data: { markdown, metadata } })
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(answer)
      }, delayMs)
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === "string") throw new Error("the service has no port")
  return {
    base: `http://127.0.0.1:${address.port}/v2`,
    requests: () => requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
