import { execFile, execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Scope } from "effect"
import * as LanePool from "../../src/engine/lanes/LanePool.ts"
import * as Transport from "../../src/engine/lanes/Transport.ts"

const entry = new URL("lanes/misbehaveLane.ts", import.meta.url)

const start = Transport.child(entry, { heap: 96, resident: 400 })

/** Counts the processes that it starts. */
const counting = (bounds: Transport.Bounds = {}) => {
  const counted = { started: 0 }
  const start: Transport.Start = (listener) => {
    counted.started += 1
    return Transport.child(entry, bounds)(listener)
  }
  return { counted, start }
}

const bytes = new Uint8Array([1, 2, 3])

const minute = Duration.minutes(1)

const reply = (pool: LanePool.LanePool, kind: string, within = minute) => pool.run({ kind, bytes }, within)

const expectServes = (pool: LanePool.LanePool) =>
  Effect.gen(function* () {
    const answer = yield* reply(pool, "length")
    assert.deepInclude(answer, { _tag: "Done", value: 3 })
  })

const valueOf = (pool: LanePool.LanePool, kind: string) =>
  Effect.map(reply(pool, kind), (answer) => (answer._tag === "Done" ? answer.value : undefined))

const identity = (pool: LanePool.LanePool) => valueOf(pool, "identity")

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A process that nobody has waited for yet is there, and dead.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

const gone = (pid: number) =>
  Effect.sync(() => isAlive(pid)).pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ while: (alive) => alive, times: 500 }),
    Effect.map((alive) => assert.isFalse(alive))
  )

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-lanes-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

