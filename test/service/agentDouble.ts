import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import * as AgentClient from "docsluice/service/AgentClient"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Either, Layer, Redacted, type Scope } from "effect"
import { apart, impatient, key } from "./collaborators.ts"

/** A request as the double received it. */
export interface Asked {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** Status, body and headers; `reset` closes the connection without an answer, `never` leaves it open. */
export type Reply =
  | readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]
  | "reset"
  | "never"

export interface Double {
  /** Ends in `/v2`. */
  readonly base: string
  /** In order of arrival. */
  readonly log: ReadonlyArray<Asked>
  /** Connections that were accepted. */
  readonly connections: () => number
  /** Method and path of each request, without `/v2`. */
  readonly asked: () => ReadonlyArray<string>
  /** The row for a method and path; the last of its replies is given for ever. */
  readonly on: (row: string, ...replies: ReadonlyArray<Reply>) => void
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) if (part instanceof Buffer) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** A service with agents on a real socket, by rows: `GET /agent/ID` to the replies that follow one another. 404 for anything else. */
export const agentDouble: Effect.Effect<Double, never, Scope.Scope> = Effect.gen(function* () {
  const log: Array<Asked> = []
  const rows = new Map<string, ReadonlyArray<Reply>>()
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const { headers, method = "", url = "" } = request
    const body = await bodyOf(request)
    log.push({ method, path: url, headers, body })
    const row = `${method} ${url.replace(/^\/v2/, "")}`
    const count = counts.get(row) ?? 0
    counts.set(row, count + 1)
    const replies = rows.get(row) ?? []
    const reply = replies[Math.min(count, replies.length - 1)] ?? [404, { success: false, error: "Not Found" }]
    if (reply === "reset") request.socket.destroy()
    else if (reply !== "never") {
      const [status, content, more = {}] = reply
      const text = typeof content === "string" ? content : JSON.stringify(content)
      response.writeHead(status, { "content-type": "application/json", ...more }).end(text)
    }
  })
  let connections = 0
  server.on("connection", () => {
    connections += 1
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = (address: AddressInfo | string | null): number =>
    typeof address === "object" && address !== null ? address.port : 0
  return {
    base: `http://127.0.0.1:${port(address)}/v2`,
    log,
    connections: () => connections,
    asked: () => log.map(({ method, path }) => `${method} ${path.replace(/^\/v2/, "")}`),
    on: (row, ...replies) => {
      counts.delete(row)
      rows.set(row, replies)
    }
  }
})

/** The client over real sockets, with the retries of the table and without its waits. */
export const clientOf = (
  { base }: Pick<Double, "base">,
  options: Partial<AgentClient.Options> = {}
): Layer.Layer<AgentClient.AgentClient> =>
  AgentClient.layer({ baseUrl: base, apiKey: Redacted.make(key), retry: impatient, ...options }).pipe(
    Layer.provide([apart({ concurrency: 4 }), UndiciHttpClient.layer()]),
    Layer.orDie
  )

export const jobId = "7b5df27a-1f0e-4c1d-9a52-0d6d3d6b1a55"

export type Service = AgentClient.AgentClient.Service

export const using = <A, E>(
  double: Double,
  use: (client: Service) => Effect.Effect<A, E>,
  options: Partial<AgentClient.Options> = {}
): Effect.Effect<A, E> => Effect.provide(Effect.flatMap(AgentClient.AgentClient, use), clientOf(double, options))

export const failure = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<E> =>
  Effect.flatMap(Effect.either(effect), (end) =>
    Either.isLeft(end) ? Effect.succeed(end.left) : Effect.dieMessage("succeeded")
  )

export const submitted: Reply = [200, { success: true, id: jobId }]

export const jobPath = `/agent/${jobId}`

export const submit = (client: Service) => client.submit({ prompt: "x" })
