import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { NodeContext } from "@effect/platform-node"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Corpus from "docsluice/Corpus"
import { Deferred, Effect, Fiber, ManagedRuntime, type Scope } from "effect"
import Libsql from "libsql"
import type { Refused } from "../../../src/internal/look/refused.ts"
import * as EmbeddingServer from "../../embedding/server.ts"
import * as Asked from "./askedStore.ts"

const { caller } = Asked

const ingested = ManagedRuntime.make(Asked.ingested)

afterAll(() => ingested.dispose())

/** A test that may use the documents that were ingested once. */
const live = (title: string, body: () => Effect.Effect<void, unknown, Asked.Ingested | Scope.Scope>) =>
  it.scopedLive(title, () => Effect.provide(body(), ingested))

/** Status, tag, message and remedy of a call that fails. */
const refused = <A>(call: Effect.Effect<A, Refused>) =>
  Effect.map(Effect.flip(call), ({ body, status }) => ({ status, ...body.error }))

/** A server that takes connections and never answers. */
const silent = Effect.gen(function* () {
  const opened = yield* Deferred.make<void>()
  const closed = yield* Deferred.make<void>()
  const sockets = new Set<net.Socket>()
  const server = yield* Effect.acquireRelease(
    Effect.async<net.Server>((resume) => {
      const listening = net.createServer((socket) => {
        sockets.add(socket)
        // The end of what is not read is not noticed.
        socket.resume()
        socket.on("error", () => undefined)
        socket.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        Deferred.unsafeDone(opened, Effect.void)
      })
      listening.listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
    }),
    (listening) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        listening.close()
      })
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const store = `qdrant:http://127.0.0.1:${port}` as const
  return { store, opened: Deferred.await(opened), closed: Deferred.await(closed) }
})

/** A store whose vectors are from a server of embeddings. */
const embedded = (
  world: Asked.World,
  reaction: (asked: EmbeddingServer.Asked) => EmbeddingServer.Reaction = EmbeddingServer.complete
): Effect.Effect<EmbeddingServer.EmbeddingServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* EmbeddingServer.start(reaction)
    yield* Effect.flatMap(Corpus.Corpus, (corpus) => corpus.ingest({ root: world.docs })).pipe(
      Effect.provide(Corpus.layer({ to: [world.store], embedder: `openai:nearby@${server.base}`, state: world.state })),
      Effect.provide(NodeContext.layer),
      Effect.orDie
    )
    return server
  })

