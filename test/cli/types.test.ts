import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { DocumentChunk } from "docsluice/DocumentChunk"
import { Plan } from "docsluice/Plan"
import * as Readers from "docsluice/Readers"
import { FileType } from "docsluice/SourceFile"
import { Effect, Schema } from "effect"
import * as Workplace from "./workplace.ts"

const chunkOf = Schema.decodeSync(Schema.parseJson(DocumentChunk))
/** The first hit of `search --json`. */
const Hits = Schema.parseJson(
  Schema.NonEmptyArray(Schema.Struct({ source: Schema.String, headingPath: DocumentChunk.fields.headingPath }))
)
const planOf = Schema.decodeSync(Schema.parseJson(Plan))

/** A workplace with these documents next to its three PDFs, and its targets in its own folder. */
const withFiles = (files: Readonly<Record<string, string | Uint8Array>>) =>
  Effect.map(Workplace.make, (place) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(place.docs, name, ".."), { recursive: true })
      writeFileSync(join(place.docs, name), content)
    }
    const target = join(place.folder, "chunks.jsonl")
    const words = [
      "--root",
      place.docs,
      "--state",
      place.state,
      "--service",
      place.service.base,
      "--to",
      `jsonl:${target}`
    ]
    return {
      ...place,
      command: (name: string, ...more: ReadonlyArray<string>) => place.run(name, ...words, ...more, "."),
      ingest: (...more: ReadonlyArray<string>) => place.ingest("--to", `jsonl:${target}`, ...more),
      sources: () =>
        existsSync(target)
          ? [
              ...new Set(
                readFileSync(target, "utf8")
                  .trim()
                  .split("\n")
                  .filter((line) => line !== "")
                  .map((line) => chunkOf(line).source)
              )
            ].toSorted()
          : []
    }
  })

const pdfs = ["gauges.pdf", "letters.pdf", "sensors.pdf"]

