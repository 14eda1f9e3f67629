import { assert, describe, it } from "@effect/vitest"
import { type ChunkSink, mapPrepared } from "docsluice/ChunkSink"
import type * as Ledger from "docsluice/Ledger"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Deferred, Effect, Struct } from "effect"
import { ofRun, type RunLedger, runLedger } from "../../src/internal/state/ledger/runLedger.ts"
import { notReplacing } from "../fixtures/notReplacing.ts"
import * as Postgres from "../sinks/postgres.ts"
import { address, server, sql } from "./places.ts"
import * as Workspace from "./workspace.ts"

const postgres = server()

/** Makes documents slow enough that two runs meet. */
const slowly = Workspace.scripted({
  scripts: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.pdf`, { delay: "30 millis" }]))
})

const stored = (store: MemorySink.Store): ReadonlyArray<string> => [...store.chunks.keys()].toSorted()

/** The sink, whose writes come late: for each, the effect is run first. */
const after = (before: Effect.Effect<void>): ((sink: ChunkSink.Removing) => ChunkSink.Removing) =>
  mapPrepared((prepared) => {
    const { replace, replaceAll } = prepared
    return {
      ...prepared,
      write: (batch) => Effect.zipRight(before, prepared.write(batch)),
      ...(replace && { replace: (id, chunks) => Effect.zipRight(before, replace(id, chunks)) }),
      ...(replaceAll && { replaceAll: (documents) => Effect.zipRight(before, replaceAll(documents)) })
    }
  })

/** Ledgers of two runs that both have begun before either takes a document. */
const meeting = (both: Deferred.Deferred<void>) => {
  let begun = 0
  return (ledger: Ledger.Ledger.Service): Ledger.Ledger.Service => {
    const own = ofRun(ledger)
    begun += 1
    if (begun === 2) Deferred.unsafeDone(both, Effect.void)
    const run: RunLedger<Ledger.LedgerError> = {
      ...own,
      hold: (key) => Effect.zipRight(Deferred.await(both), own.hold(key))
    }
    const late = { ...ledger, [runLedger]: run }
    return late
  }
}

describe.skipIf(Postgres.missing() !== null)("two runs at once over one root and one state", () => {
  it.scopedLive("parse and store each document once", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(40, yield* address(postgres))
      const store = MemorySink.emptyStore()
      const given = {
        sinks: [MemorySink.make(store)],
        client: slowly,
        mode: "sync",
        change: (options) => ({ ...options, concurrency: 2 }),
        ledgerWith: meeting(yield* Deferred.make<void>())
      } satisfies Workspace.Given
      const runs = yield* Effect.all([Workspace.run(ws, given), Workspace.run(ws, given)], { concurrency: 2 })
      const [one, other] = runs
      assert.deepInclude(one, { discovered: 40, failed: 0, notAttempted: 0, removed: 0, exit: 0 })
      assert.deepInclude(other, { discovered: 40, failed: 0, notAttempted: 0, removed: 0, exit: 0 })
      assert.strictEqual((one?.stored ?? 0) + (other?.stored ?? 0), 40)
      assert.strictEqual((one?.requests ?? 0) + (other?.requests ?? 0), 40)
      assert.isAbove(Math.min(one?.stored ?? 0, other?.stored ?? 0), 0, "they share the work")
      assert.deepStrictEqual(stored(store), yield* Workspace.wanted(ws))
      const again = yield* Workspace.run(ws, given)
      assert.deepInclude(again, { unchanged: 40, stored: 0, requests: 0, removed: 0 })
    })
  )

  it.scopedLive("have what is gone removed once, by the last of them", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(12, yield* address(postgres))
      const store = MemorySink.emptyStore()
      const given = { sinks: [MemorySink.make(store)], client: slowly, mode: "sync" } as const
      yield* Workspace.run(ws, given)
      ws.remove("0/0.pdf")
      ws.write("1/1.pdf", "another text")
      yield* Workspace.settle
      const runs = yield* Effect.all([Workspace.run(ws, given), Workspace.run(ws, given)], { concurrency: 2 })
      const sum = (count: (run: (typeof runs)[number]) => number): number =>
        runs.reduce((total, run) => total + count(run), 0)
      // The one that ends first leaves it to the other; one that began after that ends alone.
      const last = yield* Workspace.run(ws, given)
      assert.strictEqual(sum(({ removed }) => removed) + last.removed, 1)
      assert.strictEqual(
        sum(({ stored }) => stored),
        1
      )
      assert.deepStrictEqual(stored(store), yield* Workspace.wanted(ws))
    })
  )

  for (const way of ["replace", "write"] as const) {
    it.scopedLive(`keep one generation when one of them is stopped while it writes to a sink that can ${way}`, () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(1, yield* address(postgres))
        const store = MemorySink.emptyStore()
        const memory = Effect.map(MemorySink.make(store), (sink): ChunkSink.Removing =>
          way === "replace" ? sink : mapPrepared(notReplacing(sink), Struct.omit("replace", "replaceAll"))
        )
        const other = { sinks: [memory], mode: "upsert" } as const
        // As a process that is stopped after its call of the sink has begun: no renewal, and its lease runs out meanwhile.
        const takeover = Effect.gen(function* () {
          yield* Effect.promise(() => lapse(ws.state ?? ""))
          ws.write("0/0.pdf", "changed meanwhile, and longer than before")
          yield* Workspace.settle
          const run = yield* Effect.orDie(Workspace.run(ws, other))
          assert.deepInclude(run, { stored: 1, failed: 0 })
        })
        const stopped = yield* Workspace.run(ws, {
          ...other,
          sinks: [Effect.map(memory, after(yield* Effect.once(takeover)))]
        })
        assert.deepInclude(stopped, { stored: 0, failed: 0, notAttempted: 1, exit: 1 })
        const last = yield* Workspace.run(ws, other)
        assert.deepInclude(last, { failed: 0, requests: 0, exit: 0 })
        assert.deepStrictEqual(stored(store), yield* Workspace.wanted(ws))
        assert.deepInclude(yield* Workspace.run(ws, other), { unchanged: 1, stored: 0 })
      })
    )
  }
})

/** Has every session of the state run out, as when their processes are stopped. */
const lapse = (url: string): Promise<unknown> => {
  const schema = new URL(url).searchParams.get("schema") ?? ""
  return Effect.runPromise(
    sql(url.replace(/\?.*$/u, ""), `UPDATE "${schema}".session SET until = now() - interval '1 hour'`)
  )
}
