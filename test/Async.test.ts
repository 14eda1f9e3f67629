import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setInterval } from "node:timers/promises"
import * as Async from "docsluice/Async"
import { ChunkSink, SinkError } from "docsluice/ChunkSink"
import { BadRequest } from "docsluice/service/ServiceError"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { bytes } from "docsluice/SourceFile"
import { Effect, Layer } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { byLine, characters, parsed, parser, sink } from "./pipeline/fakes.ts"

/** The Markdown of a file is its bytes; `bad` in a name: 400; `slow`: never. */
const layer = Layer.merge(
  parser((source) => {
    if (source.path.includes("bad")) return Effect.fail(new BadRequest({ status: 400, error: "no" }))
    if (source.path.includes("slow")) return Effect.never
    return Effect.map(bytes(source), (content) => parsed(source, new TextDecoder().decode(content)))
  }),
  characters
)

const chunker: Async.AsyncChunker = {
  name: "halves",
  split: ({ markdown }) => [
    { start: 0, end: markdown.length >> 1 },
    { start: markdown.length >> 1, end: markdown.length, embedText: `… ${markdown.slice(markdown.length >> 1)}` }
  ]
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content)

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("resolved"),
    (error: unknown) => error
  )

const all = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const seen: Array<A> = []
  for await (const item of items) seen.push(item)
  return seen
}

