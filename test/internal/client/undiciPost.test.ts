import { createServer, type RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import * as undici from "undici"
import type { Post, PostFailure } from "../../../src/internal/client/plainPost.ts"
import * as undiciPost from "../../../src/internal/client/undiciPost.ts"

interface Served {
  readonly url: URL
  readonly sockets: () => number
}

const serve = (listener: RequestListener): Effect.Effect<Served, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(listener)
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    ),
    (server) => {
      const sockets = new Set<unknown>()
      server.on("connection", (socket) => {
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket))
      })
      const address = server.address()
      const port = typeof address === "object" ? address?.port : 0
      return { url: new URL(`http://127.0.0.1:${port}/v2/parse?a=b`), sockets: () => sockets.size }
    }
  )

const agent = Effect.acquireRelease(
  Effect.sync(() => new undici.Agent()),
  (agent) => Effect.promise(() => agent.destroy())
)

const posted = (url: URL, changes: Partial<Post> = {}) =>
  Effect.flatMap(agent, (dispatcher) =>
    undiciPost.make(dispatcher)({
      url,
      headers: { "content-type": "text/plain" },
      body: new TextEncoder().encode("words"),
      deadline: 10_000,
      idle: 600_000,
      maxBytes: 1000,
      onHead: () => undefined,
      ...changes
    })
  )

const until = (condition: () => boolean) =>
  Effect.repeat(Effect.sleep("2 millis"), { until: condition }).pipe(Effect.timeout("2 minutes"))

/** A body of two parts that waits for ever after the first, and tells whether it was closed. */
const endless = () => {
  const state = { open: 0 }
  const body = async function* (): AsyncGenerator<Uint8Array> {
    state.open += 1
    try {
      for (;;) {
        yield new Uint8Array(65_536)
        // oxlint-disable-next-line no-await-in-loop -- one part after the other
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    } finally {
      state.open -= 1
    }
  }
  return { body: body(), state }
}

const silent: RequestListener = (request) => void request.resume()

const head: RequestListener = (request, response) => {
  request.resume()
  response.writeHead(200, { "content-type": "application/json" })
  response.write("{")
}

describe("a post through undici's dispatcher", () => {
  it.scopedLive("gives status, headers and bytes of the answer, and is told of its head", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { url } = yield* serve((request, response) => {
        request.on("data", (part: Buffer) => seen.push(`${request.method} ${request.url} ${part.toString()}`))
        request.on("end", () => {
          response.writeHead(418, { "set-cookie": ["a=1", "b=2"] })
          response.end("short and stout")
        })
      })
      let heads = 0
      const answer = yield* posted(url, { onHead: () => (heads += 1) })
      assert.deepStrictEqual(seen, ["POST /v2/parse?a=b words"])
      assert.strictEqual(answer.status, 418)
      assert.deepStrictEqual(answer.headers["set-cookie"], ["a=1", "b=2"])
      assert.strictEqual(Buffer.from(answer.bytes).toString(), "short and stout")
      assert.strictEqual(heads, 1)
    })
  )

  const failures: ReadonlyArray<
    readonly [string, RequestListener, Partial<Post>, PostFailure["reason"], number | null]
  > = [
    ["no answer within the deadline", silent, { deadline: 60 }, "Late", null],
    ["an answer that goes on past the deadline", head, { deadline: 120 }, "Late", 200],
    ["an answer that stops arriving", head, { idle: 60 }, "Idle", 200],
    ["too long an answer", (_, response) => void response.end("x".repeat(1001)), {}, "TooLarge", 200],
    ["a socket that breaks before the answer", (request) => void request.socket.destroy(), {}, "Broken", null]
  ]
  for (const [what, listener, changes, reason, status] of failures) {
    it.scopedLive(`fails for ${what}, and frees socket and body`, () =>
      Effect.gen(function* () {
        const { sockets, url } = yield* serve(listener)
        const { body, state } = endless()
        const failure = yield* Effect.flip(posted(url, { ...changes, body }))
        assert.deepStrictEqual([failure.reason, failure.head?.status ?? null], [reason, status])
        yield* until(() => sockets() === 0 && state.open === 0)
      })
    )
  }

  it.scopedLive("frees socket and body when it is interrupted, before and after the head of the answer", () =>
    Effect.gen(function* () {
      for (const listener of [silent, head]) {
        const { sockets, url } = yield* serve(listener)
        const { body, state } = endless()
        const fiber = yield* Effect.fork(posted(url, { body }))
        yield* until(() => sockets() === 1 && state.open === 1)
        yield* Effect.sleep("30 millis")
        yield* Fiber.interrupt(fiber)
        yield* until(() => sockets() === 0 && state.open === 0)
      }
    })
  )

  it.scopedLive("takes an answer that comes before the body's end", () =>
    Effect.gen(function* () {
      const { url } = yield* serve((_, response) => {
        response.writeHead(401, { connection: "close" })
        response.end("no")
      })
      const { body, state } = endless()
      const { status } = yield* posted(url, { body })
      assert.strictEqual(status, 401)
      yield* until(() => state.open === 0)
    })
  )

  it.scopedLive("fails with what the body throws, and where the dispatcher refuses the request", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(() => undefined)
      const broken = new Error("the file broke")
      const throwing = async function* (): AsyncGenerator<Uint8Array> {
        yield new Uint8Array(10)
        throw broken
      }
      assert.strictEqual((yield* Effect.flip(posted(url, { body: throwing() }))).cause, broken)
      const refused = yield* Effect.flip(posted(url, { headers: { "a\nb": "c" } }))
      assert.strictEqual(refused.reason, "Broken")
    })
  )
})
