import * as Effect from "effect/Effect"
import { type ChunkSink, type Limits, SinkError, unstamped } from "../../ChunkSink.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"

/** A sink of a program without Effect. A rejection counts as `Unavailable` unless it is a `SinkError`. */
export interface AsyncSink {
  /** Kind and target, never credentials: `memory:`. */
  readonly id: string
  /** Default: 1000 chunks, 8 MiB. */
  readonly limits?: Partial<Limits> | undefined
  /** Called before anything is parsed. */
  readonly prepare?: (() => Promise<void>) | undefined
  /** Resolves when the chunks are stored. Called one at a time, never without chunks; must be idempotent. */
  readonly write: (chunks: ReadonlyArray<DocumentChunk>) => Promise<void>
  /** Stores exactly these chunks as those of the document. If present, it is called instead of `write`. */
  readonly replace?: ((documentId: string, chunks: ReadonlyArray<DocumentChunk>) => Promise<void>) | undefined
  /** Removes chunks by id. Unknown ids are not an error. */
  readonly remove?: ((ids: ReadonlyArray<string>) => Promise<void>) | undefined
  /** Called after the last document. */
  readonly finish?: (() => Promise<void>) | undefined
}

const defaults = { maxCount: 1000, maxBytes: 8 * 1024 * 1024 } as const

/** Converts a sink to a `ChunkSink` service. */
export const sink = (own: AsyncSink): ChunkSink.Service => {
  const call = (run: () => Promise<void>): Effect.Effect<void, SinkError> =>
    Effect.tryPromise({
      try: run,
      catch: (cause) =>
        cause instanceof SinkError
          ? cause
          : new SinkError({ sink: own.id, reason: "Unavailable", problem: `it failed: ${String(cause)}`, cause })
    })
  const { finish, prepare, remove, replace } = own
  const prepared: ChunkSink.Prepared = {
    ...unstamped,
    write: (chunks) => call(() => own.write(chunks)),
    ...(replace && { replace: (documentId, chunks) => call(() => replace.call(own, documentId, chunks)) }),
    ...(remove && { remove: (ids) => call(() => remove.call(own, ids)) }),
    finish: finish === undefined ? Effect.void : call(() => finish.call(own))
  }
  return {
    id: own.id,
    name: own.id.split(":", 1)[0] ?? own.id,
    capabilities: {
      remove: remove !== undefined,
      replace: replace !== undefined,
      list: false,
      search: false,
      filter: [],
      stamp: false
    },
    limits: {
      maxCount: own.limits?.maxCount ?? defaults.maxCount,
      maxBytes: own.limits?.maxBytes ?? defaults.maxBytes
    },
    prepare: () => Effect.as(prepare === undefined ? Effect.void : call(() => prepare.call(own)), prepared)
  }
}
