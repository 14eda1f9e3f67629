import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import { Effect } from "effect"
import * as Workplace from "./workplace.ts"

/** A corpus over the state and the store of the command line, closed with the scope. */
const corpus = ({ folder, service, state }: Workplace.Workplace) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      Async.open({ to: `libsql:${join(folder, "store.db")}`, embedder: "hash", state, service: service.base })
    ),
    (docs) => Effect.promise(() => docs.close())
  )

describe("a state that a program and the command line share", () => {
  it.scopedLive("is one: what one of them stored is unchanged for the other, and each finds and removes it", () =>
    Effect.gen(function* () {
      const work = yield* Workplace.make
      const store = `libsql:${join(work.folder, "store.db")}`
      const given = ["--to", store, "--embedder", "hash"]
      const { summary } = yield* work.ingest(...given)
      assert.deepInclude(summary, { stored: 3 })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const docs = yield* corpus(work)
          const again = yield* Effect.promise(() => docs.ingest({ root: work.docs }))
          assert.deepInclude(again, { unchanged: 3, requests: 0 })
          writeFileSync(join(work.docs, "new.pdf"), "document new")
          assert.deepInclude(yield* Effect.promise(() => docs.ingest({ root: work.docs })), { stored: 1 })
        })
      )
      assert.deepInclude((yield* work.ingest(...given)).summary, { unchanged: 4, requests: 0 })
      const search = yield* work.run("search", "calibrated", "--to", store, "--json")
      assert.strictEqual(Workplace.hitsOf(search)[0]?.source, "gauges.pdf")
      yield* Effect.scoped(
        Effect.flatMap(corpus(work), (docs) => Effect.promise(() => docs.ingest({ root: work.docs })))
      )
      const doctor = yield* work.run("doctor", "--state", work.state)
      assert.strictEqual(doctor.status, 0, doctor.stderr)
      const removed = yield* work.run("remove", "new.pdf", "--state", work.state)
      assert.strictEqual(removed.status, 0, removed.stderr)
      assert.include(removed.stdout, "removed new.pdf (1 chunk)")
    })
  )

  it.scopedLive("lets a program retry what failed on the command line, in the scope of that run", () =>
    Effect.gen(function* () {
      const work = yield* Workplace.make
      const late = join(work.docs, "late.pdf")
      writeFileSync(late, "")
      const { summary } = yield* work.ingest("--to", `libsql:${join(work.folder, "store.db")}`, "--embedder", "hash")
      assert.deepInclude(summary, { stored: 3, failed: 1 })
      writeFileSync(late, "document late")
      const docs = yield* corpus(work)
      const sources = Effect.promise(async () => (await docs.failures()).map(({ source }) => source))
      assert.deepStrictEqual(yield* sources, ["late.pdf"])
      const retried = yield* Effect.promise(() => docs.retry())
      assert.deepInclude(retried, { discovered: 1, stored: 1, warnings: [] })
      assert.deepStrictEqual(yield* sources, [])
      rmSync(late)
      const synced = yield* Effect.promise(() => docs.ingest({ root: work.docs }, { mode: "sync" }))
      assert.deepInclude(synced, { unchanged: 3, removed: 1, exit: 0 })
    })
  )
})
