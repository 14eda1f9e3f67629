import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Random, Scope } from "effect"
import { writeUntilKilled } from "../fixtures/killedProcess.ts"
import { killEverywhere } from "../fixtures/killedSink.ts"
import { generation } from "../fixtures/sinkChunks.ts"
import { makeStore, prepared, readChunks } from "./filesystemStore.ts"

describe("a killed run", () => {
  for (const done of [false, true]) {
    it.scopedLive(`keeps what it acknowledged, its last call ${done ? "done or half done" : "not done"}`, () =>
      Effect.gen(function* () {
        const scope = yield* Effect.scope
        const fresh = makeStore.pipe(Scope.extend(scope), Effect.provide(NodeContext.layer))
        assert.isAbove(yield* killEverywhere(fresh, done), 20)
      })
    )
  }

  it.scopedLive(
    "holds exactly one generation of each document after 5 processes were killed while they wrote",
    () =>
      Effect.gen(function* () {
        const { directory } = yield* makeStore
        let next = 0
        for (let kill = 0; kill < 5; kill++) {
          const killAfter = yield* Random.nextIntBetween(0, 150)
          const { acknowledged } = yield* writeUntilKilled({
            kind: "fs",
            target: directory,
            from: next,
            to: 1e6,
            killAfter
          })
          yield* Effect.scoped(prepared(directory))
          const stored = yield* readChunks(directory)
          for (const [document, round] of acknowledged) {
            const generations = new Set(
              stored
                .filter(({ source }) => source === `${document}.md`)
                .map(({ id }) => Number(/:g(\d+):/u.exec(id)?.[1]))
            )
            assert.strictEqual(generations.size, 1, `document ${document}`)
            assert.isTrue([...generations].every((one) => one === round || one === round + 1))
          }
          next = Math.max(next, ...acknowledged.values()) + 2
        }
        const last = yield* writeUntilKilled({
          kind: "fs",
          target: directory,
          from: next,
          to: next + 1,
          killAfter: null
        })
        assert.strictEqual(last.code, 0)
        const expected = Array.from({ length: 10 }, (_, at) =>
          generation(`${at}.md`, `g${next}`, 1 + ((next + at) % 5))
        )
        assert.sameDeepMembers([...(yield* readChunks(directory))], expected.flat())
      }).pipe(Effect.provide(NodeContext.layer)),
    600_000
  )
})
