import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Async from "docsluice/Async"
import * as Parser from "docsluice/Parser"
import { BadRequest } from "docsluice/service/ServiceError"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer } from "effect"
import Libsql from "libsql"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

let folder = ""
let root = ""
let store = ""
let state = ""

/** Names of the files that were parsed; each waits for `hold`. A text with `refused` is a 400. */
let parses: Array<string> = []
let hold: Promise<void> = Promise.resolve()
const opened: Array<Async.AsyncCorpus> = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "async-open-"))
  root = join(folder, "docs")
  store = join(folder, "store.db")
  state = join(folder, "state")
  mkdirSync(root)
  parses = []
  hold = Promise.resolve()
})

afterEach(async () => {
  for (const docs of opened.splice(0)) await docs.close()
  rmSync(folder, { recursive: true })
})

/** The Markdown of a file is its bytes. */
const layer = Layer.merge(
  Parser.layerFunction("bytes", (file, bytes) =>
    Effect.gen(function* () {
      parses.push(file.path)
      yield* Effect.promise(async () => hold)
      const markdown = new TextDecoder().decode(yield* bytes)
      if (markdown.includes("refused")) return yield* new BadRequest({ status: 400, error: "no" })
      return { markdown, metadata: { numPages: 1, creditsUsed: 1 } }
    })
  ),
  Tokenizer.layerCharacters
)

const open = async (options: Partial<Async.OpenOptions> = {}): Promise<Async.AsyncCorpus> => {
  const docs = await Async.open({ to: `libsql:${store}`, embedder: "hash", state, layer, ...options })
  opened.push(docs)
  return docs
}

const write = (name: string, text: string): void => writeFileSync(join(root, name), text)

const upload = (path: string, text: string): Async.AsyncFile => ({ path, content: new TextEncoder().encode(text) })

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("resolved"),
    (error: unknown) => error
  )

const sourcesOf = async (docs: Async.AsyncCorpus, query: string): Promise<ReadonlyArray<string>> =>
  (await docs.search(query, { mode: "words", minScore: 0 })).map(({ citation }) => citation.source).toSorted()

/** Resolves once the condition holds. */
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await sleep(5)
}

const blocked = (): (() => void) => {
  let release = (): void => undefined
  hold = new Promise((resolve) => {
    release = resolve
  })
  return release
}

