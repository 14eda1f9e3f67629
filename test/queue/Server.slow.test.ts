import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import { none } from "docsluice/Embedder"
import * as Ledger from "docsluice/Ledger"
import type { QueueError } from "docsluice/Queue"
import * as Queue from "docsluice/Queue"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Deferred, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import * as Addresses from "../../src/internal/queue/address.ts"
import * as Board from "../../src/internal/queue/board.ts"
import * as Coordinator from "../../src/internal/queue/coordinator.ts"
import { connect } from "../../src/internal/queue/server.ts"
import { ofRun } from "../../src/internal/state/ledger/runLedger.ts"
import { shared } from "../fixtures/shared.ts"
import { parsed, parsing } from "../pipeline/fakes.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as Redis from "./redis.ts"
import * as Stand from "./stand.ts"

const started = (settings: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.promise(() => Redis.start(settings)),
    ({ stop }) => Effect.promise(stop)
  )

const refusal = (address: string): Effect.Effect<QueueError> => Effect.orDie(Effect.flip(Queue.make({ address })))

const fact = Redis.missing() === null ? it.live : it.live.skip
const postgresFact = Postgres.missing() === null ? it.live : it.live.skip

describe("the server of a queue", () => {
  it.live("is named by an address of Redis or PostgreSQL, of which an error repeats nothing", () =>
    Effect.gen(function* () {
      for (const address of ["s3cret", "http://user:s3cret@host", "redis://", "amqp://s3cret@host"]) {
        const error = yield* refusal(address)
        assert.strictEqual(error.reason, "Address")
        assert.notInclude(JSON.stringify(error) + error.message, "s3cret")
      }
    })
  )

  it.live("is said to be unreachable where nobody answers", () =>
    Effect.gen(function* () {
      for (const address of ["redis://:s3cret@127.0.0.1:1", "postgres://u:s3cret@127.0.0.1:1/db"]) {
        const error = yield* refusal(address)
        assert.strictEqual(error.reason, "Unreachable")
        assert.match(error.message, /127\.0\.0\.1:1.*check its address/u)
        assert.notInclude(JSON.stringify(error) + error.message, "s3cret")
      }
    })
  )

  fact("refuses a wrong password, which is not repeated, and takes the right one", () =>
    Effect.gen(function* () {
      const { port } = yield* started(["--requirepass", "right"])
      for (const user of ["", ":wr0ng@"]) {
        const error = yield* refusal(`redis://${user}127.0.0.1:${port}`)
        assert.strictEqual(error.reason, "Denied")
        assert.notInclude(JSON.stringify(error) + error.message, "wr0ng")
      }
      const queue = yield* Queue.make({ address: `redis://:right@127.0.0.1:${port}` })
      assert.strictEqual(queue.address, `redis://127.0.0.1:${port}`)
      assert.deepStrictEqual(yield* queue.runs, [])
    }).pipe(Effect.scoped)
  )

  fact("that may drop jobs is warned of, with the remedy", () =>
    Effect.gen(function* () {
      const { url } = yield* started(["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"])
      const { warning } = yield* Queue.make({ address: url })
      assert.match(warning ?? "", /allkeys-lru.*noeviction/u)
    }).pipe(Effect.scoped)
  )

  postgresFact("of PostgreSQL refuses a wrong password and a missing database", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.acquireRelease(
        Effect.promise(() => Postgres.start()),
        ({ stop }) => Effect.promise(stop)
      )
      const wrong = yield* refusal(`postgres://tester:wr0ng@127.0.0.1:${port}/postgres`)
      assert.strictEqual(wrong.reason, "Denied")
      assert.notInclude(JSON.stringify(wrong) + wrong.message, "wr0ng")
      const none = yield* refusal(`postgres://tester:s3cret-pass@127.0.0.1:${port}/nothing`)
      assert.strictEqual(none.reason, "Denied")
      assert.match(none.message, /no such database/u)
    }).pipe(Effect.scoped)
  )
})

const redis = shared(started())

/** A run whose documents wait for `go`. */
const held = (count: number) =>
  Effect.gen(function* () {
    const { port, url } = yield* redis
    const go = yield* Deferred.make<void>()
    const seen: Array<string> = []
    const given: Stand.Given = {
      store: MemorySink.emptyStore(),
      parse: (source) =>
        Effect.zipRight(
          Effect.sync(() => seen.push(source.path)),
          Effect.as(Deferred.await(go), parsed(source))
        )
    }
    return { port, url, go, seen, given, folder: yield* Stand.folder(count), queue: Queue.layer({ address: url }) }
  })

const until = (claim: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (claim() ? Effect.void : Effect.delay(until(claim), "20 millis")))

