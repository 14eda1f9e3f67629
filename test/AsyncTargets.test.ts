import * as fs from "node:fs"
import { createServer } from "node:http"
import * as os from "node:os"
import * as path from "node:path"
import { text } from "node:stream/consumers"
import * as Async from "docsluice/Async"
import { bytes } from "docsluice/SourceFile"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer, Schema } from "effect"
import Libsql from "libsql"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { parsed, parser } from "./pipeline/fakes.ts"

let folder = ""
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "async-targets-"))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const layer = Layer.merge(
  parser((file) => Effect.map(bytes(file), (content) => parsed(file, new TextDecoder().decode(content)))),
  Tokenizer.layerCharacters
)

const upload = (name: string, content: string): Async.AsyncFile => ({
  path: name,
  content: new TextEncoder().encode(content)
})

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("resolved"),
    (error: unknown) => error
  )

describe("options of Async that are spelled as on the command line", () => {
  it("are sinks, chunkers and embedders, and the targets are no sources", async () => {
    fs.writeFileSync(path.join(folder, "a.html"), "# A\n\nzebra")
    const [store, lines] = [path.join(folder, "store.db"), path.join(folder, "out")]
    const summary = await Async.ingest({
      root: folder,
      layer,
      chunker: "markdown",
      embedder: "hash",
      sinks: [`libsql:${store}`, `fs:${lines}`]
    })
    assert.deepInclude(summary, { discovered: 1, stored: 1 })
    const db = new Libsql(store)
    const row = db.prepare("SELECT count(*), length(embedding) FROM chunks").raw(true).get()
    db.close()
    assert.deepStrictEqual(row, [1, 4096])
    const again = Async.chunks({ root: folder, patterns: ["*.html"], layer, chunker: "auto", embedder: "hash" })
    for await (const { embedding, source } of again)
      assert.deepStrictEqual([source, embedding?.length], ["a.html", 1024])
  })

  it("are embedders of other libraries, taken as they are", async () => {
    fs.writeFileSync(path.join(folder, "a.html"), "# A\n\nzebra")
    const vector = [0.6, 0.8]
    const sdk = {
      specificationVersion: "v3",
      provider: "test",
      modelId: "of-the-sdk",
      maxEmbeddingsPerCall: 100,
      supportsParallelCalls: true,
      doEmbed: async ({ values }: { values: Array<string> }) => ({ embeddings: values.map(() => vector) })
    }
    const langChain = {
      embedDocuments: async (texts: Array<string>) => texts.map(() => vector),
      embedQuery: async () => vector
    }
    for (const [name, embedder] of [
      ["of-the-sdk", sdk],
      ["of-langchain", { model: "of-langchain", ...langChain }],
      ["mine", { model: "mine", embed: langChain }],
      ["other", { model: "other", embed: sdk }]
    ] as const) {
      const docs = await Async.open({ to: `libsql:${path.join(folder, `${name}.db`)}`, embedder, layer })
      assert.deepInclude(await docs.ingest({ root: folder, patterns: ["*.html"] }), { stored: 1 })
      assert.lengthOf(await docs.search("horse", { mode: "vectors" }), 1)
      await docs.close()
      const other = await Async.open({ to: `libsql:${path.join(folder, `${name}.db`)}`, embedder: "hash", layer })
      assert.include(String(await rejection(other.search("horse"))), name)
      await other.close()
    }
    const given: Async.OpenOptions = Object.assign({ to: "libsql:x.db" }, JSON.parse("{}"), { embedder: langChain })
    assert.match(String(await rejection(Async.open(given))), /embedder: .*a model that says its name/)
  })

  it("are refused by the name of the option, before anything is parsed", async () => {
    const files = { files: [upload("a.html", "a")], name: "x", layer }
    for (const [option, part, given] of [
      ["to", undefined, { sinks: [JSON.parse('"oracle:x"')] }],
      ["to", "chroma:http://127.0.0.1:1#chunks", { sinks: ["chroma:http://127.0.0.1:1"] }],
      ["embedder", undefined, { sinks: [], embedder: "openai:m@ftp://h" }]
    ] as const) {
      const error = await rejection(Async.ingest({ ...files, ...given }))
      assert.deepInclude(error, { _tag: "OptionError", option, ...(part !== undefined && { part }) })
      assert.notMatch(String(error), /--/)
    }
  })

  it("are a language model of the embedded service, by its address", async () => {
    const asked: Array<string> = []
    const server = createServer(async (request, response) => {
      asked.push(`${request.headers.authorization} ${(await text(request)).includes("Total: 7")}`)
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ choices: [{ message: { content: '{"total": 7}' } }] }))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const baseUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`
    try {
      const invoice = upload("invoice.html", "<p>Invoice 12. Total: 7</p>")
      const model = { model: "m", baseUrl, apiKey: "sk-of-the-model" }
      const Invoice = Schema.Struct({ total: Schema.Number })
      const { value } = await Async.extract(invoice, Invoice, { model })
      assert.strictEqual(value.total, 7)
      await using docs = await Async.open({
        to: `libsql:${path.join(folder, "store.db")}`,
        model: `openai:m@${baseUrl}`
      })
      assert.strictEqual((await docs.extract(invoice, Invoice)).value.total, 7)
      assert.deepStrictEqual(asked, ["Bearer sk-of-the-model true", "undefined true"])
    } finally {
      server.close()
    }
  })
})
