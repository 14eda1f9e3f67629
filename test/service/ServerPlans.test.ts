import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Plan from "docsluice/Plan"
import * as Accounts from "docsluice/service/Accounts"
import { Engine, type EngineInput } from "docsluice/service/Engine"
import type { Resolved } from "docsluice/service/ParseOptions"
import { DocumentUnparsable } from "docsluice/service/ServiceError"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import * as AuditLog from "../../src/internal/server/auditLog.ts"
import { text, write } from "../engine/pdf/writePdf.ts"
import {
  type Answer,
  assertError,
  exchange,
  type FormOptions,
  metricsWith,
  request,
  start,
  upload
} from "./serverFixture.ts"

type Limits = Partial<Omit<ConstructorParameters<typeof Accounts.ApiKey>[0], "name" | "hash">>

/** A plan whose key is its name. */
const plan = (name: string, limits: Limits = {}) =>
  Effect.map(Accounts.hashKey(Redacted.make(name)), (hash) => new Accounts.ApiKey({ name, hash, ...limits }))

const perMinute = (requests: number): Accounts.Rate => ({ requests, per: 60_000 })

const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

/** A key for the metrics alone. */
const watch = plan("watch", { permissions: ["metrics"] })

const metricsOf = (base: string, line: string) => metricsWith(base, line, as("watch"))

const page = (name: string): FormOptions => ({ name, bytes: "<p>x" })

const statuses = (answers: ReadonlyArray<Answer>): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const metadataOf = ({ body }: Answer): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(body)).data.metadata

/** A scripted engine in which `around` is run around every parse. */
const around = (
  wrap: (input: EngineInput, options: Resolved) => <A, E>(parse: Effect.Effect<A, E>) => Effect.Effect<A, E>,
  parsers?: number
): Layer.Layer<Engine> =>
  Layer.effect(
    Engine,
    Effect.map(Engine, (engine) => ({
      ...engine,
      parsers,
      parse: (input: EngineInput, options: Resolved) => wrap(input, options)(engine.parse(input, options))
    }))
  ).pipe(Layer.provide(ScriptedEngine.layer()))

/** An engine whose parses wait for permits, and the names of the files in the order of their parses. */
const gated = (parsers?: number) =>
  Effect.map(Effect.makeSemaphore(1), (gate) => {
    const started: Array<string> = []
    const engine = around(
      ({ filename }) =>
        (parse) =>
          Effect.suspend(() => {
            started.push(filename)
            return Effect.zipRight(gate.take(1), parse)
          }),
      parsers
    )
    return { engine, started, gate }
  })

