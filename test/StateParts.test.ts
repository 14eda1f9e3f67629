import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import { PackedVector } from "docsluice/DocumentChunk"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as Ledger from "docsluice/Ledger"
import { Foreign } from "docsluice/Outcome"
import * as ParseCache from "docsluice/ParseCache"
import * as State from "docsluice/State"
import { Effect, Layer, Option, type Scope, TestClock } from "effect"
import { ofRun } from "../src/internal/state/ledger/runLedger.ts"
import { failure, generation, key } from "./fixtures/ledger.ts"
import { answer, counted, hash, large, request } from "./fixtures/parseCache.ts"
import { address, server, sql } from "./ledger/places.ts"
import * as Postgres from "./sinks/postgres.ts"

interface Parts {
  readonly state: Layer.Layer<State.State, State.StateError>
  /** The caches with other bounds. */
  readonly answers: (maxBytes: number) => Layer.Layer<ParseCache.ParseCache, ParseCache.ParseCacheError>
  readonly vectors: (maxBytes: number) => Layer.Layer<EmbeddingCache.EmbeddingCache, EmbeddingCache.EmbeddingCacheError>
}

const folder = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-parts-"))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  ),
  (directory): Parts => ({
    state: Layer.provide(State.layer(directory), NodeContext.layer),
    answers: (maxBytes) => ParseCache.layer({ directory: join(directory, "cache"), maxBytes }),
    vectors: (maxBytes) => EmbeddingCache.layer({ directory: join(directory, "embeddings"), maxBytes })
  })
)

const postgres = server()

const onServer = Effect.map(address(postgres), (url): Parts => ({
  state: State.layerPostgres({ url }),
  answers: (maxBytes) => ParseCache.layerPostgres({ url, maxBytes }),
  vectors: (maxBytes) => EmbeddingCache.layerPostgres({ url, maxBytes })
}))

const entry = (
  seed: string,
  change: Partial<Pick<DeadLetter.Entry, "source" | "root" | "at" | "message">> = {}
): DeadLetter.Entry =>
  DeadLetter.Entry.make({
    root: "docs",
    source: `${seed}.pdf`,
    contentHash: null,
    error: new Foreign({ tag: "FileUnreadable", message: `${seed}\n"quoted" \u0000` }),
    tag: "FileUnreadable",
    message: `${seed}\n"quoted" \u0000`,
    retryable: true,
    attempts: 0,
    at: "2026-01-01T00:00:00.000Z",
    targets: [],
    request: null,
    ...change
  })

const vector = (value: number, length = 8): PackedVector => new PackedVector(Array.from({ length }, () => value))

