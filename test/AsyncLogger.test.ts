import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Async from "docsluice/Async"
import { Cause, Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { characters, parsed, parser, sink } from "./pipeline/fakes.ts"

/** A parser that logs at each level. */
const layer = Layer.merge(
  parser((source) =>
    Effect.gen(function* () {
      yield* Effect.logDebug("looking")
      yield* Effect.logInfo("parsing").pipe(Effect.annotateLogs({ path: source.path }))
      yield* Effect.logWarning("slow")
      yield* Effect.logError("failed", Cause.fail("because"))
      return parsed(source)
    })
  ),
  characters
)

const files = [{ path: "a.pdf", content: new Uint8Array([1]) }]

const recording = () => {
  const lines: Array<string> = []
  const log =
    (level: string): NonNullable<Async.AsyncLogger["info"]> =>
    (message, fields) => {
      lines.push(`${level} ${message} ${Object.keys(fields).join(" ")}`.trim())
    }
  return { lines, logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") } }
}

const expected = ["debug looking", "info parsing path", "warn slow", "error failed cause"]

describe("the logger of Async", () => {
  it("gets the messages of a run by level, with their fields", async () => {
    const { lines, logger } = recording()
    await Async.ingest({ files, name: "root", sinks: [sink().service], layer, logger })
    assert.deepStrictEqual(lines, expected)
  })

  it("gets those of chunks and parse too", async () => {
    const first = recording()
    for await (const _ of Async.chunks({ files, name: "root", layer, logger: first.logger })) assert.isOk(_)
    assert.deepStrictEqual(first.lines, expected)
    const second = recording()
    await Async.parse({ path: "a.pdf", content: new Uint8Array([1]) }, { layer, logger: second.logger })
    assert.deepStrictEqual(second.lines, expected)
  })

  it("may lack levels, and may throw", async () => {
    const warned: Array<string> = []
    const summary = await Async.ingest({
      files,
      name: "root",
      sinks: [sink().service],
      layer,
      logger: {
        warn: (message) => void warned.push(message),
        error: () => {
          throw new Error("the logger is broken")
        }
      }
    })
    assert.strictEqual(summary.stored, 1)
    assert.deepStrictEqual(warned, ["slow"])
  })

  it("is stderr when none is given, and nothing is ever printed on stdout", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docsluice-quiet-"))
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
    const host = fileURLToPath(new URL("fixtures/quietHost.ts", import.meta.url))
    const child = spawn(process.execPath, ["--import", tsx, "--conditions=docsluice:source", host, folder])
    const output = { stdout: "", stderr: "" }
    child.stdout.on("data", (part: Buffer) => (output.stdout += part.toString()))
    child.stderr.on("data", (part: Buffer) => (output.stderr += part.toString()))
    const status = await new Promise((resolve) => child.on("close", resolve))
    rmSync(folder, { recursive: true })
    assert.strictEqual(status, 0, output.stderr)
    assert.strictEqual(output.stdout, "")
    assert.match(output.stderr, /^docsluice: warn: .*not yet ready/m)
    assert.isTrue(
      output.stderr
        .trim()
        .split("\n")
        .every((line) => line.startsWith("docsluice: "))
    )
  })
})
