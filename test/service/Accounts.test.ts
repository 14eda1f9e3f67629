import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import { Effect } from "effect"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-accounts-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

describe("Accounts", () => {
  it.scopedLive("keeps what was spent, also by many at once, for the next server", () =>
    Effect.gen(function* () {
      const place = join(yield* folder, "serve")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const accounts = yield* Accounts.make(place)
          yield* Effect.replicateEffect(accounts.spend("a", 2), 100, { concurrency: 100, discard: true })
          yield* accounts.spend("", 1)
          assert.strictEqual(yield* accounts.spent("a"), 200)
        })
      )
      const accounts = yield* Accounts.make(place)
      assert.deepStrictEqual(yield* Effect.forEach(["a", "", "b"], accounts.spent), [200, 1, 0])
      assert.strictEqual(statSync(join(place, "credits.db")).mode & 0o777, 0o600)
      const second = yield* Effect.flip(Accounts.make(place))
      assert.strictEqual(second.reason, "Locked")
      assert.match(second.message, /keeps its credits here; stop it or name another state directory/)
    })
  )

  it.scopedLive("refuses a damaged record rather than give every key its credits again", () =>
    Effect.gen(function* () {
      const place = yield* folder
      yield* Effect.scoped(Effect.flatMap(Accounts.make(place), (accounts) => accounts.spend("a", 2)))
      assert.deepStrictEqual(readdirSync(place), ["credits.db"])
      for (const content of ["", "no database ".repeat(400)]) {
        writeFileSync(join(place, "credits.db"), content)
        const error = yield* Effect.flip(Effect.scoped(Accounts.make(place)))
        assert.strictEqual(error.reason, "Corrupted")
        assert.match(error.message, /restore it from a backup, or delete it/)
      }
    })
  )
})
