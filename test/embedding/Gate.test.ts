import { assert, describe, it } from "@effect/vitest"
import * as Embedder from "docsluice/Embedder"
import * as ServiceError from "docsluice/service/ServiceError"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect, Either, Fiber, Redacted, TestClock } from "effect"
import * as RunState from "../../src/internal/client/runState.ts"
import * as Workspace from "../ledger/workspace.ts"
import { chunks, withEmbedder } from "./chunks.ts"
import { openAi } from "./dialects.ts"
import { recorded, right } from "./functions.ts"
import * as server from "./server.ts"
import { complete, error } from "./server.ts"

const { live } = openAi

/** Lets promises and fibers continue without advancing the clock. */
const settle = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 5)))

const rejection = (status: number, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`status ${status}`), { status, headers })

const texts = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `text ${index}`)

/** Advances the virtual clock in steps, with time for promises in each. */
const pass = (steps: number, step: `${number} seconds`) =>
  Effect.repeatN(Effect.zipRight(TestClock.adjust(step), settle), steps - 1)

describe("the gate of an embedder", () => {
  it.effect("waits out Retry-After: 600 within an outage limit of 15 minutes, and asks nobody meanwhile", () => {
    let told = false
    const { asked, embed } = recorded((input) => {
      if (told) return right(input)
      told = true
      return Promise.reject(rejection(429, { "retry-after": "600" }))
    })
    const options = { batchSize: 2, outageLimit: "15 minutes" } as const
    return withEmbedder(Embedder.layerFunction("mine", embed, options), (embedder) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(embedder.embed(chunks(...texts(20))))
        yield* pass(10, "59 seconds")
        assert.lengthOf(asked, 1)
        yield* pass(4, "10 seconds")
        assert.lengthOf(yield* Fiber.join(fiber), 20)
        assert.lengthOf(asked, 11)
      })
    )
  })

  it.effect("gives up at once when the server wants a longer wait than the outage limit", () => {
    const { asked, embed } = recorded(() => Promise.reject(rejection(429, { "retry-after": "600" })))
    return withEmbedder(Embedder.layerFunction("mine", embed, { outageLimit: "5 minutes" }), (embedder) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.flip(embedder.embed(chunks(...texts(20)))))
        yield* pass(1, "1 seconds")
        const { problem, reason, retryable, severity } = yield* Fiber.join(fiber)
        assert.deepInclude({ reason, retryable, severity }, { reason: "Unavailable", retryable: true, severity: "run" })
        assert.include(problem, "outage limit of 300 seconds")
        assert.lengthOf(asked, 1)
      })
    )
  })

  it.effect("asks a failing server at most 40 times in the first minute, and gives it up at the outage limit", () => {
    const { asked, embed } = recorded(() => Promise.reject(rejection(503)))
    return withEmbedder(Embedder.layerFunction("mine", embed, { batchSize: 1, concurrency: 16 }), (embedder) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(
          Effect.forEach(texts(200), (text) => Effect.either(embedder.embed(chunks(text))), { concurrency: 200 })
        )
        yield* pass(60, "1 seconds")
        assert.isAtMost(asked.length, 40)
        assert.isNull(fiber.unsafePoll())
        yield* pass(56, "10 seconds")
        const results = yield* Fiber.join(fiber)
        assert.isTrue(
          results.every(
            (result) => Either.isLeft(result) && result.left.severity === "run" && result.left.reason === "Unavailable"
          )
        )
      })
    )
  })

  it.scopedLive("is shared by embedders of one key and address: the lowest ceiling holds for both", () =>
    Effect.gen(function* () {
      const running = yield* server.start(complete, 20)
      const embed = (concurrency: number, own: string) =>
        withEmbedder(live(running, { batchSize: 1, concurrency }), (embedder) =>
          embedder.embed(chunks(...texts(12).map((text) => `${own} ${text}`)))
        )
      yield* Effect.all([embed(3, "a"), embed(8, "b")], { concurrency: 2 })
      assert.strictEqual(running.asked.length, 24)
      assert.isAtMost(running.most(), 3)
    })
  )

  it.scopedLive("keeps apart embedders whose keys differ", () =>
    Effect.gen(function* () {
      const running = yield* server.start(complete, 50)
      const embed = (own: string) =>
        withEmbedder(live(running, { batchSize: 1, concurrency: 1, apiKey: Redacted.make(own) }), (embedder) =>
          embedder.embed(chunks(...texts(4).map((text) => `${own} ${text}`)))
        )
      yield* Effect.all([embed("sk-one"), embed("sk-two")], { concurrency: 2 })
      assert.strictEqual(running.most(), 2)
    })
  )

  it.scopedLive("sends other texts while a refused request waits for its time", () =>
    Effect.gen(function* () {
      let refused = false
      const running = yield* server.start((asked) => {
        if (refused || !asked.input.includes("text 1")) return complete(asked)
        refused = true
        return error(429, "slow down", { "retry-after": "1" })
      })
      const embedded = yield* withEmbedder(live(running, { batchSize: 1, concurrency: 1 }), (embedder) =>
        embedder.embed(chunks(...texts(6)))
      )
      assert.lengthOf(embedded, 6)
      const order = running.asked.map(({ input }) => input[0])
      assert.deepStrictEqual(order, ["text 0", "text 1", "text 2", "text 3", "text 4", "text 5", "text 1"])
      const [, first, , , , , second] = running.asked
      assert.isAtLeast((second?.at ?? 0) - (first?.at ?? 0), 999)
    })
  )

  it.effect("ends the wait of a caller that is stopped, and not that of another", () => {
    const { asked, embed } = recorded((input) =>
      asked.length > 1 ? right(input) : Promise.reject(rejection(429, { "retry-after": "600" }))
    )
    return withEmbedder(
      Embedder.layerFunction("mine", embed, { batchSize: 1, outageLimit: "15 minutes" }),
      (embedder) =>
        Effect.gen(function* () {
          let reason: string | null = null
          const listeners = new Set<() => void>()
          const halt = {
            stopped: () => reason,
            onStop: (listener: () => void) => {
              listeners.add(listener)
              return () => listeners.delete(listener)
            }
          }
          const stopped = yield* Effect.fork(Effect.flip(embedder.embed(chunks("a", "b", "c"), { halt })))
          const other = yield* Effect.fork(embedder.embed(chunks("d")))
          yield* pass(1, "1 seconds")
          reason = "a run was stopped"
          listeners.forEach((listener) => listener())
          yield* pass(2, "1 seconds")
          const failure = yield* Fiber.join(stopped)
          assert.deepInclude({ ...failure }, { reason: "Stopped", retryable: true, severity: "run" })
          assert.lengthOf(asked, 1)
          assert.isNull(other.unsafePoll())
          yield* pass(11, "59 seconds")
          assert.lengthOf(yield* Fiber.join(other), 1)
          assert.lengthOf(asked, 2)
          assert.strictEqual(listeners.size, 0)
        })
    )
  })

  it.effect("ends the probe for the length of a vector with the run that it is of", () => {
    const { asked, embed } = recorded(() => Promise.reject(rejection(429, { "retry-after": "60" })))
    return withEmbedder(Embedder.layerFunction("mine", embed), (embedder) =>
      Effect.gen(function* () {
        const run = yield* RunState.make
        const probe = yield* embedder.space.pipe(
          Effect.provideService(RunState.CurrentRun, run),
          Effect.flip,
          Effect.fork
        )
        yield* pass(1, "1 seconds")
        run.failed(new ServiceError.Unauthorized({ status: 401, error: "no such key" }))
        yield* pass(1, "1 seconds")
        assert.strictEqual((yield* Fiber.join(probe)).reason, "Stopped")
        assert.lengthOf(asked, 1)
      })
    )
  })

  it.scopedLive("a run that is asked to end does not wait for a provider that is closed", () =>
    Effect.gen(function* () {
      const running = yield* server.start(() => error(429, "slow down", { "retry-after": "300" }))
      const ws = yield* Workspace.make(5)
      const stop = Effect.repeat(Effect.sleep("10 millis"), { until: () => running.asked.length > 0 })
      const summary = yield* withEmbedder(live(running, { dimensions: server.dimensions }), (embedder) =>
        Workspace.run(ws, {
          sinks: [MemorySink.make(MemorySink.emptyStore())],
          change: (options) => ({ ...options, embedder, stop: Effect.delay(stop, "100 millis") })
        })
      )
      assert.deepInclude(summary, { stored: 0, failed: 0, notAttempted: 5, exit: 130 })
      assert.lengthOf(running.asked, 1)
    })
  )

  it.scopedLive("an outage stops the run by its limit, loses nothing, and the next run stores everything", () =>
    Effect.gen(function* () {
      let down = false
      const running = yield* server.start((asked) => {
        down ||= asked.number === 6
        return down ? error(503, "maintenance") : complete(asked)
      })
      const ws = yield* Workspace.make(60)
      const store = MemorySink.emptyStore()
      const run = withEmbedder(live(running, { batchSize: 4 }), (embedder) =>
        Workspace.run(ws, {
          sinks: [MemorySink.make(store)],
          change: (options) => ({ ...options, embedder, outageLimit: "2 seconds" })
        })
      )
      const first = yield* run
      assert.strictEqual(first.stopped?.tag, "EmbeddingError")
      assert.include(first.stopped?.message ?? "", "the last answer was: maintenance")
      assert.deepInclude(first, { failed: 0, exit: 2 })
      assert.isAbove(first.notAttempted, 0)
      assert.isAbove(first.stored, 0)
      assert.isBelow(running.asked.length, 40)
      down = false
      const healthy = running.asked.length
      const second = yield* Effect.suspend(() => {
        assert.isAtLeast(healthy, 7)
        return run
      })
      assert.deepInclude(second, { unchanged: first.stored, stored: 60 - first.stored, failed: 0, exit: 0 })
      assert.strictEqual(first.requests + second.requests, 60)
      const documents = new Set([...store.chunks.values()].map(({ documentId }) => documentId))
      assert.strictEqual(documents.size, 60)
      assert.isTrue([...store.chunks.values()].every(({ embedding }) => embedding?.length === server.dimensions))
    })
  )
})
