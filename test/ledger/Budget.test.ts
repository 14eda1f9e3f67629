import { assert, describe, it } from "@effect/vitest"
import type { BudgetOptions } from "docsluice/Pipeline"
import { BadRequest } from "docsluice/service/ServiceError"
import { Effect } from "effect"
import { paid } from "../fixtures/paid.ts"
import * as Workspace from "./workspace.ts"

/** Documents of 3 pages, which everybody knows. */
const client = paid(Workspace.scripted({ pages: 3 }))
const pagesOf = () => Effect.succeedSome(3)

const within = (ws: Workspace.Workspace, budget: BudgetOptions, given: Workspace.Given = {}) =>
  Workspace.run(ws, { client, ...given, change: (options) => ({ ...options, budget }) })

describe("a budget", () => {
  it.scopedLive(
    "stops a run cleanly before it is passed, with what was paid for stored, and the next run goes on",
    () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(10)
        const first = yield* within(ws, { pages: 10, pagesOf })
        assert.deepInclude(first, { stored: 3, parsed: 3, pages: 9, failed: 0, notAttempted: 7, exit: 1 })
        assert.strictEqual(first.stopped?.tag, "BudgetSpent")
        assert.strictEqual(yield* Workspace.letters(ws), "")
        const second = yield* within(ws, { pages: 10, pagesOf })
        assert.deepInclude(second, { stored: 3, parsed: 3, exit: 1 })
        const rest = yield* within(ws, {})
        assert.deepInclude(rest, { stored: 4, unchanged: 6, exit: 0 })
        assert.strictEqual(first.requests + second.requests + rest.requests, 10)
      })
  )

  it.scopedLive("does not bound by credits what costs nothing", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(5)
      const summary = yield* within(ws, { credits: 0, pagesOf }, { client: Workspace.scripted({ pages: 3 }) })
      assert.deepInclude(summary, { stored: 5, parsed: 5, credits: 0, exit: 0 })
    })
  )

  it.scopedLive("bounds credits as it bounds pages", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(5)
      const summary = yield* within(ws, { credits: 7, pagesOf })
      assert.deepInclude(summary, { stored: 2, credits: 6, notAttempted: 3, exit: 1 })
    })
  )

  it.scopedLive("lets everything through that is in the cache, whatever is left", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(5)
      yield* within(ws, {})
      const again = yield* within(ws, { pages: 0, credits: 0 }, { rebuild: true })
      assert.deepInclude(again, { stored: 5, fromCache: 5, requests: 0, exit: 0 })
    })
  )

  it.scopedLive("gives back what a failed document had set aside", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(4)
      const error = new BadRequest({ status: 400, error: "no" })
      const failing = Workspace.scripted({ pages: 3, scripts: { "0.pdf": { error }, "3.pdf": { error } } })
      // Pages for three of the four, in whatever order they are met.
      const summary = yield* within(ws, { pages: 9, pagesOf }, { client: failing })
      assert.deepInclude(summary, { stored: 2, failed: 2, notAttempted: 0, pages: 6, exit: 1 })
      assert.isUndefined(summary.stopped)
    })
  )

  it.scopedLive("counts a PDF whose pages nobody knows as the most that the options allow", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(3)
      const refused = yield* within(ws, { pages: 100 })
      assert.deepInclude(refused, { stored: 0, requests: 0, notAttempted: 3, exit: 1 })
      assert.match(refused.stopped?.message ?? "", /pages cannot be told.*maxPages/)
      const parse = { parsers: [{ type: "pdf", maxPages: 3 }] } as const
      assert.deepInclude(yield* within(ws, { pages: 9 }, { parse }), { stored: 3, pages: 9, exit: 0 })
    })
  )
})
