import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ChunkId } from "docsluice/DocumentChunk"
import * as Ledger from "docsluice/Ledger"
import type { Fingerprint } from "docsluice/SourceFile"
import { Effect, Option } from "effect"
import { ofRun } from "../src/internal/state/ledger/runLedger.ts"
import * as Verdict from "../src/internal/state/ledger/verdict.ts"
import {
  scratch,
  hash,
  ids,
  key,
  print,
  a,
  b,
  expected,
  generation,
  failure,
  request,
  collect,
  found,
  missed,
  seeing,
  type Open
} from "./fixtures/ledger.ts"
import { ledgerOf, type Place, places, type Spot } from "./ledger/places.ts"

const reopened = <A, E>({ open }: Spot, body: (ledger: Open) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(Effect.map(open, ofRun), body))

it("A ledger that a program made for reading is refused by a run, in words", () => {
  assert.throws(() => ofRun({ directory: "mine" }), /can be read only/)
})

/** What holds of a ledger wherever it lies. */
const contract = (place: Place): void => {
  it.scoped("returns the committed entries after a restart", () =>
    Effect.gen(function* () {
      const spot = yield* place.spot
      const entry = generation("ä/b.pdf", { chunkIds: ids("x"), acknowledged: [b, a] })
      yield* reopened(spot, (ledger) => ledger.commit(entry))
      const got = yield* reopened(spot, (ledger) => ledger.get(entry))
      const { acknowledged, chunkIds, documentId, path, scope: _, ...rest } = entry
      assert.deepStrictEqual(Option.getOrNull(got), {
        documentId,
        root: "docs",
        path,
        generation: 1,
        stored: { ...rest, chunkIds, acknowledged: [b, a] },
        failure: null
      })
      assert.deepStrictEqual([...acknowledged], [b, a])
    })
  )

  it.effect("keeps etags, files without a fingerprint and ids that are not hashes", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      const prints: ReadonlyArray<Fingerprint | undefined> = [
        undefined,
        { _tag: "Etag", value: "" },
        { _tag: "Etag", value: 'W/"1"' }
      ]
      for (const [index, fingerprint] of prints.entries()) {
        const entry = generation(`${index}`, { fingerprint, chunkIds: ["plain", "ids"].map((id) => ChunkId.make(id)) })
        yield* ledger.commit(entry)
        const stored = Option.getOrNull(yield* ledger.get(entry))?.stored
        assert.deepStrictEqual(stored?.fingerprint, fingerprint)
        assert.deepStrictEqual(stored?.chunkIds, entry.chunkIds)
      }
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("returns old ids minus new ids for removal, until they are removed", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      assert.deepStrictEqual(yield* ledger.commit(generation("a.pdf", { chunkIds: ids("1", "2", "3") })), [])
      const due = yield* ledger.commit(generation("a.pdf", { chunkIds: ids("2", "4") }))
      assert.deepStrictEqual(due, [{ ...key("a.pdf"), sink: a.sink, chunkIds: ids("1", "3") }])
      assert.deepStrictEqual(yield* collect(ledger.removals([a.sink])), due)
      assert.deepStrictEqual(yield* collect(ledger.removals([b.sink])), [])
      for (const removal of due) yield* ledger.removed(removal)
      assert.deepStrictEqual(yield* collect(ledger.removals([a.sink])), [])
      assert.strictEqual(Option.getOrNull(yield* ledger.get(key("a.pdf")))?.generation, 2)
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("never returns an id for removal that was written again meanwhile", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      yield* ledger.commit(generation("a.pdf", { chunkIds: ids("1") }))
      yield* ledger.commit(generation("a.pdf", { chunkIds: ids("2") }))
      const due = yield* ledger.commit(generation("a.pdf", { chunkIds: ids("1") }))
      assert.deepStrictEqual(due, [{ ...key("a.pdf"), sink: a.sink, chunkIds: ids("2") }])
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("records every former generation until its removal, whatever the mode of the run that left it", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      for (const name of ["1", "2", "3"]) yield* ledger.commit(generation("a.pdf", { chunkIds: ids(name) }))
      assert.deepStrictEqual(yield* collect(ledger.removals([a.sink])), [
        { ...key("a.pdf"), sink: a.sink, chunkIds: ids("1", "2") }
      ])
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("leaves the old generation in a sink that has not acknowledged the new one", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      const both = [a.sink, b.sink]
      yield* ledger.commit(generation("a.pdf", { chunkIds: ids("1"), acknowledged: [a, b] }))
      const first = yield* ledger.commit(generation("a.pdf", { chunkIds: ids("2"), acknowledged: [a] }))
      assert.deepStrictEqual(
        first.map(({ sink }) => sink),
        [a.sink]
      )
      assert.deepStrictEqual(
        (yield* collect(ledger.removals(both))).map(({ sink }) => sink),
        [a.sink]
      )
      const second = yield* ledger.commit(generation("a.pdf", { chunkIds: ids("2"), acknowledged: [b] }))
      assert.deepStrictEqual(second.map(({ sink }) => sink).toSorted(), both.toSorted())
      const entry = Option.getOrNull(yield* ledger.get(key("a.pdf")))
      assert.strictEqual(entry?.generation, 2)
      assert.deepStrictEqual(entry?.stored?.acknowledged, [b, a])
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.scoped("remembers for each sink whose vectors it holds, until it is written with those of another model", () =>
    Effect.gen(function* () {
      const spot = yield* place.spot
      /** True when a run with this model and these sinks has nothing to do for the document. */
      const settled = (embedder: string | null, sinks: Verdict.Expected["sinks"]) =>
        reopened(spot, (ledger) =>
          Effect.gen(function* () {
            const asked = { ...expected, embedder, sinks }
            const file = found("a.pdf")
            if ((yield* seeing(yield* ledger.scan(request, asked), file)) === "unchanged") return true
            const entry = Option.getOrNull(yield* ledger.get(key("a.pdf")))
            return Verdict.decide(entry, file, asked)._tag === "Unchanged"
          })
        )
      const acknowledged = Effect.map(
        reopened(spot, (ledger) => ledger.get(key("a.pdf"))),
        (entry) => Option.getOrNull(entry)?.stored?.acknowledged
      )
      yield* reopened(spot, (ledger) => ledger.commit(generation("a.pdf", { embedder: null, acknowledged: [a] })))
      yield* reopened(spot, (ledger) => ledger.commit(generation("a.pdf", { embedder: "next", acknowledged: [b] })))
      assert.deepStrictEqual(yield* acknowledged, [b, { ...a, embedder: null }])
      assert.isTrue(yield* settled(null, [a]))
      assert.isTrue(yield* settled("next", [b]))
      assert.isFalse(yield* settled("next", [a]))
      assert.isFalse(yield* settled(null, [b]))
      assert.isFalse(yield* settled("next", [a, b]))
      yield* reopened(spot, (ledger) => ledger.commit(generation("a.pdf", { embedder: "next", acknowledged: [a] })))
      assert.deepStrictEqual(yield* acknowledged, [b, a])
      assert.isTrue(yield* settled("next", [a, b]))
    })
  )

  it.scoped("finds the chunks that a run killed while writing left in the sinks, and none that are being written", () =>
    Effect.gen(function* () {
      const spot = yield* place.spot
      yield* reopened(spot, (ledger) =>
        Effect.gen(function* () {
          yield* ledger.commit(generation("a.pdf", { chunkIds: ids("1", "2") }))
          yield* ledger.announce(key("a.pdf"), ids("2", "3"), [a.sink], null)
          yield* ledger.announce(key("new.pdf"), ids("9"), [a.sink], null)
          assert.deepStrictEqual(yield* collect(ledger.removals([a.sink])), [])
        })
      )
      yield* reopened(spot, (ledger) =>
        Effect.gen(function* () {
          const due = yield* collect(ledger.removals([a.sink]))
          assert.deepStrictEqual(
            due.map(({ chunkIds, path }) => [path, chunkIds]),
            [
              ["a.pdf", ids("3")],
              ["new.pdf", ids("9")]
            ]
          )
          const after = yield* ledger.commit(generation("a.pdf", { chunkIds: ids("2", "3") }))
          assert.deepStrictEqual(
            after.map(({ chunkIds }) => chunkIds),
            [ids("1")]
          )
        })
      )
    })
  )

  it.effect("records the chunks of an unfinished generation that a sink may hold without having acknowledged it", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      yield* ledger.announce(key("a.pdf"), ids("1", "2"), [a.sink, b.sink], null)
      yield* ledger.commit(generation("a.pdf", { chunkIds: ids("1", "2"), acknowledged: [a] }))
      const due = yield* ledger.commit(generation("a.pdf", { chunkIds: ids("3"), acknowledged: [a, b] }))
      const of = (sink: string) => due.find((removal) => removal.sink === sink)?.chunkIds
      assert.deepStrictEqual(of(a.sink), ids("1", "2"))
      assert.deepStrictEqual(of(b.sink), ids("1", "2"))
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("reports a settled file as unchanged, and every other as one to decide about", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      yield* ledger.commit(generation("same.pdf"))
      yield* ledger.commit(generation("chunker.pdf", { configuration: "other" }))
      yield* ledger.commit(generation("service.pdf", { identity: "https://x/v2" }))
      yield* ledger.commit(generation("sink.pdf", { acknowledged: [b] }))
      yield* ledger.commit(generation("store.pdf", { acknowledged: [{ ...a, store: "s0" }] }))
      yield* ledger.commit(generation("etag.pdf", { fingerprint: { _tag: "Etag", value: "1" } }))
      yield* ledger.commit(generation("failed.pdf"))
      yield* ledger.fail(key("failed.pdf"), failure(), null)
      const scan = yield* ledger.scan(request, expected)
      const see = (path: string, fingerprint: Fingerprint = print) => seeing(scan, { ...found(path), fingerprint })
      assert.strictEqual(scan.documents, 7)
      assert.strictEqual(yield* see("same.pdf"), "unchanged")
      assert.strictEqual(yield* seeing(scan, { ...found("same.pdf"), size: 11 }), "known")
      assert.strictEqual(yield* see("chunker.pdf"), "known")
      assert.strictEqual(yield* see("service.pdf"), "unchanged")
      assert.strictEqual(yield* see("sink.pdf"), "known")
      assert.strictEqual(yield* see("store.pdf"), "known")
      assert.strictEqual(yield* see("etag.pdf", { _tag: "Etag", value: "1" }), "unchanged")
      assert.strictEqual(yield* see("etag.pdf", { _tag: "Etag", value: "2" }), "known")
      assert.strictEqual(yield* see("failed.pdf"), "known")
      assert.strictEqual(yield* see("new.pdf"), "new")
      const verified = yield* ledger.scan(request, { ...expected, verify: true })
      assert.strictEqual(yield* seeing(verified, found("same.pdf")), "known")
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("reads a scope of several pages whole", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      const paths = Array.from({ length: 5000 }, (_, index) => `d/${index}.pdf`)
      yield* Effect.forEach(paths, (path, index) => ledger.commit(generation(path, { size: index })), {
        concurrency: 64,
        discard: true
      })
      yield* ledger.commit(generation("x.pdf", key("x.pdf", "other")))
      const scan = yield* ledger.scan(request, expected)
      assert.strictEqual(scan.documents, 5000)
      const standings = yield* scan.see(paths.map((path, size) => ({ path, size, fingerprint: print })))
      assert.isTrue(standings.length === 5000 && standings.every((standing) => standing === "unchanged"))
      assert.strictEqual(yield* seeing(scan, { path: "d/7.pdf", size: 8, fingerprint: print }), "known")
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("returns documents for removal only when no scope claims them any more", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      const other = { ...request, patterns: "p2" }
      const first = yield* ledger.scan(request, expected)
      for (const path of ["a.pdf", "b.pdf", "c.pdf"]) yield* ledger.commit(generation(path, { scope: first.scope }))
      yield* first.complete(1)
      const second = yield* ledger.scan(other, expected)
      yield* second.see([found("b.pdf")])
      assert.deepStrictEqual(yield* missed(second), [])
      yield* second.complete(2)
      const third = yield* ledger.scan(request, expected)
      assert.strictEqual(third.completedAt, 1)
      yield* third.see([found("a.pdf")])
      assert.deepStrictEqual(yield* missed(third), ["b.pdf", "c.pdf"])
      assert.deepStrictEqual(yield* collect(ledger.unclaimed("docs", [a.sink])), [])
      yield* third.complete(3)
      const gone = yield* collect(ledger.unclaimed("docs", [a.sink]))
      assert.deepStrictEqual(gone, [
        { ...key("c.pdf"), root: "docs", held: [{ sink: a.sink, chunkIds: ids("1", "2") }] }
      ])
      assert.deepStrictEqual(yield* collect(ledger.unclaimed("docs", [b.sink])), [])
      yield* ledger.forget(key("c.pdf"), [a.sink])
      assert.isTrue(Option.isNone(yield* ledger.get(key("c.pdf"))))
      assert.deepStrictEqual(yield* collect(ledger.unclaimed("docs", [a.sink])), [])
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("claims a failed file too: it is not gone", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      yield* ledger.commit(generation("a.pdf"))
      const scan = yield* ledger.scan(request, expected)
      yield* ledger.fail(key("a.pdf"), failure(), scan.scope)
      yield* scan.end
      const next = yield* ledger.scan(request, expected)
      assert.deepStrictEqual(yield* collect(next.vanished), [{ path: "a.pdf", failed: true }])
      assert.deepStrictEqual(yield* collect(ledger.unclaimed("docs", [a.sink])), [])
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("keeps a removed document as long as a sink that is not open holds chunks of it", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      yield* ledger.commit(generation("a.pdf", { acknowledged: [a, b] }))
      yield* ledger.forget(key("a.pdf"), [a.sink])
      assert.deepStrictEqual(yield* collect(ledger.unclaimed("docs", [a.sink])), [])
      assert.deepStrictEqual((yield* collect(ledger.unclaimed("docs", [b.sink]))).length, 1)
      yield* ledger.forget(key("a.pdf"), [b.sink])
      assert.strictEqual((yield* ledger.stats).documents, 0)
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("keeps a failure next to the stored generation, and clears it with the next success", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      yield* ledger.commit(generation("a.pdf"))
      yield* ledger.fail(key("a.pdf"), failure(), null)
      yield* ledger.fail(key("b.pdf"), failure({ retryable: true, contentHash: null, fingerprint: undefined }), null)
      const failed = yield* collect(ledger.entries("failed"))
      assert.deepStrictEqual(
        failed.map(({ failure, path, stored }) => [path, failure, stored?.contentHash ?? null]),
        [
          ["a.pdf", failure(), hash("content of a.pdf")],
          ["b.pdf", failure({ retryable: true, contentHash: null, fingerprint: undefined }), null]
        ]
      )
      assert.deepInclude(yield* ledger.stats, { documents: 2, stored: 1, failed: 2, pending: 0 })
      const sighting = { size: 10, fingerprint: print, checkedAt: 6_000_000 }
      yield* ledger.touch(key("a.pdf"), sighting, null)
      const entry = Option.getOrNull(yield* ledger.get(key("a.pdf")))
      assert.isNull(entry?.failure ?? null)
      assert.deepInclude(entry?.stored, sighting)
      yield* ledger.commit(generation("b.pdf"))
      assert.deepStrictEqual(yield* collect(ledger.entries("failed")), [])
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("finds a moved document by its bytes and options", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      yield* ledger.commit(generation("old/name.pdf"))
      yield* ledger.commit(generation("other.pdf", { contentHash: hash("content of old/name.pdf"), optionsHash: "o2" }))
      const same = yield* ledger.sameContent(hash("content of old/name.pdf"), "o")
      assert.deepStrictEqual(
        same.map(({ path }) => path),
        ["old/name.pdf"]
      )
      assert.deepStrictEqual(yield* ledger.sameContent(hash("nothing"), "o"), [])
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.scoped("lets a root move with its folder, and refuses one name for two folders that are there", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      const [here, there] = [join(directory, "here", "docs"), join(directory, "there", "docs")]
      mkdirSync(here, { recursive: true })
      mkdirSync(there, { recursive: true })
      const ledger = ofRun(yield* (yield* place.spot).open)
      yield* ledger.scan({ ...request, path: here }, expected)
      yield* ledger.scan({ ...request, path: here }, expected)
      const clash = yield* Effect.flip(ledger.scan({ ...request, path: there }, expected))
      assert.strictEqual(clash.reason, "NameClash")
      assert.include(clash.message, here)
      rmSync(here, { recursive: true })
      yield* ledger.scan({ ...request, path: there }, expected)
      const { roots } = yield* ledger.stats
      assert.deepStrictEqual(roots, [{ name: "docs", path: there, documents: 0 }])
    })
  )

  it.scoped("keeps what was committed before a commit that fails, and goes on after it", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      const bad = generation("bad.pdf", {
        report: { pages: -1, credits: 0, tokens: 0, truncated: false, warnings: [] }
      })
      const exits = yield* Effect.all(
        [generation("a.pdf"), bad, generation("b.pdf")].map((entry) => Effect.exit(ledger.commit(entry))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        exits.map(({ _tag }) => _tag),
        ["Success", "Failure", "Success"]
      )
      assert.strictEqual((yield* ledger.stats).documents, 2)
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("clears a failure, and deletes a document of which no sink holds anything", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      yield* ledger.commit(generation("stored.pdf"))
      yield* ledger.announce(key("begun.pdf"), ids("1"), [a.sink], null)
      for (const path of ["stored.pdf", "begun.pdf", "never.pdf"]) yield* ledger.fail(key(path), failure(), null)
      for (const path of ["stored.pdf", "begun.pdf", "never.pdf", "unknown.pdf"]) yield* ledger.forgive(key(path))
      assert.deepInclude(yield* ledger.stats, { documents: 2, stored: 1, failed: 0, pending: 1 })
      assert.isTrue(Option.isNone(yield* ledger.get(key("never.pdf"))))
    }).pipe(Effect.provide(ledgerOf(place)))
  )
}

for (const place of places()) {
  describe.skipIf(place.missing !== null)(`a ledger ${place.title}`, () => {
    contract(place)
  })
}
