import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import { runHere } from "./run.ts"
import * as Workplace from "./workplace.ts"

const json = (text: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(text)
  return typeof value === "object" && value !== null ? { ...value } : {}
}

/** A service that finds no text in scans. */
const readingScans = FaultServer.start({
  document: ({ filename }) => ({
    success: true,
    data: { markdown: filename.startsWith("scan") ? "" : `# ${filename}`, metadata: { numPages: 1, totalPages: 1 } }
  })
})

describe("docsluice failures", () => {
  it.scopedLive("counts a scan as empty, not as stored, in the summary, the report and the status", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      const { base } = yield* readingScans
      for (const name of ["scan-1.pdf", "scan-2.pdf"]) writeFileSync(join(place.docs, name), name)
      const to = ["--to", `jsonl:${join(place.folder, "chunks.jsonl")}`, "--service", base]
      const given = ["--root", place.docs, "--state", place.state, ...to]
      const first = yield* place.run("ingest", ...given)
      assert.match(first.stdout, /^stored 3 documents, 3 chunks/)
      assert.match(first.stdout, /^of 5 files: 2 empty$/m)
      assert.match(first.stdout, /\n2 empty\n  no text was found in them[^]*?\n  scan-1\.pdf\n  scan-2\.pdf\n/)
      assert.notInclude(first.stdout, "warning")
      assert.strictEqual(first.status, 0)
      const again = yield* place.run("ingest", ...given, "--json", "--refresh")
      assert.deepInclude(json(again.stdout), { discovered: 5, stored: 3, empty: 2 })
      const status = yield* place.run("status", "--state", place.state)
      assert.match(status.stdout, /5 documents, 3 stored, 2 empty, 0 failed/)
      const counted = json((yield* place.run("status", "--state", place.state, "--json")).stdout)
      assert.deepInclude(counted, { documents: 5, stored: 3, empty: 2 })
      assert.deepInclude(counted["lastRun"], { stored: 3, empty: 2 })
    })
  )

  it.scopedLive("says of scans without text what their answers say, once for all of their pages", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      const why = "the time for OCR ran out"
      const { base } = yield* FaultServer.start({
        document: () => {
          const page = (pageNumber: number) => ({ pageNumber, width: 612, height: 792, status: "partial", items: [] })
          const metadata = { numPages: 4, totalPages: 4 }
          return { success: true, data: { markdown: "", blocks: [1, 2, 4].map(page), warning: why, metadata } }
        }
      })
      const to = ["--to", `jsonl:${join(place.folder, "chunks.jsonl")}`, "--service", base]
      const { stdout } = yield* place.run("ingest", "--root", place.docs, "--state", place.state, ...to)
      assert.include(stdout, "3 empty")
      assert.match(stdout, /\n3 warnings\n {2}the time for OCR ran out\n/)
      assert.match(stdout, /\n3 warnings\n {2}pages 1-2, 4 are partial\n/)
      assert.notInclude(stdout, "the document has no text")
      assert.notInclude(stdout, "npm install")
    })
  )

  it.scopedLive("warns once of each scan whose answer names its pages, in the summary, the report and the page", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      const why = "No readable text layer on page 1-2, 4: OCR needs packages. Page 3 cannot be read."
      const { base } = yield* FaultServer.start({
        document: () => {
          const page = (pageNumber: number) => ({
            pageNumber,
            width: 612,
            height: 792,
            items: [],
            status: pageNumber === 3 ? "failed" : "partial"
          })
          const metadata = { numPages: 4, totalPages: 4 }
          return { success: true, data: { markdown: "", blocks: [1, 2, 3, 4].map(page), warning: why, metadata } }
        }
      })
      const html = join(place.folder, "report.html")
      const to = ["--to", `jsonl:${join(place.folder, "chunks.jsonl")}`, "--service", base]
      const given = ["--root", place.docs, "--state", place.state, ...to]
      const { stdout } = yield* place.run("ingest", ...given, "--report", html)
      assert.strictEqual(stdout.match(/warning/gu)?.length, 1)
      assert.include(readFileSync(html, "utf8"), "<h3>3 warnings</h3>")
      const again = json((yield* place.run("ingest", ...given, "--refresh", "--json")).stdout)
      const names = ["gauges.pdf", "letters.pdf", "sensors.pdf"]
      assert.deepEqual(
        again["warnings"],
        names.map((source) => ({ source, message: why }))
      )
    })
  )

  it.scopedLive("groups what failed by cause, with what helps and the command to type", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      mkdirSync(join(place.docs, "broken"))
      for (const name of ["a.pdf", "b.pdf"]) writeFileSync(join(place.docs, "broken", name), "")
      const to = `jsonl:${join(place.folder, "chunks.jsonl")}`
      const given = ["--root", place.docs, "--state", place.state, "--service", place.service.base]
      const run = yield* place.run("ingest", ...given, "--to", to, "--api-key", "sk-secret")
      assert.strictEqual(run.status, 1)
      assert.match(
        run.stdout,
        /^2 cannot be read \(FileUnreadable\)\n  check that .*\n  broken\/a\.pdf\n  broken\/b\.pdf\n    the file is empty\n/m
      )
      assert.match(run.stdout, /^next: docsluice ingest --root .* --api-key …\n {2}\(once they are mended\)$/m)
      assert.notInclude(run.stdout + run.stderr, "sk-secret")
      const found = yield* place.run("failures", "--state", place.state)
      assert.strictEqual(found.status, 0)
      assert.match(found.stdout, /^2 cannot be read \(FileUnreadable\)\n/)
      assert.include(found.stdout, "  docs/broken/a.pdf\n")
      const all = json((yield* place.run("failures", "--state", place.state, "--json")).stdout)
      assert.deepInclude(all, { total: 2, stopped: null })
      assert.match(JSON.stringify(all["causes"]), /"tag":"FileUnreadable","count":2,"retryable":(true|false),/)
      assert.include(JSON.stringify(all["causes"]), '"root":"docs","source":"broken/a.pdf"')
      rmSync(join(place.docs, "broken"), { recursive: true })
    })
  )

  it.scopedLive("names retry where a failure may pass", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      mkdirSync(place.state)
      const letter = {
        source: "a.pdf",
        contentHash: null,
        tag: "ServiceUnavailable",
        message: "busy",
        retryable: true,
        attempts: 5,
        at: "2026-01-01T00:00:00.000Z"
      }
      writeFileSync(join(place.state, "dead-letter.jsonl"), `${JSON.stringify(letter)}\n`)
      const { stdout } = yield* place.run("failures", "--state", place.state)
      assert.match(stdout, /^1 sent while the service was busy \(ServiceUnavailable\)\n/)
      assert.include(stdout, `\nnext: docsluice retry --state ${place.state}\n`)
      assert.strictEqual(readFileSync(join(place.state, "dead-letter.jsonl"), "utf8"), `${JSON.stringify(letter)}\n`)
    })
  )

  it("ends with 1 where nothing failed, and makes nothing", async () => {
    const none = await runHere(["failures", "--state", "dist/nowhere"])
    assert.deepStrictEqual(none, { status: 1, stdout: "nothing failed, by what dist/nowhere holds\n", stderr: "" })
    const { stdout } = await runHere(["failures", "--state", "dist/nowhere", "--json"])
    assert.deepStrictEqual(json(stdout), { total: 0, causes: [], stopped: null })
  })
})

describe("--json", () => {
  it.scopedLive.each(["status", "plan", "cache", "doctor", "failures", "remove"])(
    "prints one object with the error when %s cannot read the state",
    (command) =>
      Effect.gen(function* () {
        const place = yield* Workplace.make
        const broken = { ledger: join(place.state, "ledger.db"), cache: join(place.state, "cache") }
        mkdirSync(broken.ledger, { recursive: true })
        writeFileSync(broken.cache, "no folder")
        const words = new Map([
          ["plan", ["--root", place.docs]],
          ["remove", ["a.pdf"]],
          ["cache", ["--clear"]]
        ])
        const more = words.get(command) ?? []
        const { status, stderr, stdout } = yield* place.run(command, ...more, "--state", place.state, "--json")
        assert.strictEqual(status, 2, stdout + stderr)
        const { error } = json(stdout)
        assert.match(JSON.stringify(error), /^\{"tag":"(Ledger|ParseCache)Error","message":"[^"]+.*"\}$/)
        assert.match(stderr, /^(Ledger|ParseCache)Error: /)
      })
  )
})
