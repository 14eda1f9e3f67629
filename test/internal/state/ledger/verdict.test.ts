import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Failure, Generation, LedgerEntry, Sighting } from "../../../../src/internal/state/ledger/entry.ts"
import * as Changes from "../../../../src/internal/state/ledger/verdict.ts"
import { Foreign } from "../../../../src/Outcome.ts"
import { documentId, FileUnreadable, type Fingerprint } from "../../../../src/SourceFile.ts"
import { runs } from "../../../fixtures/seed.ts"

const nanos = (ms: number): bigint => BigInt(ms) * 1_000_000n

/** Sub-second digits, so that no time looks like one of a file system that keeps whole seconds. */
const stat = (ms: number, changes: Partial<Record<"modified" | "changed" | "inode", bigint>> = {}): Fingerprint => ({
  _tag: "Stat",
  modified: nanos(ms) + 123n,
  changed: nanos(ms) + 456n,
  inode: 7n,
  ...changes
})

const sighting = (fingerprint: Fingerprint | undefined, checkedAt: number): Sighting => ({
  size: 10,
  fingerprint,
  checkedAt
})

const written = 1_000_000
const firstRun = 2_000_000
const secondRun = 3_000_000

const expected: Changes.Expected = {
  optionsHash: "o1",
  identity: "embedded@1",
  configuration: "c1",
  embedder: null,
  means: null,
  sinks: [{ sink: "jsonl:/a", store: "s1" }],
  startedAt: secondRun,
  verify: false,
  redo: "nothing"
}

const stored: Generation = {
  ...sighting(stat(written), firstRun),
  contentHash: "h1",
  optionsHash: "o1",
  identity: "embedded@1",
  configuration: "c1",
  embedder: null,
  chunkIds: [],
  acknowledged: [{ sink: "jsonl:/a", store: "s1" }],
  report: { pages: 1, credits: 1, tokens: 5, truncated: false, warnings: [] }
}

const failed: Failure = {
  ...sighting(stat(written), firstRun),
  error: new Foreign({ tag: "DocumentUnparsable", message: "corrupt" }),
  retryable: false,
  final: true,
  contentHash: "h1",
  optionsHash: "o1",
  identity: "embedded@1",
  attempts: 1,
  at: firstRun,
  targets: [],
  request: null
}

const entry = (stored: Generation | null, failure: Failure | null): LedgerEntry => ({
  documentId: documentId("r", "a.pdf"),
  root: "r",
  path: "a.pdf",
  generation: 1,
  stored,
  failure
})

const seen: Changes.Seen = { size: 10, fingerprint: stat(written) }

it("is unchanged when size, times and inode are those of the last run and older than its start", () => {
  assert.deepStrictEqual(Changes.decide(entry(stored, null), seen, expected), { _tag: "Unchanged" })
})

it("asks for the bytes when any one of size, modification time, change time and inode differs", () => {
  const others: ReadonlyArray<Changes.Seen> = [
    { ...seen, size: 11 },
    { ...seen, fingerprint: stat(written, { modified: 1n }) },
    { ...seen, fingerprint: stat(written, { changed: 1n }) },
    { ...seen, fingerprint: stat(written, { inode: 8n }) },
    { ...seen, fingerprint: undefined },
    { ...seen, fingerprint: { _tag: "Etag", value: "e" } }
  ]
  for (const other of others) {
    assert.deepStrictEqual(Changes.decide(entry(stored, null), other, expected), { _tag: "NeedsHash" })
  }
})

it("notices other bytes of the same size copied with their times, by the change time", () => {
  const copied = { ...seen, fingerprint: stat(written, { changed: nanos(2_500_000) + 1n }) }
  assert.strictEqual(Changes.decide(entry(stored, null), copied, expected)._tag, "NeedsHash")
  assert.deepStrictEqual(Changes.decideByContent(entry(stored, null), "h2", expected), {
    _tag: "Reparse",
    reason: "content",
    contentHash: "h2"
  })
})

