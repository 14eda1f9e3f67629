/**
 * A parsing service on loopback that enforces limits, in a process of its own: a limit of their rate, a share of refusals at random, a limit
 * of concurrent requests that changes with time. Started with `fork` by `gate.ts`, which sends the limits and asks for the record.
 */
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http"
import * as RateLimits from "../test/gate/rateLimits.ts"
import { uniform } from "./random.ts"

/** Limits of a service. Times in milliseconds. */
export interface Limits {
  /** Seed of the service times and of the refusals at random. */
  readonly seed: number
  /** Null: no such limit. */
  readonly rate: RateLimits.RateLimit | null
  /** Share of the requests that are refused at random with 429. */
  readonly sporadic: number
  /** Requests at a time; each limit holds from its time after the first request until the next one's. Empty: no such limit. */
  readonly concurrency: ReadonlyArray<{ readonly from: number; readonly limit: number }>
  /** `Retry-After` in each refusal for the rate. */
  readonly retryAfter: RateLimits.Telling
}

/** What happened in a tenth of a second. */
export interface Interval {
  /** Most requests at a time, refused ones not counted. */
  most: number
  served: number
  refused: number
}

export interface Record {
  readonly served: number
  readonly refused: number
  /** Requests that came earlier than the last refusal of their document allowed. */
  readonly early: number
  /** Requests served to each key. */
  readonly servedTo: ReadonlyArray<number>
  readonly intervals: ReadonlyArray<Interval>
}

const nothing: Interval = { most: 0, served: 0, refused: 0 }

/** Milliseconds of an interval. */
export const interval = 100

const answer = JSON.stringify({ success: true, data: { markdown: "# Done", metadata: { numPages: 1 } } })

class LimitedService {
  private readonly limits: Limits
  private readonly random: () => number
  private started: number | null = null
  private readonly check: (at: number) => number | null
  private inFlight = 0
  private served = 0
  private refused = 0
  private early = 0
  private readonly allowed = new Map<string, number>()
  private readonly servedTo = new Map<string, number>()
  private readonly intervals: Array<Interval> = []

  constructor(limits: Limits) {
    this.limits = limits
    this.random = uniform(limits.seed)
    this.check = limits.rate === null ? () => null : RateLimits.check(limits.rate)
  }

  record(): Record {
    const { early, intervals, refused, served } = this
    return { served, refused, early, servedTo: [...this.servedTo.values()], intervals }
  }

  handle(document: string, key: string, response: ServerResponse): void {
    this.started ??= performance.now()
    const now = performance.now() - this.started
    if (now < (this.allowed.get(document) ?? 0)) this.early += 1
    const refusal = this.refusalAt(now)
    if (refusal !== null) {
      this.refused += 1
      this.at(now).refused += 1
      const { retryAfter } = this.limits
      const at = Date.now()
      const told = refusal === "concurrency" ? null : RateLimits.retryAfter(retryAfter, at, refusal)
      if (told !== null) this.allowed.set(document, now + 1000 * told)
      const error = refusal === "concurrency" ? "Concurrency limit reached" : "Rate limit exceeded"
      send(response, 429, JSON.stringify({ error }), told === null ? {} : header(retryAfter, at, told))
      return
    }
    this.inFlight += 1
    const present = this.at(now)
    present.most = Math.max(present.most, this.inFlight)
    const duration = 25 + 50 * this.random()
    setTimeout(() => this.finish(key, response), duration)
  }

  private finish(key: string, response: ServerResponse): void {
    this.inFlight -= 1
    this.served += 1
    this.servedTo.set(key, (this.servedTo.get(key) ?? 0) + 1)
    this.at(performance.now() - (this.started ?? 0)).served += 1
    send(response, 200, answer, {})
  }

  /** Milliseconds until the next request would be accepted; null for one that is. */
  private refusalAt(now: number): number | "concurrency" | null {
    const limit = this.limits.concurrency.findLast(({ from }) => now >= from)?.limit
    if (limit !== undefined && this.inFlight >= limit) return "concurrency"
    if (this.limits.sporadic > 0 && this.random() < this.limits.sporadic) return 0
    return this.check(now)
  }

  private at(time: number): Interval {
    const index = Math.floor(time / interval)
    while (this.intervals.length <= index) this.intervals.push({ ...nothing })
    return this.intervals[index] ?? { ...nothing }
  }
}

const header = (telling: RateLimits.Telling, at: number, seconds: number): OutgoingHttpHeaders => {
  const second = Math.floor(at / 1000) * 1000
  const until = new Date(second + 1000 * seconds).toUTCString()
  return telling === "date"
    ? { date: new Date(second).toUTCString(), "retry-after": until }
    : { "retry-after": String(seconds) }
}

const send = (response: ServerResponse, status: number, body: string, headers: OutgoingHttpHeaders): void => {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers
  })
  response.end(body)
}

const documentOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part)
  return /filename="([^"]*)"/.exec(Buffer.concat(parts).toString("latin1"))?.[1] ?? ""
}

const isLimits = (message: unknown): message is Limits =>
  typeof message === "object" && message !== null && "sporadic" in message

if (process.send !== undefined) {
  let service: LimitedService | null = null
  const server = createServer((request, response) => {
    void documentOf(request).then(
      (document) => service?.handle(document, String(request.headers["authorization"]), response),
      () => undefined
    )
  })
  process.on("message", (message) => {
    if (isLimits(message)) {
      service = new LimitedService(message)
      process.send?.("ready")
    } else process.send?.(service?.record())
  })
  process.on("disconnect", () => process.exit())
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    process.send?.(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v2`)
  })
}
