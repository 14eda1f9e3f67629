import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { PieceLog } from "../../src/internal/chunking/PieceLog.ts"

const pieces = FastCheck.array(
  FastCheck.record({
    characters: FastCheck.integer({ min: 1, max: 9 }),
    tokens: FastCheck.integer({ min: 1, max: 5 }),
    skipped: FastCheck.integer({ min: 0, max: 9 })
  }),
  { minLength: 1, maxLength: 1500 }
)

describe("PieceLog", () => {
  it.effect("finds pieces by their place, sums their tokens, and knows which were not counted", () =>
    Effect.sync(() =>
      FastCheck.assert(
        FastCheck.property(pieces, FastCheck.nat(1500), FastCheck.nat(1500), (all, a, b) => {
          const log = new PieceLog(9)
          log.push(99, 1)
          log.clear(7)
          const ends: Array<number> = []
          for (const { characters, skipped, tokens } of all) {
            const end = (ends.at(-1) ?? 7) + characters
            ends.push(end)
            if (skipped === 0) log.skip(end, 10)
            else log.push(end, tokens)
          }
          const first = Math.min(a, b) % all.length
          const last = Math.max(first, Math.max(a, b) % all.length)
          const part = all.slice(first, last + 1)
          assert.strictEqual(
            log.isCounted(first, last),
            part.every(({ skipped }) => skipped > 0)
          )
          assert.strictEqual(
            log.sum(last) - log.sum(first - 1),
            part.reduce((sum, { skipped, tokens }) => sum + (skipped === 0 ? 10 : tokens), 0)
          )
          const place = log.end(first - 1) + (a % 3)
          assert.strictEqual(log.indexAfter(place), ends.filter((end) => end <= place).length)
          assert.strictEqual(log.divides(place), place === 7 || ends.includes(place))
        })
      )
    )
  )
})