describe("Async.open", () => {
  it("ingests, finds with citations, adds, removes and closes", async () => {
    write("a.html", "# Gauges\n\nThe gauge at North Quay is calibrated in May.")
    write("b.html", "# Boats\n\nThe ferry leaves at noon.")
    const docs = await open()
    assert.deepInclude(await docs.ingest(root), { stored: 2, exit: 0 })
    assert.deepInclude(await docs.ingest(join(root, "*.html")), { unchanged: 2, stored: 0 })
    const [hit] = await docs.search("gauge calibrated", { limit: 1 })
    assert.deepStrictEqual(hit?.citation, {
      source: "a.html",
      pages: [1],
      headings: ["Gauges"],
      label: "a.html, p. 1"
    })
    assert.include(hit?.chunk.text, "North Quay")
    const added = await docs.add(upload("c.html", "# Tides\n\nHigh water at six."))
    assert.deepInclude(added, { _tag: "Stored", source: "c.html" })
    assert.deepStrictEqual(await sourcesOf(docs, "tides"), ["c.html"])
    assert.deepInclude(await docs.remove("c.html"), { source: "c.html", chunks: 1 })
    assert.deepStrictEqual(await sourcesOf(docs, "tides"), [])
    const { roots, stores, stored } = await docs.status()
    assert.strictEqual(stored, 2)
    assert.deepInclude(roots[0], { name: "docs", path: root, documents: 2 })
    assert.deepStrictEqual(stores, [{ id: `libsql:${store}`, chunks: 2 }])
  })

  it("takes a root with patterns, files of your own, and leaves out the state and the targets", async () => {
    write("a.html", "one")
    write("b.csv", "two")
    const docs = await open({ to: `fs:${join(root, "out")}`, embedder: "none", state: join(root, "state") })
    assert.deepInclude(await docs.ingest({ root, patterns: ["*.html"] }), { discovered: 1, stored: 1 })
    assert.deepInclude(await docs.ingest({ root }), { discovered: 2, stored: 1, unchanged: 1, unsupported: 0 })
    assert.deepInclude(await docs.ingest({ name: "mine", files: [upload("x.html", "three")] }), { stored: 1 })
    const chunks: Array<string> = []
    for await (const { text } of docs.chunks([join(root, "a.html"), join(root, "b.csv")])) chunks.push(text)
    assert.deepStrictEqual(chunks.toSorted(), ["one", "two"])
  })

  it("adds a text, and refuses at once a file with a value that cannot be used", async () => {
    const docs = await open()
    assert.deepInclude(await docs.add({ path: "a.html", content: "gnu" }), { source: "a.html", bytes: 3 })
    assert.deepStrictEqual(await sourcesOf(docs, "gnu"), ["a.html"])
    const { content } = upload("b.html", "x")
    const sized = { size: Number.NaN, open: async function* () {} }
    for (const [file, source, field] of [
      [{ path: "b.html", content: sized }, "b.html", "size"],
      [{ path: "../b.html", content }, "../b.html", "path"],
      [{ path: "b\0.html", content }, "b\uFFFD.html", "path"]
    ] as const) {
      const error = await rejection(docs.add(file))
      assert.deepInclude(error, { _tag: "AddError", source, tag: "FileUnreadable", retryable: false })
      assert.include(String(error), `${field}: expected`)
    }
    const nothing = Object.assign({ path: "b.html", content }, { content: undefined })
    for (const call of [docs.add, docs.parse]) {
      assert.deepInclude(await rejection(call(nothing)), { _tag: "OptionError", option: "content of b.html" })
    }
    assert.deepStrictEqual(await docs.failures(), [])
  })

  it("refuses a sink that cannot remove when it is opened, before anything is stored", async () => {
    const calls: Array<string> = []
    const to = { id: "own:", write: async () => void calls.push("write") }
    const error = await rejection(open({ to }))
    assert.deepInclude(error, { _tag: "SinkError", sink: "own:", reason: "Unsupported" })
    assert.include(String(error), "give it `remove`")
    const docs = await open({ to: { ...to, remove: async () => void calls.push("remove") } })
    await docs.add({ path: "a.html", content: "gnu" })
    assert.deepStrictEqual(calls, ["write"])
  })

  it("takes a sink that cannot remove for mode append, and refuses it any other at the call", async () => {
    write("a.html", "gnu")
    let written = 0
    const to = { id: "own:", write: async () => void written++ }
    const docs = await open({ to, mode: "append" })
    assert.deepInclude(await docs.ingest({ root }), { stored: 1, failed: 0 })
    write("a.html", "zebra")
    assert.deepInclude(await docs.ingest({ root }, { mode: "append" }), { stored: 1, failed: 0 })
    assert.strictEqual((await docs.add(upload("b.html", "yak")))._tag, "Stored")
    assert.deepInclude(await docs.retry({ empty: true }), { failed: 0 })
    assert.deepInclude(await rejection(docs.ingest({ root }, { mode: "upsert" })), {
      _tag: "SinkError",
      sink: "own:",
      reason: "Unsupported"
    })
    assert.strictEqual(written, 3)
  })

  it("adds the same bytes again at no cost, also after it was opened again, and replaces changed ones", async () => {
    const texts: Array<string> = []
    const embedder: Async.AsyncEmbedder = {
      model: "lengths",
      embed: async (given) => {
        texts.push(...given)
        return given.map((text) => [text.length, 1])
      }
    }
    const docs = await open({ embedder })
    assert.strictEqual((await docs.add(upload("n.html", "zebra")))._tag, "Stored")
    const before = texts.length
    assert.strictEqual((await docs.add(upload("n.html", "zebra")))._tag, "Unchanged")
    await docs.close()
    const later = await open({ embedder })
    assert.strictEqual((await later.add(upload("n.html", "zebra")))._tag, "Unchanged")
    assert.deepStrictEqual([parses, texts.length], [["n.html"], before])
    const blob: Async.AsyncFile = { path: "n.html", content: new Blob(["a gnu"]) }
    assert.deepInclude(await later.add(blob), { _tag: "Stored", chunks: { added: 1, deleted: 1, unchanged: 0 } })
    assert.deepStrictEqual(await sourcesOf(later, "zebra"), [])
    assert.deepStrictEqual(await sourcesOf(later, "gnu"), ["n.html"])
  })

  it("adds two versions of one name one after the other, the later one last, and other names side by side", async () => {
    const docs = await open()
    const release = blocked()
    const calls = [
      docs.add(upload("a.html", "first zebra")),
      docs.add(upload("a.html", "second gnu")),
      docs.add(upload("b.html", "okapi"))
    ]
    await until(() => parses.length > 1)
    const late = docs.add(upload("c.html", "tapir"))
    release()
    assert.deepStrictEqual(
      (await Promise.all([...calls, late])).map(({ _tag }) => _tag),
      ["Stored", "Stored", "Stored", "Stored"]
    )
    assert.deepStrictEqual(await sourcesOf(docs, "zebra gnu"), ["a.html"])
    const [hit] = await docs.search("gnu", { mode: "words" })
    assert.strictEqual(hit?.chunk.text, "second gnu")
  })

  it("parses documents that are added while others are parsed side by side", async () => {
    const docs = await open()
    const release = blocked()
    const first = docs.add(upload("a.html", "one"))
    await until(() => parses.length === 1)
    const second = docs.add(upload("b.html", "two"))
    await until(() => parses.length === 2)
    release()
    await Promise.all([first, second])
    assert.deepStrictEqual(parses, ["a.html", "b.html"])
  })

  it("queues calls that write, and searches next to them", async () => {
    write("a.html", "zebra")
    const docs = await open()
    await docs.ingest(root)
    write("b.html", "gnu")
    const release = blocked()
    const order: Array<string> = []
    const ingest = docs.ingest(root).then(() => order.push("ingest"))
    await until(() => parses.length === 2)
    const second = docs.ingest(root).then(({ unchanged }) => order.push(`second ${unchanged}`))
    const add = docs.add(upload("c.html", "okapi")).then(() => order.push("add"))
    assert.deepStrictEqual(await sourcesOf(docs, "zebra"), ["a.html"])
    order.push("search")
    release()
    await Promise.all([ingest, second, add])
    assert.deepStrictEqual(order, ["search", "ingest", "second 2", "add"])
  })

  it("waits for the calls that run when it is closed, and refuses later ones with a typed error", async () => {
    write("a.html", "zebra")
    const docs = await open()
    const release = blocked()
    const ingest = docs.ingest(root)
    await until(() => parses.length === 1)
    let closed = false
    const closing = Promise.all([docs.close(), docs[Symbol.asyncDispose]()]).then(() => {
      closed = true
    })
    for (const call of [docs.search("zebra"), docs.add(upload("b.html", "gnu")), docs.status(), docs.ingest(root)]) {
      assert.deepInclude(await rejection(call), { _tag: "CorpusClosed" })
    }
    assert.isFalse(closed)
    release()
    assert.deepInclude(await ingest, { stored: 1, exit: 0 })
    await closing
    await docs.close()
    assert.deepStrictEqual(await sourcesOf(await open(), "zebra"), ["a.html"])
  })

  it("does not wait for chunks that nobody takes when it is closed", async () => {
    for (let at = 0; at < 60; at++) write(`${at}.html`, `document ${at}`)
    const docs = await open()
    const chunks = docs.chunks(root)[Symbol.asyncIterator]()
    await chunks.next()
    await docs.close()
    assert.deepInclude(
      await rejection(
        Promise.resolve().then(async () => {
          while ((await chunks.next()).done !== true);
        })
      ),
      { _tag: "CorpusClosed" }
    )
  })

  it("refuses a search before anything is stored, and one by another embedder, with the remedy", async () => {
    const docs = await open()
    const nothing = await rejection(docs.search("zebra"))
    assert.deepInclude(nothing, { _tag: "SearchError", reason: "NoStore" })
    assert.include(String(nothing), "ingest or add documents first")
    await docs.add(upload("a.html", "zebra"))
    await docs.close()
    const embedder: Async.AsyncEmbedder = { model: "other", embed: async (texts) => texts.map(() => [1, 2, 3]) }
    const others = await open({ embedder })
    const other = await rejection(others.search("zebra"))
    assert.deepInclude(other, { _tag: "SearchError", reason: "OtherEmbedder" })
    assert.include(String(other), "open the corpus with the embedder that it was filled with")
    assert.deepInclude(await rejection(others.add(upload("b.html", "gnu"))), { _tag: "SinkError", reason: "Mismatch" })
    assert.deepStrictEqual(await sourcesOf(others, "zebra"), ["a.html"])
    await others.close()
    const files = await open({ to: `jsonl:${join(folder, "chunks.jsonl")}`, state: join(folder, "another") })
    assert.deepInclude(await rejection(files.search("zebra")), { _tag: "SearchError", reason: "NotSearchable" })
  })

  it("searches without an embedder by words, and by hashes where the store has them", async () => {
    const first = await open()
    await first.add(upload("a.html", "zebra"))
    await first.close()
    const docs = await open({ embedder: undefined })
    assert.lengthOf(await docs.search("zebra", { mode: "vectors" }), 1)
    const none = await open({ state: join(folder, "another"), to: `libsql:${join(folder, "b.db")}`, embedder: "none" })
    await none.add(upload("a.html", "zebra"))
    assert.lengthOf(await none.search("zebra"), 1)
    assert.deepInclude(await rejection(none.search("zebra", { mode: "vectors" })), { reason: "NoVectors" })
  })

  it("refuses a state that is open already in this process, early and by name", async () => {
    await open()
    const error = await rejection(open())
    assert.deepInclude(error, { _tag: "LedgerError", reason: "Locked", pid: process.pid })
    assert.include(String(error), "this process itself")
  })

  it("stores everything again where its store was emptied, or removed, from outside", async () => {
    write("a.html", "zebra")
    const docs = await open()
    await docs.ingest(root)
    const other = new Libsql(store)
    other.exec("DELETE FROM chunks")
    other.close()
    assert.deepInclude(await docs.ingest(root), { stored: 1, unchanged: 0 })
    assert.deepStrictEqual(await sourcesOf(docs, "zebra"), ["a.html"])
    for (const end of ["", "-wal", "-shm"]) rmSync(`${store}${end}`, { force: true })
    assert.deepInclude(await rejection(docs.search("zebra")), { reason: "NoStore" })
    await docs.add(upload("b.html", "gnu"))
    assert.deepInclude(await docs.ingest(root), { stored: 1, unchanged: 0 })
    assert.deepStrictEqual(await sourcesOf(docs, "zebra gnu"), ["a.html", "b.html"])
  })

  it("searches without a state while another handle writes, and in the store that takes the place of the first", async () => {
    const writer = await open()
    await writer.add(upload("a.html", "zebra"))
    const reader = await open({ state: undefined })
    assert.deepStrictEqual(await sourcesOf(reader, "zebra gnu"), ["a.html"])
    await writer.add(upload("b.html", "gnu"))
    assert.deepStrictEqual(await sourcesOf(reader, "zebra gnu"), ["a.html", "b.html"])
    await writer.close()
    for (const end of ["", "-wal", "-shm"]) rmSync(`${store}${end}`, { force: true })
    const other = await open({ state: join(folder, "another") })
    await other.add(upload("c.html", "zebra and gnu"))
    const found = await Promise.all([sourcesOf(reader, "zebra"), sourcesOf(reader, "gnu"), sourcesOf(reader, "zebra")])
    assert.deepStrictEqual(found, [["c.html"], ["c.html"], ["c.html"]])
  })

  it("ends the call whose signal is aborted, and no other", async () => {
    const docs = await open()
    const release = blocked()
    const abort = new AbortController()
    const first = docs.add(upload("a.html", "zebra"))
    await until(() => parses.length === 1)
    const second = rejection(docs.add(upload("b.html", "gnu"), { signal: abort.signal }))
    const third = rejection(docs.ingest(root, { signal: abort.signal }))
    abort.abort("enough")
    assert.deepStrictEqual(await Promise.all([second, third]), ["enough", "enough"])
    release()
    assert.strictEqual((await first)._tag, "Stored")
    const again = blocked()
    const alone = new AbortController()
    const last = rejection(docs.add(upload("c.html", "okapi"), { signal: alone.signal }))
    await until(() => parses.includes("c.html"))
    alone.abort("late")
    assert.strictEqual(await last, "late")
    again()
    assert.strictEqual((await docs.add(upload("c.html", "okapi")))._tag, "Stored")
  })

  it("rejects an added document that is refused, names it among the failures, and retries what has files", async () => {
    write("a.html", "refused")
    write("b.html", "gnu")
    const docs = await open()
    assert.deepInclude(await rejection(docs.add(upload("x.html", "refused"))), {
      _tag: "AddError",
      source: "x.html",
      tag: "BadRequest",
      retryable: false
    })
    assert.deepInclude(await docs.ingest(root), { stored: 1, failed: 1, exit: 1 })
    const sources = (await docs.failures()).map(({ source }) => source)
    assert.deepStrictEqual(sources.toSorted(), ["a.html", "x.html"])
    write("a.html", "zebra")
    const summary = await docs.retry()
    assert.deepInclude(summary, { stored: 1, exit: 1 })
    assert.deepStrictEqual(summary.warnings, [
      { source: "x.html", message: "its bytes are not kept here; add it again" }
    ])
    assert.deepStrictEqual(await sourcesOf(docs, "zebra"), ["a.html"])
    await docs.remove("x.html")
    assert.deepInclude(await docs.retry(), { discovered: 0, exit: 0 })
    rmSync(join(root, "a.html"))
    assert.deepInclude(await docs.ingest(root, { mode: "sync" }), { removed: 1, unchanged: 1, exit: 0 })
  })

  it("names the option that cannot be used", async () => {
    for (const [option, given] of [
      ["to", { to: JSON.parse('"oracle:x"') }],
      ["embedder", { embedder: "openai:" }],
      ["model", { model: "gpt", layer: undefined }],
      ["chunker", { chunker: JSON.parse('"words"') }],
      ["to", { to: [] }]
    ] as const) {
      assert.deepInclude(await rejection(open(given)), { _tag: "OptionError", option }, option)
    }
    const docs = await open()
    assert.deepInclude(await rejection(docs.ingest([])), { _tag: "OptionError", option: "source" })
  })

  it("sends its log lines to the logger", async () => {
    const lines: Array<string> = []
    const docs = await open({ logger: { info: (line) => lines.push(line), warn: (line) => lines.push(line) } })
    await docs.add(upload("a.html", "zebra"))
    await docs.close()
    const other = await open({ chunker: "markdown", logger: { info: (line) => lines.push(line) } })
    await other.add(upload("a.html", "zebra"))
    assert.match(lines.join("\n"), /the way of chunking is not that of the stored documents/)
    assert.isTrue(readFileSync(store).length > 0)
  })
})