/** What holds of the parts of a state wherever it lies. */
const contract = (place: Effect.Effect<Parts, never, Scope.Scope>): void => {
  it.scoped("keeps answers from one session to the next, small and large ones", () =>
    Effect.gen(function* () {
      const { state } = yield* place
      const all = [answer("small"), large("large"), answer("odd", { markdown: "\u0000 \ud800 😀", metadata: {} })]
      const keys = all.map(({ contentHash }) => ({ ...request("x"), contentHash }))
      yield* Effect.gen(function* () {
        const cache = yield* ParseCache.ParseCache
        for (const [at, one] of all.entries()) yield* cache.put(keys[at] ?? request("x"), one)
      }).pipe(Effect.provide(state))
      yield* Effect.gen(function* () {
        const cache = yield* ParseCache.ParseCache
        for (const [at, one] of all.entries()) {
          assert.deepStrictEqual(Option.getOrNull(yield* cache.get(keys[at] ?? request("x"))), one)
        }
        assert.strictEqual((yield* cache.stats).entries, 3)
        yield* cache.remove(request("small"))
        assert.isTrue(Option.isNone(yield* cache.get(request("small"))))
        yield* cache.clear
        assert.deepInclude(yield* cache.stats, { entries: 0, bytes: 0, oldest: null })
      }).pipe(Effect.provide(state))
    })
  )

  it.scoped("pays once for the same bytes, and again when a fresh answer is asked for", () =>
    Effect.gen(function* () {
      const { state } = yield* place
      yield* Effect.gen(function* () {
        const cache = yield* ParseCache.ParseCache
        const { count, parse } = yield* counted(answer("a"))
        yield* TestClock.setTime(1000)
        yield* cache.getOrParse(request("a"), parse)
        assert.strictEqual((yield* cache.getOrParse(request("a"), parse)).origin, "cache")
        assert.deepStrictEqual(yield* cache.createdAt(request("a")), Option.some(1000))
        yield* TestClock.setTime(3000)
        assert.strictEqual((yield* cache.getOrParse(request("a", { since: 2000 }), parse)).origin, "service")
        assert.strictEqual(yield* count, 2)
        yield* cache.getOrParse(request("a", { type: "text/html" }), parse)
        yield* cache.removeContent(hash("a"), "application/pdf")
        assert.isTrue(Option.isNone(yield* cache.get(request("a"))))
        assert.isTrue(Option.isSome(yield* cache.get(request("a", { type: "text/html" }))))
        yield* cache.removeContent(hash("a"))
        assert.strictEqual((yield* cache.stats).entries, 0)
      }).pipe(Effect.provide(state))
    })
  )

  it.scoped("evicts the answers that were used least recently", () =>
    Effect.gen(function* () {
      const { answers, state } = yield* place
      yield* Effect.provide(Effect.void, state)
      yield* Effect.gen(function* () {
        const cache = yield* ParseCache.ParseCache
        for (const seed of ["a", "b", "c"]) yield* cache.put(request(seed), answer(seed))
        yield* cache.get(request("a"))
        const { bytes } = yield* cache.stats
        yield* cache.trim(Math.ceil((bytes * 2) / 3))
        assert.isTrue(Option.isSome(yield* cache.get(request("a"))))
        assert.isTrue(Option.isNone(yield* cache.get(request("b"))))
        assert.isTrue(Option.isSome(yield* cache.get(request("c"))))
      }).pipe(Effect.provide(state))
      yield* Effect.gen(function* () {
        const cache = yield* ParseCache.ParseCache
        for (let at = 0; at < 40; at++) yield* cache.put(request(`x${at}`), answer(`x${at}`))
        const stats = yield* cache.stats
        assert.isAtMost(stats.bytes, 2000)
        assert.isTrue(Option.isSome(yield* cache.get(request("x39"))))
        yield* cache.put(request("huge"), large("huge"))
        assert.isTrue(Option.isNone(yield* cache.get(request("huge"))))
      }).pipe(Effect.provide(answers(2000)))
    })
  )

  it.scoped("keeps vectors bit for bit, in the order of the keys, within a bound", () =>
    Effect.gen(function* () {
      const { state, vectors } = yield* place
      const odd = new PackedVector([Number.NaN, -0, 1e-40, Number.MAX_VALUE])
      yield* Effect.gen(function* () {
        const cache = yield* EmbeddingCache.EmbeddingCache
        yield* cache.put([
          { key: hash("1"), vector: vector(1) },
          { key: hash("2"), vector: odd },
          { key: hash("1"), vector: vector(3) }
        ])
      }).pipe(Effect.provide(state))
      yield* Effect.gen(function* () {
        const cache = yield* EmbeddingCache.EmbeddingCache
        const [second, none, first] = yield* cache.get([hash("2"), hash("none"), hash("1")])
        assert.isTrue(Buffer.from(odd.buffer).equals(Buffer.from(second?.buffer ?? new ArrayBuffer(0))))
        assert.isNull(none)
        assert.deepStrictEqual([...(first ?? [])], [...vector(3)])
        assert.deepStrictEqual(yield* cache.get([]), [])
        assert.deepInclude(yield* cache.stats, { entries: 2 })
        yield* cache.clear
        assert.deepInclude(yield* cache.stats, { entries: 0, bytes: 0 })
      }).pipe(Effect.provide(state))
      yield* Effect.gen(function* () {
        const cache = yield* EmbeddingCache.EmbeddingCache
        for (let at = 0; at < 20; at++) yield* cache.put([{ key: hash(`v${at}`), vector: vector(at) }])
        assert.isAtMost((yield* cache.stats).bytes, 1000)
        yield* cache.put([{ key: hash("long"), vector: vector(1, 1000) }])
        assert.deepStrictEqual(yield* cache.get([hash("long")]), [null])
        assert.isNotNull((yield* cache.get([hash("v19")]))[0])
      }).pipe(Effect.provide(vectors(1000)))
    })
  )

  it.scoped("keeps the last letter of each file, oldest failure first, and none of a file that succeeded", () =>
    Effect.gen(function* () {
      const { state } = yield* place
      const later = entry("b", { at: "2026-01-02T00:00:00.000Z" })
      yield* Effect.gen(function* () {
        const letters = yield* DeadLetter.DeadLetter
        yield* letters.add(entry("a", { root: "other" }))
        yield* letters.add(entry("b", { message: "first" }))
        yield* letters.add(later)
        yield* letters.add(entry("c"))
        yield* letters.remove({ root: "docs", source: "c.pdf" })
        yield* letters.remove({ root: "docs", source: "a.pdf" })
        yield* letters.add(entry("d", { root: null }))
        yield* letters.remove({ root: "docs", source: "d.pdf" })
        yield* letters.add(entry("e", { root: null }))
      }).pipe(Effect.provide(state))
      yield* Effect.gen(function* () {
        const letters = yield* DeadLetter.DeadLetter
        const all = [...(yield* letters.entries)]
        assert.deepStrictEqual(
          all.toSorted((left, right) => left.source.localeCompare(right.source)),
          [entry("a", { root: "other" }), later, entry("e", { root: null })]
        )
        assert.deepStrictEqual(all.at(-1)?.at === later.at || all.at(-1)?.root === null, true)
        yield* letters.add(entry("e"))
        yield* letters.replace([entry("z"), later])
        assert.deepStrictEqual((yield* letters.entries).map(({ source }) => source).toSorted(), ["b.pdf", "z.pdf"])
        yield* letters.replace([])
        assert.deepStrictEqual(yield* letters.entries, [])
      }).pipe(Effect.provide(state))
    })
  )
}

