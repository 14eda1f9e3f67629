import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Readers from "docsluice/Readers"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Either, Layer } from "effect"
import * as faultserver from "./faultserver/server.ts"
import { names, tree } from "./fixtures/discovered.ts"
import { fileOf } from "./reading/reading.ts"
import { live } from "./service/collaborators.ts"

const subtitles: Readers.Reader = {
  extension: "srt",
  mimeType: "application/x-subrip",
  read: ({ path, text }) =>
    Effect.map(text, (all) => ({
      markdown: all.replace(/^\d+\n.*-->.*\n/gmu, ""),
      metadata: { title: path },
      warnings: all.includes("-->") ? [] : ["no times"]
    }))
}

const read = (reader: Readers.Reader, content: string | Uint8Array = "text") =>
  Parser.texts()
    .parse(fileOf(`a.${reader.extension}`, content), {})
    .pipe(Effect.provide(Readers.layer([reader])))

const problem = (reader: Readers.Reader, content?: string | Uint8Array) =>
  Effect.map(Effect.flip(read(reader, content)), (error) =>
    error._tag === "InvalidReader" ? error.reason : error.message
  )

/** A run over a folder with a service that counts; Markdown of its answers is the name of the file. */
const run = (root: string, parse: ParseOptions = {}) =>
  Effect.gen(function* () {
    const service = yield* faultserver.start({
      document: ({ filename }) => ({ success: true, data: { markdown: `# ${filename}`, metadata: { creditsUsed: 1 } } })
    })
    const store = MemorySink.emptyStore()
    const sink = yield* MemorySink.make(store)
    const summary = yield* Pipeline.run({
      source: Discovery.folder({ root, ordered: true }),
      chunker: MarkdownChunker.make(),
      sinks: [sink]
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.provide(Parser.layer(parse), live(service.base)),
          Tokenizer.layer("o200k_base"),
          DeadLetter.layerMemory
        )
      )
    )
    const chunks = [...store.chunks.values()].toSorted((left, right) => (left.source < right.source ? -1 : 1))
    return { summary, chunks, sent: service.log.map(({ filename }) => filename) }
  })

