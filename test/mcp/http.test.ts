import { writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import { Effect, Redacted } from "effect"
import { garbage, hello, manyFiles, memoryOf, served } from "./served.ts"
import { folder, sample } from "./store.ts"

const sampled = sample()

interface Asked {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** What comes back for a message, with any header that a client may send; `fetch` sends no `Host` of one's own. */
const send = (url: URL, body: unknown, { headers = {}, key = "secret", method = "POST", signal }: Asked = {}) =>
  Effect.promise(
    () =>
      new Promise<{ readonly status: number; readonly text: string; readonly session: string }>((resolve) => {
        const gone = () => resolve({ status: 0, text: "", session: "" })
        const sent = request(
          url,
          { method, signal, headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers } },
          (response) => {
            let text = ""
            response.on("data", (part) => (text += String(part)))
            response.on("error", gone)
            response.on("end", () =>
              resolve({
                status: response.statusCode ?? 0,
                text,
                session: String(response.headers["mcp-session-id"] ?? "")
              })
            )
          }
        )
        sent.on("error", gone)
        sent.end(method === "POST" ? (typeof body === "string" ? body : JSON.stringify(body)) : undefined)
      })
  )

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

const calling = (name: string, args: unknown = {}, id = 2) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args }
})

const begin = (url: URL, key = "secret") =>
  Effect.map(send(url, hello, { key }), ({ session }) => ({ "mcp-session-id": session }))

describe("/mcp", () => {
  it.scopedLive(
    "is closed to callers without a key or its permission, to foreign pages and names, and to the sessions of others",
    () =>
      Effect.gen(function* () {
        const { cwd, store } = yield* sampled
        const keys = join(cwd, "keys.json")
        const entry = (name: string, key: string, permission: string) =>
          Effect.map(Accounts.hashKey(Redacted.make(key)), (hash) => ({ name, hash, permissions: [permission] }))
        const entries = [
          entry("one", "secret", "agent"),
          entry("two", "other", "agent"),
          entry("three", "parser", "parse")
        ]
        writeFileSync(keys, JSON.stringify({ version: 1, keys: yield* Effect.all(entries) }))
        const { url } = yield* served(cwd, ["--mcp", `libsql:${store}`, "--keys", keys])
        const status = (body: unknown, asked: Asked = {}) => Effect.map(send(url, body, asked), (one) => one.status)
        for (const method of ["POST", "GET", "DELETE"]) {
          assert.strictEqual(yield* status(hello, { method, key: null }), 401, method)
          assert.strictEqual(yield* status(hello, { method, key: "wrong" }), 401, method)
          assert.strictEqual(yield* status(hello, { method, key: "parser" }), 403, method)
          assert.strictEqual(yield* status(hello, { method, headers: { origin: "http://evil.test" } }), 403, method)
          assert.strictEqual(yield* status(hello, { method, headers: { host: "evil.test" } }), 403, method)
          assert.strictEqual(yield* status(hello, { method, headers: { origin: "null" } }), 403, method)
        }
        const headers = yield* begin(url)
        for (const method of ["POST", "DELETE"]) {
          assert.strictEqual(yield* status(ping, { method, key: "other", headers }), 404, method)
          assert.strictEqual(yield* status(ping, { method, headers: { "mcp-session-id": "x" } }), 404, method)
        }
        assert.strictEqual(yield* status(ping, { headers }), 200)
        assert.strictEqual(yield* status([ping, ping], { headers }), 400)
        assert.strictEqual(yield* status(" ".repeat(5_000_000), { headers }), 413)
        assert.strictEqual(yield* status(ping, { headers }), 200)
      }),
    120_000
  )

  it.scopedLive(
    "answers 1,000 malformed messages, stays alive, holds no more memory; and many sessions of one key end none of another",
    () =>
      Effect.gen(function* () {
        const { cwd, store } = yield* sampled
        const { pid, url } = yield* served(cwd, [
          "--mcp",
          `libsql:${store}`,
          "--api-key",
          "secret",
          "--api-key",
          "other"
        ])
        const others = yield* begin(url, "other")
        const headers = yield* begin(url)
        const malformed = (from: number, count: number) =>
          Effect.forEach(
            Array.from({ length: count }, (_, at) => garbage(from + at)),
            (message) => send(url, message, { headers }),
            { concurrency: 8 }
          )
        yield* malformed(0, 200)
        const before = memoryOf(pid)
        const answers = yield* malformed(200, 1000)
        assert.isBelow(memoryOf(pid) - before, 40_000)
        const seen = new Set(answers.map(({ status, text }) => `${status} ${JSON.parse(text).error.code}`))
        assert.sameMembers([...seen], ["400 -32700", "400 -32600", "200 -32600", "200 -32601", "200 -32602"])
        assert.strictEqual((yield* send(url, ping, { headers })).status, 200)

        yield* Effect.forEach(Array.from({ length: 1000 }), () => begin(url), { concurrency: 8 })
        assert.strictEqual((yield* send(url, ping, { headers: others, key: "other" })).status, 200)
        assert.strictEqual((yield* send(url, ping, { headers })).status, 404)
      }),
    120_000
  )

  it.scopedLive(
    "ends a running call when its client goes away",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder
        const write = ["--mcp", "libsql:store.db", "--root", `many=${manyFiles(cwd)}`, "--allow-write"]
        const { url } = yield* served(cwd, [...write, "--api-key", "secret"])
        const headers = yield* begin(url)
        const gone = yield* send(url, calling("ingest", { root: "many" }), {
          headers,
          signal: AbortSignal.timeout(1500)
        })
        assert.strictEqual(gone.status, 0)
        // The store is free for this call once the other has let go of it.
        const removed = yield* send(url, calling("remove", { source: "0.html" }, 3), { headers })
        assert.strictEqual(removed.status, 200)
        const { text } = yield* send(url, calling("status", {}, 4), { headers })
        assert.isBelow(JSON.parse(text).result.structuredContent.documents, 390)
      }),
    120_000
  )
})
