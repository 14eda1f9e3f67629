/** Calls of a sink for the cases: the only file that knows how a sink is opened, prepared and closed. */
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ChunkSink, type EmbeddingSpace, type Hit, type Listed, type Query, SinkError } from "../../ChunkSink.ts"
import type { ChunkId, DocumentChunk } from "../../DocumentChunk.ts"
import type { DocumentId } from "../../SourceFile.ts"
import type { Target } from "./Target.ts"

type Service = ChunkSink.Service

/** Opens a new sink without preparing it; closed with the scope. */
export const open = <E>(target: Pick<Target<E>, "layer">): Effect.Effect<Service, E, Scope.Scope> =>
  Effect.map(Layer.build(Layer.fresh(target.layer)), (context) => Context.get(context, ChunkSink))

/** The store id, null for a sink without one. */
export const prepare = (sink: Service, space: EmbeddingSpace | null): Effect.Effect<string | null, SinkError> =>
  sink.prepare(space)

export const finish = (sink: Service): Effect.Effect<void, SinkError> => sink.finish ?? Effect.void

export const remove = (
  sink: Service,
  chunks: ReadonlyArray<{ readonly id: ChunkId }>
): Effect.Effect<void, SinkError> =>
  sink.remove === undefined ? lacking(sink, "remove") : sink.remove(chunks.map(({ id }) => id))

export const replace = (
  sink: Service,
  documentId: DocumentId,
  chunks: ReadonlyArray<DocumentChunk>
): Effect.Effect<void, SinkError> =>
  sink.replace === undefined ? lacking(sink, "replace") : sink.replace(documentId, chunks)

export const list = (sink: Service): Effect.Effect<ReadonlyArray<Listed>, SinkError> =>
  sink.list === undefined ? lacking(sink, "list") : Effect.map(Stream.runCollect(sink.list), Chunk.toReadonlyArray)

export const search = (sink: Service, query: Query): Effect.Effect<ReadonlyArray<Hit>, SinkError> =>
  sink.search === undefined ? lacking(sink, "search") : sink.search(query)

const lacking = (sink: Service, call: string) =>
  Effect.fail(
    new SinkError({ sink: sink.id, reason: "Unsupported", problem: `it claims \`${call}\` and has no such call` })
  )
