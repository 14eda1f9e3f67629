import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import { runHere } from "./run.ts"

/** Ingests a file that is refused with 503 once, and one that is not, from a slow service. */
const ingest = (words: ReadonlyArray<string>, terminal: { readonly isTTY?: true } = {}) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-requests-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
    )
    const docs = join(folder, "docs")
    mkdirSync(docs)
    for (const name of ["a@e503~times=1.pdf", "b.pdf"]) writeFileSync(join(docs, name), name)
    const service = yield* FaultServer.start({ delay: 200 })
    const where = [
      "--service",
      service.base,
      "--no-state",
      "--mode",
      "append",
      "--to",
      `jsonl:${join(folder, "out.jsonl")}`
    ]
    return yield* Effect.promise(() => runHere(["ingest", ".", "--root", docs, ...where, ...words], terminal))
  })

describe("attempts on the command line", () => {
  it.scopedLive("--log-level debug prints one line on stderr for each: file, attempt, status or tag, wait", () =>
    Effect.gen(function* () {
      const { status, stderr, stdout } = yield* ingest(["--log-level", "debug", "--json"])
      assert.strictEqual(status, 0, stderr)
      const lines = stderr.split("\n").filter((line) => line.includes(": attempt "))
      assert.deepStrictEqual(lines.map((line) => line.replace(/\d+\.\d s$/, "N s")).toSorted(), [
        "debug: a@e503~times=1.pdf: attempt 1: 503 ServiceUnavailable, next in N s",
        "debug: a@e503~times=1.pdf: attempt 2: 200",
        "debug: b.pdf: attempt 1: 200"
      ])
      assert.notInclude(stdout, "attempt 1")
    })
  )

  it.scopedLive("other levels print none", () =>
    Effect.map(ingest(["--json"]), ({ stderr }) => assert.notInclude(stderr, "attempt"))
  )

  it.scopedLive("the progress line shows the gate, and a message takes its place", () =>
    Effect.gen(function* () {
      const { stderr } = yield* ingest(["--log-level", "debug"], { isTTY: true })
      const drawn = stderr.split("\r\u001B[2K")
      assert.isTrue(drawn.some((line) => /^[012]\/2 files.* · limit \d+/.test(line)))
      assert.isTrue(drawn.some((line) => line.startsWith("debug: b.pdf: attempt 1: 200\n")))
    })
  )
})
