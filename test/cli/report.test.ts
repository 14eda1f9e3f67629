import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { RunReport } from "docsluice/Ledger"
import { Effect, Schema } from "effect"
import rehypeParse from "rehype-parse"
import { unified } from "unified"
import * as FaultServer from "../faultserver/server.ts"
import { run, runHere, start } from "./run.ts"

/** A node of an independent parser, as far as it is looked at. */
interface Node {
  readonly type: string
  readonly value?: string
  readonly tagName?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly children?: ReadonlyArray<Node>
}

const parser = unified().use(rehypeParse).freeze()

const parse = (html: string): Node => parser.parse(html)

const elements = (node: Node): ReadonlyArray<Node> => [
  ...(node.tagName === undefined ? [] : [node]),
  ...(node.children ?? []).flatMap(elements)
]

const named = (node: Node, name: string): ReadonlyArray<Node> =>
  elements(node).filter(({ tagName }) => tagName === name)

/** The text that a node shows, signs read as the characters that they stand for. */
const textOf = (node: Node): string => {
  const sign = node.properties?.["dataU"]
  return typeof sign === "string"
    ? String.fromCodePoint(Number.parseInt(sign, 16))
    : (node.value ?? (node.children ?? []).map(textOf).join(""))
}

const one = (nodes: ReadonlyArray<Node>): Node => {
  const [first] = nodes
  assert.isDefined(first)
  return first
}

/** The rows of the table with this label, each as the texts of its cells. */
const table = (page: Node, label: string): ReadonlyArray<ReadonlyArray<string>> =>
  named(one(named(page, "table").filter(({ properties }) => properties?.["ariaLabel"] === label)), "tr")
    .slice(1)
    .map((row) => (row.children ?? []).map(textOf))

/** Figures of the last run in detail. */
const facts = (page: Node): Readonly<Record<string, string>> =>
  Object.fromEntries(
    named(one(named(page, "article")), "div")
      .filter(({ children = [] }) => children[0]?.tagName === "dt")
      .map(({ children: [name, value] = [] }) =>
        [name, ...(value?.children ?? [])].flatMap((one) => (one === undefined ? [] : [textOf(one)]))
      )
      .map(([name = "", value = "", note = ""]) => [name, note === "" ? value : `${value}: ${note}`])
  )

const scratch = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "docsluice-report-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Nine documents: three ordinary ones, an empty one, one in part, one that waits, three that fail in two ways. */
const names = {
  "a.pdf": "A",
  "deep/b & <i>.pdf": "B",
  "\u202efdp.pdf": "reversed",
  "scan.pdf": "",
  "long.pdf": "in part",
  "slow@e429-rate~times=1,retryAfter=1.pdf": "slow",
  "bad-1@e422.pdf": "",
  "bad-2@e422.pdf": "",
  "big@e413.pdf": ""
}

const place = Effect.gen(function* () {
  const folder = yield* scratch
  const [docs, state, out] = [join(folder, "docs"), join(folder, "state"), join(folder, "report.html")]
  mkdirSync(join(docs, "deep"), { recursive: true })
  for (const name of Object.keys(names)) writeFileSync(join(docs, name), `document ${name}`)
  writeFileSync(join(docs, "picture.psd"), "no document")
  const service = yield* FaultServer.start({
    document: ({ filename }) => {
      const [, text = filename] = Object.entries(names).find(([name]) => name.endsWith(filename)) ?? []
      const pages = filename === "long.pdf" ? 7 : 2
      const markdown = text === "" ? "" : `# ${text}\n\n${`Words of ${text}. `.repeat(text === "A" ? 400 : 3)}`
      const metadata = { numPages: 2, totalPages: pages, creditsUsed: 2 }
      return { success: true, data: { markdown, metadata } }
    }
  })
  const at = (base: string) => [
    "--root",
    docs,
    "--state",
    state,
    "--service",
    base,
    "--to",
    `fs:${join(folder, "chunks")}`
  ]
  const given = at(service.base)
  const ingest = (...words: ReadonlyArray<string>) =>
    Effect.promise(() => runHere(["ingest", ...given, ...words, "--report", out, "."]))
  const status = (...words: ReadonlyArray<string>) =>
    Effect.promise(() => runHere(["status", "--state", state, ...words]))
  return { folder, docs, state, out, ingest, status, at, given, page: () => parse(readFileSync(out, "utf8")) }
})

const Status = Schema.parseJson(Schema.Struct({ report: Schema.NullOr(RunReport) }))

const reportOf = (stdout: string): RunReport => {
  const { report } = Schema.decodeSync(Status)(stdout)
  assert.isNotNull(report)
  return report
}