it("does not believe a file that was written after the last run had started", () => {
  const late = sighting(stat(firstRun + 1), firstRun)
  assert.isFalse(Changes.untouched(late, { size: 10, fingerprint: stat(firstRun + 1) }, secondRun))
})

it("does not believe a change time after the last run's start though the modification time is old", () => {
  const print = stat(written, { changed: nanos(firstRun) + 5n })
  assert.isFalse(Changes.untouched(sighting(print, firstRun), { size: 10, fingerprint: print }, secondRun))
})

it("allows for the kernel's tick and for file systems that keep whole seconds", () => {
  const within = stat(firstRun - 5)
  assert.isFalse(Changes.untouched(sighting(within, firstRun), { size: 10, fingerprint: within }, secondRun))
  const coarse: Fingerprint = {
    _tag: "Stat",
    modified: nanos(firstRun - 1000),
    changed: nanos(firstRun - 1000),
    inode: 7n
  }
  assert.isFalse(Changes.untouched(sighting(coarse, firstRun), { size: 10, fingerprint: coarse }, secondRun))
  const settled: Fingerprint = { ...coarse, modified: nanos(firstRun - 3000), changed: nanos(firstRun - 3000) }
  assert.isTrue(Changes.untouched(sighting(settled, firstRun), { size: 10, fingerprint: settled }, secondRun))
})

it("trusts no time after the clock was set back to before the run that took it", () => {
  assert.isFalse(Changes.untouched(stored, seen, firstRun - 1))
  const future = sighting(stat(secondRun + 50), firstRun)
  assert.isFalse(Changes.untouched(future, { size: 10, fingerprint: stat(secondRun + 50) }, secondRun))
})

it("believes an etag by itself, and never across kinds", () => {
  const etag: Fingerprint = { _tag: "Etag", value: "v1" }
  assert.isTrue(Changes.untouched(sighting(etag, 0), { size: 10, fingerprint: etag }, 0))
  assert.isFalse(Changes.untouched(sighting(etag, 0), { size: 10, fingerprint: { _tag: "Etag", value: "v2" } }, 0))
  assert.isFalse(Changes.untouched(sighting(etag, 0), seen, secondRun))
})

it("hashes everything when asked to verify", () => {
  assert.strictEqual(Changes.decide(entry(stored, null), seen, { ...expected, verify: true })._tag, "NeedsHash")
})

it("chunks again from the cache of the service that answered, for another chunker, embedder, sink or store", () => {
  const cases: ReadonlyArray<readonly [Partial<Changes.Expected>, Changes.RechunkReason]> = [
    [{ configuration: "c2" }, "configuration"],
    [{ embedder: "m" }, "embedder"],
    [{ sinks: [...expected.sinks, { sink: "fs:/b", store: null }] }, "sinks"],
    [{ sinks: [{ sink: "jsonl:/a", store: "s2" }] }, "sinks"],
    [{ redo: "writes" }, "asked"]
  ]
  for (const [change, reason] of cases) {
    assert.deepStrictEqual(
      Changes.decide(entry(stored, null), seen, { ...expected, identity: "embedded@2", ...change }),
      { _tag: "Rechunk", reason, identity: "embedded@1", contentHash: "h1" }
    )
  }
})

it("parses again for other options, and not for another service or a later engine alone", () => {
  assert.deepStrictEqual(Changes.decide(entry(stored, null), seen, { ...expected, optionsHash: "o2" }), {
    _tag: "Reparse",
    reason: "options",
    contentHash: "h1"
  })
  assert.strictEqual(
    Changes.decide(entry(stored, null), seen, { ...expected, identity: "https://x/v2" })._tag,
    "Unchanged"
  )
})

