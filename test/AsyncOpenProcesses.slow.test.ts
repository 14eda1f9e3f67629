import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Async from "docsluice/Async"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

const program = new URL("fixtures/openCorpus.ts", import.meta.url)

/** From source: the engine starts workers, which are files of their own. */
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
const loader = ["--import", tsx, "--conditions=docsluice:source"]

let folder = ""
let store = ""
let state = ""
const opened: Array<Async.AsyncCorpus> = []
const children: Array<ChildProcess> = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "async-open-"))
  store = join(folder, "store.db")
  state = join(folder, "state")
})

afterEach(async () => {
  for (const docs of opened.splice(0)) await docs.close()
  for (const child of children.splice(0)) child.kill("SIGKILL")
  rmSync(folder, { recursive: true })
})

const open = async (): Promise<Async.AsyncCorpus> => {
  const docs = await Async.open({ to: `libsql:${store}`, embedder: "hash", state })
  opened.push(docs)
  return docs
}

/** Resolves once the condition holds. */
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await sleep(5)
}

const child = (
  kind: string
): {
  readonly said: (word: string) => Promise<void>
  readonly process: ChildProcess
  readonly out: () => string
  readonly error: () => string
} => {
  const started = spawn(process.execPath, [...loader, fileURLToPath(program), kind, state, store])
  children.push(started)
  const texts = { out: "", error: "" }
  started.stdout.on("data", (part: Buffer) => (texts.out += part.toString()))
  started.stderr.on("data", (part: Buffer) => (texts.error += part.toString()))
  return {
    process: started,
    out: () => texts.out,
    error: () => texts.error,
    said: (word) => until(() => texts.error.includes(word) || started.exitCode !== null)
  }
}

const ended = (process: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => process.once("close", (code) => resolve(code)))

describe("Async.open among processes", () => {
  it("refuses a state that another process has open, and opens it after that process was killed", async () => {
    const holder = child("hold")
    await holder.said("open")
    const error = await open().catch((cause: unknown) => cause)
    assert.deepInclude(error, { _tag: "LedgerError", reason: "Locked", pid: holder.process.pid })
    const over = ended(holder.process)
    holder.process.kill("SIGKILL")
    await over
    assert.deepInclude(await (await open()).status(), { documents: 0, lastRun: null })
  })

  it("ends with its last call, prints nothing, and lets the process end", async () => {
    const { error, out, process } = child("add")
    assert.strictEqual(await ended(process), 0)
    assert.strictEqual(error(), "Stored quay.csv, rows 1–2\n")
    assert.strictEqual(out(), "")
  })

  it("has every version that it acknowledged, and one version only, after the process was killed", async () => {
    const { error, process, said } = child("slow")
    await said("version 2\n")
    const over = ended(process)
    process.kill("SIGKILL")
    await over
    const last = [...error().matchAll(/version (\d+)\n/gu)].length - 1
    assert.isAtLeast(last, 2)
    const docs = await open()
    await docs.add({ path: "other.csv", content: new TextEncoder().encode("a\nb\n") })
    const texts = (await docs.search("version", { mode: "words" })).map(({ chunk }) => chunk.text)
    const versions = texts.map((text) => Number(/version (\d+)/u.exec(text)?.[1]))
    assert.lengthOf(versions, 1)
    assert.isAtLeast(versions[0] ?? -1, last)
  })
})
