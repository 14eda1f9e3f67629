import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Corpus from "docsluice/Corpus"
import * as Ledger from "docsluice/Ledger"
import * as Parser from "docsluice/Parser"
import * as LibSql from "docsluice/sinks/LibSql"
import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as Tokenizer from "docsluice/Tokenizer"
import { ConfigProvider, Deferred, Effect, Exit, Fiber, Layer, Scope, Stream, Struct } from "effect"
import * as Doctor from "../src/internal/run/examine.ts"
import * as EmbeddingServer from "./embedding/server.ts"
import * as FaultServer from "./faultserver/server.ts"
import { address, server, sql } from "./ledger/places.ts"
import { parsed } from "./pipeline/fakes.ts"
import * as Postgres from "./sinks/postgres.ts"

const postgres = server()

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "corpus-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

/** The Markdown of a file is its bytes; each parse waits for `held`. */
const parsing = (held: Effect.Effect<void> = Effect.void) =>
  Layer.merge(
    Parser.layerFunction("bytes", (file, bytes) =>
      Effect.zipRight(
        held,
        Effect.map(bytes, (content) => parsed(file, new TextDecoder().decode(content)))
      )
    ),
    Tokenizer.layerCharacters
  )

const file = (name: string, text: string) =>
  SourceFile.fromBytes({ root: "any", path: name, bytes: new TextEncoder().encode(text) })