describe("reports of runs", () => {
  it.scopedLive("ingest --report shows what was stored and what failed, with the remedy, and what it cost", () =>
    Effect.gen(function* () {
      const { docs, folder, ingest, page, status } = yield* place
      const first = yield* ingest("--mode", "sync")
      assert.strictEqual(first.status, 1, first.stderr)
      assert.match(first.stderr, /wrote .*report\.html: the report of the run/)
      const shown = page()
      const figures = facts(shown)
      const expected = { Found: "10", Stored: "5", Unchanged: "0", Empty: "1", Failed: "3", Removed: "0" }
      assert.deepInclude(figures, { ...expected, "Types not read": "1", Retries: "1" })
      assert.match(figures["Credits"] ?? "", /^12/)
      assert.match(figures["Requests"] ?? "", /^10/)
      assert.match(figures["Waits"] ?? "", /^1: 1\.\d s in all, 1\.\d s the longest$/)
      const text = textOf(one(named(shown, "article")))
      assert.include(text, "2 not understood by the service UnprocessableEntity")
      assert.include(text, "What helps: look at one with docsluice parse.")
      assert.include(text, "1 too large for the service PayloadTooLarge")
      const failed = table(shown, "Documents: not understood by the service")
      assert.sameMembers(
        failed.map(([name]) => name),
        ["bad-1@e422.pdf", "bad-2@e422.pdf"]
      )
      assert.deepStrictEqual(
        table(shown, "Empty").map(([name]) => name),
        ["scan.pdf"]
      )
      assert.deepStrictEqual(
        table(shown, "Stored in part").map(([name]) => name),
        ["long.pdf"]
      )
      assert.isAbove(table(shown, "Slowest").length, 8)
      const chunks = table(shown, "Chunk sizes").reduce((sum, [, count]) => sum + Number(count), 0)
      assert.strictEqual(chunks, Number((figures["Chunks"] ?? "").replace(/\D.*/, "")))
      const runs = table(shown, "The last runs")
      assert.strictEqual(runs.length, 1)
      assert.deepStrictEqual(runs[0]?.slice(6, 11), ["5", "0", "1", "3", "0"], "as the counts of the run")

      // Every link leads to what is there, and every other document is shown by its command.
      const links = named(shown, "a").map(({ properties }) => String(properties?.["href"]))
      assert.isAbove(links.length, 10)
      for (const link of links) {
        assert.isTrue(existsSync(fileURLToPath(new URL(link, pathToFileURL(`${folder}/report.html`)))), link)
      }
      assert.includeMembers(links, ["./docs/deep/b%20%26%20%3Ci%3E.pdf", "./chunks/docs/long.pdf"])
      assert.isTrue(
        named(shown, "code").some(
          (code) => textOf(code).startsWith("docsluice chunks ") && textOf(code).includes("--html scan.pdf.html")
        )
      )

      rmSync(join(docs, "a.pdf"))
      const second = yield* ingest("--mode", "sync", "--json")
      assert.strictEqual(second.status, 1)
      const again = page()
      assert.deepInclude(facts(again), { Found: "9", Stored: "0", Unchanged: "5", Removed: "1", Requests: "0" })
      assert.deepStrictEqual(table(again, "Removed documents"), [["a.pdf"]])
      assert.deepStrictEqual(
        table(again, "The last runs").map(([run, , root]) => [run, root]),
        [
          ["2", "docs"],
          ["1", "docs"]
        ]
      )
      const { stdout } = yield* status("--json")
      assert.deepInclude(
        { ...reportOf(stdout) },
        { root: "docs", folder: docs, removed: 1, removedDocuments: ["a.pdf"] }
      )
    })
  )

  it.scopedLive("holds nothing but markup of its own, one style, and names with their invisible characters shown", () =>
    Effect.gen(function* () {
      const { docs, ingest, out, page } = yield* place
      for (const name of ["<img src=x onerror=alert(1)>.pdf", "javascript:alert(1)&quot;.pdf", "a\nb\u200b.pdf"]) {
        if (!name.includes("/")) writeFileSync(join(docs, name), name)
      }
      yield* ingest()
      const html = readFileSync(out, "utf8")
      assert.notMatch(html, /[\u202e\u200b]/u)
      const shown = page()
      const allowed = new Set(
        (
          "html head meta title style body main header h1 h2 h3 h4 section article p div span table thead tbody tr th td svg rect " +
          "dl dt dd small code bdi time a details summary strong"
        ).split(" ")
      )
      for (const { properties = {}, tagName = "" } of elements(shown)) {
        assert.isTrue(allowed.has(tagName), tagName)
        for (const [name, value] of Object.entries(properties)) {
          assert.notMatch(name, /^on|^style$|^src$/)
          if (name === "href") assert.match(String(value), /^\.\/[\w.%~!*'()/-]+$/u)
        }
      }
      assert.lengthOf(named(shown, "style"), 1)
      const policy = named(shown, "meta").find(({ properties }) => properties?.["httpEquiv"] !== undefined)
      assert.match(String(policy?.properties?.["content"]), /^default-src 'none'; style-src 'sha256-[\w+/=]+';/)
      const listed = table(shown, "Slowest").map(([name]) => name)
      assert.includeMembers(listed, ["\u202efdp.pdf", "<img src=x onerror=alert(1)>.pdf", "a\nb\u200b.pdf"])
    })
  )

  it.scopedLive("keeps a run's exit status when the page cannot be written at its end, and says so", () =>
    Effect.gen(function* () {
      const { at, docs, folder, given, state } = yield* place
      for (const name of readdirSync(docs)) if (name.includes("@e4")) rmSync(join(docs, name))
      const gone = join(folder, "gone")
      mkdirSync(gone)
      // The folder is there when the run begins and gone when it ends.
      const service = yield* FaultServer.start({
        document: () => {
          rmSync(gone, { recursive: true, force: true })
          return { success: true, data: { markdown: "text", metadata: { numPages: 1, totalPages: 1 } } }
        }
      })
      const to = join(gone, "r.html")
      const { status, stderr } = yield* Effect.promise(() =>
        runHere(["ingest", ...at(service.base), "--report", to, "."])
      )
      assert.match(stderr, /the report was not written, the run stands: .*r\.html/)
      assert.strictEqual(status, 0, stderr)
      const { stdout } = yield* Effect.promise(() => runHere(["status", "--state", state, "--json"]))
      assert.strictEqual(reportOf(stdout).exit, 0)
      const early = yield* Effect.promise(() => runHere(["ingest", ...given, "--report", join(gone, "r.html"), "."]))
      assert.strictEqual(early.status, 64)
      assert.match(early.stderr, /--report .*: the folder .* does not exist/)
      const dash = yield* Effect.promise(() => runHere(["ingest", ...given, "--report", "-", "."]))
      assert.deepStrictEqual([dash.status, dash.stdout], [64, ""])
    })
  )

  it.scopedLive(
    "status --html shows a killed run as one without an end, the one before in detail, and runs that go on",
    () =>
      Effect.gen(function* () {
        const { at, docs, folder, ingest, out, page, state, status } = yield* place
        for (const name of readdirSync(docs)) if (name.includes("@")) rmSync(join(docs, name))
        yield* ingest()
        rmSync(out)
        const service = yield* FaultServer.start({ delay: 60_000 })
        writeFileSync(join(docs, "new.pdf"), "new")
        const words = ["ingest", ...at(service.base), "--report", out, "."]
        const { child, ended } = yield* Effect.acquireRelease(
          Effect.sync(() => start(folder, words)),
          ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
        )
        while (service.log.length === 0) yield* Effect.sleep("20 millis")
        // Another process reads the state while the run goes on.
        const during = yield* Effect.promise(() => run(folder, ["status", "--state", state, "--html", out]))
        assert.strictEqual(during.status, 0, during.stderr)
        assert.include(during.stdout, "did not end")
        const check = () => {
          const [last, before] = table(page(), "The last runs")
          assert.deepStrictEqual([last?.[0], last?.[3]], ["2", "goes on, or was killed"])
          assert.deepStrictEqual([before?.[0], before?.[3]], ["1", "done, with warnings"])
          assert.match(textOf(one(named(page(), "article"))), /^Run 1 of docs/)
        }
        check()
        child.kill("SIGKILL")
        yield* Effect.promise(() => ended)
        rmSync(out)
        assert.strictEqual((yield* status("--html", out)).status, 0)
        check()
      })
  )

  it.scopedLive("keeps the reports of twenty runs, and writes the page to stdout alone for --html -", () =>
    Effect.gen(function* () {
      const { docs, ingest, state, status } = yield* place
      for (const name of readdirSync(docs)) if (name.includes("@")) rmSync(join(docs, name))
      for (let count = 0; count < 23; count++) yield* ingest()
      const { stdout } = yield* status("--html", "-")
      assert.match(stdout, /^<!DOCTYPE html>.*<\/html>\n$/s)
      const shown = parse(stdout)
      const runs = table(shown, "The last runs")
      assert.deepStrictEqual([runs.length, runs[0]?.[0], runs[19]?.[0]], [20, "23", "4"])
      assert.deepInclude(facts(shown), { Unchanged: "5", Stored: "0" })
      assert.strictEqual((yield* status("--html", "-", "--json")).status, 64)
      const none = yield* Effect.promise(() => runHere(["status", "--state", `${state}-none`, "--html", "-"]))
      assert.deepStrictEqual([none.status, named(parse(none.stdout), "table").length], [1, 0])
    })
  )

  it.scopedLive("retry and watch write the page of their runs", () =>
    Effect.gen(function* () {
      const { folder, given, ingest, out, page, state } = yield* place
      yield* ingest()
      rmSync(out)
      const again = yield* Effect.promise(() => runHere(["retry", "--state", state, "--report", out]))
      assert.strictEqual(again.status, 1, again.stderr)
      assert.deepInclude(facts(page()), { Found: "3", Failed: "3", Stored: "0" })
      rmSync(out)
      const { child, ended } = start(folder, ["watch", ...given, "--report", out, "."])
      while (!existsSync(out)) yield* Effect.sleep("50 millis")
      child.kill("SIGINT")
      yield* Effect.promise(() => ended)
      assert.deepInclude(facts(page()), { Found: "10", Unchanged: "6" })
      assert.strictEqual(table(page(), "The last runs").length, 3)
    })
  )
})
