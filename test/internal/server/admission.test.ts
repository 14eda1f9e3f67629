import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as accounts from "../../../src/internal/server/account.ts"
import * as admissions from "../../../src/internal/server/admission.ts"

describe("admission", () => {
  it.effect("takes one request at a time while memory is short, and refuses others with a time", () =>
    Effect.gen(function* () {
      let isShort = false
      const admission = admissions.make({ capacity: 10, parsers: 1, wait: 1000, short: () => isShort })
      const [one, other] = [accounts.make("one", {}, 0), accounts.make("other", {}, 0)]
      const done = yield* Deferred.make<void>()
      const waiting = (account: accounts.Account) =>
        Effect.fork(admission.admitted(account, () => Deferred.await(done)))
      const first = yield* waiting(one)
      const second = yield* waiting(one)
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      isShort = true
      for (const account of [one, other]) {
        const refused = yield* Effect.flip(admission.admitted(account, () => Effect.void))
        assert.deepInclude(refused, { _tag: "ConcurrencyLimitReached", status: 429, retryAfter: 1000 })
      }
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.joinAll([first, second])
      assert.strictEqual(yield* admission.admitted(other, () => Effect.succeed("taken")), "taken")
    })
  )
})
