import { assert, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import { Effect, Option } from "effect"
import { ofRun } from "../../../../src/internal/state/ledger/runLedger.ts"
import { generation, ids } from "../../../fixtures/ledger.ts"

it.effect("reads a document's rows again after a transaction that failed between its announcement and its commit", () =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger.Ledger)
    const old = generation("a.pdf", { chunkIds: ids("x", "y") })
    yield* ledger.commit(old)
    yield* ledger.get(old)
    const sinks = old.acknowledged.map(({ sink }) => sink)
    yield* ledger.announce(old, ids("y", "z"), sinks, null)
    const bad = generation("bad.pdf", { report: { pages: -1, credits: 0, tokens: 0, truncated: false, warnings: [] } })
    yield* Effect.flip(ledger.commit(bad))
    const removals = yield* ledger.commit(generation("a.pdf", { chunkIds: ids("y", "z") }))
    assert.deepStrictEqual(
      removals.map(({ chunkIds }) => chunkIds),
      sinks.map(() => ids("x"))
    )
    const holding = Option.getOrNull(yield* ledger.holding(old))
    assert.deepStrictEqual(
      holding?.held.map(({ chunkIds }) => chunkIds.toSorted()),
      sinks.map(() => ids("x", "y", "z").toSorted())
    )
  }).pipe(Effect.provide(Ledger.layerMemory))
)
