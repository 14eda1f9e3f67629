// Chunks only, of Markdown that a program has already: no service, no store.
import { NodeRuntime } from "@effect/platform-node"
import { Chunker, DocumentChunk, MarkdownChunker, Parser, SourceFile, Tokenizer } from "docsluice"
import { Console, Effect, Layer, Stream } from "effect"

interface Note {
  readonly path: string
  readonly markdown: string
}

const fileOf = ({ markdown, path }: Note) =>
  SourceFile.fromBytes({ root: "notes", path, bytes: new TextEncoder().encode(markdown) })

/** Holds one note and its chunks. */
export const pipeline = <E, R>(notes: Stream.Stream<Note, E, R>) =>
  notes.pipe(
    Stream.map(fileOf),
    Parser.parseAll({ concurrency: 1 }),
    Chunker.chunkAll({ chunker: MarkdownChunker.make({ maxTokens: 16 }) }),
    Stream.flatMap(({ chunks }) => Stream.fromIterable(chunks))
  )

const notes = Stream.make(
  {
    path: "gauges.md",
    markdown: "# Gauges\n\nCalibrated in May.\n\n## Cleaning\n\nEvery two weeks, before the reading.\n"
  },
  { path: "masts.md", markdown: "# Masts\n\nThe mast of Saddle Point leans to the north.\n" }
)

const program = Stream.runForEach(pipeline(notes), (chunk) =>
  Console.log(`${DocumentChunk.citation(chunk)}, ${chunk.tokens} tokens: ${JSON.stringify(chunk.text)}`)
)

const live = Layer.merge(Layer.succeed(Parser.Parser, Parser.texts()), Tokenizer.layer("o200k_base"))

if (process.argv[1] === import.meta.filename) NodeRuntime.runMain(Effect.provide(program, live))
