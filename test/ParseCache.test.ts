import { assert, it } from "@effect/vitest"
import * as ParseCache from "docsluice/ParseCache"
import { RunStopped } from "docsluice/Pipeline"
import { DocumentUnparsable, Unauthorized } from "docsluice/service/ServiceError"
import { FileUnreadable } from "docsluice/SourceFile"
import { Deferred, Effect, Exit, Fiber, Option, Ref, TestClock } from "effect"
import { hash, request, answer, counted } from "./fixtures/parseCache.ts"

const unparsable = new DocumentUnparsable({ status: 500, error: "corrupt", code: "SCRAPE_ALL_ENGINES_FAILED" })

it.effect("parses the same bytes once, options and service being the same", () =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.ParseCache
    const { count, parse } = yield* counted(answer("a"))
    assert.deepStrictEqual(yield* cache.getOrParse(request("a"), parse), { answer: answer("a"), origin: "service" })
    assert.deepStrictEqual(yield* cache.getOrParse(request("a"), parse), { answer: answer("a"), origin: "cache" })
    yield* cache.getOrParse(request("a", { identity: "embedded@2" }), parse)
    yield* cache.getOrParse(request("a", { optionsHash: ParseCache.optionsHash({ onlyMainContent: false }) }), parse)
    assert.strictEqual(yield* count, 3)
  }).pipe(Effect.provide(ParseCache.layerMemory()))
)

it("has equal options hashes for two spellings of a request, and another hash for every option that changes an answer", () => {
  const plain = ParseCache.optionsHash({})
  const same: ReadonlyArray<Parameters<typeof ParseCache.optionsHash>[0]> = [
    { formats: [{ type: "markdown" }] },
    { formats: [] },
    { onlyMainContent: true, blockAds: true, redactPII: false },
    { parsers: [{ type: "pdf", mode: "auto", pages: false }] },
    { timeout: 5, origin: "x", proxy: "auto", integration: "y", headers: { a: "b" }, zeroDataRetention: true },
    { auditMetadata: { username: "u" } }
  ]
  for (const options of same) assert.strictEqual(ParseCache.optionsHash(options), plain)
  const others: ReadonlyArray<Parameters<typeof ParseCache.optionsHash>[0]> = [
    { formats: [{ type: "html" }] },
    { formats: [{ type: "json", prompt: "p" }] },
    { formats: [{ type: "json", prompt: "p", schema: { a: 1 } }] },
    { onlyMainContent: false },
    { includeTags: ["p"] },
    { excludeTags: ["p"] },
    { parsers: [{ type: "pdf", maxPages: 3 }] },
    { parsers: [{ type: "pdf", pages: true }] },
    { parsers: [{ type: "pdf", blocks: true }] },
    { parsers: [{ type: "pdf", pageMarkers: true }] },
    { parsers: [{ type: "pdf", mode: "ocr" }] },
    { removeBase64Images: false },
    { blockAds: false },
    { redactPII: true },
    { redactPII: { entities: ["EMAIL"] } },
    { skipTlsVerification: false }
  ]
  assert.strictEqual(new Set([plain, ...others.map(ParseCache.optionsHash)]).size, others.length + 1)
  assert.strictEqual(
    ParseCache.optionsHash({ redactPII: true }),
    ParseCache.optionsHash({ redactPII: { mode: "accurate", replaceStyle: "tag" } })
  )
})

it.effect("sends one request for concurrent callers of one key", () =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.ParseCache
    const { count, parse } = yield* counted(answer("a"))
    const slow = Effect.zipLeft(parse, Effect.sleep("1 second"))
    const fibers = yield* Effect.fork(
      Effect.all(
        Array.from({ length: 20 }, () => cache.getOrParse(request("a"), slow)),
        { concurrency: "unbounded" }
      )
    )
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
    yield* TestClock.adjust("1 second")
    const results = yield* Fiber.join(fibers)
    assert.strictEqual(yield* count, 1)
    assert.strictEqual(results.filter(({ origin }) => origin === "service").length, 1)
    assert.isTrue(results.every((result) => result.answer.data.markdown === "# a"))
  }).pipe(Effect.provide(ParseCache.layerMemory()))
)

it.live("goes on for the second caller when the first is interrupted, and stops when both are", () =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.ParseCache
    const started = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const aborted = yield* Ref.make(0)
    const runs = yield* Ref.make(0)
    const parse = Effect.gen(function* () {
      yield* Ref.update(runs, (n) => n + 1)
      yield* Deferred.succeed(started, void 0)
      yield* Deferred.await(gate)
      return answer("a")
    }).pipe(Effect.onInterrupt(() => Ref.update(aborted, (n) => n + 1)))
    const first = yield* Effect.fork(cache.getOrParse(request("a"), parse))
    yield* Deferred.await(started)
    const second = yield* Effect.fork(cache.getOrParse(request("a"), parse))
    yield* Effect.sleep("10 millis")
    assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(first)))
    assert.strictEqual(yield* aborted, 0)
    yield* Deferred.succeed(gate, void 0)
    assert.strictEqual((yield* Fiber.join(second)).answer.data.markdown, "# a")
    assert.strictEqual(yield* runs, 1)

    const never = Effect.onInterrupt(Effect.never, () => Ref.update(aborted, (n) => n + 1))
    const both = yield* Effect.fork(
      Effect.all([cache.getOrParse(request("b"), never), cache.getOrParse(request("b"), never)], { concurrency: 2 })
    )
    yield* Effect.sleep("20 millis")
    yield* Fiber.interrupt(both)
    assert.strictEqual(yield* aborted, 1)
    assert.deepStrictEqual((yield* cache.getOrParse(request("b"), Effect.succeed(answer("b")))).origin, "service")
  }).pipe(Effect.provide(ParseCache.layerMemory()))
)

