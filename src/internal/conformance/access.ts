/** Calls of a sink for the cases: the only file that knows how a sink is opened, prepared and closed. */
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { ChunkSink, type EmbeddingSpace, type Hit, type Listed, type Query, type SinkError } from "../../ChunkSink.ts"
import type { ChunkId, DocumentChunk } from "../../DocumentChunk.ts"
import type { DocumentId } from "../../SourceFile.ts"
import { lacking } from "../sink/lacking.ts"
import type { Target } from "./Target.ts"

type Service = ChunkSink.Service

/** A sink that is open, with the calls that its last `prepare` gave. */
export interface Session
  extends Service, Pick<ChunkSink.Prepared, "write" | "remove" | "replace" | "replaceAll" | "finish"> {
  /** Null for a sink without a stamp. */
  readonly storeId: string | null
}

/** Opens a new sink without preparing it; closed with the scope. */
export const open = <E>(target: Pick<Target<E>, "layer">): Effect.Effect<Service, E, Scope.Scope> =>
  Effect.map(Layer.build(Layer.fresh(target.layer)), (context) => Context.get(context, ChunkSink))

export const prepare = (sink: Service, space: EmbeddingSpace | null): Effect.Effect<Session, SinkError> =>
  Effect.map(sink.prepare(space), (prepared) => ({
    ...sink,
    ...Struct.pick(prepared, "write", "remove", "replace", "replaceAll", "finish"),
    storeId: Option.getOrNull(prepared.storeId)
  }))

export const remove = (
  sink: Session,
  chunks: ReadonlyArray<{ readonly id: ChunkId }>
): Effect.Effect<void, SinkError> =>
  sink.remove === undefined ? lacking(sink.id, "remove") : sink.remove(chunks.map(({ id }) => id))

export const replace = (
  sink: Session,
  documentId: DocumentId,
  chunks: ReadonlyArray<DocumentChunk>
): Effect.Effect<void, SinkError> =>
  sink.replace === undefined ? lacking(sink.id, "replace") : sink.replace(documentId, chunks)

export const list = (sink: Service): Effect.Effect<ReadonlyArray<Listed>, SinkError> =>
  sink.list === undefined ? lacking(sink.id, "list") : Effect.map(Stream.runCollect(sink.list), Chunk.toReadonlyArray)

export const search = (sink: Service, query: Query): Effect.Effect<ReadonlyArray<Hit>, SinkError> =>
  sink.search === undefined ? lacking(sink.id, "search") : sink.search(query)
