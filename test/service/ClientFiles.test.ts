import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Discovery from "docsluice/Discovery"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as SourceFile from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { ConfigProvider, Config, Duration, Effect, Either, Fiber, Layer, Redacted, Stream } from "effect"
import * as RunState from "../../src/internal/client/runState.ts"
import * as faultserver from "../faultserver/server.ts"
import { asRun, file, live, parse } from "./collaborators.ts"

const waitFor = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.delay(waitFor(condition), "1 millis"))).pipe(
    Effect.timeout("2 minutes"),
    Effect.orDie
  )

const tagOf = (result: Either.Either<unknown, { readonly _tag: string }>): string =>
  Either.match(result, { onLeft: (error) => error._tag, onRight: () => "ok" })

/** How often this process has the file open. */
const descriptors = (file: string): number =>
  fs.readdirSync("/proc/self/fd").filter((descriptor) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${descriptor}`) === file
    } catch {
      return false
    }
  }).length

/** A file whose announced size is not what there is. */
const lying = (announced: number, actual: number): SourceFile.SourceFile => ({
  ...file("a.pdf", announced),
  open: file("a.pdf", actual).open
})

describe("Client and its files", () => {
  it.scopedLive("what the service would refuse is never sent", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const endings = yield* Effect.forEach(
        [file("a.txt"), file("a"), file("a.pdf", 0), file("a.pdf", 52_428_800)],
        (source) => Effect.map(asRun(source), ({ result, run }) => [tagOf(result), run.counters.requests])
      ).pipe(Effect.provide(live(server.base)))
      assert.deepStrictEqual(endings, [
        ["UnsupportedFile", 0],
        ["UnsupportedFile", 0],
        ["FileUnreadable", 0],
        ["FileTooLarge", 0]
      ])
      assert.strictEqual(server.log.length, 0)
    })
  )

  for (const [announced, actual] of [
    [1000, 999],
    [1000, 1001],
    [3_000_000, 2_900_000],
    [3_000_000, 3_000_001]
  ] as const) {
    it.scopedLive(
      `a file of ${actual} bytes that was announced as ${announced} fails as changed and is not retried`,
      () =>
        Effect.gen(function* () {
          const server = yield* faultserver.start()
          const { result } = yield* Effect.provide(asRun(lying(announced, actual)), live(server.base))
          assert.strictEqual(tagOf(result), "FileChanged")
          yield* waitFor(() => server.log.every((entry) => entry.status !== 200))
          assert.isAtMost(server.log.length, 1)
        })
    )
  }

  it.scopedLive("a file that cannot be read fails with its own error, not the transport's", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const unreadable = new SourceFile.FileUnreadable({ path: "a.pdf", reason: "Io" })
      for (const size of [20, 3_000_000]) {
        const source = { ...file("a.pdf", size), open: Stream.concat(Stream.make(new Uint8Array(10)), unreadable) }
        const { result, run } = yield* Effect.provide(asRun(source), live(server.base))
        assert.strictEqual(tagOf(result), "FileUnreadable")
        assert.isAtMost(run.counters.requests, 1)
      }
    })
  )

  it.scopedLive("a file of this machine is closed when an interruption returns", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "client-files-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(folder, { recursive: true })))
      const name = path.join(folder, "a@stall-upload.pdf")
      fs.writeFileSync(name, new Uint8Array(40_000_000))
      const source = yield* Discovery.file(name).pipe(Effect.provide(NodeContext.layer))
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.fork(parse(source))
        yield* waitFor(() => server.log.length === 1 && descriptors(name) === 1)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(descriptors(name), 0)
      }).pipe(Effect.provide(live(server.base)))
    }).pipe(Effect.when(() => fs.existsSync("/proc/self/fd")))
  )

  for (const scenario of ["stall-upload", "hang", "slowloris"]) {
    it.scopedLive(`interruption during ${scenario} frees socket and file within a second`, () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start()
        let open = 0
        const source = file(`a@${scenario}.pdf`, 40_000_000)
        const watched = Stream.acquireRelease(
          Effect.sync(() => (open += 1)),
          () => Effect.sync(() => (open -= 1))
        )
        const counted = { ...source, open: Stream.flatMap(watched, () => source.open) }
        yield* Effect.gen(function* () {
          const fiber = yield* Effect.fork(parse(counted))
          yield* waitFor(() => server.log.length === 1)
          yield* Effect.sleep("300 millis")
          const [elapsed] = yield* Effect.timed(
            Effect.zipRight(
              Fiber.interrupt(fiber),
              waitFor(() => open === 0 && (server.openSockets() === 0 || scenario === "stall-upload"))
            )
          )
          assert.isBelow(Duration.toMillis(elapsed), 1000)
        }).pipe(Effect.provide(live(server.base)))
      })
    )
  }
})

const build = (options: Client.Options): Effect.Effect<Either.Either<string, Client.InvalidAddress>> =>
  Effect.map(Client.Client, (client) => client.identity).pipe(
    Effect.provide(Layer.provide(Client.layer(options), [RequestGate.layer(), Layer.orDie(UndiciHttpClient.layer())])),
    Effect.either
  )

const apiKey = Redacted.make("k")

describe("Client and its address", () => {
  it.effect("takes the base address with or without /v2, /parse after it, and slashes, and drops credentials", () =>
    Effect.gen(function* () {
      const written = [
        "https://host",
        "https://host/",
        "https://host/v2",
        "https://user:pass@host/v2//",
        "https://host/v2/parse",
        "https://host/v2//parse//",
        "https://host?x#y"
      ]
      for (const baseUrl of written) {
        assert.deepStrictEqual(yield* build({ baseUrl, apiKey }), Either.right("https://host/v2"))
      }
      assert.deepStrictEqual(yield* build({ baseUrl: "https://host/a/", apiKey }), Either.right("https://host/a/v2"))
      assert.deepStrictEqual(
        yield* build({ baseUrl: "https://host/parse", apiKey }),
        Either.right("https://host/parse/v2")
      )
    })
  )

  it.effect("needs a key for every address that is not this machine's", () =>
    Effect.gen(function* () {
      const reasonOf = (options: Client.Options) =>
        Effect.map(build(options), (built) => (Either.isLeft(built) ? built.left.reason : built.right))
      assert.strictEqual(yield* reasonOf({ baseUrl: "https://host" }), "KeyMissing")
      assert.strictEqual(yield* reasonOf({ baseUrl: "http://10.0.0.1" }), "KeyMissing")
      assert.strictEqual(yield* reasonOf({ baseUrl: "https://host", apiKey: "none" }), "https://host/v2")
      assert.strictEqual(yield* reasonOf({ baseUrl: "http://[::1]:8080" }), "http://[::1]:8080/v2")
      assert.strictEqual(yield* reasonOf({ baseUrl: "http://localhost:8080" }), "http://localhost:8080/v2")
      assert.strictEqual(yield* reasonOf({ baseUrl: "http://127.8.0.1:8080" }), "http://127.8.0.1:8080/v2")
      assert.strictEqual(yield* reasonOf({ baseUrl: "https://host", apiKey: Redacted.make("a\nb") }), "KeyMalformed")
      assert.strictEqual(yield* reasonOf({ baseUrl: "ftp://host", apiKey }), "Scheme")
      assert.strictEqual(yield* reasonOf({ baseUrl: "host/v2", apiKey }), "Malformed")
    })
  )

  it.scopedLive("reads its options from the configuration", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start({ key: "from-the-environment" })
      const layer = Client.layerConfig({
        baseUrl: Config.string("SERVICE"),
        apiKey: Config.redacted("API_KEY")
      }).pipe(
        Layer.provide([RequestGate.layer(), UndiciHttpClient.layer()]),
        Layer.provide(
          Layer.setConfigProvider(
            ConfigProvider.fromMap(
              new Map([
                ["SERVICE", server.base],
                ["API_KEY", "from-the-environment"]
              ])
            )
          )
        )
      )
      const run = yield* RunState.make
      yield* parse(file("a.pdf")).pipe(Effect.provideService(RunState.CurrentRun, run), Effect.provide(layer))
      assert.deepInclude(run.counters, { requests: 1, succeeded: 1, uploaded: 20 })
    })
  )
})
