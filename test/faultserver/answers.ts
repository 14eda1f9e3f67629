import type { PdfParser } from "docsluice/service/ParseOptions"

/** A body and its status. */
export interface Canned {
  readonly status: number
  readonly body: string
  readonly type?: string
  /** Seconds to wait that the body names. */
  readonly tells?: number
}

const record = (status: number, error: string, extra: Readonly<Record<string, unknown>> = {}): Canned => ({
  status,
  body: JSON.stringify({ success: false, error, ...extra })
})

/** Bodies that are no error record of the interface, as proxies and firewalls send them. */
export const wordless = {
  html: { body: "<html><body>Request blocked</body></html>", type: "text/html" },
  empty: { body: "" },
  object: { body: "{}" },
  json: { body: JSON.stringify({ status: "blocked", incident: 4711 }) }
} as const

const wordlessStatuses = [400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 418, 422, 429]

/** `e403-html`, `e403-empty`, `e403-object`, `e403-json`, and so on for each status. */
const wordlessRows = Object.fromEntries(
  wordlessStatuses.flatMap((status) =>
    Object.entries(wordless).map(([name, answer]) => [`e${status}-${name}`, { status, ...answer }] as const)
  )
)

/** The rows of the interface document, and some answers that are not in it. */
export const canned: Readonly<Record<string, Canned>> = {
  ...wordlessRows,
  e400: record(400, "Bad Request", { code: "BAD_REQUEST", details: [{ path: ["timeout"], message: "too large" }] }),
  "e400-url": record(400, "Invalid URL"),
  "e400-size": record(400, "Uploaded file exceeds maximum size of 50MB.", { code: "BAD_REQUEST" }),
  e401: record(401, "Unauthorized: Invalid token"),
  e402: { status: 402, body: JSON.stringify({ error: "Payment Required: Insufficient credits" }) },
  e403: record(403, "Forbidden"),
  "e403-injection": record(403, "SCRAPE_PROMPT_INJECTION_DETECTED"),
  e404: record(404, "Not Found"),
  e405: record(405, "Method Not Allowed"),
  e408: record(408, "Request Timeout", { code: "SCRAPE_TIMEOUT" }),
  "e408-queue": record(408, "Waited too long in the queue", { code: "CONCURRENCY_QUEUE_TIMEOUT" }),
  e409: record(409, "Conflict"),
  e413: record(413, "Payload Too Large"),
  e415: record(415, "Unsupported Media Type"),
  e422: record(422, "Unprocessable Entity"),
  "e429-rate": { status: 429, body: JSON.stringify({ error: "Rate limit exceeded" }) },
  "e429-details": { ...record(429, "Rate limit exceeded", { details: { retryAfterSeconds: 7 } }), tells: 7 },
  "e429-member": { ...record(429, "Rate limit exceeded", { retry_after_seconds: 7 }), tells: 7 },
  "e429-text": {
    ...record(429, "Rate limit exceeded. Consumed (req/min): 11, please retry after 7s, resets at noon"),
    tells: 7
  },
  "e429-concurrency": { status: 429, body: JSON.stringify({ error: "Concurrency limit reached" }) },
  e500: record(500, "Internal Server Error", { code: "UNKNOWN_ERROR" }),
  "e500-corrupt": record(500, "All engines failed", { code: "SCRAPE_ALL_ENGINES_FAILED" }),
  "e500-empty": { status: 500, body: "" },
  "e500-text": { status: 500, body: "Internal Server Error", type: "text/plain" },
  e501: record(501, "Not Implemented"),
  e502: record(502, "Bad Gateway"),
  "e502-html": { status: 502, body: "<html><h1>502 Bad Gateway</h1></html>", type: "text/html" },
  e503: record(503, "Service Unavailable"),
  e504: record(504, "Gateway Timeout"),
  e529: record(529, "Overloaded")
}

/** A document as it arrived. */
export interface Received {
  readonly filename: string
  readonly contentType: string
  readonly size: number
  readonly sha256: string
}

/** The options that change what this server answers. */
export interface Asked {
  readonly formats?: ReadonlyArray<{ readonly type: string }>
  readonly parsers?: ReadonlyArray<PdfParser>
  readonly timeout?: number
}

const paragraph = (page: number): string => `## Section ${page}\n\nPage ${page} of naïve résumé 数据 🙂.`

/** A well-formed answer. */
export interface Document {
  readonly success: boolean
  readonly data: Record<string, unknown>
}

/** A well-formed answer of three pages, whose metadata repeat what arrived. */
export const document = (file: Received, asked: Asked): Document => {
  const pdf = asked.parsers?.[0]
  const numbers = [1, 2, 3].slice(0, pdf?.maxPages ?? 3)
  const pages = numbers.map((pageNumber) => ({ pageNumber, markdown: paragraph(pageNumber) }))
  return {
    success: true,
    data: {
      markdown: pages.map((page) => page.markdown).join("\n\n"),
      metadata: {
        title: file.filename,
        sourceURL: file.filename,
        statusCode: 200,
        numPages: pages.length,
        totalPages: 3,
        contentType: file.contentType,
        sha256: file.sha256
      },
      ...(pdf?.pages === true ? { pages } : {})
    }
  }
}
