import { assert, it } from "@effect/vitest"
import { PackedVector } from "docsluice/DocumentChunk"
import { Duration, Effect, Either } from "effect"
import * as Batcher from "../../src/internal/embedding/batcher.ts"
import type { TextRequest } from "../../src/internal/embedding/flights.ts"

const vector = new PackedVector([1, 0])

const alone = { expecting: null, halt: null }

const request = (text: string): TextRequest => ({ key: text, text, tokens: 1 })

it.scoped("looks up the texts of all callers that wait together, each once", () =>
  Effect.gen(function* () {
    const lookUps: Array<ReadonlyArray<string>> = []
    const batcher = yield* Batcher.make({
      batchSize: 128,
      batchTokens: 1000,
      delay: Duration.zero,
      fill: Duration.zero,
      limit: () => 4,
      lookUp: (keys) =>
        Effect.sync(() => {
          lookUps.push(keys)
          return keys.map(() => vector)
        }),
      send: () => Effect.die("nothing is to be sent")
    })
    const calls = [["a", "b"], ["b", "c"], ["d"]].map((texts) => batcher.embed(texts.map(request), alone))
    const results = yield* Effect.all(calls, { concurrency: 3 })
    assert.deepStrictEqual(lookUps, [["a", "b", "c", "d"]])
    assert.deepStrictEqual(
      results.map((all) => all.map((result) => Either.isRight(result))),
      [[true, true], [true, true], [true]]
    )
  })
)

it.scoped("fails the texts of a look-up that throws, and looks up the next ones", () =>
  Effect.gen(function* () {
    let broken = true
    const batcher = yield* Batcher.make({
      batchSize: 128,
      batchTokens: 1000,
      delay: Duration.zero,
      fill: Duration.zero,
      limit: () => 4,
      lookUp: (keys) => (broken ? Effect.die("broken") : Effect.succeed(keys.map(() => vector))),
      send: () => Effect.die("nothing is to be sent")
    })
    const failed = yield* batcher.embed([request("a")], alone)
    broken = false
    const found = yield* batcher.embed([request("a")], alone)
    assert.deepStrictEqual([...failed, ...found].map(Either.isRight), [false, true])
  })
)
