import type { Chunker } from "docsluice/Chunker"
import { ChunkSink, type SinkError, unstamped } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import type { Summary } from "docsluice/Outcome"
import * as ParsedDocument from "docsluice/ParsedDocument"
import { layerFunction, type ParseError, type Parser } from "docsluice/Parser"
import * as SourceFile from "docsluice/SourceFile"
import { Tokenizer } from "docsluice/Tokenizer"
import { Chunk, Effect, Layer, Stream } from "effect"

/** A file in memory; its bytes are its name. */
export const file = (path: string): SourceFile.SourceFile =>
  SourceFile.fromBytes({ root: "test", path, bytes: new TextEncoder().encode(path) })

/** Result of a parse of `file`: its bytes as Markdown, one page, one credit. */
export const parsed = (source: SourceFile.SourceFile, markdown: string = source.path): ParsedDocument.ParsedDocument =>
  ParsedDocument.fromData(source, `hash of ${source.path}`, { markdown, metadata: { numPages: 1, creditsUsed: 1 } })

/** A parser that does as the function says. */
export const parser = (
  parse: (source: SourceFile.SourceFile) => Effect.Effect<ParsedDocument.ParsedDocument, ParseError>
): Layer.Layer<Parser> => layerFunction("fake", parse)

/** Characters count. */
export const characters: Layer.Layer<Tokenizer> = Layer.succeed(Tokenizer, {
  name: "chars",
  count: (text, start = 0, end = text.length) => end - start
})

/** One chunk a line. */
export const byLine: Chunker = {
  name: "lines",
  configuration: "{}",
  chunk: (document) =>
    Effect.map(Tokenizer, (tokenizer) => {
      let at = 0
      const chunks = document.markdown.split("\n").map((text, index) => {
        const start = at
        at += text.length + 1
        return DocumentChunk.make({
          // An id names a content for ever.
          id: ChunkId.make(`${document.documentId}#${index} ${text}`),
          documentId: document.documentId,
          source: document.source,
          index,
          text,
          embedText: text,
          tokens: tokenizer.count(text),
          start,
          end: start + text.length,
          pages: [],
          boxes: [],
          headingPath: [],
          kinds: [],
          blockIds: [],
          notes: [],
          metadata: {}
        })
      })
      return { chunks, unplaced: [], ambiguousMarkers: [] }
    })
}

/** A sink that remembers its calls, and asks `answer` before each. */
export const sink = (
  options: {
    readonly id?: string
    readonly maxCount?: number
    /** Runs when the sink is prepared. */
    readonly prepare?: Effect.Effect<unknown, SinkError>
    readonly answer?: (chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
  } = {}
) => {
  const batches: Array<ReadonlyArray<DocumentChunk>> = []
  let running = 0
  let most = 0
  let finished = 0
  const prepared: ChunkSink.Prepared = {
    ...unstamped,
    write: (chunks) =>
      Effect.gen(function* () {
        running += 1
        most = Math.max(most, running)
        yield* Effect.ensuring(
          options.answer?.(chunks) ?? Effect.yieldNow(),
          Effect.sync(() => void running--)
        )
        batches.push(chunks)
      }),
    finish: Effect.sync(() => void finished++)
  }
  const service = ChunkSink.of({
    id: options.id ?? "memory:",
    name: "memory",
    capabilities: { remove: false, replace: false, list: false, search: false, filter: [], stamp: false },
    limits: { maxCount: options.maxCount ?? 1000, maxBytes: 1_000_000 },
    prepare: () => Effect.as(options.prepare ?? Effect.void, prepared)
  })
  return {
    service,
    batches,
    /** Sources in the order they were written, each once. */
    sources: () => [...new Set(batches.flat().map((chunk) => chunk.source))],
    /** Calls that ran at the same time, at most. */
    most: () => most,
    finished: () => finished,
    running: () => running
  }
}

/** Services of a pipeline with the given parser; dead letters are kept in memory. */
export const around = (layer: Layer.Layer<Parser>): Layer.Layer<Parser | Tokenizer | DeadLetter.DeadLetter> =>
  Layer.mergeAll(layer, characters, DeadLetter.layerMemory)

/** Every file parses at once. */
export const parsing = around(parser((source) => Effect.succeed(parsed(source))))

/** `0.pdf`, `1.pdf`, … */
export const numbered = (count: number): ReadonlyArray<SourceFile.SourceFile> =>
  Array.from({ length: count }, (_, index) => file(`${index}.pdf`))

/** Sum of the outcomes, which must equal `discovered`. */
export const balance = (summary: Summary): number =>
  summary.unchanged + summary.stored + summary.empty + summary.failed + summary.unsupported + summary.notAttempted

export const collect = <A, E, R>(stream: Stream.Stream<A, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)
