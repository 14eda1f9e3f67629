import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { Effect } from "effect"
import Libsql from "libsql"
import * as Workplace from "./workplace.ts"

const agreeing = { documents: 3, missing: 0, extra: 0, stale: 0, fixed: 0, others: 0 }

const made = Effect.gen(function* () {
  const place = yield* Workplace.make
  const file = join(place.folder, "chunks.jsonl")
  const examine = (...words: ReadonlyArray<string>) =>
    Effect.map(place.run("doctor", "--state", place.state, "--json", ...words), (result) => ({
      status: result.status,
      stderr: result.stderr,
      finding: JSON.parse(result.stdout)[0]
    }))
  return { ...place, file, to: ["--to", `jsonl:${file}`], examine }
})

describe("docsluice doctor", () => {
  it.scopedLive("writes what is missing from the cache, and only then says that it is fixed", () =>
    Effect.gen(function* () {
      const { examine, file, ingest, service, to } = yield* made
      assert.strictEqual((yield* ingest(...to)).status, 0)
      const before = readFileSync(file, "utf8")
      const asked = service.log.length
      const sorted = (text: string) => text.split("\n").toSorted().join("\n")
      for (const after of ["", before.replace(/^.*\n/u, ""), before.replace("in spring", "in winter")]) {
        writeFileSync(file, after)
        const found = yield* examine()
        assert.strictEqual(found.status, 1)
        const { missing } = found.finding
        assert.deepEqual(found.finding, { ...found.finding, ...agreeing, missing: after === "" ? 3 : 1 })
        assert.strictEqual(readFileSync(file, "utf8"), after)
        const fixed = yield* examine("--fix")
        assert.strictEqual(fixed.status, 1)
        assert.deepInclude(fixed.finding, { missing, fixed: missing })
        assert.strictEqual(sorted(readFileSync(file, "utf8")), sorted(before))
        assert.deepInclude((yield* examine()).finding, agreeing)
      }
      assert.strictEqual(service.log.length, asked)
    })
  )

  it.scopedLive("says what only the next ingest can do, and goes on saying so until it is done", () =>
    Effect.gen(function* () {
      const { examine, file, ingest, state, to } = yield* made
      assert.strictEqual((yield* ingest(...to)).status, 0)
      writeFileSync(file, "")
      rmSync(join(state, "cache"), { recursive: true })
      for (const words of [["--fix"], [], ["--fix"]]) {
        const left = yield* examine(...words)
        assert.strictEqual(left.status, 1)
        assert.deepInclude(left.finding, { documents: 3, missing: 3, fixed: 0 })
        assert.include(left.stderr, "3 documents are missing still: the next ingest writes them")
      }
      assert.deepInclude((yield* ingest(...to)).summary, { stored: 3, requests: 3 })
      assert.strictEqual((yield* examine()).status, 0)
    })
  )

  it.scopedLive("only looks without --fix: while another run has the target open, too", () =>
    Effect.gen(function* () {
      const { examine, file, ingest, run, state, to } = yield* made
      assert.strictEqual((yield* ingest(...to)).status, 0)
      const sink = yield* Effect.provide(Jsonl.make({ file }), NodeContext.layer)
      yield* sink.prepare(null)
      const found = yield* examine()
      assert.strictEqual(found.status, 0, found.stderr)
      assert.deepInclude(found.finding, agreeing)
      assert.strictEqual(found.stderr, "")
      const { stderr } = yield* run("doctor", "--state", state)
      assert.include(stderr, "OCR: tesseract.js 7.0.0, eng")
    })
  )

  it.scopedLive("finds a text that was changed in a database", () =>
    Effect.gen(function* () {
      const { examine, folder, ingest } = yield* made
      const database = join(folder, "chunks.db")
      assert.strictEqual((yield* ingest("--to", `libsql:${database}`, "--embedder", "hash")).status, 0)
      assert.deepInclude((yield* examine()).finding, agreeing)
      const db = new Libsql(database)
      db.exec("UPDATE chunks SET text = 'changed' WHERE row = 1")
      db.close()
      assert.deepInclude((yield* examine()).finding, { missing: 1 })
      assert.deepInclude((yield* examine("--fix")).finding, { missing: 1, fixed: 1 })
      assert.strictEqual((yield* examine()).status, 0)
    })
  )
})