describe("the parts of a state in a folder", () => {
  contract(folder)
})

describe.skipIf(Postgres.missing() !== null)("the parts of a state on PostgreSQL", () => {
  contract(onServer)

  it.scoped("show two processes the answers, vectors and letters of each other", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const [one, other] = [
        yield* Layer.build(State.layerPostgres({ url })),
        yield* Layer.build(Layer.fresh(State.layerPostgres({ url })))
      ]
      const parts = Effect.all([ParseCache.ParseCache, EmbeddingCache.EmbeddingCache, DeadLetter.DeadLetter])
      const [answers, vectors, letters] = yield* Effect.provide(parts, one)
      const [seen, found, read] = yield* Effect.provide(parts, other)
      yield* answers.put(request("a"), answer("a"))
      yield* vectors.put([{ key: hash("1"), vector: vector(1) }])
      yield* letters.add(entry("a"))
      assert.deepStrictEqual(Option.getOrNull(yield* seen.get(request("a"))), answer("a"))
      assert.deepStrictEqual([...((yield* found.get([hash("1")]))[0] ?? [])], [...vector(1)])
      assert.deepStrictEqual(yield* read.entries, [entry("a")])
    })
  )

  it.scoped("count no letter of a document that another process stored, and lose none that it has just got", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const memory = yield* Layer.build(State.layerPostgres({ url }))
      const { ledger, letters } = yield* Effect.provide(
        Effect.all({ ledger: Effect.map(Ledger.Ledger, ofRun), letters: DeadLetter.DeadLetter }),
        memory
      )
      yield* letters.add(entry("a"))
      yield* ledger.commit(generation("a.pdf"))
      assert.deepStrictEqual(yield* letters.entries, [])
      // A run that begins has read the failures before this one, and rewrites the letters after it.
      yield* ledger.fail(key("b.pdf"), failure(), null)
      yield* letters.add(entry("b"))
      yield* letters.replace([])
      assert.deepStrictEqual(yield* letters.entries, [entry("b")])
    })
  )

  it.scoped("take a damaged answer and a damaged vector for none", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const schema = new URL(url).searchParams.get("schema") ?? ""
      const memory = yield* Layer.build(State.layerPostgres({ url }))
      const { answers, vectors } = yield* Effect.provide(
        Effect.all({ answers: ParseCache.ParseCache, vectors: EmbeddingCache.EmbeddingCache }),
        memory
      )
      yield* answers.put(request("a"), answer("a"))
      yield* vectors.put([{ key: hash("1"), vector: vector(1) }])
      for (const table of ["answer", "vector"]) {
        yield* sql(
          url.replace(/\?.*$/u, ""),
          `UPDATE "${schema}".${table} SET packed = set_byte(packed, 20, get_byte(packed, 20) # 1)`
        )
      }
      assert.isTrue(Option.isNone(yield* answers.get(request("a"))))
      assert.deepStrictEqual(yield* vectors.get([hash("1")]), [null])
      assert.strictEqual((yield* answers.stats).entries, 0)
    })
  )
})