describe("Async", () => {
  let root = ""
  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "async-"))
    for (const name of ["a.csv", "b.csv", "c.psd"]) fs.writeFileSync(path.join(root, name), `content of ${name}`)
  })
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

  it("ingests a folder into an object with promises, through a function that splits", async () => {
    const stored: Array<string> = []
    const calls: Array<string> = []
    const summary = await Async.ingest({
      root,
      layer,
      ordered: true,
      chunker,
      sinks: [
        {
          id: "mine:",
          prepare: async () => void calls.push("prepare"),
          write: async (chunks) => void stored.push(...chunks.map((chunk) => chunk.text)),
          finish: async () => void calls.push("finish")
        }
      ],
      onProgress: ({ finished }) => void calls.push(String(finished))
    })
    assert.deepInclude(summary, { discovered: 3, stored: 2, unsupported: 1, exit: 0 })
    assert.deepStrictEqual(stored, ["content ", "of a.csv", "content ", "of b.csv"])
    assert.deepStrictEqual(calls, ["prepare", "1", "2", "3", "finish"])
  })

  it("takes files of your own, a sink as a service and a sink as a layer", async () => {
    const [service, layered] = [sink({ id: "service" }), sink({ id: "layer" })]
    async function* files(): AsyncGenerator<Async.AsyncFile> {
      yield { path: "x/one.pdf", content: text("one") }
      yield {
        path: "two.pdf",
        content: {
          size: 6,
          open: async function* () {
            yield text("two")
            yield text("two")
          }
        }
      }
    }
    const summary = await Async.ingest({
      files: files(),
      name: "bucket",
      layer,
      chunker: byLine,
      sinks: [service.service, Layer.succeed(ChunkSink, layered.service)]
    })
    assert.deepInclude(summary, { discovered: 2, stored: 2 })
    assert.deepStrictEqual(service.sources().toSorted(), ["two.pdf", "x/one.pdf"])
    assert.deepStrictEqual(layered.sources().toSorted(), ["two.pdf", "x/one.pdf"])
    assert.strictEqual(service.batches.flat().find((chunk) => chunk.source === "two.pdf")?.text, "twotwo")
  })

  it("takes texts as files, and gives the second of two files of one name as failed", async () => {
    const store = sink()
    const given = [
      { path: "a.pdf", content: "größer" },
      { path: "b.pdf", content: "second" },
      { path: "a.pdf", content: "other" }
    ]
    const summary = await Async.ingest({ files: given, name: "own", layer, chunker: byLine, sinks: [store.service] })
    assert.deepInclude(summary, { discovered: 3, stored: 2, failed: 1, exit: 1 })
    assert.deepInclude(summary.failures[0], { source: "a.pdf", tag: "DuplicateDocument" })
    const texts = store.batches.flat().map((chunk) => `${chunk.source} ${chunk.text}`)
    assert.deepStrictEqual(texts.toSorted(), ["a.pdf größer", "b.pdf second"])
    assert.strictEqual((await Async.parse({ path: "a.pdf", content: "größer" }, { layer })).markdown, "größer")
  })

  it("fails a file whose size is none, and refuses one without content by its member", async () => {
    const open = async function* () {
      yield text("x")
    }
    const ingest = (files: ReadonlyArray<Async.AsyncFile>) =>
      Async.ingest({ files, name: "own", layer, chunker: byLine, sinks: [sink().service] })
    const sizes = [Number.NaN, 1, undefined, 1, 1, 1].map((size, index) => ({
      path: `${index}.pdf`,
      content: Object.assign({ size: 1, open }, { size })
    }))
    const summary = await ingest(sizes)
    assert.deepInclude(summary, { discovered: 6, stored: 4, failed: 2 })
    for (const { message, tag } of summary.failures) {
      assert.strictEqual(tag, "FileUnreadable")
      assert.include(message, "size: expected a number of bytes")
    }
    const parts = async function* () {
      yield "not bytes"
    }
    const words = await ingest([{ path: "a.pdf", content: Object.assign({ size: 9, open }, { open: parts }) }])
    assert.include(words.failures[0]?.message, "content: expected parts of bytes, got string")
    const given = { path: "a.pdf", content: text("x") }
    for (const [members, option] of [
      [{ content: undefined }, "content of a.pdf"],
      [{ content: null }, "content of a.pdf"],
      [{ content: { size: 3 } }, "content of a.pdf"],
      [{ path: undefined }, "path"]
    ] as const) {
      const odd = Object.assign({ ...given }, members)
      assert.deepInclude(await rejection(ingest([odd])), { _tag: "OptionError", option })
      assert.deepInclude(await rejection(Async.parse(odd, { layer })), { _tag: "OptionError", option })
    }
  })

  it("names failed documents in the summary and writes dead letters to the given file", async () => {
    const deadLetters = path.join(root, "state", "dead-letter.jsonl")
    const summary = await Async.ingest({
      files: [{ path: "bad.pdf", content: text("x") }],
      name: "list",
      layer,
      chunker,
      sinks: [],
      deadLetters
    })
    assert.deepStrictEqual(
      summary.failures.map(({ source, tag }) => ({ source, tag })),
      [{ source: "bad.pdf", tag: "BadRequest" }]
    )
    assert.include(fs.readFileSync(deadLetters, "utf8"), "bad.pdf")
  })

  it("fails a file with another number of bytes than its size, and one whose opening throws", async () => {
    const summary = await Async.ingest({
      files: [
        {
          path: "short.pdf",
          content: {
            size: 5,
            open: async function* () {
              yield text("abc")
            }
          }
        },
        {
          path: "long.pdf",
          content: {
            size: 2,
            open: async function* () {
              yield text("abc")
            }
          }
        },
        {
          path: "gone.pdf",
          content: {
            size: 2,
            open: () => {
              throw new Error("gone")
            }
          }
        }
      ],
      name: "list",
      layer,
      ordered: true,
      chunker,
      sinks: []
    })
    assert.deepStrictEqual(
      summary.failures.map((failure) => failure.tag),
      ["FileChanged", "FileChanged", "FileUnreadable"]
    )
  })

  it("rejects with the tagged error itself", async () => {
    const missing = await rejection(Async.ingest({ root: path.join(root, "no"), layer, chunker, sinks: [] }))
    assert.deepInclude(missing, { _tag: "DiscoveryError", reason: "RootMissing" })
    const refused = await rejection(Async.parse({ path: "bad.pdf", content: text("x") }, { layer }))
    assert.instanceOf(refused, BadRequest)
    const mismatch = new SinkError({ sink: "mine:", reason: "Mismatch", problem: "no" })
    const unfit = await rejection(
      Async.ingest({
        root,
        layer,
        chunker,
        sinks: [{ id: "mine:", prepare: () => Promise.reject(mismatch), write: async () => undefined }]
      })
    )
    assert.strictEqual(unfit, mismatch)
    const [file, other] = [path.join(root, "out.jsonl"), path.join(root, "sub", "..", "out.jsonl")]
    const twice = await rejection(
      Async.ingest({ root, layer, chunker, sinks: [Jsonl.layer({ file }), Jsonl.layer({ file: other })] })
    )
    assert.deepInclude(twice, { _tag: "SinkError", reason: "Unsupported" })
    const inside = await rejection(
      Async.ingest({ root, layer, chunker, sinks: [Jsonl.layer({ file }), Filesystem.layer({ directory: root })] })
    )
    assert.deepInclude(inside, { _tag: "SinkError", reason: "Unsupported", sink: `jsonl:${file}` })
    assert.isFalse(fs.existsSync(file))
    const gone = new Error("the bucket is gone")
    const files = async function* (): AsyncGenerator<Async.AsyncFile> {
      yield { path: "a.pdf", content: text("a") }
      throw gone
    }
    assert.strictEqual(await rejection(Async.ingest({ files: files(), name: "x", layer, chunker, sinks: [] })), gone)
  })

  it("parses a file of this machine by its path", async () => {
    const document = await Async.parse(path.join(root, "a.csv"), { layer })
    assert.deepInclude(document, { markdown: "content of a.csv", source: "a.csv" })
    const error = await rejection(Async.parse(path.join(root, "none.csv"), { layer }))
    assert.deepInclude(error, { _tag: "FileUnreadable", reason: "NotFound" })
  })

  it("ends everything at once when aborted, and rejects with the signal's reason", async () => {
    const reason = new Error("enough")
    const abort = new AbortController()
    const pending = rejection(Async.parse({ path: "slow.pdf", content: text("x") }, { layer, signal: abort.signal }))
    abort.abort(reason)
    assert.strictEqual(await pending, reason)
    const hanging = async function* (): AsyncGenerator<Async.AsyncFile> {
      yield { path: "slow.pdf", content: text("x") }
      await new Promise(() => undefined)
    }
    const other = new AbortController()
    const run = rejection(
      Async.ingest({ files: hanging(), name: "x", layer, chunker, sinks: [], signal: other.signal })
    )
    setTimeout(() => other.abort(reason), 20)
    assert.strictEqual(await run, reason)
  })

  it("stores the documents in flight when stopped, and resolves", async () => {
    const stop = new AbortController()
    const store = sink()
    let given = 0
    const files = async function* (): AsyncGenerator<Async.AsyncFile> {
      for await (const _ of setInterval(1)) {
        given += 1
        if (given === 5) stop.abort()
        yield { path: `${given}.pdf`, content: text("x") }
      }
    }
    const summary = await Async.ingest({
      files: files(),
      name: "x",
      layer,
      chunker: byLine,
      sinks: [store.service],
      stop: stop.signal
    })
    assert.strictEqual(summary.exit, 130)
    assert.isAtMost(summary.discovered, 6)
    assert.strictEqual(summary.discovered, summary.stored + summary.notAttempted)
    assert.strictEqual(store.sources().length, summary.stored)
  })

  it("iterates over the files found, and over the chunks of all documents in order", async () => {
    const found = await all(Async.discover({ root, ordered: true, ignore: ["state"] }))
    assert.deepStrictEqual(
      found.map((item) => [item._tag, item.path]),
      [
        ["SourceFile", "a.csv"],
        ["SourceFile", "b.csv"],
        ["Unsupported", "c.psd"]
      ]
    )
    const chunks = await all(Async.chunks({ root, ordered: true, ignore: ["state"], layer, chunker }))
    assert.deepStrictEqual(
      chunks.map((chunk) => [chunk.source, chunk.index, chunk.embedText]),
      [
        ["a.csv", 0, "content "],
        ["a.csv", 1, "… of a.csv"],
        ["b.csv", 0, "content "],
        ["b.csv", 1, "… of b.csv"]
      ]
    )
    assert.strictEqual(new Set(chunks.map((chunk) => chunk.id)).size, 4)
  })

  it("fails an iterable of chunks with a document's error, unless `onFailure` is given", async () => {
    const files = [
      { path: "bad.pdf", content: text("x") },
      { path: "good.pdf", content: text("y") }
    ]
    const error = await rejection(all(Async.chunks({ files, name: "x", layer, chunker: byLine })))
    assert.instanceOf(error, BadRequest)
    const failedSources: Array<string> = []
    const chunks = await all(
      Async.chunks({ files, name: "x", layer, chunker: byLine, onFailure: (source) => void failedSources.push(source) })
    )
    assert.deepStrictEqual(failedSources, ["bad.pdf"])
    assert.deepStrictEqual(
      chunks.map((chunk) => chunk.source),
      ["good.pdf"]
    )
  })

  it("interrupts the run of an iterable when the loop is left or the signal aborted", async () => {
    const abort = new AbortController()
    const files = [{ path: "slow.pdf", content: text("x") }]
    const pending = rejection(all(Async.chunks({ files, name: "x", layer, chunker: byLine, signal: abort.signal })))
    const reason = new Error("enough")
    setTimeout(() => abort.abort(reason), 20)
    assert.strictEqual(await pending, reason)
    for await (const found of Async.discover({ root })) {
      assert.isString(found.path)
      break
    }
  })
})
