import { assert, describe, it } from "@effect/vitest"
import { LedgerError } from "docsluice/Ledger"
import { Summary } from "docsluice/Outcome"
import type { BudgetOptions } from "docsluice/Pipeline"
import { Deferred, Effect, Exit, Fiber, TestClock } from "effect"
import * as Watching from "../../../src/internal/corpus/watching.ts"
import { pollingEvery } from "../../../src/internal/discovery/watch.ts"
import * as Total from "../../../src/internal/run/total.ts"

const summary = (some: Partial<Summary>): Summary => Summary.make({ ...Total.nothing, ...some })

const away = new LedgerError({ directory: "postgres://h/d", reason: "Unreachable", problem: "no answer" })

/** Watches with these runs, one a minute, and with nothing to do after them; gives the end and the budgets of the runs. */
const watched = (runs: ReadonlyArray<Effect.Effect<Summary, LedgerError>>, budget?: BudgetOptions) =>
  Effect.gen(function* () {
    const stop = yield* Deferred.make<void>()
    const budgets: Array<BudgetOptions | undefined> = []
    const watch = yield* Effect.fork(
      Watching.watch({
        next: pollingEvery("1 minute"),
        stop: Deferred.await(stop),
        budget,
        run: (left) => Effect.suspend(() => runs[budgets.push(left) - 1] ?? Effect.succeed(summary({}))),
        onPassing: () => Effect.void
      })
    )
    yield* TestClock.adjust(`${runs.length} minutes`)
    yield* Deferred.succeed(stop, undefined)
    return { budgets, exit: yield* Fiber.await(watch) }
  })

describe("a watch", () => {
  it.effect("goes on after a time in which the server of its state was away", () =>
    Effect.gen(function* () {
      const { budgets, exit } = yield* watched([Effect.succeed(summary({})), Effect.fail(away)])
      assert.isTrue(Exit.isSuccess(exit))
      assert.isAbove(budgets.length, 2)
    })
  )

  it.effect("fails when the server of its state does not answer at first: its address is probably wrong", () =>
    Effect.gen(function* () {
      const { budgets, exit } = yield* watched([Effect.fail(away)])
      assert.deepStrictEqual(exit, Exit.fail(away))
      assert.lengthOf(budgets, 1)
    })
  )

  it.effect("has one budget for all its runs", () =>
    Effect.gen(function* () {
      const spending = Effect.succeed(summary({ parsed: 1, pages: 3, credits: 2 }))
      const { budgets } = yield* watched([spending, spending], { pages: 5, credits: 10 })
      assert.deepStrictEqual(
        budgets.map((budget) => [budget?.pages, budget?.credits]),
        [
          [5, 10],
          [2, 8],
          [0, 6]
        ]
      )
    })
  )
})
