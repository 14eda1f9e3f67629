/**
 * The protocol as streamable HTTP at `/mcp`: each message is a POST, answered with JSON, or with a stream of events where the client wants to
 * be told of its progress. There is no stream that a client can open by itself (GET), and none that can be resumed.
 */
import { randomUUID } from "node:crypto"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Stream from "effect/Stream"
import type { Identified } from "../server/agentRoutes.ts"
import * as jsonBody from "../server/jsonBody.ts"
import { type Host, Mounted } from "../server/mounted.ts"
import type { Tools } from "../tools/values.ts"
import * as Messages from "./messages.ts"
import * as Protocol from "./protocol.ts"
import * as Server from "./server.ts"
import { longest } from "./stdio.ts"

const path = "/mcp"

const sessionHeader = "mcp-session-id"

/** Sessions that are held, and milliseconds for which one is held after its last use. */
const most = { sessions: 1000, idle: 30 * 60 * 1000 } as const

/** Versions of the protocol that are spoken, the newest first. */
const versions: ReadonlyArray<string> = ["2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]

interface Session {
  readonly client: Protocol.Client
  readonly owner: string
  readonly used: number
}

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse>

const json = (status: number, message: Messages.Answer, headers: Readonly<Record<string, string>> = {}): Answer =>
  Effect.orDie(HttpServerResponse.json(message, { status, headers: { ...headers, "cache-control": "no-store" } }))

const refused = (status: number, problem: string): Answer =>
  json(status, Messages.failed(null, Messages.codes.request, problem))

const unknownSession = refused(404, "there is no such session; send initialize again")

const sessions = (transport: Protocol.Transport) => {
  const held = new Map<string, Session>()
  const end = (id: string): Effect.Effect<void> => {
    const session = held.get(id)
    held.delete(id)
    return session === undefined ? Effect.void : transport.disconnect(session.client)
  }
  /** The least recently used of the owner with most, so that nobody ends the sessions of others by beginning many. */
  const spare = (): string => {
    const counts = new Map<string, number>()
    for (const { owner } of held.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    const greatest = Math.max(...counts.values())
    const [id = ""] = [...held].find(([, { owner }]) => counts.get(owner) === greatest) ?? []
    return id
  }
  return {
    end,
    begin: (owner: string) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const idle = [...held].filter(([, { used }]) => now - used > most.idle)
        yield* Effect.forEach(idle, ([old]) => end(old))
        if (held.size >= most.sessions) yield* end(spare())
        const id = randomUUID()
        const client = yield* transport.connect(() => Effect.void)
        held.set(id, { client, owner, used: now })
        return { id, client }
      }),
    find: (id: string, owner: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const session = held.get(id)
        if (session === undefined || session.owner !== owner || now - session.used > most.idle) return undefined
        held.delete(id)
        held.set(id, { ...session, used: now })
        return session.client
      })
  }
}

const encoder = new TextEncoder()

const event = (message: Messages.Answer): Uint8Array =>
  encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`)

/** All that goes back for a request; a client that closes the stream cancels it. */
const streamed = (transport: Protocol.Transport, client: Protocol.Client, request: Messages.Request): Answer =>
  Effect.succeed(
    HttpServerResponse.stream(
      Stream.unwrapScoped(
        Effect.gen(function* () {
          const events = yield* Mailbox.make<Uint8Array>()
          const received = transport.receive(client, request, (message) => Effect.asVoid(events.offer(event(message))))
          yield* Effect.forkScoped(Effect.ensuring(received, events.end))
          return Mailbox.toStream(events)
        })
      ),
      { contentType: "text/event-stream", headers: { "cache-control": "no-store" } }
    )
  )

const cancelled = Messages.failed(null, Messages.codes.request, "the request was cancelled")

const answered = (
  transport: Protocol.Transport,
  client: Protocol.Client,
  request: Messages.Request,
  headers: Readonly<Record<string, string>> = {}
): Answer =>
  Effect.suspend(() => {
    let answer: Messages.Answer = { ...cancelled, id: request.id }
    const send = (message: Messages.Answer) =>
      Effect.sync(() => {
        if ("id" in message) answer = message
      })
    return Effect.zipRight(
      transport.receive(client, request, send),
      Effect.suspend(() => json(200, answer, headers))
    )
  })

/** The routes on a server, over one transport. */
const routes = (transport: Protocol.Transport) => {
  const all = sessions(transport)
  const take = (owner: string, { headers }: HttpServerRequest.HttpServerRequest, text: string): Answer =>
    Effect.gen(function* () {
      const received = Messages.read(text)
      // An error of one request is its answer, which its client awaits; of any other message nobody knows whose it is.
      const isLost = received._tag === "Refused" && received.answer["id"] === null
      if (isLost) return yield* json(400, received.answer)
      const version = headers["mcp-protocol-version"]
      if (version !== undefined && !versions.includes(version)) {
        return yield* refused(400, `this version of the protocol is not spoken here; ${versions.join(", ")} are`)
      }
      if (received._tag === "Request" && received.method === "initialize") {
        const { client, id } = yield* all.begin(owner)
        return yield* answered(transport, client, received, { [sessionHeader]: id })
      }
      const session = headers[sessionHeader]
      if (session === undefined)
        return yield* refused(400, "the header Mcp-Session-Id is missing; send initialize first")
      const client = yield* all.find(session, owner)
      if (client === undefined) return yield* unknownSession
      if (received._tag === "Refused") return yield* json(200, received.answer)
      if (received._tag !== "Request") {
        yield* transport.receive(client, received)
        return HttpServerResponse.empty({ status: 202 })
      }
      const streams = received.progress !== undefined && /text\/event-stream/iu.test(headers["accept"] ?? "")
      return yield* streams ? streamed(transport, client, received) : answered(transport, client, received)
    })
  return ({ identify, keyed, refusal }: Host): HttpRouter.HttpRouter => {
    const called = <R>(
      call: (
        request: HttpServerRequest.HttpServerRequest,
        owner: string,
        admitted: Identified["admitted"]
      ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Parameters<typeof refusal>[0], R>
    ) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { admitted, caller } = yield* identify(request)
        return yield* call(request, keyed ? caller.owner : "", admitted)
      }).pipe(Effect.catchAll(refusal))
    return HttpRouter.empty.pipe(
      HttpRouter.post(
        path,
        called((request, owner, admitted) =>
          Effect.scoped(
            admitted(
              (watch) => jsonBody.text(request, { maxBytes: longest, watch }),
              (text) => take(owner, request, text)
            )
          )
        )
      ),
      HttpRouter.del(
        path,
        called(({ headers }, owner) =>
          Effect.gen(function* () {
            const id = headers[sessionHeader] ?? ""
            if ((yield* all.find(id, owner)) === undefined) return yield* unknownSession
            yield* all.end(id)
            return HttpServerResponse.empty({ status: 204 })
          })
        )
      ),
      HttpRouter.get(
        path,
        called(() => Effect.succeed(HttpServerResponse.empty({ status: 405, headers: { allow: "POST, DELETE" } })))
      )
    )
  }
}

/** The part of a server at `/mcp`. */
export const layer = (tools: Tools): Layer.Layer<Mounted> =>
  Layer.scoped(
    Mounted,
    Effect.gen(function* () {
      const transport = yield* Protocol.make
      yield* Effect.forkScoped(Server.serve(tools, transport))
      return { routes: routes(transport) }
    })
  )
