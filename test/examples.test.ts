import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"

const folder = fileURLToPath(new URL("../examples", import.meta.url))
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href

let cwd: string

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "docsluice-examples-"))
  symlinkSync(folder, join(cwd, "examples"))
})

afterAll(() => rmSync(cwd, { recursive: true }))

/** What an example prints when it is run with a folder of its own as working directory. */
const run = (name: string): Promise<{ readonly status: number | null; readonly output: string }> =>
  new Promise((resolve) => {
    const flags = ["--import", tsx, "--conditions=docsluice:source"]
    const child = spawn(process.execPath, [...flags, join(folder, `${name}.ts`)], { cwd })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part: Buffer) => {
        output += part.toString()
      })
    }
    child.on("close", (status) => resolve({ status, output }))
  })

describe("the examples run", { timeout: 120_000 }, () => {
  it.each([
    ["folder-to-jsonl", /^9 stored, 0 failed, \d+ chunks$/m],
    ["parse-one-file", /^# Station Handbook$/m],
    ["own-chunker", /^0 \d+ # Visit report, Saddle Point$/m],
    ["own-sink", /^stations\.csv \d+ 0$/m],
    ["own-source", /^articles\/west\/fell\.html "# West Fell/m],
    ["plain-async", /^visit-report\.docx 0 \d+$/m]
  ] as const)("%s", async (name, expected) => {
    const { output, status } = await run(name)
    assert.match(output, expected)
    assert.strictEqual(status, 0)
  })
})
