import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import { Summary } from "docsluice/Outcome"
import { Effect, Option } from "effect"
import { Collected } from "../../src/internal/run/runReport.ts"
import { ofRun } from "../../src/internal/state/ledger/runLedger.ts"
import { b, failure, key } from "../fixtures/ledger.ts"
import { ledgerOf, type Place, places } from "./places.ts"

/** What a ledger keeps of runs, wherever it lies. */
const contract = (place: Place): void => {
  const subject = { startedAt: 1, finishedAt: 6, root: "docs", folder: "/docs", sinks: ["jsonl:/a"] }

  it.effect("keeps the last run with its summary, and the last twenty with their reports", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      assert.isTrue(Option.isNone(yield* ledger.lastRun))
      const summary = Summary.make({
        discovered: 1,
        unchanged: 1,
        stored: 0,
        empty: 0,
        failed: 0,
        unsupported: 0,
        notAttempted: 0,
        removed: 0,
        parsed: 0,
        fromCache: 0,
        chunks: { added: 0, deleted: 0, unchanged: 0 },
        pages: 0,
        credits: 0,
        tokens: 0,
        bytes: 0,
        requests: 0,
        retries: 0,
        ambiguous: 0,
        truncated: 0,
        durationMs: 5,
        exit: 0,
        warnings: [],
        failures: []
      })
      const first = yield* ledger.startRun(1, '{"to":["jsonl:/a"]}')
      const report = new Collected(() => 0).report(summary, subject)
      yield* ledger.finishRun(first, 6, summary, report)
      assert.deepStrictEqual(Option.getOrNull(yield* ledger.lastRun), {
        startedAt: 1,
        request: '{"to":["jsonl:/a"]}',
        finishedAt: 6,
        summary
      })
      yield* ledger.startRun(7, "{}")
      assert.deepStrictEqual(yield* ledger.reports, [
        { run: 2, startedAt: 7, finishedAt: null, request: "{}", report: null },
        { run: 1, startedAt: 1, finishedAt: 6, request: '{"to":["jsonl:/a"]}', report }
      ])
      for (let time = 8; time < 40; time++) {
        yield* ledger.finishRun(yield* ledger.startRun(time, ""), time, summary, report)
      }
      assert.deepStrictEqual(
        (yield* ledger.reports).map(({ run }) => run),
        Array.from({ length: 20 }, (_, at) => 34 - at)
      )
      yield* ledger.startRun(50, "{}")
      assert.deepInclude(Option.getOrNull(yield* ledger.lastRun), { startedAt: 50, finishedAt: null, summary: null })
    }).pipe(Effect.provide(ledgerOf(place)))
  )

  it.effect("keeps each distinct request of a run as long as one of the last hundred runs or a failure names it", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      const texts = Effect.map(ledger.requests, (all) => all.map(({ text }) => text))
      for (const text of ["failed", "forgotten", "", "latest", "forgotten", "latest"]) yield* ledger.startRun(1, text)
      assert.deepStrictEqual(yield* texts, ["latest", "forgotten", "failed"])
      const [, , failed] = yield* ledger.requests
      yield* ledger.fail(key("a.pdf"), failure({ request: failed?.digest ?? null, targets: [b.sink] }), null)
      yield* Effect.forEach(Array.from({ length: 100 }), () => ledger.startRun(2, "latest"), { discard: true })
      assert.deepStrictEqual(yield* texts, ["latest", "failed"])
      const entry = Option.getOrNull(yield* ledger.get(key("a.pdf")))
      assert.deepInclude(entry?.failure, { request: failed?.digest ?? null, targets: [b.sink] })
      yield* ledger.forgive(key("a.pdf"))
      yield* Effect.forEach(Array.from({ length: 2 }), () => ledger.startRun(3, "latest"), { discard: true })
      assert.deepStrictEqual(yield* texts, ["latest"])
    }).pipe(Effect.provide(ledgerOf(place)))
  )
}

for (const place of places()) {
  describe.skipIf(place.missing !== null)(`the runs of a ledger ${place.title}`, () => {
    contract(place)
  })
}
