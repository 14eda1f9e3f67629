/** Search of a store that somebody else fills: opens it for one query, and creates, changes and locks nothing. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type ChunkSink, type Hit, type Query, SinkError, type StoreStamp } from "../../ChunkSink.ts"
import type { QueryVectorError, QueryVectors } from "./queryVector.ts"
import type { Target } from "./sinkKind.ts"

/** The store to search does not exist. */
export class StoreMissing extends Schema.TaggedError<StoreMissing>("docsluice/internal/StoreMissing")("StoreMissing", {
  /** The target, without credentials. */
  store: Schema.String
}) {
  override get message(): string {
    return `${this.store}: there is no store; ingest makes it`
  }
}

export interface Answer {
  /** Best first. */
  readonly hits: ReadonlyArray<Hit>
  /** Reason why only words were searched although the store has vectors; null otherwise. */
  readonly wordsAlone: string | null
  /** Of an answer without hits: relevance of the best that is below the query's `minScore`; null when there is none. */
  readonly nearest: number | null
}

/** A store that was opened. */
export interface Opened {
  readonly sink: ChunkSink.Service
  readonly stamp: StoreStamp
}

/** Opens the store; it stays open until the scope is closed. */
export const open = (
  target: Target
): Effect.Effect<Opened, StoreMissing | SinkError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const sink = yield* target.open
    const stamp = yield* sink.stamp ?? Effect.succeed(null)
    return stamp === null ? yield* new StoreMissing({ store: target.shown }) : { sink, stamp }
  })

/** Searches a store that is open. The query's vector is in the space of the stamp. */
export const search = (
  { sink, stamp }: Opened,
  vectors: QueryVectors,
  query: Omit<Query, "vector">
): Effect.Effect<Answer, SinkError | QueryVectorError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { vector, wordsAlone } = yield* vectors.of(query.text, stamp.space)
    const hits = yield* asked(sink, { ...query, vector })
    if (hits.length > 0) return { hits, wordsAlone, nearest: null }
    const below = yield* asked(sink, { ...query, vector, minScore: 0, neighbours: 0, parent: false })
    const nearest = below.length === 0 ? null : Math.max(...below.map(({ relevance = 0 }) => relevance))
    return { hits, wordsAlone, nearest }
  })

const asked = (sink: ChunkSink.Service, query: Query): Effect.Effect<ReadonlyArray<Hit>, SinkError> =>
  sink.search?.(query) ?? new SinkError({ sink: sink.id, reason: "Unsupported", problem: "it cannot search" })