describe("Corpus", () => {
  it.scopedLive("is one layer over a service elsewhere, whose answers are paid for once", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const root = path.join(directory, "docs")
      fs.mkdirSync(root)
      for (const name of ["a.pdf", "b.pdf"]) fs.writeFileSync(path.join(root, name), `document ${name}`)
      const server = yield* FaultServer.start({
        document: ({ filename }) => ({
          success: true,
          data: { markdown: `# Notes\n\nThe zebra of ${filename}.`, metadata: { numPages: 1, totalPages: 1 } }
        })
      })
      const to = [
        `libsql:${path.join(directory, "store.db")}`,
        `jsonl:${path.join(directory, "chunks.jsonl")}`
      ] as const
      const corpus = Corpus.layer({ to, service: server.base, embedder: "hash", state: path.join(directory, "state") })
      const used = Effect.gen(function* () {
        const docs = yield* Corpus.Corpus
        const summary = yield* docs.ingest({ root })
        const document = yield* docs.parse(path.join(root, "a.pdf"))
        const [hit] = yield* docs.search("zebra a.pdf", { limit: 1 })
        const texts = yield* Stream.runCollect(docs.chunks({ root }))
        return {
          summary,
          document,
          label: hit?.citation.label,
          vectors: Array.from(texts, (one) => one.embedding?.length)
        }
      }).pipe(Effect.provide(corpus), Effect.provide(NodeContext.layer))
      const first = yield* used
      assert.deepInclude(first.summary, { stored: 2, requests: 2 })
      assert.deepInclude(first, { label: "a.pdf, p. 1", vectors: [1024, 1024] })
      assert.strictEqual(first.document.markdown, "# Notes\n\nThe zebra of a.pdf.")
      assert.deepInclude((yield* used).summary, { unchanged: 2, requests: 0 })
      assert.lengthOf(server.log, 2)
    })
  )

  it.scopedLive("loses neither an added nor a removed document with what a power cut takes from the ledger", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const state = path.join(directory, "state")
      const to = `jsonl:${path.join(directory, "chunks.jsonl")}` as const
      const corpus = Layer.provide(Corpus.layer({ to, state }), Layer.merge(parsing(), NodeContext.layer))
      /** Documents of the ledger without its log, which is not synced. */
      const left = Effect.gen(function* () {
        const cut = yield* folder
        fs.copyFileSync(path.join(state, "ledger.db"), path.join(cut, "ledger.db"))
        return (yield* (yield* Ledger.make({ directory: cut })).stats).documents
      }).pipe(Effect.scoped)
      yield* Effect.gen(function* () {
        const docs = yield* Corpus.Corpus
        yield* docs.add(file("a.html", "the zebra"))
        yield* docs.add(file("b.html", "the giraffe"))
        assert.strictEqual(yield* left, 2)
        yield* docs.remove("b.html")
        assert.strictEqual(yield* left, 1)
      }).pipe(Effect.provide(corpus))
    })
  )

  it.scopedLive("refuses calls once its scope closes, and closes after those that run", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const held = yield* Deferred.make<void>()
      const entered = yield* Deferred.make<void>()
      const held1 = Effect.zipRight(Deferred.succeed(entered, undefined), Deferred.await(held))
      const scope = yield* Scope.make()
      const docs = yield* Corpus.makeParts({ to: LibSql.make({ file: path.join(directory, "store.db") }) }).pipe(
        Effect.provide(parsing(held1)),
        Effect.provide(NodeContext.layer),
        Scope.extend(scope)
      )
      const adding = yield* Effect.fork(docs.add(file("a.html", "zebra")))
      yield* Deferred.await(entered)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      const refused = yield* Effect.flip(Effect.forever(docs.status))
      assert.deepInclude(refused, { _tag: "CorpusClosed" })
      assert.isNull(closing.unsafePoll())
      yield* Deferred.succeed(held, undefined)
      assert.strictEqual((yield* Fiber.join(adding))._tag, "Stored")
      yield* Fiber.join(closing)
    })
  )

  it.scopedLive("takes a sink that cannot remove for mode append only", () =>
    Effect.gen(function* () {
      const sink = yield* MemorySink.make()
      const to: ChunkSink.ChunkSink.Appending = ChunkSink.mapPrepared(
        { ...sink, capabilities: { ...sink.capabilities, remove: false } },
        Struct.omit("remove")
      )
      const opened = (options: Pick<Corpus.PartsOptions, "mode">) =>
        Corpus.makeParts({ to, ...options }).pipe(Effect.provide(parsing()), Effect.provide(NodeContext.layer))
      const refused = { _tag: "SinkError", reason: "Unsupported" } as const
      assert.deepInclude(yield* Effect.flip(opened({})), refused)
      assert.deepInclude(yield* Effect.flip(opened({ mode: "sync" })), refused)
      const docs = yield* opened({ mode: "append" })
      const source = Source.make({ name: "any", files: Stream.make(file("a.html", "gnu")) })
      assert.deepInclude(yield* docs.ingest(source), { stored: 1, failed: 0 })
      assert.deepInclude(yield* Effect.flip(docs.ingest(source, { mode: "upsert" })), refused)
    })
  )

  it.scopedLive("uses its mode for an ingestion that names none", () =>
    Effect.gen(function* () {
      const docs = yield* Corpus.makeParts({ to: MemorySink.make(), mode: "sync" }).pipe(
        Effect.provide(parsing()),
        Effect.provide(NodeContext.layer)
      )
      const of = (...names: ReadonlyArray<string>) =>
        Source.make({ name: "any", files: Stream.fromIterable(names.map((name) => file(name, name))) })
      yield* docs.ingest(of("a.html", "b.html"))
      assert.deepInclude(yield* docs.ingest(of("a.html"), { mode: "upsert" }), { discovered: 1, removed: 0 })
      assert.deepInclude(yield* docs.ingest(of("a.html")), { discovered: 1, removed: 1 })
    })
  )

  it.scopedLive("gives the errors of a source as they are, and its own by their tags", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const docs = yield* Corpus.makeParts({
        to: `libsql:${path.join(directory, "store.db")}`,
        chunker: "markdown"
      }).pipe(Effect.provide(parsing()), Effect.provide(NodeContext.layer))
      const failing = Source.make({ name: "mine", files: Stream.fail("broken" as const) })
      const ingested: "broken" | "stopped" = yield* docs.ingest(failing).pipe(
        Effect.as("stopped" as const),
        Effect.catchTags({
          CorpusClosed: () => Effect.succeed("stopped" as const),
          DiscoveryError: () => Effect.succeed("stopped" as const),
          SourceUnavailable: () => Effect.succeed("stopped" as const),
          EmbeddingError: () => Effect.succeed("stopped" as const),
          InvalidOptions: () => Effect.succeed("stopped" as const),
          LedgerError: () => Effect.succeed("stopped" as const),
          OptionError: () => Effect.succeed("stopped" as const),
          SinkError: () => Effect.succeed("stopped" as const)
        }),
        Effect.catchAll((error) => Effect.succeed(error))
      )
      assert.strictEqual(ingested, "broken")
      const missing = yield* Effect.flip(docs.remove("a.html"))
      assert.deepInclude(missing, { _tag: "RemovalError", reason: "Unknown" })
    })
  )

  it.scopedLive("reads keys by the ConfigProvider, and asks a server's model for each text once", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const models = yield* EmbeddingServer.start(EmbeddingServer.complete)
      const state = path.join(directory, "state")
      const to = `libsql:${path.join(directory, "store.db")}` as const
      const add = Effect.flatMap(Corpus.makeParts({ to, state, embedder: `openai:m@${models.base}` }), (docs) =>
        docs.add(file("a.html", "zebra"))
      ).pipe(
        Effect.scoped,
        Effect.provide(parsing()),
        Effect.provide(NodeContext.layer),
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["DOCSLUICE_EMBEDDER_API_KEY", "sk-of-the-config"]])))
      )
      assert.strictEqual((yield* add)._tag, "Stored")
      const asked = models.asked.length
      assert.strictEqual(models.asked[0]?.authorization, "Bearer sk-of-the-config")
      fs.rmSync(path.join(directory, "store.db"))
      assert.strictEqual((yield* add)._tag, "Stored")
      assert.lengthOf(models.asked, asked)
    })
  )

  it.scopedLive("takes an embedding model of the AI SDK as it is, and asks it for each text once", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const to = `libsql:${path.join(directory, "store.db")}` as const
      const asked: Array<string> = []
      const embedder = {
        specificationVersion: "v3",
        provider: "test",
        modelId: "of-the-sdk",
        maxEmbeddingsPerCall: 100,
        supportsParallelCalls: true,
        doEmbed: async ({ values }: { readonly values: Array<string> }) => {
          asked.push(...values)
          return { embeddings: values.map((text) => EmbeddingServer.vectorOf(text)) }
        }
      }
      const add = Effect.flatMap(Corpus.makeParts({ to, state: path.join(directory, "state"), embedder }), (docs) =>
        docs.add(file("a.html", "zebra"))
      ).pipe(Effect.scoped, Effect.provide(parsing()), Effect.provide(NodeContext.layer))
      assert.strictEqual((yield* add)._tag, "Stored")
      const once = [...asked]
      assert.include(once.join(), "zebra")
      fs.rmSync(path.join(directory, "store.db"))
      assert.strictEqual((yield* add)._tag, "Stored")
      assert.deepStrictEqual(asked, once)
    })
  )

  it.scopedLive("opens no state whose options cannot be used", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const state = path.join(directory, "state")
      const opened = (options: Corpus.Options) =>
        Corpus.make({ state, ...options }).pipe(Effect.scoped, Effect.flip, Effect.provide(NodeContext.layer))
      assert.deepInclude(yield* opened({ to: "libsql:" }), { _tag: "OptionError", option: "to" })
      assert.deepInclude(yield* opened({ to: "jsonl:x", service: "http://elsewhere.test/v2" }), {
        _tag: "InvalidAddress",
        reason: "KeyMissing"
      })
      const service = "http://127.0.0.1:1"
      assert.deepInclude(yield* opened({ to: "jsonl:x", service, model: "openai:m" }), { option: "model" })
      assert.isFalse(fs.existsSync(state))
    })
  )

  it.scopedLive.skipIf(Postgres.missing() !== null)(
    "says of a document that another handle took over that it did, and goes on and closes after it",
    () =>
      Effect.gen(function* () {
        const state = yield* address(postgres)
        const store = MemorySink.emptyStore()
        const [held, entered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const open = (parsed: Effect.Effect<void>) =>
          Corpus.makeParts({ to: MemorySink.make(store), state }).pipe(
            Effect.provide(parsing(parsed)),
            Effect.provide(NodeContext.layer)
          )
        const scope = yield* Scope.make()
        const stopped = yield* open(Effect.zipRight(Deferred.succeed(entered, undefined), Deferred.await(held))).pipe(
          Scope.extend(scope)
        )
        const late = yield* Effect.fork(Effect.flip(stopped.add(file("a.html", "late"))))
        yield* Deferred.await(entered)
        // As of a process that was stopped for longer than its lease.
        const schema = new URL(state).searchParams.get("schema") ?? ""
        yield* sql(
          state.replace(/\?.*$/u, ""),
          `UPDATE "${schema}".session SET until = clock_timestamp() - interval '1 minute'`
        )
        const other = yield* open(Effect.void)
        assert.strictEqual((yield* other.add(file("a.html", "other")))._tag, "Stored")
        yield* Deferred.succeed(held, undefined)
        assert.deepInclude(yield* Fiber.join(late), { _tag: "AddError", tag: "TakenOver", retryable: true })
        assert.strictEqual((yield* stopped.add(file("b.html", "after it")))._tag, "Stored")
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual([...store.chunks.values()].map(({ text }) => text).toSorted(), ["after it", "other"])
      }).pipe(Effect.timeout("30 seconds")),
    40_000
  )

  it.scopedLive.skipIf(Postgres.missing() !== null)(
    "adds a document that another handle works on as soon as that one is done with it",
    () =>
      Effect.gen(function* () {
        const state = yield* address(postgres)
        const store = MemorySink.emptyStore()
        const [held, entered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const open = (parsed: Effect.Effect<void>) =>
          Corpus.makeParts({ to: MemorySink.make(store), state }).pipe(
            Effect.provide(parsing(parsed)),
            Effect.provide(NodeContext.layer)
          )
        const busy = yield* open(Effect.zipRight(Deferred.succeed(entered, undefined), Deferred.await(held)))
        const other = yield* open(Effect.void)
        const first = yield* Effect.fork(busy.add(file("a.html", "first")))
        yield* Deferred.await(entered)
        const second = yield* Effect.fork(other.add(file("a.html", "second")))
        assert.strictEqual((yield* other.add(file("b.html", "meanwhile")))._tag, "Stored")
        yield* Deferred.succeed(held, undefined)
        assert.strictEqual((yield* Fiber.join(first))._tag, "Stored")
        assert.strictEqual((yield* Fiber.join(second))._tag, "Stored")
        assert.deepStrictEqual([...store.chunks.values()].map(({ text }) => text).toSorted(), ["meanwhile", "second"])
      }).pipe(Effect.timeout("30 seconds")),
    40_000
  )

  it.scopedLive.skipIf(Postgres.missing() !== null)(
    "removes a document that another handle works on after that one is done with it",
    () =>
      Effect.gen(function* () {
        const state = yield* address(postgres)
        const store = MemorySink.emptyStore()
        const [held, entered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        let parsed: Effect.Effect<void> = Effect.void
        const open = Corpus.makeParts({ to: MemorySink.make(store), state }).pipe(
          Effect.provide(parsing(Effect.suspend(() => parsed))),
          Effect.provide(NodeContext.layer)
        )
        const [busy, other] = [yield* open, yield* open]
        yield* busy.add(file("a.html", "first"))
        parsed = Effect.zipRight(Deferred.succeed(entered, undefined), Deferred.await(held))
        const second = yield* Effect.fork(busy.add(file("a.html", "second")))
        yield* Deferred.await(entered)
        const removal = yield* Effect.fork(other.remove("a.html"))
        yield* Effect.sleep("300 millis")
        assert.strictEqual(store.chunks.size, 1)
        yield* Deferred.succeed(held, undefined)
        assert.strictEqual((yield* Fiber.join(second))._tag, "Stored")
        assert.deepInclude(yield* Fiber.join(removal), { source: "a.html", chunks: 1 })
        assert.strictEqual(store.chunks.size, 0)
        assert.deepInclude(yield* other.status, { documents: 0, pending: 0 })
      }).pipe(Effect.timeout("30 seconds")),
    40_000
  )

  it.scopedLive.skipIf(Postgres.missing() !== null)(
    "keeps what it has just written of a document while doctor mends the store",
    () =>
      Effect.gen(function* () {
        const state = yield* address(postgres)
        const store = MemorySink.emptyStore()
        const [held, written] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const waits = Effect.zipRight(Deferred.succeed(written, undefined), Deferred.await(held))
        const late = ChunkSink.mapPrepared((prepared) => ({
          ...prepared,
          replace: (id, chunks) => Effect.zipRight(prepared.replace?.(id, chunks) ?? Effect.void, waits)
        }))
        const docs = yield* Corpus.makeParts({ to: Effect.map(MemorySink.make(store), late), state }).pipe(
          Effect.provide(parsing(Effect.void)),
          Effect.provide(NodeContext.layer)
        )
        const adding = yield* Effect.fork(docs.add(file("a.html", "first")))
        yield* Deferred.await(written)
        yield* Doctor.examine({ sinks: [yield* MemorySink.make(store)], fix: true }).pipe(
          Effect.provideServiceEffect(Ledger.Ledger, Ledger.makePostgres({ url: state }))
        )
        yield* Deferred.succeed(held, undefined)
        assert.strictEqual((yield* Fiber.join(adding))._tag, "Stored")
        assert.deepStrictEqual(
          [...store.chunks.values()].map(({ text }) => text),
          ["first"]
        )
      }).pipe(Effect.timeout("30 seconds")),
    40_000
  )
})