describe("LanePool", () => {
  it.scopedLive("answers jobs one after another on the same lane", () =>
    Effect.gen(function* () {
      const pool = yield* LanePool.make({ start, size: 1 })
      const first = yield* identity(pool)
      yield* expectServes(pool)
      assert.strictEqual(yield* identity(pool), first)
      assert.strictEqual(bytes.length, 3)
    })
  )

  it.scopedLive("takes over a lane that was started ahead, once", () =>
    Effect.gen(function* () {
      const lanes = () =>
        execFileSync("ps", ["-o", "args=", "--ppid", String(process.pid)], { encoding: "utf8" })
          .split("\n")
          .filter((line) => line.includes("misbehaveLane")).length
      const before = lanes()
      Transport.startAhead(entry, "html")
      assert.strictEqual(lanes(), before + 1)
      const pool = yield* LanePool.make({ start: Transport.child(entry), size: 2 })
      yield* expectServes(pool)
      assert.strictEqual(lanes(), before + 1)
      yield* Effect.all([expectServes(pool), expectServes(pool)], { concurrency: 2 })
      assert.strictEqual(lanes(), before + 2)
    })
  )

  it.scopedLive("carries large documents whole, and says of an answer that it is too large", () =>
    Effect.gen(function* () {
      const pool = yield* LanePool.make({ start: Transport.child(entry), size: 1 })
      const large = new Uint8Array(52_428_800)
      assert.deepInclude(yield* pool.run({ kind: "length", bytes: large }, minute), { value: large.length })
      const answer = yield* reply(pool, "huge")
      assert.deepInclude(answer, { _tag: "Refused", reason: "resourceLimit" })
      yield* expectServes(pool)
    })
  )

  it.scopedLive("carries a document from a file, and names a file that is too short", () =>
    Effect.gen(function* () {
      const document = new Uint8Array(2_000_000)
      const slice = (start: number, end: number) => document.subarray(start, end)
      const pool = yield* LanePool.make({ start, size: 1 })
      const run = (length: number) => pool.run({ kind: "length", bytes: { length, slice } }, minute)
      assert.deepInclude(yield* run(2_000_000), { _tag: "Done", value: 2_000_000 })
      const error = yield* Effect.flip(run(2_000_001))
      assert.strictEqual(error.reason, "Killed")
      assert.include(error.error, "too short")
      yield* expectServes(pool)
    })
  )

  it.scopedLive("passes a refusal on, in its own words, and keeps the lane", () =>
    Effect.gen(function* () {
      const pool = yield* LanePool.make({ start, size: 1 })
      const before = yield* identity(pool)
      const answer = yield* reply(pool, "refuse")
      assert.deepInclude(answer, { _tag: "Refused", reason: "encrypted", error: "it has a password" })
      assert.deepInclude(yield* reply(pool, "throw"), { _tag: "Threw", error: "a bug" })
      assert.deepInclude(yield* reply(pool, "recurse"), { _tag: "Refused", reason: "resourceLimit" })
      assert.deepInclude(yield* reply(pool, "uncloneable"), { _tag: "Threw" })
      assert.strictEqual(yield* identity(pool), before)
    })
  )

  it.scopedLive("tells a parser that cannot be loaded from one that throws", () =>
    Effect.gen(function* () {
      const pool = yield* LanePool.make({ start, size: 1 })
      assert.deepInclude(yield* reply(pool, "unloadable"), { _tag: "Unloaded", error: "no such module" })
      assert.deepInclude(yield* reply(pool, "unknown"), { _tag: "Unloaded" })
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

  it.scopedLive("gives each part that a job begins its own time, whatever the parts before took", () =>
    Effect.gen(function* () {
      const pool = yield* LanePool.make({ start, size: 1 })
      yield* expectServes(pool)
      const answer = yield* reply(pool, "parts", Duration.seconds(3))
      assert.deepInclude(answer, { _tag: "Done", value: 3 })
      const error = yield* Effect.flip(reply(pool, "endlessPart"))
      assert.strictEqual(error.reason, "Deadline")
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
      const first = yield* identity(pool)
      assert.notStrictEqual(yield* identity(pool), first)
    })
  )

  it.scopedLive("ends a lane that has had no job for a while", () =>
    Effect.gen(function* () {
      const pool = yield* LanePool.make({ start, size: 1, rest: "50 millis" })
      const pid = yield* valueOf(pool, "process")
      yield* gone(Number(pid))
      yield* expectServes(pool)
    })
  )

  it.live("ends its lanes with its scope, and fails what runs, waits or comes later as stopped", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const pool = yield* LanePool.make({ start, size: 1 }).pipe(Scope.extend(scope))
      yield* expectServes(pool)
      const looping = yield* Effect.fork(Effect.flip(reply(pool, "loop")))
      const waiting = yield* Effect.fork(Effect.flip(reply(pool, "length")))
      yield* Effect.sleep("100 millis")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Fiber.join(looping)).reason, "Stopped")
      assert.strictEqual((yield* Fiber.join(waiting)).reason, "Stopped")
      assert.strictEqual((yield* Effect.flip(reply(pool, "length"))).reason, "Stopped")
    })
  )

  it.scopedLive("says that no lane can be started when its entry module does not load", () =>
    Effect.gen(function* () {
      const missing = Transport.child(new URL("lanes/missing.ts", import.meta.url))
      const pool = yield* LanePool.make({ start: missing, size: 1 })
      const error = yield* Effect.flip(reply(pool, "length"))
      assert.strictEqual(error.reason, "Unavailable")
    })
  )

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

  it.live("leaves no lane when its host is killed, also one that does not return", () =>
    Effect.gen(function* () {
      const host = fileURLToPath(new URL("lanes/busyHost.ts", import.meta.url))
      const child = spawn(process.execPath, ["--import", "tsx", "--conditions=docsluice:source", host])
      const pid = yield* Effect.async<number>((resume) => {
        child.stdout.once("data", (text: Buffer) => resume(Effect.succeed(Number(text.toString()))))
      })
      assert.isTrue(isAlive(pid))
      child.kill("SIGKILL")
      yield* gone(pid)
    })
  )

  describe("a document that ends its lane", () => {
    it.scopedLive("is tried once more in a fresh one, and no other document notices", () =>
      Effect.gen(function* () {
        const mark = join(yield* temporary, "mark")
        const { counted, start } = counting()
        const pool = yield* LanePool.make({ start, size: 1 })
        const before = yield* identity(pool)
        const answer = yield* pool.run({ kind: "onceLethal", bytes: new TextEncoder().encode(mark) }, minute)
        assert.deepInclude(answer, { _tag: "Done", value: "survived" })
        assert.notStrictEqual(yield* identity(pool), before)
        assert.strictEqual(counted.started, 2)
      })
    )

    it.scopedLive("twice is remembered by its bytes, and ends no lane again", () =>
      Effect.gen(function* () {
        const { counted, start } = counting()
        const pool = yield* LanePool.make({ start, size: 1 })
        const error = yield* Effect.flip(reply(pool, "abort"))
        assert.deepInclude(error, { reason: "Crashed", error: "signal SIGABRT" })
        assert.strictEqual(counted.started, 2)
        assert.deepInclude(yield* Effect.flip(reply(pool, "abort")), { reason: "Crashed", error: "signal SIGABRT" })
        assert.strictEqual(counted.started, 2)
        yield* expectServes(pool)
        assert.strictEqual(counted.started, 3)
      })
    )

    it.scopedLive("is remembered too when it ends one lane and runs out of time, and then ends another", () =>
      Effect.gen(function* () {
        const mark = join(yield* temporary, "mark")
        const { counted, start } = counting()
        const pool = yield* LanePool.make({ start, size: 1 })
        const run = (within: Duration.Duration) =>
          pool.run({ kind: "lethalThenSlow", bytes: new TextEncoder().encode(mark) }, within)
        assert.strictEqual((yield* Effect.flip(run(Duration.seconds(8)))).reason, "Deadline")
        rmSync(mark)
        assert.strictEqual((yield* Effect.flip(run(minute))).reason, "Crashed")
        assert.strictEqual((yield* Effect.flip(run(minute))).reason, "Crashed")
        assert.strictEqual(counted.started, 3)
      })
    )

    it.scopedLive.each(["allocate", "allocateBuffers"])("by its memory is named so: %s", (kind) =>
      Effect.gen(function* () {
        const pool = yield* LanePool.make({ start, size: 1 })
        const error = yield* Effect.flip(reply(pool, kind))
        assert.strictEqual(error.reason, "OutOfMemory")
        yield* expectServes(pool)
      })
    )

    it.scopedLive("inside of an allocation that V8 cannot refuse ends nothing else", () =>
      Effect.gen(function* () {
        const pool = yield* LanePool.make({ start, size: 1 })
        const error = yield* Effect.flip(reply(pool, "fillMap"))
        assert.include(["Crashed", "OutOfMemory"], error.reason)
        yield* expectServes(pool)
      })
    )
  })

  it.scopedLive("tries a document again whose lane was killed from outside, and does not blame it", () =>
    Effect.gen(function* () {
      const { counted, start } = counting()
      const pool = yield* LanePool.make({ start, size: 1 })
      const waiting = (): Effect.Effect<void> =>
        Effect.flatMap(valueOf(pool, "process").pipe(Effect.orDie), (pid) =>
          Effect.fork(Effect.sync(() => process.kill(Number(pid), "SIGKILL")).pipe(Effect.delay("100 millis")))
        )
      yield* waiting()
      assert.deepInclude(yield* reply(pool, "long"), { _tag: "Done", value: 3 })
      assert.strictEqual(counted.started, 2)
    })
  )

  it.scopedLive("starts lanes that a terminal's interrupt does not end", () =>
    Effect.gen(function* () {
      const pool = yield* LanePool.make({ start, size: 1 })
      const pid = Number(yield* valueOf(pool, "process"))
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid, signal)
      yield* Effect.sleep("100 millis")
      assert.strictEqual(yield* valueOf(pool, "process"), pid)
    })
  )
})
