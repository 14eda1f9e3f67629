import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { PackedVector } from "docsluice/DocumentChunk"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import { Effect, Layer } from "effect"
import * as Libsql from "../src/internal/state/libsql.ts"
import { chunks, vectors, withEmbedder } from "./embedding/chunks.ts"
import { openAi } from "./embedding/dialects.ts"
import * as server from "./embedding/server.ts"

const { live } = openAi

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-embeddings-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const keyOf = (text: string): string => createHash("sha256").update(text).digest("hex")

const vector = (seed: number, length = 16): PackedVector =>
  new PackedVector(Array.from({ length }, (_, index) => Math.sin(seed + index)))

const entry = (text: string, seed: number, length = 16) => ({ key: keyOf(text), vector: vector(seed, length) })

const reopened = <A, E>(
  directory: string,
  use: (cache: EmbeddingCache.EmbeddingCache.Service) => Effect.Effect<A, E>,
  maxBytes?: number
) => Effect.scoped(Effect.flatMap(EmbeddingCache.make({ directory, maxBytes }), use))

const plain = (found: ReadonlyArray<PackedVector | null>) =>
  found.map((vector) => (vector === null ? null : Array.from(vector)))

const inMemory = Effect.provide(EmbeddingCache.EmbeddingCache, EmbeddingCache.layerMemory({ maxBytes: 700 }))

const onDisk = Effect.flatMap(scratch, (directory) => EmbeddingCache.make({ directory, maxBytes: 700 }))

describe.each([
  ["in memory", inMemory],
  ["on disk", onDisk]
])("EmbeddingCache %s", (_, opened) => {
  it.scoped("returns vectors bit for bit, in the order of the keys", () =>
    Effect.gen(function* () {
      const cache = yield* opened
      yield* cache.put([entry("a", 1), entry("b", 2)])
      const found = yield* cache.get([keyOf("b"), keyOf("c"), keyOf("a")])
      assert.deepStrictEqual(plain(found), [Array.from(vector(2)), null, Array.from(vector(1))])
      yield* cache.put([entry("a", 3)])
      assert.deepStrictEqual(plain(yield* cache.get([keyOf("a")])), [Array.from(vector(3))])
      assert.strictEqual((yield* cache.stats).entries, 2)
    })
  )

  it.scoped("stays below its bound and evicts the least recently used entries", () =>
    Effect.gen(function* () {
      const cache = yield* opened
      yield* cache.put([entry("a", 1), entry("b", 2), entry("c", 3)])
      yield* cache.get([keyOf("a")])
      yield* cache.put([entry("d", 4)])
      const found = yield* cache.get(["a", "b", "c", "d"].map(keyOf))
      assert.deepStrictEqual(
        found.map((vector) => vector !== null),
        [true, false, true, true]
      )
      const stats = yield* cache.stats
      assert.isAtMost(stats.bytes, 700)
      assert.strictEqual(stats.maxBytes, 700)
      yield* cache.put([entry("large", 1, 1000)])
      assert.deepStrictEqual(plain(yield* cache.get([keyOf("large")])), [null])
      yield* cache.trim(300)
      assert.strictEqual((yield* cache.stats).entries, 1)
      yield* cache.clear
      assert.deepInclude(yield* cache.stats, { entries: 0, bytes: 0, oldest: null, newest: null })
    })
  )
})

