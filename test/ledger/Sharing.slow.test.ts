import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import { Effect, Fiber, Option } from "effect"
import { ofRun } from "../../src/internal/state/ledger/runLedger.ts"
import { a, collect, expected, failure, found, generation, ids, key, missed, request } from "../fixtures/ledger.ts"
import * as Postgres from "../sinks/postgres.ts"
import { address, server, sql } from "./places.ts"

const postgres = server()

/** One more process on the state, as far as the server can tell. Its clock stands still: its lease runs out unless it writes. */
const process = (url: string, lease = 60_000) => Effect.map(Ledger.makePostgres({ url, lease }), ofRun)

/** Lets a lease of 300 milliseconds run out. */
const stopped = Effect.promise(() => new Promise((resolve) => void setTimeout(resolve, 500)))

const brief = 300

describe.skipIf(Postgres.missing() !== null)("two processes with one ledger", () => {
  it.scoped("work on a document one at a time, and the second finds the result of the first", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const [one, other] = [yield* process(url), yield* process(url)]
      assert.strictEqual((yield* one.hold(key("a.pdf"))).standing, "held")
      assert.strictEqual((yield* one.hold(key("a.pdf"))).standing, "held")
      assert.strictEqual((yield* other.hold(key("a.pdf"))).standing, "busy")
      assert.strictEqual((yield* other.hold(key("b.pdf"))).standing, "held")
      yield* one.commit(generation("a.pdf"))
      assert.strictEqual((yield* other.hold(key("a.pdf"))).standing, "held")
      assert.strictEqual(Option.getOrNull(yield* other.get(key("a.pdf")))?.generation, 1)
      yield* other.letGo(key("a.pdf"))
      assert.strictEqual((yield* one.hold(key("a.pdf"))).standing, "held")
    })
  )

  it.scoped("leave no document behind that they only began to work on", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const one = yield* process(url)
      yield* one.hold(key("a.pdf"))
      assert.deepInclude(yield* one.stats, { documents: 0 })
      assert.deepStrictEqual(yield* collect(one.entries("all")), [])
      yield* one.letGo(key("a.pdf"))
      assert.deepStrictEqual(yield* inSchema(url, "SELECT count(*)::int FROM document"), [[0]])
    })
  )

  it.scoped("let a document go whose work was interrupted in the moment in which they took it", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const [one, other] = [yield* process(url), yield* process(url)]
      for (const name of ["a.pdf", "b.pdf", "c.pdf", "d.pdf"]) {
        const taking = yield* Effect.fork(one.hold(key(name)))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(taking)
        yield* one.letGo(key(name))
        assert.strictEqual((yield* other.hold(key(name))).standing, "held", name)
      }
    })
  )

  it.scoped("free all their documents when they end, and when they are killed after their lease", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      yield* Effect.scoped(Effect.flatMap(process(url), (one) => one.hold(key("ended.pdf"))))
      const killed = yield* process(url, brief)
      const other = yield* process(url)
      assert.strictEqual((yield* other.hold(key("ended.pdf"))).standing, "held")
      // The lease is short: nothing comes between the two.
      yield* killed.hold(key("killed.pdf"))
      assert.strictEqual((yield* other.hold(key("killed.pdf"))).standing, "busy")
      yield* stopped
      assert.strictEqual((yield* other.hold(key("killed.pdf"))).standing, "held")
    })
  )

  it.scoped("refuse the writes of one that was stopped for longer than its lease", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const stale = yield* process(url, brief)
      const other = yield* process(url)
      yield* stale.hold(key("a.pdf"))
      yield* stale.hold(key("b.pdf"))
      yield* stale.announce(key("a.pdf"), ids("old"), [a.sink], null)
      yield* stopped
      yield* other.hold(key("a.pdf"))
      yield* other.hold(key("b.pdf"))
      yield* other.announce(key("a.pdf"), ids("new"), [a.sink], null)
      // Before the sink is called, and after it was.
      const announced = yield* Effect.flip(stale.announce(key("b.pdf"), ids("9"), [a.sink], null))
      assert.strictEqual(announced.reason, "Superseded")
      assert.include(announced.message, "b.pdf")
      const committed = yield* Effect.flip(stale.commit(generation("a.pdf", { chunkIds: ids("old") })))
      assert.strictEqual(committed.reason, "Superseded")
      // What the stale one announced is to be removed with the new generation.
      const due = yield* other.commit(generation("a.pdf", { chunkIds: ids("new") }))
      assert.deepStrictEqual(due, [{ ...key("a.pdf"), sink: a.sink, chunkIds: ids("old") }])
      assert.deepStrictEqual(Option.getOrNull(yield* stale.get(key("a.pdf")))?.stored?.chunkIds, ids("new"))
    })
  )

  it.scoped("ignore the failure and the sighting of a stopped one", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const stale = yield* process(url, brief)
      const other = yield* process(url)
      for (const path of ["a.pdf", "b.pdf"]) yield* stale.hold(key(path))
      yield* stopped
      for (const path of ["a.pdf", "b.pdf"]) yield* other.hold(key(path))
      yield* stale.fail(key("a.pdf"), failure(), null)
      yield* other.commit(generation("a.pdf"))
      yield* other.commit(generation("b.pdf"))
      yield* stale.touch(key("b.pdf"), { size: 99, fingerprint: undefined, checkedAt: 1 }, null)
      assert.isNull(Option.getOrNull(yield* other.get(key("a.pdf")))?.failure ?? null)
      assert.strictEqual(Option.getOrNull(yield* other.get(key("b.pdf")))?.stored?.size, 10)
    })
  )

  it.scoped("take the document back that nobody took meanwhile", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const slow = yield* process(url, brief)
      // Opened before, since that may take longer than the short lease.
      const other = yield* process(url)
      yield* slow.hold(key("a.pdf"))
      yield* stopped
      yield* slow.announce(key("a.pdf"), ids("1"), [a.sink], null)
      assert.strictEqual((yield* other.hold(key("a.pdf"))).standing, "busy")
      yield* slow.commit(generation("a.pdf", { chunkIds: ids("1") }))
      assert.strictEqual(Option.getOrNull(yield* other.get(key("a.pdf")))?.generation, 1)
    })
  )

  it.scoped("have chunks removed that a stopped one sent to a sink after another had removed them", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const stale = yield* process(url, brief)
      const other = yield* process(url)
      yield* stale.hold(key("a.pdf"))
      yield* stale.announce(key("a.pdf"), ids("old"), [a.sink], null)
      yield* stopped
      yield* other.hold(key("a.pdf"))
      const [removal] = yield* other.commit(generation("a.pdf", { chunkIds: ids("new") }))
      if (removal !== undefined) yield* other.removed(removal)
      yield* other.letGo(key("a.pdf"))
      // Its call of the sink went out only now.
      yield* Effect.flip(stale.commit(generation("a.pdf", { chunkIds: ids("old") })))
      assert.strictEqual((yield* stale.hold(key("a.pdf"))).standing, "held")
      const due = yield* stale.stray(key("a.pdf"), ids("old", "new"), [a.sink], "beside")
      assert.deepStrictEqual(due, [{ ...key("a.pdf"), sink: a.sink, chunkIds: ids("old") }])
      // A sink that it replaced the document in lacks the generation that counts.
      assert.deepStrictEqual(yield* stale.stray(key("a.pdf"), ids("old"), [a.sink], "instead"), [])
      const entry = Option.getOrNull(yield* other.get(key("a.pdf")))
      assert.deepStrictEqual(entry?.stored?.acknowledged, [])
      const held = Option.getOrNull(yield* other.holding(key("a.pdf")))?.held
      assert.deepStrictEqual(held?.[0]?.chunkIds.toSorted(), ids("old", "new").toSorted())
    })
  )

  it.scoped("do not remove chunks of documents that the other works on", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const [one, other] = [yield* process(url), yield* process(url)]
      for (const path of ["a.pdf", "b.pdf"]) {
        yield* one.announce(key(path), ids("1"), [a.sink], null)
        yield* one.fail(key(path), failure(), null)
      }
      yield* one.hold(key("a.pdf"))
      const due = yield* collect(other.removals([a.sink]))
      assert.deepStrictEqual(
        due.map(({ path }) => path),
        ["b.pdf"]
      )
      // Nor does the other work on what is being removed.
      assert.strictEqual((yield* one.hold(key("b.pdf"))).standing, "busy")
      for (const removal of due) yield* other.removed(removal)
      assert.strictEqual((yield* one.hold(key("b.pdf"))).standing, "held")
    })
  )

  it.scoped("let go at the end of a run what a sink did not remove", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const [one, other] = [yield* process(url), yield* process(url)]
      yield* one.announce(key("a.pdf"), ids("1"), [a.sink], null)
      yield* one.fail(key("a.pdf"), failure(), null)
      const scan = yield* one.scan(request, expected)
      assert.strictEqual((yield* collect(one.removals([a.sink]))).length, 1)
      assert.strictEqual((yield* other.hold(key("a.pdf"))).standing, "busy")
      yield* scan.end
      assert.strictEqual((yield* other.hold(key("a.pdf"))).standing, "held")
    })
  )

  it.scoped("remove what is gone only when the last of them is done, and what none of them found", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const [one, other] = [yield* process(url), yield* process(url)]
      const first = yield* one.scan(request, expected)
      for (const path of ["a.pdf", "b.pdf", "c.pdf"]) yield* one.commit(generation(path, { scope: first.scope }))
      yield* first.complete(1)
      const [left, right] = [yield* one.scan(request, expected), yield* other.scan(request, expected)]
      yield* left.see([found("a.pdf")])
      yield* right.see([found("b.pdf")])
      yield* other.commit(generation("new.pdf", { scope: right.scope }))
      assert.deepStrictEqual(yield* missed(left), ["c.pdf"])
      yield* left.complete(2)
      assert.deepStrictEqual(yield* collect(one.unclaimed("docs", [a.sink])), [])
      assert.deepStrictEqual(yield* missed(right), ["c.pdf"])
      yield* right.complete(3)
      const gone = yield* collect(other.unclaimed("docs", [a.sink]))
      assert.deepStrictEqual(
        gone.map(({ path }) => path),
        ["c.pdf"]
      )
      for (const { documentId, path } of gone) yield* other.forget({ documentId, path }, [a.sink])
      assert.strictEqual(yield* one.claims(request), 3)
      assert.deepStrictEqual(yield* inSchema(url, "SELECT count(*)::int FROM sight"), [[0]])
    })
  )

  it.scoped("remove nothing that one found which was stopped while the other came to its end", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const stale = yield* process(url, brief)
      const first = yield* stale.scan(request, expected)
      for (const path of ["a.pdf", "b.pdf"]) yield* stale.commit(generation(path, { scope: first.scope }))
      yield* first.complete(1)
      const scan = yield* stale.scan(request, expected)
      yield* scan.see([found("a.pdf")])
      yield* stopped
      const other = yield* process(url)
      const whole = yield* other.scan(request, expected)
      yield* whole.see([found("a.pdf"), found("b.pdf")])
      yield* whole.complete(2)
      // The stopped one did not find b.pdf, which was not there yet.
      yield* stale.touch(key("a.pdf"), { size: 10, fingerprint: undefined, checkedAt: 1 }, null)
      yield* scan.complete(3)
      assert.deepStrictEqual(yield* collect(stale.unclaimed("docs", [a.sink])), [])
      assert.strictEqual(yield* other.claims(request), 2)
    })
  )

  it.scoped("forget the findings of a run that did not come to its end", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const [one, other] = [yield* process(url), yield* process(url)]
      const first = yield* one.scan(request, expected)
      yield* one.commit(generation("a.pdf", { scope: first.scope }))
      yield* first.complete(1)
      const broken = yield* one.scan(request, expected)
      yield* broken.see([found("a.pdf")])
      yield* broken.end
      const next = yield* other.scan(request, expected)
      assert.deepStrictEqual(yield* missed(next), ["a.pdf"])
      yield* next.complete(2)
      assert.strictEqual((yield* collect(other.unclaimed("docs", [a.sink]))).length, 1)
    })
  )

  it.scoped("keep the findings of two runs of one process at a time until the last of them is done", () =>
    Effect.gen(function* () {
      const one = yield* process(yield* address(postgres))
      const first = yield* one.scan(request, expected)
      yield* one.commit(generation("a.pdf", { scope: first.scope }))
      yield* first.complete(1)
      const [left, right] = [yield* one.scan(request, expected), yield* one.scan(request, expected)]
      yield* left.see([found("a.pdf")])
      yield* right.see([found("a.pdf")])
      // It is deleted before the other one looks for it.
      yield* one.fail(key("gone.pdf"), failure(), left.scope)
      yield* right.complete(2)
      yield* right.end
      yield* left.complete(3)
      yield* left.end
      assert.strictEqual(yield* one.claims(request), 2)
      const next = yield* one.scan(request, expected)
      yield* next.see([found("a.pdf")])
      assert.deepStrictEqual(yield* missed(next), ["gone.pdf"])
      yield* next.complete(4)
      assert.strictEqual(yield* one.claims(request), 1)
    })
  )

  it.scoped("go on with a run of a process when another run of it breaks off", () =>
    Effect.gen(function* () {
      const one = yield* process(yield* address(postgres))
      const [left, right] = [yield* one.scan(request, expected), yield* one.scan(request, expected)]
      yield* one.commit(generation("a.pdf"))
      yield* left.see([found("a.pdf")])
      yield* right.end
      yield* left.complete(1)
      assert.strictEqual(yield* one.claims(request), 1)
      assert.strictEqual((yield* one.scan(request, expected)).completedAt, 1)
    })
  )

  it.scoped("number their runs together", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const [one, other] = [yield* process(url), yield* process(url)]
      yield* one.startRun(1, "{}")
      yield* other.startRun(2, "{}")
      assert.deepStrictEqual(
        (yield* one.reports).map(({ run, startedAt }) => [run, startedAt]),
        [
          [2, 2],
          [1, 1]
        ]
      )
    })
  )
})

/** A statement in the schema of the state. */
const inSchema = (url: string, text: string) => {
  const schema = new URL(url).searchParams.get("schema") ?? ""
  const bare = url.replace(/\?.*$/u, "")
  return sql(`${bare}?options=-c%20search_path%3D${schema}`, text)
}
