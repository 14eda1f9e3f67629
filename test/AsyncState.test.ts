import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { bytes } from "docsluice/SourceFile"
import { Effect, Layer } from "effect"
import * as EmbeddingServer from "./embedding/server.ts"
import * as FaultServer from "./faultserver/server.ts"
import { byLine, characters, parsed, parser, sink } from "./pipeline/fakes.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "async-state-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

const text = (content: string): Uint8Array => new TextEncoder().encode(content)

/** The Markdown of a file is its bytes. */
const layer = Layer.merge(
  parser((source) => Effect.map(bytes(source), (content) => parsed(source, new TextDecoder().decode(content)))),
  characters
)

describe("Async with a memory and vectors", () => {
  it.scopedLive("sends nothing twice to service or model, in a later run and after the target was emptied", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const root = path.join(directory, "docs")
      fs.mkdirSync(root)
      const server = yield* FaultServer.start()
      for (const name of ["a.pdf", "b.pdf"]) fs.writeFileSync(path.join(root, name), `document ${name}`)
      yield* Effect.sleep("40 millis")
      const [file, state] = [path.join(directory, "chunks.jsonl"), path.join(root, "memory")]
      let texts = 0
      const run = (how: Partial<Async.AsyncState> = {}) =>
        Effect.promise(() =>
          Async.ingest({
            root,
            service: server.base,
            state: { directory: state, ...how },
            embedder: {
              model: "lengths",
              embed: async (given) => {
                texts += given.length
                return given.map((one) => [one.length, 1])
              }
            },
            sinks: [Jsonl.layer({ file })]
          })
        )
      assert.deepInclude(yield* run(), { discovered: 2, stored: 2, requests: 2, exit: 0 })
      const [line = ""] = fs.readFileSync(file, "utf8").split("\n")
      assert.lengthOf(JSON.parse(line).embedding, 2)
      assert.includeMembers(fs.readdirSync(state), ["ledger.db", "cache", "embeddings"])
      const asked = texts
      assert.isAbove(asked, 0)
      assert.deepInclude(yield* run(), { unchanged: 2, stored: 0, requests: 0 })
      assert.deepInclude(yield* run({ rebuild: true }), { stored: 2, fromCache: 2, requests: 0 })
      assert.strictEqual(texts, asked)
      assert.deepInclude(yield* run({ redo: "parses" }), { stored: 2, fromCache: 0, requests: 2 })
    })
  )

  it.scopedLive("recognises files of your own in a later run, and in mode sync removes those that are gone", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const stored = new Map<string, string>()
      const store: Async.AsyncSink = {
        id: "mine:",
        write: async (chunks) => chunks.forEach(({ id, source }) => stored.set(id, source)),
        remove: async (ids) => ids.forEach((id) => stored.delete(id))
      }
      const run = (names: ReadonlyArray<string>) =>
        Effect.promise(() =>
          Async.ingest({
            files: names.map((name) => ({ path: `${name}.pdf`, content: text(name), etag: name })),
            name: "bucket",
            state: { directory, mode: "sync" },
            layer,
            chunker: byLine,
            sinks: [store]
          })
        )
      assert.deepInclude(yield* run(["a", "b", "d"]), { stored: 3, removed: 0 })
      assert.deepInclude(yield* run(["a", "c"]), { unchanged: 1, stored: 1, removed: 2, exit: 0 })
      assert.deepStrictEqual([...stored.values()].toSorted(), ["a.pdf", "c.pdf"])
    })
  )

  it.scopedLive("adds vectors, by hashing or by a server's model, to chunks that the caller stores", () =>
    Effect.gen(function* () {
      const models = yield* EmbeddingServer.start(EmbeddingServer.complete)
      const lengths = (embedder: Async.AsyncEmbedder) =>
        Effect.promise(async () => {
          const seen: Array<number | undefined> = []
          const files = [{ path: "a.pdf", content: text("one\ntwo") }]
          const chunks = Async.chunks({ files, name: "x", layer, chunker: byLine, embedder })
          for await (const chunk of chunks) seen.push(chunk.embedding?.length)
          return seen
        })
      assert.deepStrictEqual(yield* lengths("hash"), [1024, 1024])
      const model = { model: "m", baseUrl: models.base, apiKey: "sk-of-the-server" }
      assert.deepStrictEqual(yield* lengths(model), [EmbeddingServer.dimensions, EmbeddingServer.dimensions])
      assert.strictEqual(models.asked[0]?.authorization, "Bearer sk-of-the-server")
    })
  )

  it.scopedLive("rejects with the error of an embedder that cannot be used, before anything is parsed", () =>
    Effect.gen(function* () {
      const store = sink({ id: "store:" })
      const run = Effect.tryPromise({
        try: () =>
          Async.ingest({
            files: [{ path: "a.pdf", content: text("a") }],
            name: "x",
            layer,
            chunker: byLine,
            embedder: { model: "text-embedding-3-small" },
            sinks: [store.service]
          }),
        catch: (cause) => ({ cause })
      })
      assert.deepInclude((yield* Effect.flip(run)).cause, { _tag: "InvalidAddress", reason: "KeyMissing" })
      assert.lengthOf(store.batches, 0)
    })
  )
})