describe("Readers", () => {
  it.scopedLive("let a run read text types without a request, a credit or the cache", () =>
    Effect.gen(function* () {
      const root = yield* tree({
        "a.md": "# A\n\nText.",
        "b.txt": "text",
        "c.csv": "a,b",
        "d.psd": "1",
        e: "1",
        "f.psd": "2"
      })
      const { chunks, sent, summary } = yield* run(root)
      assert.deepEqual(sent, ["c.csv"])
      assert.deepInclude(
        { ...summary },
        { discovered: 6, stored: 3, unsupported: 3, parsed: 1, fromCache: 0, credits: 1, requests: 1, exit: 0 }
      )
      assert.deepEqual(summary.unsupportedTypes, { psd: 2, "": 1 })
      assert.deepEqual(
        chunks.map(({ source, text }) => [source, text]),
        [
          ["a.md", "# A\n\nText."],
          ["b.txt", "text"],
          ["c.csv", "# c.csv"]
        ]
      )
    })
  )

  it.scopedLive("read a type of one's own in discovery and parser alike", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.srt": "1\n00:01 --> 00:02\nHello there.\n", "b.md": "b" })
      const { chunks, sent, summary } = yield* Effect.provide(run(root), Readers.layer([subtitles]))
      assert.deepInclude({ ...summary }, { stored: 2, unsupported: 0, requests: 0 })
      assert.deepEqual(sent, [])
      assert.strictEqual(chunks[0]?.text, "Hello there.")
      assert.deepEqual(chunks[0]?.metadata, { title: "a.srt", sourceURL: "a.srt", contentType: "application/x-subrip" })
      assert.deepEqual(yield* names({ root }), ["a.srt?", "b.md"])
    })
  )

  it.effect("are refused early: an extension of the service, one given twice, a malformed one, no function", () =>
    Effect.gen(function* () {
      const text: Readers.Reader["read"] = () => "text"
      const reasons = [
        [{ extension: "pdf", read: text }],
        [
          { extension: "tex", read: text },
          { extension: "tex", read: text }
        ],
        ...[".tex", "TEX", "", "a/b", "a.b"].map((extension) => [{ extension, read: text }])
      ].map((readers) =>
        Either.mapLeft(Readers.make(readers), ({ message, reason }) => [reason, message.includes(":")])
      )
      assert.deepEqual(
        reasons.map((reason) => Either.getOrElse(Either.flip(reason), () => [])),
        [["OfService", true], ["Twice", true], ...Array.from({ length: 5 }, () => ["Malformed", true])]
      )
      const rejected = yield* Effect.promise(() =>
        Async.parse(
          { path: "a.tex", content: new Uint8Array(1) },
          { readers: [{ extension: "xls", read: () => "text" }] }
        ).then(
          () => "",
          (error: unknown) => String(error)
        )
      )
      assert.match(rejected, /the reader of "xls": the service takes files of this type/)
    })
  )

  it.effect("replace one that is built in, and give what they give: a string is Markdown", () =>
    Effect.gen(function* () {
      const upper: Readers.Reader = {
        extension: "md",
        read: ({ text }) => Effect.map(text, (all) => all.toUpperCase())
      }
      const document = yield* read(upper, "# a")
      assert.strictEqual(document.markdown, "# A")
      assert.isUndefined(document.structure)
    })
  )

  it.effect("that throw, fail or give nonsense fail their document with the problem", () =>
    Effect.gen(function* () {
      const tex = (read: Readers.Reader["read"]): Readers.Reader => ({ extension: "tex", read })
      const blocks = (given: ReadonlyArray<object>) =>
        tex(() => JSON.parse(JSON.stringify({ markdown: "text", blocks: given })) as never) // oxlint-disable-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- a program without types
      const thrown = tex(() => {
        throw new Error("no stream")
      })
      assert.match(yield* problem(thrown), /^a\.tex: its reader failed: no stream/)
      assert.match(yield* problem(tex(() => Effect.fail({ message: "late" }))), /late/)
      assert.match(yield* problem(tex(() => Effect.die("odd"))), /odd/)
      assert.match(yield* problem(blocks([{ kind: "poem", start: 0, end: 1 }])), /blocks\[0\]\.kind/)
      assert.match(
        yield* problem(blocks([{ kind: "code", start: 0, end: 9 }])),
        /blocks\[0\] is not a span of the text/
      )
      assert.match(
        yield* problem(
          blocks([
            { kind: "code", start: 2, end: 3 },
            { kind: "code", start: 0, end: 1 }
          ])
        ),
        /blocks\[1\] is not a span/
      )
      assert.match(
        yield* problem(
          tex(({ text }) => text),
          new Uint8Array([0, 1, 2, 3])
        ),
        /binary data/
      )
    })
  )

  it.effect("open sections by paths that stand nowhere in the text", () =>
    Effect.gen(function* () {
      const keys: Readers.Reader = {
        extension: "tex",
        read: () => ({
          markdown: "one\ntwo\nthree\nfour",
          blocks: [
            { kind: "lines", start: 0, end: 3, path: ["a", "b"] },
            { kind: "lines", start: 4, end: 7, path: ["a", "c"] },
            { kind: "lines", start: 8, end: 13, path: ["a"] },
            { kind: "lines", start: 14, end: 18, path: [] }
          ]
        })
      }
      const document = yield* read(keys)
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 1, context: false })
        .chunk(document)
        .pipe(Effect.provide(Tokenizer.layer("o200k_base")))
      assert.deepEqual(
        chunks.map(({ headingPath, text }) => [text, headingPath.map((heading) => heading.text)]),
        [
          ["one", ["a", "b"]],
          ["two", ["a", "c"]],
          ["three", ["a"]],
          ["four", []]
        ]
      )
    })
  )

  it.scopedLive("read nothing that is to be redacted", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.md": "Ann, ann@example.org" })
      const { chunks, summary } = yield* run(root, { redactPII: true })
      assert.lengthOf(chunks, 0)
      assert.deepEqual(
        summary.failures.map(({ message, tag }) => [tag, message]),
        [
          [
            "TextUnreadable",
            "a.md: texts are read on this machine without redaction; turn redactPII off, or leave texts out"
          ]
        ]
      )
    })
  )

  it.scopedLive("are limited by the types of a discovery, which refuses one that nothing reads", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.md": "1", "b.pdf": "2", "c.txt": "3", "d.psd": "4" })
      assert.deepEqual(yield* names({ root, types: ["md", "pdf"] }), ["a.md", "b.pdf", "c.txt?", "d.psd?"])
      const error = yield* Effect.flip(names({ root, types: ["md", "psd"] }))
      assert.deepEqual([error.reason, error.argument], ["NotRead", "psd"])
    })
  )

  it("work in the promise interface", async () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "readers-"))
    try {
      for (const name of ["a.tex", "b.rst", "c.psd"]) fs.writeFileSync(path.join(root, name), `content of ${name}`)
      const stored: Array<string> = []
      const readers: ReadonlyArray<Async.AsyncReader> = [
        { extension: "tex", read: async ({ path, text }) => `# ${path}\n\n${await text()}` }
      ]
      const summary = await Async.ingest({
        root,
        ordered: true,
        readers,
        sinks: [{ id: "mine:", write: async (chunks) => void stored.push(...chunks.map(({ text }) => text)) }]
      })
      assert.deepInclude({ ...summary }, { stored: 2, unsupported: 1, unsupportedTypes: { psd: 1 }, requests: 0 })
      assert.deepEqual(stored, ["# a.tex\n\ncontent of a.tex", "content of b.rst"])
      const found: Array<string> = []
      for await (const { _tag, path } of Async.discover({ root, ordered: true, readers })) found.push(`${path} ${_tag}`)
      assert.deepEqual(found, ["a.tex SourceFile", "b.rst SourceFile", "c.psd Unsupported"])
      assert.strictEqual((await Async.parse(path.join(root, "b.rst"))).origin, "local")
    } finally {
      fs.rmSync(root, { recursive: true })
    }
  })
})