describe("EmbeddingCache in a directory", () => {
  it.scoped("keeps vectors from one session to the next", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* reopened(directory, (cache) => cache.put([entry("a", 1)]))
      const found = yield* reopened(directory, (cache) => cache.get([keyOf("a")]))
      assert.deepStrictEqual(plain(found), [Array.from(vector(1))])
    })
  )

  it.scoped("treats a damaged vector, and the vector of another key, as a miss", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      const damages: ReadonlyArray<string> = [
        "UPDATE entry SET vector = substr(vector, 1, length(vector) - 1) WHERE id = 1",
        "UPDATE entry SET vector = substr(vector, 1, length(vector) - 4) WHERE id = 1",
        "UPDATE entry SET vector = x'' WHERE id = 1",
        "UPDATE entry SET vector = zeroblob(64) WHERE id = 1",
        "UPDATE entry SET vector = (SELECT vector FROM entry WHERE id = 2) WHERE id = 1",
        "UPDATE entry SET vector = (SELECT vector FROM entry WHERE id = 2), sum = (SELECT sum FROM entry WHERE id = 2) WHERE id = 1"
      ]
      for (const damage of damages) {
        yield* reopened(directory, (cache) => Effect.zipRight(cache.clear, cache.put([entry("a", 1), entry("b", 2)])))
        const db = Libsql.open(join(directory, "vectors.db"))
        assert.strictEqual(db.sql(damage).run().changes, 1)
        db.close()
        const found = yield* reopened(directory, (cache) => cache.get([keyOf("a"), keyOf("b")]))
        assert.deepStrictEqual(plain(found), [null, Array.from(vector(2))], damage)
        yield* reopened(directory, (cache) => cache.put([entry("a", 1)]))
        assert.isNotNull((yield* reopened(directory, (cache) => cache.get([keyOf("a")])))[0])
      }
    })
  )

  it.scoped("says which folder it is in where a damaged file cannot be replaced", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* reopened(directory, (cache) => cache.put([entry("a", 1)]))
      writeFileSync(join(directory, "vectors.db"), "not a database at all".repeat(500))
      rmSync(join(directory, "vectors.db-shm"), { force: true })
      mkdirSync(join(directory, "vectors.db-shm", "in the way"), { recursive: true })
      const error = yield* Effect.flip(reopened(directory, (cache) => cache.stats))
      assert.strictEqual(error._tag, "EmbeddingCacheError")
      assert.include(error.message, directory)
    })
  )

  it.scoped("starts empty when its file is damaged", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      const file = join(directory, "vectors.db")
      const damages: ReadonlyArray<() => void> = [
        () => truncateSync(file, statSync(file).size >> 1),
        () => truncateSync(file, 0),
        () => writeFileSync(file, "not a database at all".repeat(500)),
        () => writeFileSync(file, readFileSync(file).fill(0x5a, 100, 4000))
      ]
      for (const damage of damages) {
        yield* reopened(directory, (cache) =>
          cache.put(Array.from({ length: 100 }, (_, at) => entry(`${at}`, at, 100)))
        )
        damage()
        // Whether the damage is found in use or on opening, the cache works again in the next session.
        yield* Effect.ignore(
          reopened(directory, (cache) => cache.get(Array.from({ length: 100 }, (_, at) => keyOf(`${at}`))))
        )
        yield* reopened(directory, (cache) => cache.put([entry("a", 1)]))
        const found = yield* reopened(directory, (cache) => cache.get([keyOf("a")]))
        assert.deepStrictEqual(plain(found), [Array.from(vector(1))])
      }
    })
  )

  it.scoped("is for one holder at a time", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      const error = yield* reopened(directory, () => Effect.flip(reopened(directory, () => Effect.void)))
      assert.strictEqual(error.reason, "Locked")
    })
  )

  it.scoped("is not touched when a later version wrote it", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* reopened(directory, (cache) => cache.put([entry("a", 1)]))
      const db = Libsql.open(join(directory, "vectors.db"))
      db.exec("PRAGMA user_version=99")
      db.close()
      const error = yield* Effect.flip(reopened(directory, () => Effect.void))
      assert.strictEqual(error.reason, "Newer")
    })
  )
})

describe("Embedder with a kept cache", () => {
  const run = (
    running: server.EmbeddingServer,
    directory: string,
    texts: ReadonlyArray<string>,
    options: Parameters<typeof live>[1] = {}
  ) =>
    withEmbedder(live(running, options, Layer.orDie(EmbeddingCache.layer({ directory }))), (embedder) =>
      Effect.zipWith(embedder.space, embedder.embed(chunks(...texts)), (_, embedded) => vectors(embedded))
    )

  it.scopedLive("a second run asks for nothing, not even for the length of vectors, and gives the same vectors", () =>
    Effect.gen(function* () {
      const running = yield* server.start(server.complete)
      const directory = yield* scratch
      const first = yield* run(running, directory, ["a", "b"])
      assert.lengthOf(running.asked, 2)
      assert.deepStrictEqual(yield* run(running, directory, ["a", "b"]), first)
      assert.lengthOf(running.asked, 2)
      yield* run(running, directory, ["a", "c"])
      assert.deepStrictEqual(running.asked[2]?.input, ["c"])
    })
  )

  it.scopedLive("another model, other dimensions or another scale have vectors of their own", () =>
    Effect.gen(function* () {
      const running = yield* server.start(server.complete)
      const directory = yield* scratch
      for (const options of [{}, { model: "other" }, { dimensions: 8 }, { normalize: false }]) {
        const before = running.asked.length
        yield* run(running, directory, ["a"], options)
        assert.isAbove(running.asked.length, before)
        const after = running.asked.length
        yield* run(running, directory, ["a"], options)
        assert.strictEqual(running.asked.length, after)
      }
    })
  )

  it.scopedLive("what was paid for before a failure is not paid for again", () =>
    Effect.gen(function* () {
      const running = yield* server.start((asked) =>
        asked.input.includes("bad") ? server.error(400, "no") : server.complete(asked)
      )
      const directory = yield* scratch
      yield* Effect.flip(run(running, directory, ["a", "bad", "b"]))
      const before = running.asked.length
      yield* run(running, directory, ["a", "b"])
      assert.strictEqual(running.asked.length, before)
    })
  )

  it.scopedLive("warns and loses no vector when it fails", () =>
    Effect.gen(function* () {
      const running = yield* server.start(server.complete)
      const failing = new EmbeddingCache.EmbeddingCacheError({ directory: "d", reason: "Full", problem: "full" })
      const broken = EmbeddingCache.EmbeddingCache.of({
        get: () => Effect.fail(failing),
        put: () => Effect.fail(failing),
        clear: Effect.fail(failing),
        trim: () => Effect.fail(failing),
        stats: Effect.fail(failing)
      })
      const embedded = yield* withEmbedder(
        live(running, {}, Layer.succeed(EmbeddingCache.EmbeddingCache, broken)),
        (embedder) => embedder.embed(chunks("a"))
      )
      assert.lengthOf(vectors(embedded)[0] ?? [], server.dimensions)
    })
  )
})