describe("a run through a queue", () => {
  fact("is repaired when the server is emptied in the middle of it", () =>
    Effect.gen(function* () {
      const { folder, given, go, port, queue, seen } = yield* held(40)
      const running = yield* Effect.fork(Stand.queued(queue)(folder, given))
      yield* until(() => seen.length > 0)
      assert.strictEqual(Redis.ask(port, ["FLUSHALL"]), "OK")
      yield* Deferred.succeed(go, undefined)
      const summary = yield* Fiber.join(running)
      assert.deepInclude(summary, { discovered: 40, failed: 0, notAttempted: 0, exit: 0 })
      assert.strictEqual(given.store.chunks.size, 40)
    }).pipe(
      Effect.scoped,
      Effect.provide([Stand.memory, Logger.remove(Logger.defaultLogger)]),
      Effect.timeout("4 minutes")
    )
  )

  fact("is refused to a second coordinator of the root while the first is alive", () =>
    Effect.gen(function* () {
      const { folder, given, go, queue, seen } = yield* held(4)
      const running = yield* Effect.fork(Stand.queued(queue)(folder, given))
      yield* until(() => seen.length > 0)
      const error = yield* Effect.flip(Stand.coordinate(queue)(folder, given))
      assert.deepInclude(error, { _tag: "QueueError", reason: "Busy" })
      assert.match(String(error), /wait for its end/u)
      yield* Deferred.succeed(go, undefined)
      assert.deepInclude(yield* Fiber.join(running), { stored: 4, exit: 0 })
    }).pipe(Effect.scoped, Effect.provide(Stand.memory))
  )

  fact("sends no more ahead than it was told, however many documents are found at once", () =>
    Effect.gen(function* () {
      const { folder, given, go, queue } = yield* held(450)
      yield* Deferred.succeed(go, undefined)
      const summary = yield* Stand.queued(queue)(folder, { ...given, depth: 5 })
      assert.deepInclude(summary, { discovered: 450, stored: 450, exit: 0 })
    }).pipe(Effect.scoped, Effect.provide(Stand.memory))
  )

  fact("takes the place of a coordinator that gives no sign of life, and of no other", () =>
    Effect.gen(function* () {
      const { folder, given, go, queue, url } = yield* held(4)
      yield* Deferred.succeed(go, undefined)
      const address = Addresses.parse(Redacted.make(url))
      const server = yield* connect(yield* address)
      const ledger = ofRun(yield* Ledger.Ledger)
      const asked = { state: (yield* ledger.state) ?? "", root: "docs", path: folder.root, patterns: "", request: "" }
      const gone = yield* Coordinator.place(server, asked)
      // As one that was killed on another machine: the announcement stays, and says nothing more.
      const board = yield* server.lane(Board.name)
      yield* board.update(gone.mine.lane, { ...gone.mine, run: "gone", coordinator: "elsewhere:1" })
      const began = Date.now()
      assert.deepInclude(yield* Stand.queued(queue)(folder, given), { stored: 4, exit: 0 })
      assert.isAbove(Date.now() - began, 9000)
    }).pipe(Effect.scoped, Effect.provide(Stand.memory))
  )

  fact("takes nothing with settings of its own that differ, and the run says which", () =>
    Effect.gen(function* () {
      const { folder, given, go, queue } = yield* held(4)
      yield* Deferred.succeed(go, undefined)
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const running = yield* Effect.fork(
        Stand.coordinate(queue)(folder, given).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      )
      const other = yield* Stand.worker(folder, given, "other", { configuration: '{"other":true}' }).pipe(
        Effect.provide(Layer.merge(queue, parsing))
      )
      yield* until(() => lines.some((line) => line.includes("cannot join")))
      assert.match(lines.join("\n"), /worker other cannot join: .*the chunker/u)
      assert.strictEqual(given.store.chunks.size, 0)
      const right = yield* Stand.worker(folder, given, "right").pipe(Effect.provide(Layer.merge(queue, parsing)))
      assert.deepInclude(yield* Fiber.join(running), { stored: 4, exit: 0 })
      yield* Effect.all([other, right], { concurrency: 2 })
    }).pipe(Effect.scoped, Effect.provide(Stand.memory))
  )

  /** Runs without a worker until all documents wait for one, then with those of `workers`. */
  const waiting = (
    count: number,
    workers: (
      stand: Effect.Effect.Success<ReturnType<typeof held>>
    ) => Effect.Effect<ReadonlyArray<Effect.Effect<void, unknown>>, unknown, Stand.Services | Queue.Queue>
  ) =>
    Effect.gen(function* () {
      const stand = yield* held(count)
      yield* Deferred.succeed(stand.go, undefined)
      return yield* Effect.gen(function* () {
        const { runs } = yield* Queue.Queue
        const running = yield* Effect.fork(Stand.coordinate(stand.queue)(stand.folder, stand.given))
        while (!(yield* runs).some(({ complete, waiting }) => complete && waiting === count)) {
          yield* Effect.sleep("50 millis")
        }
        const ends = yield* workers(stand)
        return { ...stand, running, runs, end: Effect.all(ends, { concurrency: "unbounded" }) }
      }).pipe(Effect.provide(stand.queue))
    })

  const worker = (stand: Effect.Effect.Success<ReturnType<typeof held>>, root: string, name: string) =>
    Stand.worker({ ...stand.folder, root }, stand.given, name).pipe(Effect.provide(parsing))

  fact(
    "goes on where documents are gone when their turn comes: these fail, and no other",
    () =>
      Effect.gen(function* () {
        const { end, given, running } = yield* waiting(12, (stand) =>
          Effect.gen(function* () {
            for (const path of ["0.pdf", "5.pdf", "11.pdf"]) stand.folder.remove(path)
            return [yield* worker(stand, stand.folder.root, "one")]
          })
        )
        const summary = yield* Fiber.join(running)
        assert.deepInclude(summary, { stored: 9, failed: 3, notAttempted: 0, exit: 1 })
        assert.deepStrictEqual(summary.warnings, [])
        const letters = yield* Effect.flatMap(DeadLetter.DeadLetter, ({ entries }) => entries)
        assert.deepStrictEqual(letters.map(({ source, tag }) => `${source} ${tag}`).toSorted(), [
          "0.pdf FileUnreadable",
          "11.pdf FileUnreadable",
          "5.pdf FileUnreadable"
        ])
        assert.strictEqual(given.store.chunks.size, 9)
        yield* end
      }).pipe(Effect.scoped, Effect.provide(Stand.memory)),
    30_000
  )

  fact(
    "puts a worker aside whose folder is empty or not there, by name, and stores everything by the others",
    () =>
      Effect.gen(function* () {
        const bare = yield* Stand.folder(0)
        const { end, runs, running, ...stand } = yield* waiting(40, (stand) =>
          Effect.all([worker(stand, bare.root, "empty"), worker(stand, `${bare.root}/none`, "absent")])
        )
        const problems = Effect.map(runs, (all) => all.flatMap(({ problems }) => problems).join("\n"))
        const said = (name: string, text: string): boolean =>
          text.includes(`worker ${name} is put aside: it cannot get at `) && text.includes("check what is mounted")
        for (;;) {
          const text = yield* problems
          if (said("empty", text) && said("absent", text)) break
          yield* Effect.sleep("50 millis")
        }
        const right = yield* worker(stand, stand.folder.root, "right").pipe(Effect.provide(stand.queue))
        const summary = yield* Fiber.join(running)
        assert.deepInclude(summary, { stored: 40, failed: 0, notAttempted: 0, exit: 1 })
        assert.deepStrictEqual(summary.warnings.map(({ source }) => source).toSorted(), ["absent", "empty"])
        yield* Effect.zipRight(right, end)
      }).pipe(Effect.scoped, Effect.provide(Stand.memory)),
    30_000
  )

  fact(
    "ends with the names of its workers where none of them can get at a document",
    () =>
      Effect.gen(function* () {
        const bare = yield* Stand.folder(0)
        const { end, running } = yield* waiting(6, (stand) => Effect.all([worker(stand, bare.root, "empty")]))
        const summary = yield* Fiber.join(running)
        assert.deepInclude(summary, { stored: 0, failed: 0, notAttempted: 6, exit: 2 })
        assert.strictEqual(summary.stopped?.tag, "QueueError")
        assert.match(summary.stopped?.message ?? "", /no worker can get at the documents: empty: it cannot get at/u)
        yield* end
      }).pipe(Effect.scoped, Effect.provide(Stand.memory)),
    60_000
  )

  fact(
    "ends as soon as it is told to while it waits for its embedder",
    () =>
      Effect.gen(function* () {
        const { folder, given, go, queue } = yield* held(4)
        yield* Deferred.succeed(go, undefined)
        const asked = yield* Deferred.make<void>()
        const space = Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never)
        const live = Layer.merge(queue, parsing)
        const running = yield* Effect.fork(Stand.coordinate(queue)(folder, given))
        const waits = yield* Effect.provide(Stand.worker(folder, given, "waits", {}, { ...none, space }), live)
        yield* Deferred.await(asked)
        yield* waits
        const right = yield* Effect.provide(Stand.worker(folder, given, "right"), live)
        assert.deepInclude(yield* Fiber.join(running), { stored: 4, exit: 0 })
        yield* right
      }).pipe(Effect.scoped, Effect.provide(Stand.memory)),
    30_000
  )
})
