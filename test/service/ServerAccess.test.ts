import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { exchange, filePart, form, metricsWith, rawForm, start } from "./serverFixture.ts"

describe("Server", () => {
  it.scopedLive("answers requests to its own address only, and web pages of its own", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const { port } = new URL(base)
      const as = (...headers: ReadonlyArray<string>) =>
        Effect.map(
          exchange(base, [`GET /health HTTP/1.1\r\n${headers.join("\r\n")}\r\nConnection: close\r\n\r\n`]),
          (answer) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]
        )
      for (const host of [
        `127.0.0.1:${port}`,
        `127.255.10.99:${port}`,
        `localhost:${port}`,
        `LOCALHOST:${port}`,
        `[::1]:${port}`
      ]) {
        assert.strictEqual(yield* as(`Host: ${host}`), "200", host)
        assert.strictEqual(yield* as(`Host: ${host}`, `Origin: http://${host}`), "200", host)
      }
      for (const host of [
        `evil.test:${port}`,
        "localhost:1",
        "localhost",
        `127.0.0.1.evil.test:${port}`,
        `x@localhost:${port}`,
        `127.999.1.1:${port}`,
        `127.0.0.256:${port}`,
        ""
      ]) {
        assert.strictEqual(yield* as(`Host: ${host}`), "403", host)
      }
      for (const origin of ["https://evil.test", "null", "http://localhost:1", `http://localhost.evil.test:${port}`]) {
        assert.strictEqual(yield* as(`Host: localhost:${port}`, `Origin: ${origin}`), "403", origin)
      }
      const answer = yield* exchange(base, ["GET /health HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n"])
      assert.match(answer, /\{"success":false,"error":"Forbidden: [^}]*evil\.test[^}]*--allow-host`\)"\}/)
    })
  )

  it.scopedLive("lets no answer of the interface be kept, or be taken for another type", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { keys: [Redacted.make("one")] } })
      const headersOf = (path: string, init: RequestInit = {}) =>
        Effect.promise(async () => {
          const { headers, status } = await fetch(`${base}${path}`, init)
          return [status, headers.get("cache-control"), headers.get("x-content-type-options")]
        })
      const post = { method: "POST", body: form({}) }
      const authorization = { authorization: "Bearer one" }
      const kept = ["no-store", "nosniff"]
      assert.deepStrictEqual(yield* headersOf("/v2/parse", { ...post, headers: authorization }), [200, ...kept])
      assert.deepStrictEqual(yield* headersOf("/v2/parse", post), [401, ...kept])
      assert.deepStrictEqual(yield* headersOf("/v2/agent/x", { headers: authorization }), [400, ...kept])
      assert.deepStrictEqual(yield* headersOf("/v2/nothing"), [404, ...kept])
    })
  )

  it.scopedLive("answers under other configured host names", () =>
    Effect.gen(function* () {
      const status = (base: string, headers: string) =>
        Effect.map(
          exchange(base, [`GET /health HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`]),
          (answer) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]
        )
      const base = yield* start({ server: { allowHosts: ["docs.test", "other.test:81"] } })
      assert.strictEqual(yield* status(base, "Host: docs.test:443"), "200")
      assert.strictEqual(yield* status(base, "Host: docs.test\r\nOrigin: https://docs.test"), "200")
      assert.strictEqual(yield* status(base, "Host: other.test:81"), "200")
      assert.strictEqual(yield* status(base, "Host: other.test:82"), "403")
      assert.strictEqual(yield* status(base, "Host: docs.test\r\nOrigin: https://evil.test"), "403")
      const any = yield* start({ server: { allowHosts: ["*"] } })
      assert.strictEqual(yield* status(any, "Host: evil.test"), "200")
    })
  )

  it.scopedLive("requests a body with 100 Continue only after checking key and length", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { keys: [Redacted.make("one")] } })
      const body = rawForm([filePart])
      const head = (length: number, key: string) =>
        `POST /v2/parse HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Type: multipart/form-data; boundary=BOUNDARY\r\nContent-Length: ${length}\r\n\r\n`
      const wrongKey = yield* exchange(base, [head(body.length, "no")])
      assert.match(wrongKey, /^HTTP\/1\.1 401 [\s\S]*connection: close/i)
      assert.match(yield* exchange(base, [head(90_000_000, "one")]), /^HTTP\/1\.1 413 [\s\S]*connection: close/i)
      const taken = yield* exchange(base, [head(body.length, "one"), body], { until: /\}\}$/ })
      assert.match(taken, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [\s\S]*connection: keep-alive/i)
    })
  )

  it.scopedLive("holds no more than what has arrived of an upload, whatever it claims", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const head = `POST /v2/parse HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 50000000\r\n\r\n--B\r\n`
      const before = process.memoryUsage().arrayBuffers
      const claims = yield* Effect.fork(
        Effect.replicateEffect(exchange(base, [head]), 50, { concurrency: 50, discard: true })
      )
      yield* metricsWith(base, "docsluice_requests_in_flight 51\n")
      assert.isBelow(process.memoryUsage().arrayBuffers - before, 50 * 1_000_000)
      yield* Fiber.interrupt(claims)
    })
  )
})
