import { assert, it } from "@effect/vitest"
import { ChunkId } from "docsluice/DocumentChunk"
import * as Ledger from "docsluice/Ledger"
import { Foreign } from "docsluice/Outcome"
import { documentId, type Fingerprint } from "docsluice/SourceFile"
import { Effect, FastCheck, Option } from "effect"
import { ofRun, type Expected } from "../../../../src/internal/state/ledger/runLedger.ts"
import * as Changes from "../../../../src/internal/state/ledger/verdict.ts"
import { runs } from "../../../fixtures/seed.ts"

const second = 1_000_000_000n

const print: FastCheck.Arbitrary<Fingerprint | undefined> = FastCheck.oneof(
  FastCheck.constant(undefined),
  FastCheck.constantFrom("", "1").map((value) => ({ _tag: "Etag", value }) as const),
  FastCheck.record({
    _tag: FastCheck.constant("Stat" as const),
    modified: FastCheck.constantFrom(1n, 5n * second + 1n),
    changed: FastCheck.constantFrom(1n, 2n * second),
    inode: FastCheck.constantFrom(7n, 2n ** 64n - 1n)
  })
)

const seen = FastCheck.record({ size: FastCheck.constantFrom(1, 2), fingerprint: print })
const checkedAt = FastCheck.constantFrom(0, 4000, 9000)
const word = FastCheck.constantFrom("x", "y")
const sinks = FastCheck.subarray([
  { sink: "a", store: "1" },
  { sink: "b", store: null }
])
const lacked = FastCheck.subarray(["ocr", "time 30000"])
const rows = FastCheck.array(
  FastCheck.record({
    seen,
    checkedAt,
    word,
    sinks,
    lacked,
    failed: FastCheck.constantFrom("no", "no", "yes", "final")
  }),
  { minLength: 1, maxLength: 12 }
)
const run = FastCheck.record({
  word,
  sinks,
  means: FastCheck.constantFrom(null, { ocr: true, timeout: 30_000 }, { ocr: false, timeout: null }),
  startedAt: FastCheck.constantFrom(3000, 10_000),
  verify: FastCheck.boolean(),
  redo: FastCheck.constantFrom("nothing" as const, "failures" as const, "writes" as const, "parses" as const)
})

const hash = "ab".repeat(32)

it.effect.prop(
  "calls unchanged by its table exactly what the whole entry decides to be unchanged",
  [rows, run, FastCheck.array(seen, { minLength: 12, maxLength: 12 })],
  ([rows, run, files]) =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      const expected: Expected = {
        ...run,
        optionsHash: "o",
        identity: "i",
        configuration: run.word,
        embedder: null
      }
      const key = (index: number) => ({ documentId: documentId("r", `${index}`), path: `${index}` })
      for (const [index, row] of rows.entries()) {
        const sighting = { ...row.seen, checkedAt: row.checkedAt }
        const known = { optionsHash: "o", identity: "i", contentHash: hash }
        yield* ledger.commit({
          ...key(index),
          ...sighting,
          ...known,
          configuration: row.word,
          embedder: null,
          lacked: row.lacked,
          chunkIds: [ChunkId.make("1")],
          acknowledged: row.sinks,
          report: { pages: 0, credits: 0, tokens: 0, truncated: false, warnings: [] },
          scope: null
        })
        if (row.failed === "no") continue
        const error = new Foreign({ tag: "T", message: "m" })
        const failure = { error, retryable: true, final: row.failed === "final", attempts: 1, at: 1 }
        yield* ledger.fail(key(index), { ...sighting, ...known, ...failure, targets: [], request: null }, null)
      }
      const scan = yield* ledger.scan({ root: "r", path: null, patterns: "p" }, expected)
      for (const index of rows.keys()) {
        const file = { ...(files[index] ?? { size: 0, fingerprint: undefined }), path: `${index}` }
        const entry = Option.getOrNull(yield* ledger.get(key(index)))
        const decision = Changes.decide(entry, file, expected)
        const settled = decision._tag === "Unchanged" && entry?.failure === null
        assert.deepStrictEqual(yield* scan.see([file]), [settled ? "unchanged" : "known"])
      }
    }).pipe(Effect.provide(Ledger.layerMemory)),
  { fastCheck: { numRuns: runs(150) } }
)
