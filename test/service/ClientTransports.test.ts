import { inspect } from "node:util"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Cause, Clock, Context, Deferred, Duration, Effect, Either, Exit, Fiber, Layer, Stream } from "effect"
import * as faultserver from "../faultserver/server.ts"
import { asRun, file, impatient, key, live, parse } from "./collaborators.ts"

const transports = {
  "undici, leaner": UndiciHttpClient.layer(),
  undici: NodeHttpClient.layerUndici,
  "node:http": NodeHttpClient.layer,
  fetch: FetchHttpClient.layer
} as const

/** A large file whose bytes cease to come after the first, and the number of its streams that are open. */
const ceasing = (path: string) =>
  Effect.map(Deferred.make<void>(), (ceased) => {
    let open = 0
    const opened = Stream.acquireRelease(
      Effect.sync(() => (open += 1)),
      () => Effect.sync(() => (open -= 1))
    )
    const never = Effect.zipRight(Deferred.succeed(ceased, undefined), Effect.never)
    const parts = Stream.concat(Stream.make(new Uint8Array(10_000)), Stream.fromEffect(never))
    const source = { ...file(path, 3_000_000), open: Stream.flatMap(opened, () => parts) }
    return { source, ceased: Deferred.await(ceased), open: () => open }
  })

const tagOf = (result: Either.Either<unknown, { readonly _tag: string }>): string =>
  Either.match(result, { onLeft: (error) => error._tag, onRight: () => "ok" })

for (const [name, transport] of Object.entries(transports)) {
  const over = (base: string) => live(base, impatient, 4, transport)

  describe(`Client over ${name}`, () => {
    it.scopedLive("uploads byte for byte, again for every attempt, and reads any answer", () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start({ key })
        const scenarios = ["e503~times=2", "reset-after-request~times=1", "gzip", "bom", "slow-upload", "extra-1xx"]
        for (const size of [20, 3_000_000]) {
          for (const scenario of scenarios) {
            const source = file(`${size}@${scenario}.pdf`, size)
            const answer = yield* Effect.provide(parse(source), over(server.base))
            const [last] = server.log.slice(-1)
            assert.deepInclude({ ...last }, { size, sha256: answer.contentHash })
          }
        }
      })
    )

    it.scopedLive("follows no redirect, and takes an empty answer for an empty answer", () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start()
        const redirected = yield* Effect.provide(asRun(file("a@redirect-307.pdf")), over(server.base))
        assert.strictEqual(server.log.length, 1)
        assert.isNotNull(redirected.run.stopped())
        const empty = yield* Effect.provide(asRun(file("a@status-204.pdf")), over(server.base))
        assert.strictEqual(tagOf(empty.result), "UnexpectedResponse")
        assert.strictEqual(empty.run.counters.requests, 3)
      })
    )

    it.scopedLive("keeps the key out of every error", () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start({ key: "another" })
        for (const base of [server.base, "http://127.0.0.1:1", `https://127.0.0.1:${server.port}`]) {
          const exit = yield* Effect.exit(Effect.provide(parse(file("a.pdf")), over(base)))
          assert.isTrue(Exit.isFailure(exit))
          const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty
          assert.notInclude(`${inspect(exit, { depth: 20 })}${Cause.pretty(cause)}${JSON.stringify(exit)}`, key)
        }
      })
    )

    it.scopedLive("has closed a file whose bytes do not come when an interruption returns", () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start()
        yield* Effect.gen(function* () {
          const read = yield* ceasing("a.pdf")
          const fiber = yield* Effect.fork(parse(read.source))
          yield* read.ceased
          assert.strictEqual(read.open(), 1)
          yield* Fiber.interrupt(fiber)
          assert.strictEqual(read.open(), 0)
        }).pipe(Effect.timeout("1 minute"), Effect.provide(over(server.base)))
      })
    )

    it.scopedLive("frees its sockets when it is interrupted", () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start()
        yield* Effect.gen(function* () {
          const fiber = yield* Effect.fork(parse(file("a@hang.pdf")))
          yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => server.log.length === 1 })
          yield* Fiber.interrupt(fiber)
          yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => server.openSockets() === 0 })
        }).pipe(Effect.timeout("2 minutes"), Effect.provide(over(server.base)))
        assert.isTrue(server.log[0]?.aborted)
      })
    )
  })
}

describe("Client over its own transport", () => {
  it.scopedLive("has closed a file whose bytes do not come when the service has refused it", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const early = yield* ceasing("a@early-413.pdf")
      const refused = Effect.either(parse(early.source)).pipe(Effect.provide(live(server.base)))
      assert.strictEqual(tagOf(yield* Effect.timeout(refused, "1 minute")), "PayloadTooLarge")
      assert.strictEqual(early.open(), 0)
    })
  )
})

describe("Client over a transport that a program has changed", () => {
  it.scopedLive("sends through what stands around the leaner transport", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const asked: Array<string> = []
      const changed = Layer.map(UndiciHttpClient.layer(), (context) =>
        Context.add(
          context,
          HttpClient.HttpClient,
          HttpClient.tapRequest(Context.get(context, HttpClient.HttpClient), ({ url }) =>
            Effect.sync(() => asked.push(url))
          )
        )
      )
      yield* Effect.provide(parse(file("a.pdf")), live(server.base, impatient, 4, changed))
      assert.deepStrictEqual(asked, [`${server.base}/parse`])
    })
  )

  it.scopedLive("keeps to the time of the program, not to that of the machine", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const clock = yield* Effect.clock
      const hasty: Clock.Clock = {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
        unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
        currentTimeMillis: clock.currentTimeMillis,
        currentTimeNanos: clock.currentTimeNanos,
        sleep: () => clock.sleep(Duration.millis(50))
      }
      const over = live(server.base, { attempts: 1 }, 4)
      const error = yield* Effect.flip(Effect.provide(parse(file("a@hang.pdf")), over)).pipe(Effect.withClock(hasty))
      assert.deepInclude(error, { _tag: "ConnectionFailed", reason: "timeout" })
    })
  )
})
