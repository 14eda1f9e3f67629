import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { address, server, sql } from "../ledger/places.ts"
import * as Postgres from "../sinks/postgres.ts"
import { type Result, start } from "./run.ts"
import * as Workplace from "./workplace.ts"

const postgres = server()

const json = ({ stdout }: Pick<Result, "stdout">): Record<string, unknown> => JSON.parse(stdout)

/** Everything that a state holds, by table. */
const contents = (url: string) =>
  Effect.gen(function* () {
    const schema = new URL(url).searchParams.get("schema") ?? ""
    const bare = url.replace(/\?.*$/u, "")
    const tables = yield* sql(bare, "SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY 1", [schema])
    const all: Array<unknown> = []
    for (const [table] of tables) {
      const rows = yield* sql(bare, `SELECT t::text FROM "${schema}"."${String(table)}" t ORDER BY 1`)
      all.push([table, rows])
    }
    return all
  })

describe.skipIf(Postgres.missing() !== null)("commands with a state on PostgreSQL", () => {
  it.scopedLive("ingest, retry, doctor, remove and cache work on it; those that look change nothing", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const { docs, folder, run, service, traces } = yield* Workplace.make
      const to = `jsonl:${join(folder, "chunks.jsonl")}`
      const state = ["--state", url]
      const given = ["--root", docs, "--service", service.base, "--to", to, ...state]

      const before = yield* run("status", "--json", ...state)
      assert.strictEqual(before.status, 1)
      assert.deepStrictEqual(yield* contents(url), [])
      const missing = yield* run("doctor", ...state)
      assert.strictEqual(missing.status, 2)
      assert.include(missing.stderr, "there is no ledger; name the state")

      const planned = yield* run("plan", "--json", ...given, ".")
      assert.deepInclude(json(planned), { new: 3, unchanged: 0 })
      assert.deepStrictEqual(yield* contents(url), [])

      writeFileSync(join(docs, "empty.pdf"), "")
      const first = yield* run("ingest", "--json", ...given, ".")
      assert.strictEqual(first.status, 1, first.stderr)
      assert.deepInclude(json(first), { stored: 3, failed: 1, requests: 3 })

      const held = yield* contents(url)
      const status = yield* run("status", "--json", ...state)
      assert.strictEqual(status.status, 0, status.stderr)
      const failures = yield* run("failures", "--json", ...state)
      assert.strictEqual(json(failures)["total"], 1, failures.stdout)
      const again = yield* run("plan", "--json", ...given, ".")
      assert.deepInclude(json(again), { new: 0, unchanged: 3 })
      const looked = yield* run("doctor", "--json", ...state)
      assert.strictEqual(looked.status, 0, looked.stdout + looked.stderr)
      const cache = yield* run("cache", "--json", ...state)
      assert.strictEqual(json(cache)["entries"], 3, cache.stdout)
      assert.deepStrictEqual(yield* contents(url), held)

      const second = yield* run("ingest", "--json", ...given, ".")
      assert.deepInclude(json(second), { unchanged: 3, stored: 0, requests: 0 })
      writeFileSync(join(docs, "empty.pdf"), "not empty any more")
      yield* Effect.sleep("40 millis")
      const retried = yield* run("retry", "--json", ...state)
      assert.strictEqual(retried.status, 0, retried.stderr)
      assert.strictEqual(json(yield* run("failures", "--json", ...state))["total"], 0)

      rmSync(join(folder, "chunks.jsonl"))
      assert.strictEqual((yield* run("doctor", "--json", ...state)).status, 1)
      const fixed = yield* run("doctor", "--fix", "--json", ...state)
      assert.strictEqual(fixed.status, 1, fixed.stderr)
      assert.strictEqual((yield* run("doctor", "--json", ...state)).status, 0)
      const removed = yield* run("remove", "docs/letters.pdf", ...state)
      assert.strictEqual(removed.status, 0, removed.stderr)
      const cleared = yield* run("cache", "--clear", "--json", ...state)
      assert.strictEqual(cleared.status, 0, cleared.stderr)

      const page = join(folder, "status.html")
      assert.strictEqual((yield* run("status", "--html", page, ...state)).status, 0)
      assert.isTrue(existsSync(page))
      assert.deepStrictEqual(
        readdirSync(folder).filter((name) => !name.startsWith("chunks.jsonl")),
        ["docs", "status.html"]
      )
      assert.notInclude(traces(), "s3cret-pass")
    })
  )

  it.scopedLive("watch follows a folder with it; after its death another process goes on where it was", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const { docs, folder, run, service } = yield* Workplace.make
      const to = `libsql:${join(folder, "store.db")}`
      const given = ["--root", docs, "--service", service.base, "--to", to, "--embedder", "hash", "--state", url]
      const watch = yield* Effect.acquireRelease(
        Effect.sync(() => start(folder, ["watch", "--json", ...given, "."])),
        ({ child, ended }) => Effect.promise(() => (child.kill("SIGKILL"), ended))
      )
      const stored = (documents: number) =>
        Effect.repeat(run("status", "--json", "--state", url), {
          until: ({ stdout }) => stdout.startsWith("{") && json({ stdout })["stored"] === documents,
          schedule: Schedule.spaced("100 millis")
        })
      yield* stored(3)
      writeFileSync(join(docs, "added.pdf"), "document added.pdf")
      yield* stored(4)
      watch.child.kill("SIGKILL")
      yield* Effect.promise(() => watch.ended)
      assert.include(watch.stdout(), '"stored":3')

      const after = yield* run("ingest", "--json", ...given, ".")
      assert.strictEqual(after.status, 0, after.stderr)
      assert.deepInclude(json(after), { unchanged: 4, stored: 0, requests: 0 })
      assert.strictEqual(service.log.length, 4)
    })
  )

  it.scopedLive("say what is wrong with it, without its password", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const { docs, run, service, traces } = yield* Workplace.make
      const wrong = url.replace("s3cret-pass", "s3cret-passed")
      for (const words of [
        ["ingest", "--root", docs, "--service", service.base, "--to", "jsonl:x", "."],
        ["status"],
        ["doctor"],
        ["cache"],
        ["failures"],
        ["retry"]
      ]) {
        const { status, stderr } = yield* run(...words, "--state", wrong)
        assert.strictEqual(status, 2, `${words[0]}: ${stderr}`)
        assert.include(stderr, "check the password")
      }
      const served = yield* run("serve", "--port", "0", "--state", wrong)
      assert.strictEqual(served.status, 64)
      assert.include(served.stderr, "expected a folder")
      assert.notInclude(traces(), "s3cret")
      assert.isFalse(existsSync("x"))
    })
  )
})