it("parses again what the service can read now, and nothing else that lacked something", () => {
  const decided = (lacked: ReadonlyArray<string>, means: Changes.Expected["means"]) =>
    Changes.decide(entry({ ...stored, lacked }, null), seen, { ...expected, means })
  const again = { _tag: "Reparse", reason: "means", contentHash: "h1" } as const
  const unchanged = { _tag: "Unchanged" } as const
  const plain = { ocr: false, timeout: 30_000 }
  assert.deepEqual(decided(["ocr"], { ...plain, ocr: true }), again)
  assert.deepEqual(decided(["ocr"], plain), unchanged)
  assert.deepEqual(decided(["ocr"], null), unchanged)
  assert.deepEqual(decided(["time 30000"], { ...plain, timeout: 30_001 }), again)
  assert.deepEqual(decided(["time 30000"], { ...plain, ocr: true }), unchanged)
  assert.deepEqual(decided(["time 30000"], { ocr: false, timeout: null }), again)
  assert.deepEqual(decided(["time 300000"], { ocr: true, timeout: null }), unchanged)
  assert.deepEqual(decided([], { ocr: true, timeout: null }), unchanged)
})

it("reports a final failure again without reading, and tries it again under other options, service or when asked", () => {
  assert.strictEqual(Changes.decide(entry(stored, failed), seen, expected)._tag, "KnownFailure")
  const again: ReadonlyArray<Partial<Changes.Expected>> = [
    { optionsHash: "o2" },
    { identity: "embedded@2" },
    { redo: "failures" },
    { redo: "parses" }
  ]
  for (const change of again) {
    const decision = Changes.decide(entry(null, failed), seen, { ...expected, ...change })
    assert.strictEqual(decision._tag, "Reparse")
  }
})

it("sends a failure that is not final again, retryable or not", () => {
  assert.deepStrictEqual(Changes.decide(entry(null, { ...failed, final: false }), seen, expected), {
    _tag: "Reparse",
    reason: "failed",
    contentHash: "h1"
  })
})

it("goes back to unchanged when the bytes of a failed change are what was stored before it", () => {
  const changed: Failure = { ...failed, contentHash: "h2" }
  assert.deepStrictEqual(Changes.decideByContent(entry(stored, changed), "h1", expected), { _tag: "Unchanged" })
})

it("reads a file of which nothing is known", () => {
  assert.strictEqual(Changes.decide(null, seen, expected)._tag, "NeedsHash")
  assert.deepStrictEqual(Changes.decideByContent(null, "h9", expected), {
    _tag: "Reparse",
    reason: "new",
    contentHash: "h9"
  })
  const unread: Failure = { ...failed, error: new FileUnreadable({ path: "a", reason: "Io" }), contentHash: null }
  assert.strictEqual(Changes.decide(entry(null, unread), seen, expected)._tag, "NeedsHash")
})

const times = fc.integer({ min: 0, max: 6 }).map((step) => step * 500)
const arbitraryPrint: fc.Arbitrary<Fingerprint | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom("v1", "v2").map((value) => ({ _tag: "Etag", value }) as const),
  fc
    .record({ modified: times, changed: times, inode: fc.constantFrom(1n, 2n), part: fc.constantFrom(0n, 77n) })
    .map(
      ({ changed, inode, modified, part }) =>
        ({ _tag: "Stat", modified: nanos(modified) + part, changed: nanos(changed) + part, inode }) as const
    )
)
const arbitrarySighting = fc.record({
  size: fc.constantFrom(1, 2),
  fingerprint: arbitraryPrint,
  checkedAt: times
})
const word = (name: string) => fc.constantFrom(`${name}1`, `${name}2`)
const acks = fc.subarray([
  { sink: "a", store: "1" },
  { sink: "b", store: null }
])
const generationOf = (sighting: Sighting, rest: Partial<Generation>): Generation => ({
  ...stored,
  ...sighting,
  ...rest
})
const arbitraryGeneration: fc.Arbitrary<Generation> = fc
  .tuple(arbitrarySighting, word("h"), word("o"), word("i"), word("c"), acks)
  .map(([sighting, contentHash, optionsHash, identity, configuration, acknowledged]) =>
    generationOf(sighting, { contentHash, optionsHash, identity, configuration, acknowledged })
  )
