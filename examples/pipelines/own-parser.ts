// A parser of one's own in the place of ours: each row of a table becomes a section of Markdown.
import { NodeRuntime } from "@effect/platform-node"
import { Chunker, Discovery, MarkdownChunker, Parser, Stage, Tokenizer } from "docsluice"
import { Console, Effect, Layer, Stream } from "effect"

const cells = (line: string) => (line.match(/"[^"]*"|[^,]+/g) ?? []).map((cell) => cell.replaceAll('"', ""))

const sections = (table: string): string => {
  const [names = [], ...rows] = table.trim().split(/\r?\n/).map(cells)
  return rows.map((row) => `# ${row[0]}\n\n${row.map((cell, at) => `${names[at]} ${cell}`).join("; ")}`).join("\n\n")
}

/** Holds one file while it reads it. A file that is gone, or has changed since it was found, fails as with our own parser. */
export const tables = Parser.layerFunction("tables 1", (_file, bytes) =>
  Effect.map(bytes, (all) => sections(new TextDecoder().decode(all)))
)

/** Holds at most 6 documents. Files of other types pass. */
export const pipeline = <E, R>(found: Stream.Stream<Discovery.Found, E, R>) =>
  found.pipe(
    Parser.parseAll({ concurrency: 4 }),
    Chunker.chunkAll({ chunker: MarkdownChunker.make({ maxTokens: 48 }) })
  )

const program = pipeline(Discovery.discover({ root: "examples/documents", types: ["csv"], ordered: true })).pipe(
  Stream.filter(Stage.isChunked),
  Stream.flatMap(({ chunks }) => Stream.fromIterable(chunks)),
  Stream.runForEach(({ index, text }) => Console.log(index, JSON.stringify(text)))
)

const live = Layer.merge(tables, Tokenizer.layer("o200k_base"))

if (process.argv[1] === import.meta.filename) NodeRuntime.runMain(Effect.provide(program, live))
