import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { PieceLog } from "../../src/internal/chunking/PieceLog.ts"

const pieces = FastCheck.array(
  FastCheck.record({
    characters: FastCheck.integer({ min: 1, max: 9 }),
    tokens: FastCheck.integer({ min: 1, max: 5 }),
    long: FastCheck.boolean()
  }),
  { minLength: 1, maxLength: 1500 }
)

describe("PieceLog", () => {
  it.effect("finds pieces by their place, sums their tokens, and keeps those of long ones", () =>
    Effect.sync(() =>
      FastCheck.assert(
        FastCheck.property(pieces, FastCheck.nat(1500), FastCheck.nat(1500), (all, a, b) => {
          const log = new PieceLog(9)
          log.push(99, 1)
          log.clear(7)
          const ends: Array<number> = []
          for (const { characters, long, tokens } of all) {
            const end = (ends.at(-1) ?? 7) + characters
            ends.push(end)
            if (long) log.pushLong(end, new Int32Array(tokens))
            else log.push(end, tokens)
          }
          const first = Math.min(a, b) % all.length
          const last = Math.max(first, Math.max(a, b) % all.length)
          const part = all.slice(first, last + 1)
          assert.strictEqual(log.tokens(first)?.length, part[0]?.long === true ? part[0].tokens : undefined)
          assert.strictEqual(
            log.sum(last) - log.sum(first - 1),
            part.reduce((sum, { tokens }) => sum + tokens, 0)
          )
          const place = log.end(first - 1) + (a % 3)
          assert.strictEqual(log.indexAfter(place), ends.filter((end) => end <= place).length)
          assert.strictEqual(log.divides(place), place === 7 || ends.includes(place))
        })
      )
    )
  )
})
