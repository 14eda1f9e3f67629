// A store that takes 50 ms for each chunk: no stage takes a document before the next one has room, so that few are in memory.
import { NodeRuntime } from "@effect/platform-node"
import { Chunker, ChunkSink, MarkdownChunker, Parser, SourceFile, Tokenizer } from "docsluice"
import { Console, Effect, Layer, Stream } from "effect"

export const slow = (stored: Set<string>, pause: number) =>
  ChunkSink.make({
    id: "slow:",
    name: "slow",
    open: () => Effect.succeed(stored),
    write: (ids, batch) =>
      Effect.forEach(
        batch,
        ({ id }) =>
          Effect.delay(
            Effect.sync(() => ids.add(id)),
            pause
          ),
        { discard: true }
      )
  })

/** Holds at most 10 documents, as `flight` shows: those that came and are not stored yet. */
export const pipeline = <E, R>(
  files: Stream.Stream<SourceFile.SourceFile, E, R>,
  sink: ChunkSink.ChunkSink.Service,
  flight: { now: number; most: number }
) =>
  files.pipe(
    Stream.tap(() => Effect.sync(() => (flight.most = Math.max(flight.most, (flight.now += 1))))),
    Parser.parseAll({ concurrency: 2 }),
    Chunker.chunkAll({ chunker: MarkdownChunker.make() }),
    ChunkSink.store(sink, { concurrency: 4 }),
    Stream.tap(() => Effect.sync(() => (flight.now -= 1)))
  )

const program = Effect.gen(function* () {
  const stored = new Set<string>()
  const flight = { now: 0, most: 0 }
  const files = Stream.map(Stream.range(1, 40), (number) =>
    SourceFile.fromBytes({ root: "notes", path: `${number}.md`, bytes: Buffer.from(`# Note ${number}`) })
  )
  yield* Stream.runDrain(pipeline(files, yield* slow(stored, 50), flight))
  yield* Console.log(`${stored.size} documents stored, at most ${flight.most} in memory at a time`)
})

const live = Layer.merge(Layer.succeed(Parser.Parser, Parser.texts()), Tokenizer.layer("o200k_base"))

if (process.argv[1] === import.meta.filename) NodeRuntime.runMain(Effect.provide(program, live))
