import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
/**
 * A stand-in for the service on a real socket. The file name chooses the fault: `name@scenario~key=value,key=value.pdf`;
 * `times=N` lets only the first N attempts of that file fail, `after=N` none of the server's first N requests.
 */
import { Effect, type Scope } from "effect"
import { type Asked, canned, type Document, document, type Received } from "./answers.ts"
import { readUpload } from "./multipart.ts"
import { early as earlyFaults, play, send } from "./scenarios.ts"

/** One request, as it ended. */
export interface Entry {
  filename: string
  /** 1 for the first request of this file name. */
  attempt: number
  /** 1 for the first request of all. */
  readonly number: number
  status: number
  size: number
  sha256: string
  contentType: string
  /** Time of arrival, milliseconds since the server's start. */
  at: number
  timeout: number | undefined
  /** Earliest time of the document's next request that the answer names, on the clock of `at`; null: none. */
  until: number | null
  /** The client went away before it was answered. */
  aborted: boolean
  /** The exchange is over: answered, or the connection is closed. */
  over: boolean
}

export interface FaultServer {
  /** Ends in `/v2`. */
  readonly base: string
  readonly port: number
  /** In order of arrival. */
  readonly log: ReadonlyArray<Entry>
  readonly maxInFlight: () => number
  /** Open sockets that carried a request; fetch opens an idle one in place of one that was aborted. */
  readonly openSockets: () => number
}

export interface Options {
  /** The only key that is accepted; any or none when undefined. */
  readonly key?: string
  /** Milliseconds before each answer. */
  readonly delay?: number
  /** The scenario of a request, whatever its file name says; null leaves it to the name. Default: always null. */
  readonly fault?: (entry: Entry) => string | null
  /** True: a file name chooses no fault. Default: never. */
  readonly healthy?: () => boolean
  /** Makes a faultless answer; default three pages that are the same for every file. */
  readonly document?: (file: Received, asked: Asked) => Document
}

const scenarioOf = (filename: string): { readonly name: string; readonly parameters: ReadonlyMap<string, string> } => {
  const match = /@([a-z0-9-]+)(?:~([^.]*))?/i.exec(filename)
  const pairs = (match?.[2] ?? "").split(",").flatMap((pair) => {
    const [key, value] = pair.split("=")
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
  return { name: match?.[1] ?? "ok", parameters: new Map(pairs) }
}

/** The scenario of this attempt: before `after` requests, and once a fault has shown itself `times` times, the file is served. */
const playedBy = ({ healthy }: Options, entry: Entry, fault: string | null): ReturnType<typeof scenarioOf> => {
  if (fault !== null || healthy?.() === true) return { name: fault ?? "ok", parameters: new Map() }
  const scenario = scenarioOf(entry.filename)
  const times = scenario.parameters.get("times")
  const over = times !== undefined && entry.attempt > Number(times)
  const early = entry.number <= Number(scenario.parameters.get("after") ?? 0)
  return over || early ? { ...scenario, name: "ok" } : scenario
}

/** The body; null when the client went away, or an early fault took over. */
const received = (
  request: IncomingMessage,
  response: ServerResponse,
  named: (name: string) => ReturnType<typeof scenarioOf>
) =>
  new Promise<Buffer | null>((resolve) => {
    const parts: Array<Buffer> = []
    let known = false
    request.on("data", (part: Buffer) => {
      parts.push(part)
      const name = known ? undefined : /name="file"; filename="([^"]*)"/.exec(part.toString("latin1"))?.[1]
      if (name === undefined) return
      known = true
      const scenario = named(name)
      if (earlyFaults[scenario.name]?.(request, response, scenario.parameters) === true) {
        request.removeAllListeners("data")
        request.pause()
        if (response.headersSent) request.resume()
        resolve(null)
      }
    })
    request.on("end", () => resolve(Buffer.concat(parts)))
    request.on("close", () => resolve(null))
    request.on("error", () => resolve(null))
  })

const handler = (options: Options, log: Array<Entry>) => {
  const started = Date.now()
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Date.now() - started
    const entry: Entry = {
      filename: "",
      attempt: 0,
      number: log.length + 1,
      status: 0,
      size: 0,
      sha256: "",
      contentType: "",
      at,
      timeout: undefined,
      until: null,
      aborted: false,
      over: false
    }
    log.push(entry)
    response.on("error", () => undefined)
    response.on("close", () => {
      entry.status = response.headersSent ? response.statusCode : 0
      entry.aborted = !response.writableFinished
      entry.over = true
    })
    const named = (filename: string) => {
      entry.filename = filename
      entry.attempt = log.filter((other) => other.filename === filename).length
      return playedBy(options, entry, null)
    }
    const body = await received(request, response, named)
    if (body === null) return
    const authorization = request.headers.authorization
    if (options.key !== undefined && authorization !== `Bearer ${options.key}`) {
      // Echoes what it got, as careless services do.
      return send(response, 401, JSON.stringify({ error: `Unauthorized: Invalid token ${authorization}` }))
    }
    const until = await respond(options, entry, request, response, body)
    if (until !== null) entry.until = until - started
  }
}

const respond = async (
  options: Options,
  entry: Entry,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer
): Promise<number | null> => {
  try {
    const { file, options: asked } = readUpload(body, request.headers["content-type"] ?? "")
    Object.assign(entry, file, { timeout: asked.timeout })
    const { name, parameters } = playedBy(options, entry, options.fault?.(entry) ?? null)
    if (options.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, options.delay))
    const made = options.document ?? document
    return await play(name, { request, response, file, options: asked, document: made, parameters })
  } catch (error) {
    send(response, 400, JSON.stringify({ success: false, code: "BAD_REQUEST", error: String(error) }))
    return null
  }
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

/** Requests that came earlier than an answer before them, to the same document, allowed. */
export const early = (log: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const allowed = new Map<string, number>()
  return log.filter(({ at, filename, until }) => {
    const soon = at < (allowed.get(filename) ?? 0)
    if (until !== null) allowed.set(filename, until)
    return soon
  })
}

/** All scenario names that answer with a row of the table of answers. */
export const rows: ReadonlyArray<string> = Object.keys(canned)

/** A server on a free port of the loopback interface, closed with the scope. */
export const start = (options: Options = {}): Effect.Effect<FaultServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const log: Array<Entry> = []
    let inFlight = 0
    let maxInFlight = 0
    const open = new Set<Socket>()
    const handle = handler(options, log)
    const server = createServer((request, response) => {
      const { socket } = request
      if (!open.has(socket)) {
        open.add(socket)
        socket.on("close", () => open.delete(socket))
      }
      inFlight += 1
      maxInFlight = Math.max(maxInFlight, inFlight)
      response.on("close", () => {
        inFlight -= 1
      })
      void handle(request, response)
    })
    server.on("connection", (socket) => {
      socket.on("error", () => undefined)
    })
    const port = yield* Effect.acquireRelease(
      Effect.promise(() => listen(server)),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    return {
      base: `http://127.0.0.1:${port}/v2`,
      port,
      log,
      maxInFlight: () => maxInFlight,
      openSockets: () => open.size
    }
  })
