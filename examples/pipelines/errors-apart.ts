// Documents that fail go one way, by their typed error; those that are stored go another.
import { NodeRuntime } from "@effect/platform-node"
import { AutoChunker, Chunker, ChunkSink, Discovery, Embedded, Parser, SourceFile, Stage, Tokenizer } from "docsluice"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Console, Effect, Layer, Match, Stream } from "effect"

const chunker = AutoChunker.make()

/** Two streams, to be run side by side, each of which holds at most 16 documents; the stages before them hold 10. */
export const pipeline = <E, R>(found: Stream.Stream<Discovery.Found, E, R>, sink: ChunkSink.ChunkSink.Service) =>
  found.pipe(
    Parser.parseAll({ concurrency: 2, chunker, failures: "keep" }),
    Chunker.chunkAll({ chunker, failures: "keep" }),
    ChunkSink.store(sink, { concurrency: 4, failures: "keep" }),
    Stream.partition(Stage.isFailure)
  )

const remedy = Match.type<Parser.ParseError | Chunker.ChunkingError | ChunkSink.SinkError>().pipe(
  Match.tag("FileUnreadable", "DocumentUnparsable", () => "mend the file"),
  Match.tag("ServiceUnreachable", "RateLimitExceeded", () => "try again later"),
  Match.orElse(({ message }) => message)
)

const program = Effect.gen(function* () {
  const broken = SourceFile.fromBytes({ root: "documents", path: "broken.docx", bytes: Buffer.from("no document") })
  const found = Discovery.discover({ root: "examples/documents", patterns: ["*.{csv,html}"], ordered: true })
  const [others, failures] = yield* pipeline(Stream.concat(found, Stream.make(broken)), yield* MemorySink.make())
  const stored = Stream.filter(others, Stage.isChunked)
  yield* Stream.runForEach(stored, ({ documentId }) => Console.log(`${documentId}: stored`)).pipe(
    Effect.zip(
      Stream.runForEach(failures, ({ documentId, error }) =>
        Console.log(`${documentId ?? "a folder"}: ${remedy(error)}`)
      ),
      { concurrent: true }
    )
  )
})

const live = Layer.merge(Layer.provide(Parser.layer(), Embedded.layer()), Tokenizer.layer("o200k_base"))

if (process.argv[1] === import.meta.filename) NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(live)))
