import { mkdtempSync, rmSync } from "node:fs"
import * as http from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref, Schema } from "effect"
import { request, upload } from "../service/serverFixture.ts"
import { start } from "./run.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-serve-schemas-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

/** A model that answers everything with this text. */
const model = (content: string) =>
  Effect.gen(function* () {
    const listener = http.createServer((asked, response) => {
      asked.resume()
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ choices: [{ message: { content } }] }))
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void listener.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => listener.close().closeAllConnections())
    )
    const address = listener.address()
    return `openai:m@http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`
  })

const Listening = Schema.parseJson(Schema.Struct({ base: Schema.String }))

const served = (target: string) =>
  Effect.gen(function* () {
    const cwd = yield* folder
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => start(cwd, ["serve", "--port", "0", "--json", "--model", target])),
      ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
    )
    yield* Effect.repeat(Effect.delay(Effect.sync(server.stdout), "20 millis"), {
      until: (text) => text.includes("\n") || server.child.exitCode !== null
    })
    return { base: Schema.decodeSync(Listening)(server.stdout()).base.replace(/\/v2$/u, ""), server }
  })

/** Asks for `/health` all the while; the longest answer in milliseconds. */
const slowestHealth = <A, E, R>(base: string, self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const slowest = yield* Ref.make(0)
    const asked = Effect.gen(function* () {
      const begun = performance.now()
      assert.strictEqual((yield* request(`${base}/health`)).status, 200)
      yield* Ref.update(slowest, (before) => Math.max(before, performance.now() - begun))
    })
    const asking = yield* Effect.fork(Effect.forever(Effect.zipRight(asked, Effect.sleep("50 millis"))))
    const value = yield* self
    yield* Fiber.interrupt(asking)
    return { value, slowest: yield* slowest }
  })

const references = (levels: number, leaf: object) => ({
  $ref: "#/definitions/a0",
  definitions: Object.fromEntries([
    ...Array.from({ length: levels }, (_, at) => {
      const next = { $ref: `#/definitions/a${at + 1}` }
      return [`a${at}`, { allOf: [next, next] }] as const
    }),
    [`a${levels}`, leaf] as const
  ])
})

const wide = {
  properties: Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: "string", minLength: 1 }] as const)
  )
}

/** Schemas that took or ended the whole server, and the statuses that they get, by what runs out first. */
const attacks = [
  ["a pattern", { properties: { a: { type: "string", pattern: "^(a+)+$" } } }, [408]],
  ["25 levels of references", references(25, { not: {} }), [408, 422]],
  ["22 levels of references", references(22, { not: {} }), [408, 422]],
  ["10,000 properties", wide, [422]],
  ["a reference to itself", { $ref: "#" }, [422]]
] as const

describe("docsluice serve --model and the schemas of its callers", { timeout: 120_000 }, () => {
  it.scopedLive("answers everybody else while a schema takes all it can get, and ends when it is asked to", () =>
    Effect.gen(function* () {
      const { base, server } = yield* served(yield* model(`{"a":"${"a".repeat(34)}!"}`))
      const page = { name: "a.html", bytes: "<p>Total: 7" }
      yield* upload(base, page)
      for (const [name, schema, statuses] of attacks) {
        const attack = upload(base, { ...page, options: { timeout: 4000, formats: [{ type: "json", schema }] } })
        const { slowest, value } = yield* slowestHealth(base, Effect.all([attack, upload(base, page)]))
        const [attacked, other] = value
        assert.include(statuses, attacked.status, `${name}: ${JSON.stringify(attacked.body)}`)
        assert.strictEqual(other.status, 200, name)
        // Far above what a busy machine needs, and below what the check takes.
        assert.isBelow(slowest, 3000, name)
      }
      const right = { formats: [{ type: "json", schema: { required: ["a"] } }] }
      assert.strictEqual((yield* upload(base, { ...page, options: right })).status, 200)
      const schema = attacks[0][1]
      yield* Effect.fork(upload(base, { ...page, options: { timeout: 300_000, formats: [{ type: "json", schema }] } }))
      yield* request(`${base}/metrics`).pipe(
        Effect.repeat({ until: ({ body }) => /requests_in_flight 2\n/u.test(String(body)) })
      )
      server.child.kill("SIGTERM")
      server.child.kill("SIGTERM")
      assert.strictEqual((yield* Effect.promise(() => server.ended)).status, 130)
    })
  )
})
