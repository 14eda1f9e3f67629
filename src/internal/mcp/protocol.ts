/** The protocol of `@effect/ai`'s `McpServer` over any transport. */
/*
 * It is a layer of its own because that of `@effect/rpc` gives a request with a text as id back without its id, ends at a message that is not
 * JSON, answers a request that was cancelled, and tells progress to all clients.
 */
import type { FromClientEncoded, FromServerEncoded } from "@effect/rpc/RpcMessage"
import * as RpcServer from "@effect/rpc/RpcServer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import { isRecord } from "../base/rules.ts"
import * as Messages from "./messages.ts"

/** Takes what goes back to a client. */
export type Send = (message: Messages.Answer) => Effect.Effect<void>

/** A client, until it is disconnected. */
export interface Client {
  readonly id: number
  readonly send: Send
}

export interface Transport {
  readonly protocol: RpcServer.Protocol["Type"]
  readonly connect: (send: Send) => Effect.Effect<Client>
  /**
   * Takes a message. Ends once a request is answered, or cancelled; interruption cancels it. What is about a request goes to `send`, by
   * default that of the client.
   */
  readonly receive: (client: Client, received: Messages.Received, send?: Send) => Effect.Effect<void>
  /** Tells the client of a request how far it has come. */
  readonly progress: (client: number, params: Progress) => Effect.Effect<void>
  /** Ends all that the client has asked for. */
  readonly disconnect: (client: Client) => Effect.Effect<void>
}

export interface Progress {
  readonly progressToken: Messages.Id
  readonly progress: number
  readonly total?: number | undefined
  readonly message: string
}

interface Pending {
  readonly client: Client
  readonly request: Messages.Request
  readonly send: Send
  readonly done: Deferred.Deferred<void>
  cancelled: boolean
}

/** Requests of one client at a time. */
const mostPending = 256

/** Exit of a request as an answer. */
const answerOf = (id: Messages.Id, exit: Extract<FromServerEncoded, { _tag: "Exit" }>["exit"]): Messages.Answer => {
  if (exit._tag === "Success") return { jsonrpc: "2.0", id, result: exit.value ?? {} }
  const error: unknown = exit.cause._tag === "Fail" ? exit.cause.error : undefined
  return isRecord(error) && typeof error["code"] === "number" && typeof error["message"] === "string"
    ? Messages.failed(id, error["code"], error["message"])
    : Messages.failed(id, Messages.codes.internal, "the server failed; its log says why")
}

export const make: Effect.Effect<Transport> = Effect.gen(function* () {
  const clients = new Map<number, Client>()
  const pending = new Map<string, Pending>()
  const disconnects = yield* Mailbox.make<number>()
  let last = 0
  let write: (client: number, message: FromClientEncoded) => Effect.Effect<void> = () => Effect.void

  const own = (client: Client, test: (one: Pending) => boolean) =>
    [...pending].find(([, one]) => one.client.id === client.id && test(one))

  const cancel = (key: string): Effect.Effect<void> => {
    const one = pending.get(key)
    if (one === undefined) return Effect.void
    one.cancelled = true
    return write(one.client.id, { _tag: "Interrupt", requestId: key })
  }

  const protocol = yield* RpcServer.Protocol.make((writeRequest) => {
    write = writeRequest
    return Effect.succeed({
      disconnects,
      send: (_, response) =>
        Effect.suspend(() => {
          const one = response._tag === "Exit" ? pending.get(response.requestId) : undefined
          if (response._tag !== "Exit" || one === undefined) return Effect.void
          pending.delete(response.requestId)
          const answered = one.cancelled ? Effect.void : one.send(answerOf(one.request.id, response.exit))
          return Effect.ensuring(answered, Deferred.succeed(one.done, undefined))
        }),
      end: () => Effect.void,
      clientIds: Effect.sync(() => new Set(clients.keys())),
      initialMessage: Effect.succeed(Option.none()),
      supportsAck: false,
      supportsTransferables: false,
      supportsSpanPropagation: false
    })
  })

  const ask = (client: Client, request: Messages.Request, send: Send): Effect.Effect<void> =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<void>()
      const key = String(++last)
      pending.set(key, { client, request, send, done, cancelled: false })
      const { method: tag, params: payload } = request
      yield* write(client.id, { _tag: "Request", id: key, tag, payload, headers: [] })
      yield* Effect.onInterrupt(Deferred.await(done), () => cancel(key))
    })

  const take = (client: Client, received: Messages.Received, send: Send): Effect.Effect<void> => {
    if (received._tag === "Refused") return send(received.answer)
    if (received._tag === "Answer") return Effect.void
    if (received._tag === "Notification") {
      const { method, params } = received
      if (method !== "notifications/cancelled" || !isRecord(params)) return Effect.void
      const asked = params["requestId"]
      const found = own(client, ({ request }) => request.id === asked)
      return found === undefined ? Effect.void : cancel(found[0])
    }
    const all = [...pending.values()].filter((one) => one.client.id === client.id)
    if (all.some(({ request }) => request.id === received.id)) {
      return send(Messages.failed(received.id, Messages.codes.request, "a request with this id is not answered yet"))
    }
    return all.length < mostPending
      ? ask(client, received, send)
      : send(Messages.failed(received.id, Messages.codes.internal, "too many requests at a time; send fewer"))
  }

  return {
    protocol,
    progress: (client, params) =>
      Effect.suspend(() => {
        const found = [...pending.values()].find(
          ({ client: { id }, request }) => id === client && request.progress === params.progressToken
        )
        return found === undefined || found.cancelled
          ? Effect.void
          : found.send({ jsonrpc: "2.0", method: "notifications/progress", params })
      }),
    connect: (send) =>
      Effect.sync(() => {
        const client = { id: ++last, send }
        clients.set(client.id, client)
        return client
      }),
    receive: (client, received, send = client.send) => Effect.suspend(() => take(client, received, send)),
    disconnect: (client) =>
      Effect.suspend(() => {
        clients.delete(client.id)
        for (const [key, one] of pending) {
          if (one.client.id !== client.id) continue
          pending.delete(key)
          Deferred.unsafeDone(one.done, Effect.void)
        }
        return disconnects.offer(client.id)
      })
  }
})