describe("file types on the command line", () => {
  it.scopedLive("store a folder of all types that can be read, and name the rest with counts and a remedy", () =>
    Effect.gen(function* () {
      const read = [...FileType.all, ...Readers.builtIn]
      const left = ["one.psd", "two.PSD", "three.zip", "Makefile"]
      const place = yield* withFiles({
        ...Object.fromEntries(read.map((type) => [`all/file.${type}`, `A document of type ${type}.\n`])),
        ...Object.fromEntries(left.map((name) => [`rest/${name}`, "other"]))
      })
      const { summary } = yield* place.ingest()
      const stored = read.length + pdfs.length
      assert.deepInclude(
        { ...summary },
        { discovered: stored + 4, stored, failed: 0, unsupported: 4, requests: FileType.all.length + 3, exit: 0 }
      )
      assert.deepEqual(summary?.unsupportedTypes, { psd: 2, zip: 1, "": 1 })
      assert.sameMembers(place.sources(), [...pdfs, ...read.map((type) => `all/file.${type}`)])
      assert.sameMembers(
        place.service.log.map(({ filename }) => filename),
        [...pdfs, ...FileType.all.map((type) => `file.${type}`)]
      )
      const again = yield* place.command("ingest")
      assert.match(
        again.stdout,
        /4 files of types that are not read: 2 \.psd, 1 without a type, 1 \.zip \(with --expand zip\)$/m
      )
      assert.strictEqual(place.service.log.length, FileType.all.length + 3)
    })
  )

  it.scopedLive("store records, mail and notebooks, and search cites the keys above what it finds", () =>
    Effect.gen(function* () {
      const fixture = (path: string): Uint8Array => readFileSync(join(import.meta.dirname, "../reading/fixtures", path))
      const files = {
        "stations.json": fixture("json/stations.json"),
        "rustc.jsonl": fixture("jsonl/rustc-errors.jsonl"),
        "ci.yml": fixture("yaml/urllib3-ci.yaml"),
        "article.xml": fixture("xml/article.xml"),
        "notice.eml": fixture("eml/msg_16.eml"),
        "kernels.ipynb": fixture("ipynb/configuring-kernels.ipynb")
      }
      const place = yield* withFiles(files)
      const store = `libsql:${join(place.folder, "store.db")}`
      const { summary } = yield* place.ingest(
        "--to",
        store,
        "--types",
        "json,jsonl,yml,xml,eml,ipynb",
        "--max-tokens",
        "128"
      )
      assert.deepInclude({ ...summary }, { stored: 6, failed: 0, requests: 0, exit: 0 })
      assert.deepEqual(place.sources(), Object.keys(files).toSorted())
      const questions = [
        ["harbour anemometer lighthouse", "stations.json", "features > [1] malmö > properties"],
        ["cannot find value rian in this scope", "rustc.jsonl", ""],
        ["Download coverage data", "ci.yml", "jobs > coverage > steps"],
        [
          "snow melted cup of warm water",
          "article.xml",
          "article The rain gauge of &town; > section[1] Setting up > section In winter"
        ],
        ["recipient reached disk quota", "notice.eml", "Delivery Notification: Delivery has failed"],
        ["nbsphinx_execute_arguments", "kernels.ipynb", "Configuring the Kernels > Kernel Arguments"]
      ] as const
      for (const [question, source, path] of questions) {
        const { stdout } = yield* place.run("search", question, "--to", store, "--limit", "1", "--json")
        const [found] = Schema.decodeUnknownSync(Hits)(stdout)
        assert.deepEqual(
          [found.source, found.headingPath.map(({ text }) => text).join(" > ")],
          [source, path],
          question
        )
      }
      assert.strictEqual(place.service.log.length, 0)
    })
  )

  it.scopedLive("plan texts with exact tokens and no credits, and name what is left out", () =>
    Effect.gen(function* () {
      const place = yield* withFiles({ "a.md": "# A\n\nSome text.", "b.txt": new Uint8Array([0, 1, 2]), "c.psd": "1" })
      const { stdout } = yield* place.command("plan", "--json", "--types", "md,txt")
      const plan = planOf(stdout)
      assert.deepInclude({ ...plan }, { new: 1, unsupported: 4, pages: 1, credits: 0, tokens: 6 })
      assert.deepEqual(plan.estimated, [])
      assert.deepEqual(plan.unsupportedTypes, { pdf: 3, psd: 1 })
      assert.match(plan.files.find(({ source }) => source === "b.txt")?.reason ?? "", /binary data/)
      const text = yield* place.command("plan", "--types", "md")
      assert.match(text.stdout, /1 file of types that are not read: 1 \.psd$/m)
      assert.match(text.stdout, /4 files that --types leaves out: 3 \.pdf, 1 \.txt/)
      assert.strictEqual(place.service.log.length, 0)
    })
  )

  it.scopedLive("are limited by --types, which takes more as plain text with a plus sign", () =>
    Effect.gen(function* () {
      const place = yield* withFiles({
        "a.md": "# A",
        "b.py": "# no heading\nprint(1)\n",
        "c.psd": new Uint8Array([0, 1])
      })
      yield* place.ingest("--types", "md")
      assert.deepEqual(place.sources(), ["a.md"])
      yield* place.ingest("--types", "+py")
      assert.deepEqual(place.sources(), ["a.md", "b.py", ...pdfs])
      const { summary } = yield* place.ingest("--types", "psd", "--types", ".PY")
      assert.deepInclude({ ...summary }, { unchanged: 1, failed: 1, unsupported: 4 })
      assert.deepEqual(
        summary?.failures.map(({ source, tag }) => [source, tag]),
        [["c.psd", "TextUnreadable"]]
      )
      const wrong = yield* place.command("ingest", "--types", "*.md")
      assert.strictEqual(wrong.status, 64)
      assert.match(wrong.stderr, /--types: expected extensions such as pdf,md/)
    })
  )

  it.scopedLive("that are left out are not gone: sync keeps their documents", () =>
    Effect.gen(function* () {
      const place = yield* withFiles({ "a.md": "# A" })
      yield* place.ingest("--mode", "sync")
      const { summary } = yield* place.ingest("--mode", "sync", "--types", "pdf")
      assert.deepInclude({ ...summary }, { unchanged: 3, unsupported: 1, removed: 0, exit: 0 })
      assert.deepEqual(place.sources(), ["a.md", ...pdfs])
    })
  )

  it.scopedLive("that a run before left out or refused are taken in by the next one", () =>
    Effect.gen(function* () {
      const place = yield* withFiles({ "a.md": "# A", "b.md": "# B" })
      const first = yield* place.ingest("--types", "pdf", "b.md")
      assert.deepInclude({ ...first.summary }, { unsupported: 1, failed: 1 })
      const { summary } = yield* place.ingest()
      assert.deepInclude({ ...summary }, { unchanged: 3, stored: 2, failed: 0 })
      assert.strictEqual(readFileSync(join(place.state, "dead-letter.jsonl"), "utf8"), "")
    })
  )

  it.scopedLive("are remembered for retry and for doctor, which writes a text again without the service", () =>
    Effect.gen(function* () {
      const place = yield* withFiles({ "a.md": "# A", "b.py": new Uint8Array([0]) })
      const first = yield* place.ingest("--types", "md,py")
      assert.deepInclude({ ...first.summary }, { stored: 1, failed: 1 })
      writeFileSync(join(place.docs, "b.py"), "print(1)\n")
      const retried = yield* place.run("retry", "--state", place.state, "--json")
      assert.strictEqual(retried.status, 0, retried.stderr)
      assert.deepEqual(place.sources(), ["a.md", "b.py"])
      const target = join(place.folder, "chunks.jsonl")
      writeFileSync(
        target,
        readFileSync(target, "utf8")
          .split("\n")
          .filter((line) => !line.includes('"a.md"'))
          .join("\n")
      )
      const fixed = yield* place.run("doctor", "--fix", "--state", place.state)
      assert.strictEqual(fixed.status, 1, fixed.stdout + fixed.stderr)
      assert.deepEqual(place.sources(), ["a.md", "b.py"])
      assert.strictEqual(place.service.log.length, 0)
    })
  )

  it.scopedLive("of texts are parsed and chunked without the service", () =>
    Effect.gen(function* () {
      const place = yield* withFiles({ "a.rst": "Title\n=====\n\nText.\n" })
      const file = join(place.docs, "a.rst")
      const service = ["--service", place.service.base]
      const parsed = yield* place.run("parse", file, ...service)
      assert.strictEqual(parsed.stdout.trimEnd(), "Title\n=====\n\nText.")
      const answer: unknown = JSON.parse((yield* place.run("parse", file, "--json", ...service)).stdout)
      assert.deepEqual(answer, {
        success: true,
        data: {
          markdown: "Title\n=====\n\nText.\n",
          metadata: { title: "Title", sourceURL: "a.rst", contentType: "text/x-rst" }
        }
      })
      const links = yield* place.run("parse", file, "--format", "links", ...service)
      assert.strictEqual(links.status, 64)
      assert.match(links.stderr, /a\.rst: a text, which is read here, has no links/)
      const chunks = yield* place.run("chunks", file, ...service)
      assert.deepEqual(chunkOf(chunks.stdout.trim()).kinds, ["heading", "paragraph"])
      assert.strictEqual(place.service.log.length, 0)
    })
  )
})
