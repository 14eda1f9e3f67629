/**
 * Converts chunks to the shapes that other libraries take. Plain data: none of those libraries is imported.
 *
 * @since 0.1.0
 */
import { dual } from "effect/Function"
import * as Predicate from "effect/Predicate"
import type { DocumentChunk, MetadataValue } from "./DocumentChunk.ts"

/** A call with the chunk first; with the options first, or with nothing, it asks for a function. */
const isChunk = ([first]: IArguments): boolean => Predicate.hasProperty(first, "embedText")

/**
 * The chunk's text that becomes the content; default `text`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly content?: "text" | "embedText" | undefined
}

/**
 * Flat metadata for citing a chunk.
 *
 * @since 0.1.0
 * @category models
 */
export interface Citation {
  readonly [key: string]: MetadataValue | ReadonlyArray<number>
  readonly documentId: string
  /** POSIX path below the root. */
  readonly source: string
  /** 1-based physical pages, ascending; `[]` where the format has none. */
  readonly pages: ReadonlyArray<number>
  /** In UTF-16 code units of the document's Markdown, inclusive. */
  readonly start: number
  /** In UTF-16 code units of the document's Markdown, exclusive. */
  readonly end: number
  /** From the outermost heading to the innermost, then those that begin inside the chunk. */
  readonly headings: ReadonlyArray<string>
}

const headingsOf = ({ headingPath, metadata }: DocumentChunk): ReadonlyArray<string> => {
  const inside = metadata["headings"]
  return [...new Set([...headingPath.map(({ text }) => text), ...(Array.isArray(inside) ? inside : [])])]
}

const citation = (chunk: DocumentChunk): Citation => ({
  ...chunk.metadata,
  documentId: chunk.documentId,
  source: chunk.source,
  pages: chunk.pages,
  start: chunk.start,
  end: chunk.end,
  headings: headingsOf(chunk)
})

/**
 * A `Document` of LangChain.js.
 *
 * @since 0.1.0
 * @category models
 */
export interface LangChainDocument {
  readonly id: string
  readonly pageContent: string
  /** `loc.pageNumber` is the first page, where LangChain's own PDF loaders put it; absent without pages. */
  readonly metadata: Readonly<Record<string, unknown>> & { readonly loc: { readonly pageNumber?: number } }
}

/**
 * @since 0.1.0
 * @category conversions
 */
export const toLangChainDocument: {
  (options?: Options): (self: DocumentChunk) => LangChainDocument
  (self: DocumentChunk, options?: Options): LangChainDocument
} = dual(isChunk, (chunk: DocumentChunk, options: Options = {}): LangChainDocument => {
  const pageNumber = chunk.pages[0]
  return {
    id: chunk.id,
    pageContent: chunk[options.content ?? "text"],
    metadata: { ...citation(chunk), loc: pageNumber === undefined ? {} : { pageNumber } }
  }
})

/**
 * One relationship of a LlamaIndex node.
 *
 * @since 0.1.0
 * @category models
 */
export interface LlamaRelation {
  readonly nodeId: string
  readonly nodeType: "DOCUMENT" | "TEXT"
  readonly metadata: Readonly<Record<string, never>>
}

/**
 * The init object of a `TextNode` of LlamaIndex.TS.
 *
 * @since 0.1.0
 * @category models
 */
export interface LlamaNode {
  readonly id_: string
  readonly type: "TEXT"
  readonly text: string
  /** In UTF-16 code units of the document's Markdown, inclusive. */
  readonly startCharIdx: number
  /** In UTF-16 code units of the document's Markdown, exclusive. */
  readonly endCharIdx: number
  readonly embedding?: ReadonlyArray<number>
  readonly metadata: Citation & { readonly page_label?: string }
  /** Members of the metadata that are not to be embedded: all of them, since context is in `embedText` already. */
  readonly excludedEmbedMetadataKeys: ReadonlyArray<string>
  readonly relationships: { readonly SOURCE: LlamaRelation; readonly PARENT?: LlamaRelation }
}

/**
 * @since 0.1.0
 * @category conversions
 */
export const toLlamaNode: {
  (options?: Options): (self: DocumentChunk) => LlamaNode
  (self: DocumentChunk, options?: Options): LlamaNode
} = dual(isChunk, (chunk: DocumentChunk, options: Options = {}): LlamaNode => {
  const page = chunk.pages[0]
  const metadata = { ...citation(chunk), ...(page === undefined ? {} : { page_label: String(page) }) }
  const parent = chunk.parentId
  return {
    id_: chunk.id,
    type: "TEXT",
    text: chunk[options.content ?? "text"],
    startCharIdx: chunk.start,
    endCharIdx: chunk.end,
    ...(chunk.embedding === undefined ? {} : { embedding: Array.from(chunk.embedding) }),
    metadata,
    excludedEmbedMetadataKeys: Object.keys(metadata),
    relationships: {
      SOURCE: { nodeId: chunk.documentId, nodeType: "DOCUMENT", metadata: {} },
      ...(parent === undefined ? {} : { PARENT: { nodeId: parent, nodeType: "TEXT", metadata: {} } })
    }
  }
})

/**
 * Arguments of `MastraVector.upsert` other than the index name; the three arrays have equal length and order.
 *
 * @since 0.1.0
 * @category models
 */
export interface MastraVectors {
  readonly ids: ReadonlyArray<string>
  readonly vectors: ReadonlyArray<ReadonlyArray<number>>
  /** `text` is where Mastra's query tools look for the content. */
  readonly metadata: ReadonlyArray<Citation & { readonly text: string }>
}

/**
 * Converts the chunks that have an embedding; leaves out the others.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toMastraVectors: {
  (options?: Options): (self: ReadonlyArray<DocumentChunk>) => MastraVectors
  (self: ReadonlyArray<DocumentChunk>, options?: Options): MastraVectors
} = dual(
  ([first]) => Array.isArray(first),
  (chunks: ReadonlyArray<DocumentChunk>, options: Options = {}): MastraVectors => {
    const embedded = chunks.flatMap((chunk) =>
      chunk.embedding === undefined ? [] : [{ chunk, vector: Array.from(chunk.embedding) }]
    )
    return {
      ids: embedded.map(({ chunk }) => chunk.id),
      vectors: embedded.map(({ vector }) => vector),
      metadata: embedded.map(({ chunk }) => Object.assign({ text: chunk[options.content ?? "text"] }, citation(chunk)))
    }
  }
)
