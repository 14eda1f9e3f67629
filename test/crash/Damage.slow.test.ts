import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { bundled } from "../fixtures/bundled.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-damage-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const flipped = new URL("flipped.ts", import.meta.url)

const said = (base: string) =>
  Effect.async<{ readonly text: string; readonly problem: string }>((resume) => {
    execFile(process.execPath, [bundled(flipped), base], (error, text, problem) =>
      resume(Effect.succeed({ text, problem: error === null ? "" : `${error.signal} ${problem}` }))
    )
  })

it.scopedLive(
  "a flipped bit of the ledger, of a cache or of a database target is read past or a typed error, and never the end of the process",
  () =>
    Effect.gen(function* () {
      const { problem, text } = yield* said(yield* folder)
      assert.strictEqual(problem, "")
      const counts: Record<string, number> = JSON.parse(text)
      const names = Object.keys(counts)
      assert.deepStrictEqual(
        names.filter((name) => !/^(?:read|\w+Error (?:Corrupted|Newer)|SinkError (?:Mismatch|Rejected))$/.test(name)),
        []
      )
      assert.isAbove(counts["LedgerError Corrupted"] ?? 0, 8)
      assert.isAbove(counts["SinkError Mismatch"] ?? 0, 8)
      assert.isAbove(counts["read"] ?? 0, 100)
    })
)