it.live("shares a failure of the service, but not one of another caller's file or run", () =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.ParseCache
    const together = (seed: string, failure: ParseCache.ParseFailure) =>
      Effect.gen(function* () {
        const second = yield* Ref.make(0)
        const exits = yield* Effect.all(
          [
            Effect.exit(cache.getOrParse(request(seed), Effect.delay(Effect.fail(failure), "20 millis"))),
            Effect.exit(
              cache.getOrParse(
                request(seed),
                Effect.as(
                  Ref.update(second, (n) => n + 1),
                  answer(seed)
                )
              )
            )
          ],
          { concurrency: 2 }
        )
        return [exits.map(({ _tag }) => _tag), yield* second] as const
      })
    assert.deepStrictEqual(yield* together("a", unparsable), [["Failure", "Failure"], 0])
    const gone = new FileUnreadable({ path: "a.pdf", reason: "NotFound" })
    assert.deepStrictEqual(yield* together("b", gone), [["Failure", "Success"], 1])
    const stopped = new RunStopped({ cause: new Unauthorized({ status: 401, error: "Unauthorized" }) })
    assert.deepStrictEqual(yield* together("c", stopped), [["Failure", "Success"], 1])
  }).pipe(Effect.provide(ParseCache.layerMemory()))
)

it.effect("does not cache failures", () =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.ParseCache
    assert.isTrue(Exit.isFailure(yield* Effect.exit(cache.getOrParse(request("a"), unparsable))))
    assert.strictEqual((yield* cache.getOrParse(request("a"), Effect.succeed(answer("a")))).origin, "service")
  }).pipe(Effect.provide(ParseCache.layerMemory()))
)

it.effect("caches an answer for other bytes than requested under those bytes", () =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.ParseCache
    const result = yield* cache.getOrParse(request("a"), Effect.succeed(answer("changed meanwhile")))
    assert.strictEqual(result.answer.contentHash, hash("changed meanwhile"))
    assert.isTrue(Option.isNone(yield* cache.get(request("a"))))
    assert.isTrue(Option.isSome(yield* cache.get(request("changed meanwhile"))))
  }).pipe(Effect.provide(ParseCache.layerMemory()))
)

it.effect("neither reads nor writes when nothing may be retained", () =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.ParseCache
    const { count, parse } = yield* counted(answer("a"))
    const asked = request("a", { retain: false })
    yield* cache.getOrParse(asked, parse)
    yield* cache.getOrParse(asked, parse)
    yield* cache.put(request("a"), answer("a"))
    yield* cache.getOrParse(asked, parse)
    assert.strictEqual(yield* count, 3)
    assert.strictEqual((yield* cache.stats).entries, 1)
  }).pipe(Effect.provide(ParseCache.layerMemory()))
)

it.effect("ignores older entries when a fresh answer is requested, and pays for it once", () =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.ParseCache
    yield* TestClock.setTime(1000)
    yield* cache.put(request("a"), answer("a", { markdown: "old" }))
    yield* TestClock.setTime(2000)
    const { count, parse } = yield* counted(answer("a", { markdown: "new" }))
    const fresh = request("a", { since: 1500 })
    assert.strictEqual((yield* cache.getOrParse(fresh, parse)).answer.data.markdown, "new")
    assert.strictEqual((yield* cache.getOrParse(fresh, parse)).origin, "cache")
    assert.strictEqual((yield* cache.getOrParse(request("a"), parse)).answer.data.markdown, "new")
    assert.strictEqual(yield* count, 1)
    assert.deepInclude(yield* cache.stats, { entries: 1, oldest: 2000, newest: 2000 })
  }).pipe(Effect.provide(ParseCache.layerMemory()))
)

it.effect("removes every answer for the given bytes, whatever the options and service, and no other", () =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.ParseCache
    const keys = [request("a"), request("a", { identity: "embedded@2" }), request("a", { optionsHash: "other" })]
    for (const key of keys) yield* cache.put(key, answer("a"))
    yield* cache.put(request("b"), answer("b"))
    yield* cache.removeContent(hash("a"))
    for (const key of keys) assert.isTrue(Option.isNone(yield* cache.get(key)))
    assert.strictEqual((yield* cache.stats).entries, 1)
    assert.isTrue(Option.isSome(yield* cache.get(request("b"))))
  }).pipe(Effect.provide(ParseCache.layerMemory()))
)
