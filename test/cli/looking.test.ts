import { execFile } from "node:child_process"
import * as fs from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import * as ParseCache from "docsluice/ParseCache"
import { Effect } from "effect"
import { isolation } from "../faults/disk.ts"
import { commandLine } from "../fixtures/commandLine.ts"
import { opened, scratch, store, write } from "../fixtures/state.ts"
import { type Result, runHere } from "./run.ts"

/** A state that knows one stored page, and what it left. */
const used = Effect.gen(function* () {
  const directory = yield* scratch
  yield* write(directory, "a.html", "<p>one</p>")
  yield* opened(directory, (world) => store(world, "a.html", [world.jsonl]))
  return { directory, state: join(directory, "state"), docs: join(directory, "docs") }
})

const commands = ({ directory, docs, state }: Effect.Effect.Success<typeof used>) => [
  ["status", "--state", state, "--json"],
  ["cache", "--state", state, "--json"],
  ["plan", docs, "--root", docs, "--state", state, "--to", `jsonl:${join(directory, "chunks.jsonl")}`, "--json"],
  ["doctor", "--state", state, "--json"]
]

const check = (results: ReadonlyArray<Result>): void => {
  assert.deepStrictEqual(
    results.map(({ status, stderr }) => ({ status, stderr })),
    Array.from({ length: 4 }, () => ({ status: 0, stderr: "" }))
  )
  const [status, cache, plan, doctor] = results.map(({ stdout }): unknown => JSON.parse(stdout))
  assert.deepInclude(status, { documents: 1, stored: 1, deadLetters: 0 })
  assert.deepInclude(cache, { entries: 1 })
  assert.deepInclude(plan, { new: 0, removed: 0 })
  assert.isTrue(Array.isArray(doctor) && doctor.length === 1)
}

/** Everything that a look could change. */
const seen = (state: string) =>
  fs
    .readdirSync(state, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const { mtimeMs, size } = fs.statSync(join(state, name))
      return { name, size, mtimeMs }
    })

describe("status, cache, plan and doctor", () => {
  it.scopedLive("work while a run has the state, and change nothing in it", () =>
    Effect.gen(function* () {
      const world = yield* used
      yield* Ledger.make({ directory: world.state })
      yield* ParseCache.make({ directory: join(world.state, "cache") })
      const before = seen(world.state)
      const results = yield* Effect.forEach(commands(world), (words) => Effect.promise(() => runHere(words)))
      check(results)
      assert.deepStrictEqual(seen(world.state), before)
    })
  )

  it.scopedLive("see what a run has stored so far", () =>
    Effect.gen(function* () {
      const { directory, state } = yield* used
      yield* write(directory, "b.html", "<p>two</p>")
      const documents = Effect.map(
        Effect.promise(() => runHere(["status", "--state", state, "--json"])),
        ({ stdout }): unknown => JSON.parse(stdout)
      )
      yield* opened(directory, (world) =>
        Effect.gen(function* () {
          assert.deepInclude(yield* documents, { documents: 1 })
          yield* store(world, "b.html", [world.jsonl])
          assert.deepInclude(yield* documents, { documents: 2 })
        })
      )
      assert.deepInclude(yield* documents, { documents: 2 })
    })
  )
})

/** Mounts over themselves in a namespace of their own: what a folder's mode forbids, root may do all the same. */
const onReadOnly = (folders: ReadonlyArray<string>, words: ReadonlyArray<ReadonlyArray<string>>) =>
  Effect.async<ReadonlyArray<Result>>((resume) => {
    const mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift'
    const script = `${folders.map(() => mount).join(" && ")} && exec "$@"`
    const node = [process.execPath, commandLine().commands, JSON.stringify(words)]
    const given = [...(isolation ?? []), "sh", "-c", script, "sh", ...folders, ...node]
    execFile("unshare", given, (error, stdout, stderr) => {
      if (error !== null) resume(Effect.dieMessage(stderr))
      else resume(Effect.succeed(JSON.parse(stdout)))
    })
  })

/** The test is skipped where nothing can be mounted. */
describe.skipIf(isolation === undefined)("on a state that takes no writes", () => {
  it.scopedLive(
    "status, cache, plan and doctor work, what a killed run left is read, and what would write says that it cannot",
    () =>
      Effect.gen(function* () {
        const world = yield* used
        const left = ["with", "without"].map((name) => join(world.directory, name))
        const other = yield* used
        yield* write(other.directory, "b.html", "<p>two</p>")
        yield* opened(other.directory, (killed) =>
          Effect.zipRight(
            store(killed, "b.html", [killed.jsonl]),
            Effect.sync(() => {
              for (const copy of left) fs.cpSync(other.state, copy, { recursive: true })
            })
          )
        )
        const [, without = ""] = left
        fs.rmSync(join(without, "ledger.db-shm"))
        assert.isAbove(fs.statSync(join(without, "ledger.db-wal")).size, 0)
        const results = yield* onReadOnly(
          [world.state, ...left],
          [
            ...commands(world),
            ["cache", "--state", world.state, "--clear", "--json"],
            ...left.map((copy) => ["status", "--state", copy, "--json"])
          ]
        )
        check(results.slice(0, 4))
        assert.strictEqual(results[4]?.status, 2)
        assert.include(results[4]?.stderr, "cannot be written")
        for (const { status, stdout } of results.slice(5)) {
          assert.deepInclude(JSON.parse(stdout), { documents: 2, stored: 2 })
          assert.strictEqual(status, 0)
        }
        assert.strictEqual(results.length, 7)
      })
  )
})
