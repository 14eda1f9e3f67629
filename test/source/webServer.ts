/** A web server whose documents a test sets, which counts requests and fails as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect, type Scope } from "effect"

/** A document: its bytes with what the server tells of them. */
export interface Page {
  readonly body: string | Uint8Array
  readonly type?: string
  readonly etag?: string
  readonly modified?: string
  /** False: no `Content-Length`. */
  readonly length?: boolean
  /** False: the server knows no `HEAD` of it. */
  readonly head?: boolean
}

/** An answer in place of a document's. */
export interface Fault {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes of the document after which the connection breaks; the status is its own. */
  readonly breakAfter?: number
  /** A body that never ends: it sends without a pause, or no byte more. */
  readonly endless?: "sends" | "waits"
}

export interface WebServer {
  /** Origin, such as `http://127.0.0.1:8080`. */
  readonly origin: string
  readonly host: string
  /** Requests so far, as method and path, with the range that was asked for. */
  readonly requests: Array<string>
  readonly pages: Map<string, Page>
  /** Asked for each request; undefined answers as usual. */
  fault: (line: string) => Fault | undefined
}

const headersOf = (page: Page): Record<string, string> => ({
  "content-type": page.type ?? "text/markdown",
  ...(page.etag !== undefined && { etag: page.etag }),
  ...(page.modified !== undefined && { "last-modified": page.modified })
})

const sent = (page: Page, asked: IncomingMessage, answer: ServerResponse, breakAfter: number): void => {
  const body = Buffer.from(page.body)
  const { "if-range": version, range } = asked.headers
  const start = Number(/^bytes=(\d+)-$/u.exec(range ?? "")?.[1] ?? 0)
  const ranged = start > 0 && version !== undefined && (version === page.etag || version === page.modified)
  const rest = ranged ? body.subarray(start) : body
  answer.writeHead(ranged ? 206 : 200, {
    ...headersOf(page),
    ...(page.length !== false && { "content-length": String(rest.length) }),
    ...(ranged && { "content-range": `bytes ${start}-${body.length - 1}/${body.length}` })
  })
  if (asked.method === "HEAD") answer.end()
  else if (rest.length <= breakAfter) answer.end(rest)
  else answer.write(rest.subarray(0, breakAfter), () => setTimeout(() => answer.destroy(), 20))
}

const endless = (answer: ServerResponse, sends: boolean): void => {
  const block = Buffer.alloc(65_536, "x")
  const send = () => {
    do if (answer.destroyed) return
    while (answer.write(block))
  }
  answer.on("drain", send)
  if (sends) send()
  else answer.write("x")
}

/** Started on a free port of the loopback address; stopped with the scope. */
export const scoped: Effect.Effect<WebServer, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    const pages = new Map<string, Page>()
    const requests: Array<string> = []
    const passes: WebServer["fault"] = () => undefined
    const web = { origin: "", host: "", requests, pages, fault: passes }
    const server = createServer((asked, answer) => {
      const { method, url = "" } = asked
      const line = `${method} ${url}${asked.headers.range === undefined ? "" : ` ${asked.headers.range}`}`
      requests.push(line)
      const fault = web.fault(line)
      const page = pages.get(url)
      if (fault?.endless !== undefined && method === "GET") {
        answer.writeHead(fault.status, fault.headers)
        endless(answer, fault.endless === "sends")
      } else if (fault !== undefined && fault.breakAfter === undefined) {
        answer.writeHead(fault.status, fault.headers).end()
      } else if (page === undefined) {
        answer.writeHead(404, { "content-type": "text/html" }).end("no such page")
      } else if (method === "HEAD" && page.head === false) {
        answer.writeHead(405).end()
      } else sent(page, asked, answer, fault?.breakAfter ?? Infinity)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    web.host = `127.0.0.1:${port}`
    web.origin = `http://${web.host}`
    return { web, server }
  }),
  ({ server }) =>
    Effect.promise(
      () =>
        new Promise((resolve) => {
          server.close(resolve)
          server.closeAllConnections()
        })
    )
).pipe(Effect.map(({ web }): WebServer => web))

/** A sitemap, or an index of sitemaps. */
export const sitemap = (
  urls: ReadonlyArray<string | readonly [url: string, modified: string]>,
  index = false
): string => {
  const [root, item] = index ? ["sitemapindex", "sitemap"] : ["urlset", "url"]
  const items = urls.map((one) => {
    const [url, modified] = typeof one === "string" ? [one, ""] : one
    const date = modified === "" ? "" : `<lastmod>${modified}</lastmod>`
    return `<${item}>\n<loc> ${url.replaceAll("&", "&amp;")} </loc>${date}</${item}>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.join("")}</${root}>`
}
