import { assert, it } from "@effect/vitest"
import type { ChunkSink } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect, Logger, LogLevel, type Scope } from "effect"
import * as ChunkRecord from "../../sinks/internal/shared/ChunkRecord.ts"

/** Null in metadata, as programs without types have stored it. */
export const damagedMetadata = { title: null }

/** The record of a chunk that has it. */
export const damagedRecord = (chunk: DocumentChunk): string => {
  const record: Record<string, unknown> = JSON.parse(ChunkRecord.encode(chunk).record)
  return JSON.stringify({ ...record, metadata: damagedMetadata })
}

/**
 * A damaged row is left out of the hits. The store holds the library and is prepared for its space; `damage` gives `tea.md:0` the
 * damaged metadata by other means than the sink.
 */
export const damagedRowTest = (
  fresh: Effect.Effect<
    { readonly sink: ChunkSink.Service; readonly damage: Effect.Effect<unknown, unknown, Scope.Scope> },
    unknown,
    Scope.Scope
  >
): void => {
  it.scopedLive("leaves a damaged row out of its hits, and warns of it by sink, chunk and field", () =>
    Effect.gen(function* () {
      const { damage, sink } = yield* fresh
      const warnings: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (LogLevel.greaterThanEqual(logLevel, LogLevel.Warning)) warnings.push(String(message))
      })
      const found = Effect.map(
        sink.search?.({ text: "brew", vector: [1, 0.9, 0, 0], limit: 2 }) ?? Effect.succeed([]),
        (hits) => hits.map((hit) => hit.chunk.source)
      ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      assert.sameMembers([...(yield* found)], ["tea.md", "coffee.md"])
      assert.deepEqual(warnings, [])
      yield* damage
      const left = yield* found
      // The next hit takes its place.
      assert.lengthOf(left, 2)
      assert.strictEqual(left[0], "coffee.md")
      assert.notInclude(left, "tea.md")
      assert.lengthOf(warnings, 1)
      for (const name of [sink.id, "tea.md:0", "metadata.title", "null"]) assert.include(warnings[0], name)
    })
  )
}
