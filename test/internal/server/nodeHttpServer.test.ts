import { once } from "node:events"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as NodeHttpServer from "../../../src/internal/server/nodeHttpServer.ts"

/** A server that listens, and that has no handler yet. */
const listening = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = NodeHttpServer.make()
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    return { server, base: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/` }
  }),
  ({ server }) => Effect.sync(() => server.close().closeAllConnections())
)

/** Sends a request, and waits until the server has read its head; `answered` is its answer. */
const asked = async (server: Server, base: string, init: RequestInit = {}) => {
  const sockets: Array<Socket> = []
  server.once("connection", (socket: Socket) => sockets.push(socket))
  const answered = fetch(base, init).then(async (answer) => [answer.status, await answer.text()] as const)
  // oxlint-disable-next-line eslint/no-await-in-loop -- node reads a head and tells of its request at once
  while (!sockets.some(({ bytesRead }) => bytesRead > 0)) await new Promise((resolve) => setImmediate(resolve))
  return { answered }
}

describe("nodeHttpServer", () => {
  it.scopedLive("lets a request that comes before the handler wait for it", () =>
    Effect.gen(function* () {
      const { base, server } = yield* listening
      const { answered } = yield* Effect.promise(() => asked(server, base))
      const { answered: sent } = yield* Effect.promise(() => asked(server, base, { method: "POST", body: "a body" }))
      server.on("request", (request, response) => {
        response.write(`${request.method}: `)
        request.pipe(response)
      })
      assert.deepStrictEqual(yield* Effect.promise(() => answered), [200, "GET: "])
      assert.deepStrictEqual(yield* Effect.promise(() => sent), [200, "POST: a body"])
    })
  )

  it.scopedLive("answers 503 when the server is closed before it has a handler, and when the handler is gone", () =>
    Effect.gen(function* () {
      const first = yield* listening
      const { answered } = yield* Effect.promise(() => asked(first.server, first.base))
      first.server.close()
      assert.strictEqual((yield* Effect.promise(() => answered))[0], 503)

      const { base, server } = yield* listening
      const handler = () => {}
      server.on("request", handler)
      server.off("request", handler)
      const { answered: late } = yield* Effect.promise(() => asked(server, base))
      assert.strictEqual((yield* Effect.promise(() => late))[0], 503)
    })
  )
})