describe("Server with plans", () => {
  it.scopedLive("gives two keys under load exactly their rates and their requests at a time", () =>
    Effect.gen(function* () {
      const plans = [
        yield* watch,
        yield* plan("small", { rate: perMinute(5), concurrency: 2 }),
        yield* plan("large", { rate: perMinute(20), concurrency: 4 })
      ]
      const go = yield* Deferred.make<void>()
      const now = new Map<string, number>()
      const most = new Map<string, number>()
      const count = (key: string, change: number) =>
        Effect.sync(() => {
          now.set(key, (now.get(key) ?? 0) + change)
          most.set(key, Math.max(most.get(key) ?? 0, now.get(key) ?? 0))
        })
      const engine = around(({ filename }) => (parse) => {
        const key = filename.split("-")[0] ?? ""
        return Effect.acquireUseRelease(
          count(key, 1),
          () => Effect.zipRight(Deferred.await(go), Effect.delay(parse, "5 millis")),
          () => count(key, -1)
        )
      })
      const base = yield* start({ server: { plans, capacity: 200 }, engine })
      const names = (key: string) => Array.from({ length: 30 }, (_, index) => `${key}-${index}.html`)
      const sent = (key: string) =>
        Effect.forEach(names(key), (name) => upload(base, page(name), as(key)), { concurrency: 30 })
      const sending = yield* Effect.fork(Effect.all([sent("small"), sent("large")], { concurrency: 2 }))
      // Those beyond the rates have their answers.
      yield* metricsOf(base, 'docsluice_requests_total{status="429"} 35\n')
      yield* metricsOf(base, "docsluice_requests_in_flight 26\n")
      yield* Deferred.succeed(go, undefined)
      const [small, large] = yield* Fiber.join(sending)
      assert.deepStrictEqual(statuses(small), { 200: 5, 429: 25 })
      assert.deepStrictEqual(statuses(large), { 200: 20, 429: 10 })
      assert.deepStrictEqual(Object.fromEntries(most), { small: 2, large: 4 })
      for (const answer of [...small, ...large].filter(({ status }) => status === 429)) {
        assertError(answer, 429, "Rate limit exceeded")
        assert.isTrue(Number(answer.retryAfter) > 30 && Number(answer.retryAfter) <= 60)
      }
      const queued = large.filter(({ status }) => status === 200).map(metadataOf)
      assert.lengthOf(
        queued.filter((metadata) => metadata["concurrencyLimited"] === undefined),
        4
      )
      for (const metadata of queued.filter((each) => each["concurrencyLimited"] !== undefined)) {
        assert.isTrue(metadata["concurrencyLimited"])
        assert.isAtLeast(Number(metadata["concurrencyQueueDurationMs"]), 1)
      }
    })
  )

  it.scopedLive("spends 10 credits on 200 parallel requests, and 402 goes to the others", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.makeMemory
      const base = yield* start({
        server: { plans: [yield* watch, yield* plan("k", { credits: 10 })], capacity: 300 },
        services: Layer.succeed(Accounts.Accounts, accounts)
      })
      const answers = yield* Effect.replicateEffect(upload(base, page("a.html"), as("k")), 200, { concurrency: 200 })
      assert.deepStrictEqual(statuses(answers), { 200: 10, 402: 190 })
      for (const answer of answers.filter(({ status }) => status === 402)) {
        assertError(answer, 402, /^Payment Required: Insufficient credits/)
      }
      assert.strictEqual(yield* accounts.spent("k"), 10)
    })
  )

  it.scopedLive("charges nothing for parses that fail or whose client goes away", () =>
    Effect.gen(function* () {
      const error = new DocumentUnparsable({ status: 500, error: "corrupt", code: "SCRAPE_ALL_ENGINES_FAILED" })
      const base = yield* start({
        server: { plans: [yield* watch, yield* plan("k", { credits: 1 })] },
        engine: { scripts: { "bad.html": { error }, "slow.html": { delay: "1 minute" } } }
      })
      for (let time = 0; time < 3; time++) {
        assert.strictEqual((yield* upload(base, page("bad.html"), as("k"))).status, 500)
      }
      const left = yield* Effect.fork(upload(base, page("slow.html"), as("k")))
      yield* metricsOf(base, 'docsluice_parses_by_origin_total{origin="api"} 4\n')
      // The one credit is reserved meanwhile.
      assert.strictEqual((yield* upload(base, page("a.html"), as("k"))).status, 402)
      yield* Fiber.interrupt(left)
      yield* metricsOf(base, "docsluice_requests_in_flight 1\n")
      assert.strictEqual((yield* upload(base, page("a.html"), as("k"))).status, 200)
      assert.strictEqual((yield* upload(base, page("a.html"), as("k"))).status, 402)
    })
  )

  it.scopedLive("reserves a credit for each page that a PDF will cost, before it is parsed", () =>
    Effect.gen(function* () {
      let parses = 0
      const engine = around(
        () => (parse) =>
          Effect.zipRight(
            Effect.sync(() => (parses += 1)),
            parse
          )
      )
      const three = write({ pages: ["a", "b", "c"].map((one) => ({ marks: [text(72, 72, one)] })) })
      const bytes = new Uint8Array(three)
      const options = { server: { plans: [yield* watch, yield* plan("k", { credits: 2 })] }, engine }
      const base = yield* start({ ...options, services: Plan.layerPageCounter })
      assertError(
        yield* upload(base, { bytes }, as("k")),
        402,
        "Payment Required: Insufficient credits (this needs 3, 2 are left)"
      )
      // Above 1 MiB an upload is in a file.
      const large = new Uint8Array(Buffer.concat([three, Buffer.from(`%${"x".repeat(1_200_000)}\n`)]))
      assertError(yield* upload(base, { bytes: large }, as("k")), 402, /this needs 3, 2 are left/)
      assert.strictEqual(parses, 0)
      const capped = { parsers: [{ type: "pdf", maxPages: 2 }] }
      const paid = yield* upload(base, { bytes, options: capped }, as("k"))
      assert.strictEqual(metadataOf(paid)["creditsUsed"], 2)
      assert.strictEqual((yield* upload(base, page("a.html"), as("k"))).status, 402)
      // Without a counter the price is known after the parse only: the answer is withheld and costs nothing.
      const uncounted = yield* start(options)
      assert.strictEqual((yield* upload(uncounted, { bytes }, as("k"))).status, 402)
      assert.strictEqual((yield* upload(uncounted, page("a.html"), as("k"))).status, 200)
    })
  )

  it.scopedLive("gives each key its turn at the parsers, however long another key's queue is", () =>
    Effect.gen(function* () {
      const { engine, gate, started } = yield* gated(1)
      yield* gate.take(1)
      const plans = [yield* watch, yield* plan("many"), yield* plan("one")]
      const base = yield* start({ server: { plans, capacity: 100 }, engine })
      const names = Array.from({ length: 20 }, (_, index) => `many-${index}.html`)
      const many = yield* Effect.fork(
        Effect.forEach(names, (name) => upload(base, page(name), as("many")), { concurrency: 20 })
      )
      yield* metricsOf(base, 'docsluice_parses_by_origin_total{origin="api"} 20\n')
      const one = yield* Effect.fork(upload(base, page("one.html"), as("one")))
      yield* metricsOf(base, 'docsluice_parses_by_origin_total{origin="api"} 21\n')
      yield* gate.release(3)
      assert.strictEqual((yield* Fiber.join(one)).status, 200)
      assert.include(started.slice(0, 3), "one.html")
      yield* gate.release(20)
      assert.deepStrictEqual(statuses(yield* Fiber.join(many)), { 200: 20 })
    })
  )

  it.scopedLive(
    "refuses more than a key's share of what it holds, early, and takes the first request of another key",
    () =>
      Effect.gen(function* () {
        const { engine, gate } = yield* gated()
        yield* gate.take(1)
        const plans = [yield* watch, yield* plan("many"), yield* plan("one")]
        const base = yield* start({ server: { plans, capacity: 4 }, engine })
        const many = yield* Effect.fork(
          Effect.replicateEffect(upload(base, page("m.html"), as("many")), 4, { concurrency: 4 })
        )
        yield* metricsOf(base, 'docsluice_parses_by_origin_total{origin="api"} 4\n')
        const head =
          "POST /v2/parse HTTP/1.1\r\nAuthorization: Bearer many\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 1000\r\n\r\n"
        const refused = yield* exchange(base, [head], { until: /\}$/ })
        assert.match(refused, /^HTTP\/1\.1 429 [\s\S]*"error":"Concurrency limit reached"/)
        assert.match(refused, /retry-after: [1-9]/i)
        const one = yield* Effect.fork(upload(base, page("o.html"), as("one")))
        yield* metricsOf(base, 'docsluice_parses_by_origin_total{origin="api"} 5\n')
        // One less leaves the key with 3, more than its half.
        yield* gate.release(1)
        yield* metricsOf(base, 'docsluice_requests_total{status="200"} ')
        yield* metricsOf(base, "docsluice_requests_in_flight 5\n")
        assertError(yield* upload(base, page("m.html"), as("many")), 429, "Concurrency limit reached")
        yield* gate.release(4)
        assert.deepStrictEqual(statuses(yield* Fiber.join(many)), { 200: 4 })
        assert.strictEqual((yield* Fiber.join(one)).status, 200)
      })
  )

  it.scopedLive("keeps no parser for a document that waits for a language model", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const engine = around(
        (_, { formats }) =>
          (parse) =>
            formats.some(({ type }) => type === "summary") ? Effect.zipRight(Deferred.await(go), parse) : parse,
        1
      )
      const base = yield* start({ engine })
      const summary = yield* Effect.fork(upload(base, { ...page("a.html"), options: { formats: ["summary"] } }))
      yield* metricsOf(base, 'docsluice_parses_by_origin_total{origin="api"} 1\n')
      assert.strictEqual((yield* upload(base, page("b.html"))).status, 200)
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual((yield* Fiber.join(summary)).status, 200)
    })
  )

  it.scopedLive("answers 408 to a parse that finds no parser within its timeout", () =>
    Effect.gen(function* () {
      const { engine, gate } = yield* gated(1)
      yield* gate.take(1)
      const base = yield* start({ engine })
      const first = yield* Effect.fork(upload(base, page("a.html")))
      yield* metricsOf(base, 'docsluice_parses_by_origin_total{origin="api"} 1\n')
      const late = yield* upload(base, { ...page("b.html"), options: { timeout: 100 } })
      assertError(late, 408, /^Request Timeout/, "CONCURRENCY_QUEUE_TIMEOUT")
      assert.isAtLeast(Number(late.retryAfter), 1)
      yield* gate.release(1)
      assert.strictEqual((yield* Fiber.join(first)).status, 200)
    })
  )

  it.scopedLive("answers 401 to unknown keys, and 403 to endpoints and features that a key may not use", () =>
    Effect.gen(function* () {
      const seen: Array<Resolved> = []
      const engine = around(
        (_, options) => (parse) =>
          Effect.zipRight(
            Effect.sync(() => seen.push(options)),
            parse
          )
      )
      const plans = [
        yield* plan("plain", { permissions: ["parse"] }),
        yield* plan("agent", { permissions: ["agent"] }),
        yield* plan("strict", { zeroDataRetention: "required" }),
        yield* plan("keeping", { zeroDataRetention: "refused" })
      ]
      const base = yield* start({ server: { plans }, engine })
      for (const key of ["", "Plain", "plain2"]) {
        assertError(yield* upload(base, {}, as(key)), 401, "Unauthorized: Invalid token")
      }
      assertError(yield* upload(base, {}), 401, "Unauthorized: Invalid token")
      assertError(yield* upload(base, {}, as("agent")), 403, "Forbidden: this key may not use parse")
      const asked = (options: unknown, key: string) => upload(base, { ...page("a.html"), options }, as(key))
      assertError(yield* asked({ formats: ["summary"] }, "plain"), 403, "Forbidden: this key may not use summary")
      assertError(yield* asked({ formats: [{ type: "json" }] }, "plain"), 403, /json$/)
      assertError(yield* asked({ redactPII: true }, "plain"), 403, /redactPII$/)
      assertError(yield* asked({ zeroDataRetention: true }, "keeping"), 403, /zeroDataRetention$/)
      assert.lengthOf(seen, 0)
      assert.strictEqual((yield* asked({ zeroDataRetention: true }, "plain")).status, 200)
      assert.strictEqual((yield* asked({}, "strict")).status, 200)
      assert.deepStrictEqual(
        seen.map(({ zeroDataRetention }) => zeroDataRetention),
        [true, true]
      )
      assertError(
        yield* upload(yield* start({ server: { plans: [yield* watch] } }), {}),
        401,
        "Unauthorized: Invalid token"
      )
    })
  )

  it.scopedLive("writes an audit entry for each parse before its answer, and none of what may not be kept", () =>
    Effect.gen(function* () {
      const entries: Array<AuditLog.Entry> = []
      let full = false
      const write = (entry: AuditLog.Entry) =>
        full
          ? new AuditLog.AuditLogError({ file: "log", problem: "full" })
          : Effect.sync(() => void entries.push(entry))
      const error = new DocumentUnparsable({ status: 500, error: "corrupt", code: "SCRAPE_ALL_ENGINES_FAILED" })
      const base = yield* start({
        server: { plans: [yield* watch, yield* plan("k", { credits: 2 })] },
        engine: { scripts: { "bad.html": { error } } },
        services: Layer.succeed(AuditLog.AuditLog, { write })
      })
      const options = { auditMetadata: { username: "ada" }, origin: "tests", integration: "_mine" }
      yield* upload(base, { ...page("a.html"), options }, as("k"))
      yield* upload(base, { ...page("bad.html"), options: { ...options, zeroDataRetention: true } }, as("k"))
      const written = entries.map((entry) => JSON.parse(JSON.stringify({ ...entry, at: undefined })))
      const common = { key: "k", username: "ada", origin: "tests", integration: "_mine", bytes: 4 }
      assert.deepStrictEqual(written, [
        { ...common, file: "a.html", status: 200, credits: 1 },
        { ...common, status: 500, code: "SCRAPE_ALL_ENGINES_FAILED", credits: 0 }
      ])
      full = true
      assertError(yield* upload(base, page("a.html"), as("k")), 500, "Internal Server Error", "UNKNOWN_ERROR")
      full = false
      assert.strictEqual((yield* upload(base, page("a.html"), as("k"))).status, 200)
      assert.strictEqual((yield* upload(base, page("a.html"), as("k"))).status, 402)
    })
  )

  it.scopedLive("tells the metrics, which name all callers, to a key whose permissions name them alone", () =>
    Effect.gen(function* () {
      const base = yield* start({
        server: { plans: [yield* watch, yield* plan("all"), yield* plan("some", { permissions: ["parse"] })] }
      })
      assert.strictEqual((yield* request(`${base}/metrics`)).status, 401)
      for (const key of ["all", "some"]) {
        assertError(yield* request(`${base}/metrics`, as(key)), 403, "Forbidden: this key may not use metrics")
      }
      assert.strictEqual((yield* request(`${base}/metrics`, as("watch"))).status, 200)
      assertError(yield* upload(base, page("a.html"), as("watch")), 403, "Forbidden: this key may not use parse")
    })
  )

  it.scopedLive("counts requests by origin and integration, with a bounded number of values", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const origins = ['say "hi"\\', "x".repeat(100), ...Array.from({ length: 60 }, (_, index) => `o-${index}`)]
      yield* Effect.forEach(
        origins,
        (origin) => upload(base, { ...page("a.html"), options: { origin, integration: "_i" } }),
        { concurrency: 4 }
      )
      const metrics = String((yield* request(`${base}/metrics`)).body)
      assert.include(metrics, 'docsluice_parses_by_origin_total{origin="say \\"hi\\"\\\\"} 1\n')
      assert.include(metrics, 'docsluice_parses_by_integration_total{integration="_i"} 62\n')
      assert.isAtMost(metrics.match(/^docsluice_parses_by_origin_total\{/gm)?.length ?? 0, 51)
      const counts = [...metrics.matchAll(/^docsluice_parses_by_origin_total\{.*\} (\d+)$/gm)]
      assert.strictEqual(
        counts.reduce((sum, [, count]) => sum + Number(count), 0),
        62
      )
    })
  )
})

describe("AuditLog", () => {
  it.scopedLive("fails where it cannot be opened, and names the file", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(AuditLog.make("/nowhere/audit.jsonl"))
      assert.match(error.message, /^\/nowhere\/audit\.jsonl: the audit log cannot be written \(NotFound\)/)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
