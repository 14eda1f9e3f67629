import { type ChildProcess, execFile, spawn } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { commandLine } from "../fixtures/commandLine.ts"

const env = { ...process.env, DOCSLUICE_API_KEY: "" }

interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

const docsluice = (cwd: string, ...words: ReadonlyArray<string>): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [commandLine().main, ...words], { cwd, env }, (error, stdout, stderr) =>
      resolve({ status: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, stdout, stderr })
    )
  })

const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "docsluice-cli-")))
  fs.mkdirSync(join(folder, "docs"))
  try {
    await use(folder)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

const page = (folder: string, name: string, text: string): void =>
  fs.writeFileSync(join(folder, "docs", name), `<h1>${text}</h1><p>${text}</p>`)

const json = ({ stdout }: Ended): Record<string, unknown> => JSON.parse(stdout)

/** Lines of the output as they come, until one satisfies; fails after the test's time. */
const line = (child: ChildProcess, holds: (summary: Record<string, unknown>) => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    let text = ""
    const take = (part: Buffer): void => {
      text += part.toString()
      const lines = text.split("\n")
      text = lines.pop() ?? ""
      if (!lines.some((one) => holds(JSON.parse(one)))) return
      child.stdout?.off("data", take)
      resolve()
    }
    child.stdout?.on("data", take)
    child.once("exit", () => reject(new Error("it ended")))
  })

describe("the commands around the ledger", () => {
  it("plan writes nothing; what ingest left, status, doctor and remove know of", () =>
    inFolder(async (folder) => {
      page(folder, "a.html", "first")
      page(folder, "b.html", "second")
      fs.writeFileSync(join(folder, "docs", "bad.docx"), "no document")

      const planned = await docsluice(folder, "plan", "docs", "--json")
      assert.strictEqual(planned.status, 0)
      assert.deepInclude(json(planned), { new: 3, changed: 0, unchanged: 0, pages: 3, credits: 0 })
      assert.deepStrictEqual(fs.readdirSync(folder), ["docs"])

      const ingested = await docsluice(folder, "ingest", "docs", "--json")
      assert.strictEqual(ingested.status, 1)

      const status = await docsluice(folder, "status", "--json")
      assert.strictEqual(status.status, 0)
      assert.deepInclude(json(status), { lastRun: json(ingested), documents: 3, stored: 2, failed: 1, deadLetters: 1 })

      fs.writeFileSync(
        join(folder, "chunks.jsonl"),
        fs.readFileSync(join(folder, "chunks.jsonl"), "utf8").replace(/^.*\n/, "")
      )
      const examined = await docsluice(folder, "doctor", "--json")
      assert.strictEqual(examined.status, 1)
      assert.deepStrictEqual(JSON.parse(examined.stdout), [
        {
          sink: `jsonl:${join(folder, "chunks.jsonl")}`,
          documents: 2,
          missing: 1,
          extra: 0,
          stale: 0,
          fixed: 0,
          others: 0
        }
      ])

      const removed = await docsluice(folder, "remove", "docs/b.html", "docs/bad.docx")
      assert.strictEqual(removed.status, 0, removed.stderr)
      assert.notInclude(fs.readFileSync(join(folder, "chunks.jsonl"), "utf8"), "docs/b.html")
      assert.strictEqual(fs.readFileSync(join(folder, ".docsluice", "dead-letter.jsonl"), "utf8"), "")
    }))

  it("retry sends the dead letters alone, with the targets of the run, and forgets those that succeed", () =>
    inFolder(async (folder) => {
      page(folder, "a.html", "first")
      fs.writeFileSync(join(folder, "docs", "late.html"), "")
      const asked = ["docs", "--json", "--to", "jsonl:out.jsonl", "--overlap", "16"]
      const ingested = await docsluice(folder, "ingest", ...asked)
      assert.deepInclude(json(ingested), { stored: 1, failed: 1 })
      page(folder, "late.html", "late")
      page(folder, "new.html", "of the next ingest")
      const retried = await docsluice(folder, "retry", "--json")
      assert.strictEqual(retried.status, 0, retried.stderr)
      assert.deepInclude(json(retried), { discovered: 1, stored: 1, failed: 0 })
      const written = fs.readFileSync(join(folder, "out.jsonl"), "utf8")
      assert.include(written, "docs/late.html")
      assert.notInclude(written, "docs/new.html")
      assert.deepInclude(json(await docsluice(folder, "ingest", ...asked)), { unchanged: 2, stored: 1 })
      assert.strictEqual(fs.readFileSync(join(folder, ".docsluice", "dead-letter.jsonl"), "utf8"), "")
    }))

  it("watch starts on an empty folder, follows what is added and ends cleanly", () =>
    inFolder(async (folder) => {
      const child = spawn(process.execPath, [commandLine().main, "watch", "docs", "--json"], { cwd: folder, env })
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
      await line(child, ({ discovered }) => discovered === 0)
      page(folder, "a.html", "first")
      await line(child, ({ stored }) => stored === 1)
      child.kill("SIGINT")
      assert.strictEqual(await ended, 130)
      assert.include(fs.readFileSync(join(folder, "chunks.jsonl"), "utf8"), "docs/a.html")
    }))
})