describe("questions to a store", () => {
  for (const kind of ["libsql", "lancedb"] as const) {
    live(`are answered by ${kind} with scores, words, place, headings, boxes and pages`, () =>
      Effect.gen(function* () {
        const world = kind === "libsql" ? yield* Asked.Ingested : yield* Asked.world(kind)
        if (kind !== "libsql") yield* world.ingest()
        const ask = yield* Asked.ask(world)
        assert.deepStrictEqual(yield* ask.settings, {
          name: world.store,
          vectors: false,
          reranked: null,
          documents: 2,
          chunks: 2
        })
        const found = yield* ask.search({ query: "  calibrate ", limit: 5 }, caller)
        const [hit] = found.hits
        assert(hit !== undefined, "nothing was found")
        assert.deepInclude(hit, { citation: "deep/gauges.pdf, p. 1–2", matched: 1, missing: null })
        assert.deepInclude(found, { nothing: null, nearest: null, note: null })
        assert.isAbove(hit.score, 0)
        assert.isTrue([hit.relevance, hit.similarity].every((share) => share !== null && share > 0 && share <= 1))
        const [word] = hit.highlights
        assert.strictEqual(hit.chunk.text.slice(word?.start, word?.end), "Calibrate")
        assert.deepStrictEqual(
          hit.pages.map(({ number }) => number),
          [1, 2]
        )
        assert.isTrue(hit.chunk.boxes.every(({ page }) => page === 1 || page === 2))
        assert.isAbove(hit.chunk.boxes.length, 1)
        assert.notProperty(hit.chunk, "embedding")
        const note = yield* ask.one("anemometer")
        assert.strictEqual(note.citation, "notes.txt")
        assert.strictEqual(note.missing?.reason, "no-pages")
        assert.deepStrictEqual([hit.verbatim, note.verbatim], [false, true])
      })
    )
  }

  live("have 1 to 2000 characters and ask for 1 to 50 hits", () =>
    Effect.gen(function* () {
      const world = { store: "libsql:nowhere.db", state: "nowhere" } as const
      const ask = yield* Asked.ask(world)
      const cases = [
        [{ query: "  ", limit: 1 }, /query is empty/],
        [{ query: "x".repeat(2001), limit: 1 }, /more than 2000 characters/],
        [{ query: "x", limit: 0 }, /from 1 to 50/],
        [{ query: "x", limit: 51 }, /from 1 to 50/],
        [{ query: "x", limit: 1.5 }, /integer/],
        [{ query: "x", limit: 1, minScore: 2 }, /from 0 to 1/],
        [{ query: ["x"], limit: 1 }, /string/],
        [{ query: JSON.parse(`${"[".repeat(9000)}${"]".repeat(9000)}`), limit: 1 }, /nested too deeply/],
        ["x", /Expected/]
      ] as const
      for (const [request, word] of cases) {
        const refusal = yield* refused(ask.search(request, caller))
        assert.deepInclude(refusal, { status: 400, tag: "QueryRefused" })
        assert.match(refusal.message, word)
      }
    })
  )

  live("that nothing answers say so, and how near the nearest is", () =>
    Effect.gen(function* () {
      const world = yield* Asked.world()
      yield* world.ingest(world.docs, "none")
      const ask = yield* Asked.ask(world)
      const none = yield* ask.search({ query: "volcano", limit: 5 }, caller)
      assert.deepInclude(none, { hits: [], nearest: null, nothing: `Nothing in ${world.store} has these words.` })
      const question = "which volcano eruption happened on the roof of parliament"
      const weak = yield* ask.search({ query: question, limit: 5, minScore: 0.9 }, caller)
      assert.lengthOf(weak.hits, 0)
      assert.match(weak.nothing ?? "", /the relevance of the nearest passage is 0\.\d\d/)
      const all = yield* ask.search({ query: question, limit: 5, minScore: 0 }, caller)
      assert.strictEqual(all.hits[0]?.relevance, weak.nearest)
    })
  )

  live("see a store that is gone, made again, or filled while the page is open", () =>
    Effect.gen(function* () {
      const world = yield* Asked.world()
      const ask = yield* Asked.ask(world)
      const request = { query: "calibrate", limit: 5 }
      const search = ask.search(request, caller)
      assert.deepInclude(yield* refused(search), { status: 503, tag: "StoreMissing" })
      yield* world.ingest()
      assert.lengthOf((yield* search).hits, 1)
      const file = path.join(world.folder, "store.db")
      for (const end of ["", "-wal", "-shm"]) fs.rmSync(file + end, { force: true })
      const gone = yield* refused(search)
      assert.deepInclude(gone, { status: 503, tag: "StoreMissing" })
      assert.match(gone.remedy ?? "", /docsluice ingest/)
      assert.deepStrictEqual(yield* ask.settings, {
        name: world.store,
        vectors: false,
        reranked: null,
        documents: null,
        chunks: null
      })
      yield* world.ingest()
      assert.lengthOf((yield* search).hits, 1)
      fs.writeFileSync(path.join(world.docs, "more.txt"), "Calibrate the second gauge too.\n")
      yield* world.ingest()
      assert.lengthOf((yield* search).hits, 2)
    })
  )

  live("are refused while another process locks the store", () =>
    Effect.gen(function* () {
      const world = yield* Asked.copy
      const ask = yield* Asked.ask(world)
      const holder = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const db = new Libsql(path.join(world.folder, "store.db"))
          db.exec("PRAGMA locking_mode=EXCLUSIVE")
          db.exec("BEGIN EXCLUSIVE")
          return db
        }),
        (db) => Effect.sync(() => db.close())
      )
      const refusal = yield* refused(ask.search({ query: "calibrate", limit: 5 }, caller))
      assert.deepInclude(refusal, { status: 503, tag: "SinkError" })
      assert.match(refusal.message, /lock/)
      assert.match(refusal.remedy ?? "", /lock/)
      holder.exec("COMMIT")
    })
  )

  live("of a store that never answers end after the time limit, and at once when they are given up", () =>
    Effect.gen(function* () {
      const { closed, opened, store } = yield* silent
      // Loaded by the first search, which may take longer than the time limit.
      yield* Effect.promise(() => import("docsluice/sinks/Qdrant"))
      const late = yield* Asked.ask({ store, state: "nowhere" }, { timeLimit: "300 millis" })
      const refusal = yield* refused(late.search({ query: "calibrate", limit: 5 }, caller))
      assert.deepInclude(refusal, { status: 504, tag: "SearchTimeout" })
      assert.match(refusal.message, /did not answer within 0\.3 s/)
      yield* closed
      const patient = yield* Asked.ask({ store, state: "nowhere" })
      const fiber = yield* Effect.fork(patient.search({ query: "calibrate", limit: 5 }, caller))
      yield* opened
      yield* Effect.sleep("100 millis")
      yield* Fiber.interrupt(fiber)
      // Each of four that were given up leaves room for the next.
      for (let at = 0; at < 5; at++) {
        yield* Effect.timeoutOption(patient.search({ query: "calibrate", limit: 5 }, caller), "30 millis")
      }
      const last = yield* Effect.fork(refused(late.search({ query: "calibrate", limit: 5 }, caller)))
      assert.strictEqual((yield* Fiber.join(last)).tag, "SearchTimeout")
    })
  )

  it.scopedLive(
    "are refused when the embedder is another than the store's, and say so when only words are searched",
    () =>
      Effect.gen(function* () {
        const world = yield* Asked.world()
        const server = yield* embedded(world)
        const request = { query: "calibrate", limit: 5 }
        const hashed = yield* Asked.ask(world, { embedder: "hash" })
        const other = yield* refused(hashed.search(request, caller))
        assert.deepInclude(other, { status: 409, tag: "OptionError" })
        assert.match(other.message, /holds .*nearby.*but the given embedder makes .*hash/)
        const unknown = yield* Asked.ask(world)
        const words = yield* unknown.search(request, caller)
        assert.lengthOf(words.hits, 1)
        assert.isNull(words.hits[0]?.similarity)
        assert.match(words.note ?? "", /words alone: the vectors are of nearby.*--embedder openai:nearby@BASE/)
        assert.isFalse((yield* unknown.settings).vectors)
        const asked = server.asked.length
        const own = yield* Asked.ask(world, { embedder: `openai:nearby@${server.base}` })
        assert.isTrue((yield* own.settings).vectors)
        assert.isNumber((yield* own.search(request, caller)).hits[0]?.similarity)
        assert.strictEqual(server.asked.length, asked + 1)
      })
  )

  live("are refused when the server of the model cannot be asked", () =>
    Effect.gen(function* () {
      const world = yield* Asked.world()
      yield* embedded(world)
      const ask = yield* Asked.ask(world, { embedder: "openai:nearby@http://127.0.0.1:1/v1", timeLimit: "4 seconds" })
      const refusal = yield* refused(ask.search({ query: "calibrate", limit: 5 }, caller))
      assert.include(["EmbeddingError", "SearchTimeout"], refusal.tag)
      assert.isNotNull(refusal.remedy)
    })
  )

  live("of a store without vectors take no embedder", () =>
    Effect.gen(function* () {
      const world = yield* Asked.world()
      yield* world.ingest(world.docs, "none")
      const ask = yield* Asked.ask(world, { embedder: "hash" })
      const refusal = yield* refused(ask.search({ query: "calibrate", limit: 5 }, caller))
      assert.deepInclude(refusal, { status: 409, tag: "OptionError" })
      assert.match(refusal.message, /chunks without vectors/)
    })
  )

  live("give ids that only their caller can use, for the pages of the hit alone", () =>
    Effect.gen(function* () {
      const ask = yield* Asked.ask(yield* Asked.Ingested)
      const { id } = yield* ask.one("calibrate")
      for (const [hit, other] of [
        [id, "another"],
        ["0".repeat(32), caller]
      ] as const) {
        const unknown = { status: 404, tag: "HitUnknown", remedy: "Search again." }
        assert.deepInclude(yield* refused(ask.view(hit, other)), unknown)
        assert.deepInclude(yield* refused(ask.picture(hit, 1, 400, other)), unknown)
      }
      for (const page of [0, 3, -1, 1.5, Number.NaN]) {
        assert.deepInclude(yield* refused(ask.picture(id, page, 400, caller)), { status: 404, tag: "PageUnknown" })
      }
    })
  )
})
