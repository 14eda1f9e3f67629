import { type Chunker, ChunkSink, Pipeline, type Source } from "docsluice"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as LibSql from "docsluice/sinks/LibSql"
import { Effect, type Option, type Sink, Stream } from "effect"
import { expectTypeOf } from "vitest"

type Chunk = ChunkSink.DocumentChunks["chunks"][number]
type Stored = Sink.Sink<number, Chunk, never, ChunkSink.SinkError>

declare const sink: ChunkSink.ChunkSink.Service
declare const removing: ChunkSink.ChunkSink.Removing
declare const appending: ChunkSink.ChunkSink.Appending
declare const prepared: ChunkSink.ChunkSink.Prepared
declare const chunks: ReadonlyArray<Chunk>
declare const documents: Stream.Stream<ChunkSink.DocumentChunks>
declare const source: Source.Source
declare const chunker: Chunker.Chunker

/** An unprepared sink does not write, whatever made it. */
export const unprepared = Effect.gen(function* () {
  for (const one of [yield* Jsonl.make({ file: "a.jsonl" }), yield* LibSql.make({ file: "a.db" })]) {
    // @ts-expect-error it was not prepared
    yield* one.write(chunks)
    // @ts-expect-error it was not prepared
    yield* one.remove([])
    // @ts-expect-error it was not prepared
    yield* one.finish
    const store = yield* one.prepare(null)
    yield* store.write(chunks)
    yield* store.remove([])
    yield* store.finish
  }
  // @ts-expect-error it was not prepared
  const { replace } = sink
  // @ts-expect-error it was not prepared
  const { replaceAll } = sink
  return [replace, replaceAll]
})

/** What is prepared says which store it is, and is no sink that a run could prepare. */
expectTypeOf(prepared.storeId).toEqualTypeOf<Option.Option<string>>()
expectTypeOf(prepared.stamp).toEqualTypeOf<Option.Option<ChunkSink.StoreStamp>>()
export const preparedTwice = [
  // @ts-expect-error it has no `prepare`
  Pipeline.run({ source, chunker, sinks: [prepared] }),
  // @ts-expect-error it has no `prepare`
  ChunkSink.store(documents, prepared)
]

/** A combinator keeps what is known of removals, with the sink first or last. */
expectTypeOf(ChunkSink.retrying(removing)).toEqualTypeOf<ChunkSink.ChunkSink.Removing>()
expectTypeOf(ChunkSink.retrying({ attempts: 2 })(appending)).toEqualTypeOf<ChunkSink.ChunkSink.Appending>()
expectTypeOf(ChunkSink.mapChunks(removing, (chunk) => chunk)).toEqualTypeOf<ChunkSink.ChunkSink.Removing>()
expectTypeOf(ChunkSink.mapChunks((chunk) => chunk)(appending)).toEqualTypeOf<ChunkSink.ChunkSink.Appending>()
expectTypeOf(ChunkSink.tee(removing, appending)).toEqualTypeOf<ChunkSink.ChunkSink.Service>()

/** So a mode that removes refuses a wrapped sink that cannot. */
export const modes = [
  Pipeline.run({ source, chunker, sinks: [ChunkSink.retrying(removing)], state: { mode: "upsert" } }),
  Pipeline.run({ source, chunker, sinks: [ChunkSink.retrying(appending)], state: { mode: "append" } }),
  // @ts-expect-error the sink cannot remove
  Pipeline.run({ source, chunker, sinks: [ChunkSink.retrying(appending)], state: { mode: "upsert" } })
]

/** A sink is stored into as it is, and a prepared one too, where no space is to be given any more. */
expectTypeOf(ChunkSink.toSink(sink)).toEqualTypeOf<Stored>()
expectTypeOf(ChunkSink.toSink({ space: null })(sink)).toEqualTypeOf<Stored>()
expectTypeOf(ChunkSink.toSink(prepared)).toEqualTypeOf<Stored>()
export const spaced = [
  // @ts-expect-error it was prepared in its space
  ChunkSink.toSink(prepared, { space: null })
]

/** What is no document with chunks is not stored: nothing of the stream would be. */
export const unfit = [
  // @ts-expect-error chunks without their document
  ChunkSink.store(Stream.fromIterable(chunks), sink),
  // @ts-expect-error chunks without their document
  Stream.fromIterable(chunks).pipe(ChunkSink.store(sink))
]
