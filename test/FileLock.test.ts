import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as FileLock from "docsluice/FileLock"
import { Effect, Schedule } from "effect"
import { bundled } from "./fixtures/bundled.ts"

const place = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "docsluice-lock-")))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  ),
  (directory) => join(directory, "lock")
)

const program = new URL("fixtures/lockHolder.ts", import.meta.url)

const holder = (file: string) =>
  Effect.acquireRelease(
    Effect.async<ChildProcess>((resume) => {
      const child = spawn(process.execPath, [bundled(program), file], { stdio: ["ignore", "pipe", "inherit"] })
      child.stdout.once("data", () => resume(Effect.succeed(child)))
      child.once("exit", (code) => resume(Effect.dieMessage(`the holder ended with ${code}`)))
    }),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )

const killed = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

it.scopedLive("has one holder at a time, names the holding process, and ends with that process", () =>
  Effect.gen(function* () {
    const file = yield* place
    const child = yield* holder(file)
    const error = yield* Effect.flip(Effect.scoped(FileLock.acquire(file)))
    assert.strictEqual(error.reason, "Locked")
    assert.strictEqual(error.pid, child.pid)
    assert.include(error.message, `another process (pid ${child.pid} on ${hostname()}) has it`)
    yield* killed(child)
    assert.isTrue(existsSync(file))
    yield* Effect.scoped(FileLock.acquire(file))
    assert.isFalse(existsSync(file))
    assert.isFalse(existsSync(`${file}.pid`))
  })
)

it.scoped("excludes a second holder in this process, until the first is done", () =>
  Effect.gen(function* () {
    const file = yield* place
    const second = Effect.scoped(FileLock.acquire(file))
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* FileLock.acquire(file)
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        for (let count = 0; count < 3; count++) assert.strictEqual((yield* Effect.flip(second)).pid, process.pid)
      })
    )
    yield* second
  })
)

it.scoped("acquires a lock file left by another machine, container or earlier version when no process holds it", () =>
  Effect.gen(function* () {
    const file = yield* place
    writeFileSync(`${file}.pid`, "1 elsewhere.example\n")
    for (const left of ["", JSON.stringify({ pid: 1, host: "elsewhere.example", began: "" })]) {
      writeFileSync(file, left)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* FileLock.acquire(file)
          assert.strictEqual(readFileSync(`${file}.pid`, "utf8"), `${process.pid} ${hostname()}\n`)
        })
      )
    }
  })
)

it.scopedLive("never has two holders, however many come and go at the same moment", () =>
  Effect.gen(function* () {
    const file = yield* place
    let inside = 0
    let turns = 0
    const visit = FileLock.acquire(file).pipe(
      Effect.zipRight(
        Effect.acquireUseRelease(
          Effect.sync(() => void (inside += 1)),
          () =>
            Effect.zipRight(
              Effect.sleep("1 millis"),
              Effect.sync(() => assert.strictEqual(inside, 1))
            ),
          () => Effect.sync(() => void (inside -= 1))
        )
      ),
      Effect.scoped,
      Effect.tap(() => Effect.sync(() => void (turns += 1))),
      Effect.retry({ while: ({ reason }) => reason === "Locked", schedule: Schedule.spaced("1 millis") })
    )
    yield* Effect.all(
      Array.from({ length: 8 }, () => visit),
      { concurrency: 8 }
    )
    assert.strictEqual(turns, 8)
  })
)

it.scoped("reports a missing folder instead of waiting for it", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(Effect.scoped(FileLock.acquire(join(yield* place, "missing", "lock"))))
    assert.strictEqual(error.reason, "Io")
  })
)

it.scoped("neither locks nor empties a file with other content", () =>
  Effect.gen(function* () {
    const file = yield* place
    for (const content of ["a note", '{"pid":1}', "x".repeat(10_000)]) {
      writeFileSync(file, content)
      const error = yield* Effect.flip(Effect.scoped(FileLock.acquire(file)))
      assert.strictEqual(error.reason, "Io")
      assert.include(error.message, "not a lock file")
      assert.strictEqual(readFileSync(file, "utf8"), content)
    }
  })
)
