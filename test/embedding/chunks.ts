import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import { DocumentId } from "docsluice/SourceFile"
import { Effect, type Layer } from "effect"

export const key = "sk-0123456789abcdef"

export const chunk = (text: string, index = 0, document = "a.md"): DocumentChunk =>
  new DocumentChunk({
    id: ChunkId.make(`${document}-${index}`),
    documentId: DocumentId.make(`root/${document}`),
    source: document,
    index,
    text,
    embedText: text,
    tokens: Math.ceil(text.length / 4),
    start: 0,
    end: text.length,
    pages: [],
    boxes: [],
    headingPath: [],
    kinds: ["paragraph"],
    blockIds: [],
    notes: [],
    metadata: {}
  })

export const chunks = (...texts: ReadonlyArray<string>): ReadonlyArray<DocumentChunk> =>
  texts.map((text, index) => chunk(text, index))

export const vectors = (embedded: ReadonlyArray<DocumentChunk>): ReadonlyArray<ReadonlyArray<number>> =>
  embedded.map(({ embedding = [] }) => Array.from(embedding))

export const withEmbedder = <A, E, R>(
  layer: Layer.Layer<Embedder.Embedder>,
  use: (embedder: Embedder.Embedder.Service) => Effect.Effect<A, E, R>
) => Effect.provide(Effect.flatMap(Embedder.Embedder, use), layer)