const failureOf = (sighting: Sighting, rest: Partial<Failure>): Failure => ({ ...failed, ...sighting, ...rest })
const arbitraryFailure: fc.Arbitrary<Failure> = fc
  .tuple(arbitrarySighting, fc.option(word("h")), word("o"), word("i"), fc.boolean())
  .map(([sighting, contentHash, optionsHash, identity, final]) =>
    failureOf(sighting, { contentHash, optionsHash, identity, final })
  )
const arbitraryEntry = fc
  .tuple(fc.option(arbitraryGeneration), fc.option(arbitraryFailure))
  .map(([stored, failure]) => entry(stored, failure))
const redo = fc.constantFrom<Array<Changes.Expected["redo"]>>("nothing", "failures", "writes", "parses")
const expectedOf = (rest: Partial<Changes.Expected>): Changes.Expected => ({ ...expected, ...rest })
const arbitraryExpected: fc.Arbitrary<Changes.Expected> = fc
  .tuple(word("o"), word("i"), word("c"), acks, times, fc.boolean(), redo)
  .map(([optionsHash, identity, configuration, sinks, startedAt, verify, redo]) =>
    expectedOf({ optionsHash, identity, configuration, sinks, startedAt, verify, redo })
  )

it("skips a file only when every condition of it holds", () => {
  fc.assert(
    fc.property(arbitraryEntry, arbitrarySighting, arbitraryExpected, (known, file, run) => {
      if (Changes.decide(known, file, run)._tag !== "Unchanged") return
      const last = known.failure ?? known.stored
      const generation = known.stored
      assert.isNotNull(last)
      assert.isNotNull(generation)
      if (last === null || generation === null) return
      assert.strictEqual(last.size, file.size)
      assert.deepStrictEqual(last.fingerprint, file.fingerprint)
      assert.isDefined(file.fingerprint)
      assert.strictEqual(generation.contentHash, last.contentHash)
      assert.strictEqual(generation.optionsHash, run.optionsHash)
      assert.strictEqual(generation.configuration, run.configuration)
      assert.isFalse(run.verify)
      assert.include(["nothing", "failures"], run.redo)
      for (const sink of run.sinks) assert.deepInclude(generation.acknowledged, sink)
      if (file.fingerprint?._tag === "Stat") {
        assert.isTrue(file.fingerprint.modified < nanos(last.checkedAt))
        assert.isTrue(file.fingerprint.changed < nanos(last.checkedAt))
        assert.isAtMost(last.checkedAt, run.startedAt)
      }
    }),
    { numRuns: runs(5000) }
  )
})

it("decides by sight as it would by content, whenever it decides by sight", () => {
  fc.assert(
    fc.property(arbitraryEntry, arbitrarySighting, arbitraryExpected, (known, file, run) => {
      const decision = Changes.decide(known, file, run)
      if (decision._tag === "NeedsHash") return
      const hash = (known.failure ?? known.stored)?.contentHash
      assert.deepStrictEqual(Changes.decideByContent(known, hash ?? "", run), decision)
    }),
    { numRuns: runs(5000) }
  )
})

it("never calls bytes unchanged that are not the stored ones", () => {
  fc.assert(
    fc.property(arbitraryEntry, word("h"), arbitraryExpected, (known, hash, run) => {
      const decision = Changes.decideByContent(known, hash, run)
      if (decision._tag === "Unchanged" || decision._tag === "Rechunk") {
        assert.strictEqual(known.stored?.contentHash, hash)
        assert.strictEqual(known.stored?.optionsHash, run.optionsHash)
      } else if (decision._tag === "KnownFailure") {
        assert.strictEqual(decision.failure.contentHash, hash)
        assert.isTrue(decision.failure.final)
        assert.strictEqual(run.redo, "nothing")
      } else assert.strictEqual(decision.contentHash, hash)
    }),
    { numRuns: runs(5000) }
  )
})
