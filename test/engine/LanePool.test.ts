import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Scope } from "effect"
import * as LanePool from "../../src/engine/lanes/LanePool.ts"
import * as Transport from "../../src/engine/lanes/Transport.ts"

const starts = {
  worker: Transport.worker(new URL("lanes/misbehaveWorker.ts", import.meta.url)),
  child: Transport.child(new URL("lanes/misbehaveChild.ts", import.meta.url))
}

const bytes = new Uint8Array([1, 2, 3])

const minute = Duration.minutes(1)

const reply = (pool: LanePool.LanePool, kind: string, within = minute) => pool.run({ kind, bytes }, within)

const expectServes = (pool: LanePool.LanePool) =>
  Effect.gen(function* () {
    const answer = yield* reply(pool, "length")
    assert.deepInclude(answer, { _tag: "Done", value: 3 })
  })

const pids = (pool: LanePool.LanePool) =>
  Effect.map(reply(pool, "identity"), (answer) => (answer._tag === "Done" ? answer.value : undefined))

for (const [name, start] of Object.entries(starts)) {
  describe(`LanePool of a ${name}`, { timeout: 120_000 }, () => {
    it.scopedLive("answers jobs one after another on the same lane", () =>
      Effect.gen(function* () {
        const pool = yield* LanePool.make({ start, size: 1 })
        const first = yield* pids(pool)
        yield* expectServes(pool)
        assert.strictEqual(yield* pids(pool), first)
        assert.strictEqual(bytes.length, 3)
      })
    )

    it.scopedLive("passes a refusal on, in its own words, and keeps the lane", () =>
      Effect.gen(function* () {
        const pool = yield* LanePool.make({ start, size: 1 })
        const before = yield* pids(pool)
        const answer = yield* reply(pool, "refuse")
        assert.deepInclude(answer, { _tag: "Refused", reason: "encrypted", error: "it has a password" })
        assert.deepInclude(yield* reply(pool, "throw"), { _tag: "Threw", error: "a bug" })
        assert.deepInclude(yield* reply(pool, "recurse"), { _tag: "Refused", reason: "resourceLimit" })
        assert.deepInclude(yield* reply(pool, "unknown"), { _tag: "Threw" })
        assert.strictEqual(yield* pids(pool), before)
      })
    )

    it.scopedLive("fails only the job whose lane ends itself", () =>
      Effect.gen(function* () {
        const pool = yield* LanePool.make({ start, size: 2 })
        const [ended, other] = yield* Effect.all([Effect.flip(reply(pool, "exit")), reply(pool, "slow")], {
          concurrency: 2
        })
        assert.deepInclude(ended, { reason: "Crashed", error: "exit code 3" })
        assert.deepInclude(other, { _tag: "Done", value: 3 })
        yield* expectServes(pool)
      })
    )

    it.scopedLive("ends a job that loops forever at its deadline", () =>
      Effect.gen(function* () {
        const pool = yield* LanePool.make({ start, size: 1 })
        const error = yield* Effect.flip(reply(pool, "loop", Duration.millis(300)))
        assert.strictEqual(error.reason, "Deadline")
        yield* expectServes(pool)
      })
    )

    it.scopedLive("fails a job that no lane is free for in its time, and not the job that runs", () =>
      Effect.gen(function* () {
        const pool = yield* LanePool.make({ start, size: 1 })
        yield* expectServes(pool)
        const busy = yield* Effect.fork(reply(pool, "slow"))
        yield* Effect.yieldNow()
        const error = yield* Effect.flip(reply(pool, "length", Duration.millis(20)))
        assert.strictEqual(error.reason, "QueueTimeout")
        assert.deepInclude(yield* Fiber.join(busy), { _tag: "Done", value: 3 })
      })
    )

    it.scopedLive("frees the lane of an interrupted job", () =>
      Effect.gen(function* () {
        const pool = yield* LanePool.make({ start, size: 1 })
        yield* expectServes(pool)
        const looping = yield* Effect.fork(reply(pool, "loop"))
        yield* Effect.sleep("50 millis")
        yield* Fiber.interrupt(looping)
        yield* expectServes(pool)
      })
    )

    it.scopedLive("replaces a lane that holds more memory than it may", () =>
      Effect.gen(function* () {
        const pool = yield* LanePool.make({ start, size: 1, recycleAbove: 1 })
        const first = yield* pids(pool)
        assert.notStrictEqual(yield* pids(pool), first)
      })
    )

    it.live("ends its lanes with its scope, a busy one too", () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const pool = yield* LanePool.make({ start, size: 2 }).pipe(Scope.extend(scope))
        yield* expectServes(pool)
        const looping = yield* Effect.fork(reply(pool, "loop"))
        yield* Effect.sleep("100 millis")
        yield* Scope.close(scope, Exit.void)
        const error = yield* Effect.flip(Fiber.join(looping))
        assert.strictEqual(error.reason, name === "child" ? "Killed" : "Crashed")
      })
    )

    it.scopedLive("says that no lane can be started when its entry module does not load", () =>
      Effect.gen(function* () {
        const missing = new URL("lanes/missing.ts", import.meta.url)
        const start = name === "child" ? Transport.child(missing) : Transport.worker(missing)
        const pool = yield* LanePool.make({ start, size: 1 })
        const error = yield* Effect.flip(reply(pool, "length"))
        assert.strictEqual(error.reason, "Unavailable")
      })
    )
  })
}

describe("LanePool", { timeout: 120_000 }, () => {
  it.live("lets a host end that leaves idle lanes, and shows nothing of what they print", () =>
    Effect.gen(function* () {
      const host = fileURLToPath(new URL("lanes/idleHost.ts", import.meta.url))
      const options = ["--import", "tsx", "--conditions=docsluice:source", host]
      const { stdout, stderr } = yield* Effect.promise(() =>
        promisify(execFile)(process.execPath, options, { timeout: 60_000 })
      )
      assert.deepStrictEqual({ stdout, stderr }, { stdout: "done\n", stderr: "" })
    })
  )

  it.scopedLive("survives a child that aborts", () =>
    Effect.gen(function* () {
      const pool = yield* LanePool.make({ start: starts.child, size: 1 })
      const error = yield* Effect.flip(reply(pool, "abort"))
      assert.deepInclude(error, { reason: "Crashed", error: "signal SIGABRT" })
      yield* expectServes(pool)
    })
  )

  it.scopedLive("survives a worker that fills its heap", () =>
    Effect.gen(function* () {
      const start = Transport.worker(new URL("lanes/misbehaveWorker.ts", import.meta.url), {
        maxOldGenerationSizeMb: 64
      })
      const pool = yield* LanePool.make({ start, size: 1 })
      const error = yield* Effect.flip(reply(pool, "allocate"))
      assert.strictEqual(error.reason, "OutOfMemory")
      yield* expectServes(pool)
    })
  )
})
