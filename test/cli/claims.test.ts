import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import Libsql from "libsql"
import * as Workplace from "./workplace.ts"

describe("whose a target is, on the command line", () => {
  it.scopedLive("a target of a lost state is 64 until it is adopted, and then nothing is written twice", () =>
    Effect.gen(function* () {
      const { folder, ingest, run, state } = yield* Workplace.make
      const file = join(folder, "chunks.jsonl")
      const to = ["--to", `jsonl:${file}`]
      assert.strictEqual((yield* ingest(...to)).status, 0)
      const before = readFileSync(file, "utf8")
      rmSync(state, { recursive: true })
      for (const flags of [[], ["--rebuild"], ["--shared"], ["--mode", "sync"]]) {
        const refused = yield* ingest(...to, ...flags)
        assert.strictEqual(refused.status, 64, refused.stderr)
        assert.include(refused.stderr, "--adopt")
        assert.strictEqual(readFileSync(file, "utf8"), before)
      }
      const adopted = yield* ingest(...to, "--adopt")
      assert.strictEqual(adopted.status, 0, adopted.stderr)
      assert.deepInclude(adopted.summary, { stored: 3, failed: 0 })
      assert.strictEqual(readFileSync(file, "utf8"), before)
      const doctor = yield* run("doctor", "--state", state, "--json")
      assert.deepInclude(JSON.parse(doctor.stdout)[0], { documents: 3, missing: 0, extra: 0, others: 0 })
      assert.strictEqual(doctor.status, 0)
    })
  )

  it.scopedLive("content of somebody else is 64, with --rebuild too, and stays as it is", () =>
    Effect.gen(function* () {
      const { folder, ingest } = yield* Workplace.make
      const database = join(folder, "theirs.db")
      const theirs = new Libsql(database)
      theirs.exec("CREATE VIRTUAL TABLE chunks_fts USING fts5(text, headings, source)")
      theirs.exec("INSERT INTO chunks_fts VALUES ('kept', '', ''); CREATE TABLE docsluice (mine TEXT)")
      theirs.close()
      const lines = join(folder, "theirs.jsonl")
      writeFileSync(lines, '{"mine": "kept"}\n')
      const bytes = () => [readFileSync(database, "latin1"), readFileSync(lines, "latin1")]
      const before = bytes()
      for (const to of [`libsql:${database}`, `jsonl:${lines}`]) {
        for (const flags of [[], ["--rebuild"], ["--adopt"], ["--rebuild", "--adopt"]]) {
          const refused = yield* ingest("--to", to, ...flags)
          assert.strictEqual(refused.status, 64, refused.stderr)
          assert.deepEqual(bytes(), before)
        }
      }
    })
  )

  it.scopedLive("a run without a state is refused by a store of a state, and by one that holds something", () =>
    Effect.gen(function* () {
      const { folder, ingest } = yield* Workplace.make
      const to = ["--to", `libsql:${join(folder, "chunks.db")}`]
      assert.strictEqual((yield* ingest(...to)).status, 0)
      const refused = yield* ingest(...to, "--no-state")
      assert.strictEqual(refused.status, 64, refused.stderr)
      assert.strictEqual((yield* ingest(...to, "--no-state", "--mode", "append")).status, 0)
      assert.strictEqual((yield* ingest(...to, "--no-state", "--adopt")).status, 64)
      assert.strictEqual((yield* ingest(...to, "--shared", "--adopt")).status, 64)
      const fresh = ["--to", `libsql:${join(folder, "fresh.db")}`, "--no-state"]
      assert.strictEqual((yield* ingest(...fresh)).status, 0)
      assert.strictEqual((yield* ingest(...fresh)).status, 64)
    })
  )

  it.scopedLive("a root's name is one part of a path", () =>
    Effect.gen(function* () {
      const { ingest } = yield* Workplace.make
      for (const name of ["", " ", ".", "..", "a/b", "a\\b", "a\nb"]) {
        const refused = yield* ingest("--name", name)
        assert.strictEqual(refused.status, 64, JSON.stringify(name))
        assert.include(refused.stderr, "--name")
      }
    })
  )
})
