import { assert, it } from "@effect/vitest"
import type { ChunkSink } from "docsluice/ChunkSink"
import { Effect, FastCheck as fc, type Scope } from "effect"
import { agrees, chunks } from "../fixtures/filters.ts"
import { space } from "../fixtures/vectorChunks.ts"

/**
 * Compares an engine's translation with `Filter.matches`, over random filters and chunks. `refuses`: what the sink may answer as
 * `Unsupported`; without it, it may refuse nothing.
 */
export const filterAgreementTest = (
  fresh: Effect.Effect<ChunkSink.Service, unknown, Scope.Scope>,
  refuses?: RegExp
): void =>
  it.scopedLive("finds exactly the chunks that a filter means, for any filter and any metadata", () =>
    Effect.gen(function* () {
      const sink = yield* fresh
      const prepared = yield* sink.prepare(space)
      const [stored = []] = fc.sample(chunks(50), { numRuns: 1, seed: 8 })
      yield* prepared.write(stored)
      const refused = yield* agrees(sink, stored, { runs: 120, seed: 16 })
      assert.deepEqual(
        refused.filter((problem) => refuses?.test(problem) !== true),
        []
      )
      assert.isBelow(refused.length, 90, "it refuses most filters")
    })
  )
