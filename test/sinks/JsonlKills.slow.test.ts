import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { Effect, Random, Scope } from "effect"
import { writeUntilKilled } from "../fixtures/killedProcess.ts"
import { killEverywhere } from "../fixtures/killedSink.ts"
import { generation } from "../fixtures/sinkChunks.ts"
import { readChunks } from "./jsonlChunks.ts"

const killable = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  const file = path.join(folder, "chunks.jsonl")
  return {
    layer: Jsonl.layer({ file }),
    read: readChunks(file).pipe(Effect.provide(NodeContext.layer)),
    leftovers: Effect.map(fs.readDirectory(folder), (names) =>
      names.filter((name) => name !== "chunks.jsonl" && name !== "chunks.jsonl.docsluice.json")
    )
  }
})

describe("a killed run", () => {
  for (const done of [false, true]) {
    it.scopedLive(`keeps what it acknowledged, its last call ${done ? "done or half done" : "not done"}`, () =>
      Effect.gen(function* () {
        const scope = yield* Effect.scope
        const calls = yield* killEverywhere(killable.pipe(Scope.extend(scope), Effect.provide(NodeContext.layer)), done)
        assert.isAbove(calls, 20)
      })
    )
  }

  it.scopedLive(
    "holds exactly one generation of each document after 8 processes were killed while they wrote",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const path = yield* Path.Path
        const file = path.join(yield* fs.makeTempDirectoryScoped(), "chunks.jsonl")
        const held = new Map<number, number>()
        let next = 0
        for (let kill = 0; kill < 8; kill++) {
          const killAfter = yield* Random.nextIntBetween(0, 60)
          const { acknowledged } = yield* writeUntilKilled({
            kind: "jsonl",
            target: file,
            from: next,
            to: 1e6,
            killAfter
          })
          for (const [document, round] of acknowledged) held.set(document, round)
          next = Math.max(next, ...held.values()) + 1
          const found = new Map<string, Set<number>>()
          yield* Effect.scoped(
            Effect.gen(function* () {
              const sink = yield* Jsonl.make({ file })
              yield* sink.prepare(null)
            })
          )
          for (const { documentId, id } of yield* readChunks(file)) {
            const rounds = found.get(documentId) ?? new Set()
            found.set(documentId, rounds.add(Number(/:g(\d+):/u.exec(id)?.[1])))
          }
          for (const [document, round] of held) {
            const rounds = [...(found.get(`root/${document}.md`) ?? [])]
            assert.isTrue(
              rounds.includes(round) || rounds.some((other) => other > round),
              `document ${document} holds ${rounds.join()} after generation ${round} was acknowledged`
            )
            assert.isTrue(
              rounds.every((other) => other >= round),
              `an old generation of ${document} came back`
            )
          }
        }
        const last = yield* writeUntilKilled({ kind: "jsonl", target: file, from: next, to: next + 1, killAfter: null })
        assert.strictEqual(last.code, 0)
        const expected = Array.from({ length: 10 }, (_, at) =>
          generation(`${at}.md`, `g${next}`, 1 + ((next + at) % 5))
        )
        assert.deepEqual(yield* readChunks(file), expected.flat())
      }).pipe(Effect.provide(NodeContext.layer)),
    600_000
  )
})
