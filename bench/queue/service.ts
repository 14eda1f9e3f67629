import { createServer, type Server } from "node:http"

/** A parsing service on loopback with a service time and limits. */
export interface Service {
  readonly address: string
  /** Documents that were answered with their content, by name, with how often. */
  readonly served: ReadonlyMap<string, number>
  /** Requests that were refused. */
  readonly refused: () => number
  /** Those of them that were refused for their rate. */
  readonly tooMany: () => number
  /** Answers a second, from the first answer, or from the mark, to the last. */
  readonly pace: () => number
  /** Forgets the time of the answers so far. */
  readonly mark: () => void
  readonly stop: () => Promise<void>
}

export interface Limits {
  /** Milliseconds of a request. */
  readonly time: number
  /** Requests a second, and as many at once after a rest; null: no limit. */
  readonly rate: number | null
  /** Share of requests that fail with a sporadic 429, 500 or 503. */
  readonly faults: number
}

const paragraph =
  "What a harbour says of its quays, over and over, so that it is about as long as a paragraph is. ".repeat(4)

/** Three sections, each with the text that was sent. */
const answerOf = (name: string, text: string): string => {
  const markdown = [1, 2, 3].map((part) => `## ${name} ${part}\n\n${text}. ${paragraph}`).join("\n\n")
  return JSON.stringify({ success: true, data: { markdown, metadata: { numPages: 1, creditsUsed: 1 } } })
}

const faults = [
  [429, JSON.stringify({ error: "Rate limit exceeded" })],
  [500, JSON.stringify({ success: false, error: "Internal Server Error" })],
  [503, JSON.stringify({ success: false, error: "Service Unavailable" })]
] as const

export const start = async ({ faults: share, rate, time }: Limits): Promise<Service> => {
  const served = new Map<string, number>()
  let refused = 0
  let tooMany = 0
  let first = 0
  let last = 0
  let before = 1
  let tokens = rate ?? 0
  let filled = performance.now()
  const admits = (): boolean => {
    if (rate === null) return true
    const now = performance.now()
    tokens = Math.min(rate, tokens + ((now - filled) * rate) / 1000)
    filled = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
  const server: Server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const fault = Math.random() < share ? faults[Math.floor(Math.random() * faults.length)] : undefined
      const admitted = admits()
      if (!admitted) tooMany += 1
      const refusal = admitted ? fault : faults[0]
      if (refusal !== undefined) {
        refused += 1
        response.writeHead(refusal[0], { "content-type": "application/json" }).end(refusal[1])
        return
      }
      const body = Buffer.concat(parts).toString("latin1")
      const name = /filename="([^"]*)"/u.exec(body)?.[1] ?? ""
      const text = /document \d+ [a-z0-9 ]+/u.exec(body)?.[0] ?? ""
      setTimeout(() => {
        served.set(name, (served.get(name) ?? 0) + 1)
        last = performance.now()
        if (first === 0) first = last
        response.writeHead(200, { "content-type": "application/json" }).end(answerOf(name, text))
      }, time)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    address: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    served,
    refused: () => refused,
    tooMany: () => tooMany,
    pace: () => ((served.size - before) * 1000) / (last - first),
    mark: () => {
      first = performance.now()
      before = served.size
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
