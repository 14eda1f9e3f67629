/**
 * A piece of a document's Markdown: the unit that is embedded, stored, found and cited.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { dual } from "effect/Function"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import * as flat from "./internal/base/flatMetadata.ts"
import { place as internalPlace } from "./internal/chunking/cite/place.ts"
import { chunkerDigest, spanId } from "./internal/chunking/identity.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"
import { DocumentId } from "./SourceFile.ts"

/**
 * Hash of document id, configuration digest, start, end, text and embedText; identifies one content permanently.
 *
 * @since 0.1.0
 * @category models
 */
export const ChunkId = Schema.NonEmptyString.pipe(Schema.brand("docsluice/ChunkId"))

/**
 * @since 0.1.0
 * @category models
 */
export type ChunkId = typeof ChunkId.Type

/**
 * Bounding box of a part of the chunk on a page.
 *
 * @since 0.1.0
 * @category models
 */
export const Box = Schema.Struct({
  /** 1-based physical page. */
  page: Schema.Int.pipe(Schema.positive()),
  /** `[x0, y0, x1, y1]`, 0 to 1 relative to page width and height. */
  bbox: Schema.Tuple(Schema.Number, Schema.Number, Schema.Number, Schema.Number)
})

/**
 * One heading above the chunk.
 *
 * @since 0.1.0
 * @category models
 */
export const Heading = Schema.Struct({
  /** 1 to 6. */
  depth: Schema.Int.pipe(Schema.between(1, 6)),
  text: Schema.String
})

/**
 * @since 0.1.0
 * @category models
 */
export type Heading = typeof Heading.Type

/**
 * One value of a chunk's flat metadata.
 *
 * @since 0.1.0
 * @category models
 */
export const MetadataValue = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Array(Schema.String))

/**
 * @since 0.1.0
 * @category models
 */
export type MetadataValue = typeof MetadataValue.Type

const flatOrIssue = (
  input: unknown,
  _: AST.ParseOptions,
  ast: AST.Declaration
): Either.Either<flat.Flat, ParseResult.ParseIssue> =>
  Either.mapLeft(flat.check(input), (problem) => {
    const { path, value } = problem
    const issue = new ParseResult.Type(ast, value, flat.inWords(problem))
    return path.length === 0 ? issue : new ParseResult.Pointer(path, value, issue)
  })

/**
 * A chunk's flat metadata: a plain object of which every own member is a `MetadataValue`, whatever its name, `__proto__`
 * included. The object is used as given, not copied; the error for any other value names the member.
 *
 * @since 0.1.0
 * @category models
 */
export const Metadata: Schema.Schema<Readonly<Record<string, MetadataValue>>> = Schema.declare(
  [],
  { decode: () => flatOrIssue, encode: () => flatOrIssue },
  {
    identifier: "docsluice/Metadata",
    arbitrary: () => (fc) =>
      fc.dictionary(
        fc.string(),
        fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.array(fc.string()))
      ),
    jsonSchema: {
      type: "object",
      additionalProperties: {
        anyOf: [
          { type: "string" },
          { type: "number" },
          { type: "boolean" },
          { type: "array", items: { type: "string" } }
        ]
      }
    }
  }
)

/**
 * A vector: a list of numbers, or packed numbers, which take half the memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface Vector extends Iterable<number> {
  readonly length: number
  readonly [index: number]: number
}

const isVector = (value: unknown): value is Vector =>
  value instanceof Float32Array || (Array.isArray(value) && value.every((component) => typeof component === "number"))

/**
 * A list of numbers in JSON. It decodes to a list; a packed vector is written as the doubles equal to its 32-bit floats.
 *
 * @since 0.1.0
 * @category models
 */
export const Vector: Schema.Schema<Vector, ReadonlyArray<number>> = Schema.transform(
  Schema.Array(Schema.Number),
  Schema.declare(isVector, {
    identifier: "docsluice/Vector",
    arbitrary: () => (fc) => fc.array(fc.oneof(fc.double(), fc.integer()))
  }),
  { strict: true, decode: (list) => list, encode: (vector) => Array.from(vector) }
)

/**
 * A vector of 32-bit floats that `JSON.stringify` writes as a list, as it does not for a `Float32Array`.
 *
 * @since 0.1.0
 * @category models
 */
export class PackedVector extends Float32Array {
  toJSON(): Array<number> {
    return Array.from(this)
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export class DocumentChunk extends Schema.Class<DocumentChunk>("docsluice/DocumentChunk")({
  id: ChunkId,
  documentId: DocumentId,
  /** POSIX path below the root. */
  source: Schema.String,
  /** 0-based position in the document; ascending without gaps. */
  index: Schema.NonNegativeInt,
  /** `markdown.slice(start, end)`, exactly. */
  text: Schema.String,
  /** Text given to the embedder: `text` with its context (heading path, repeated table header, re-opened fence). */
  embedText: Schema.String,
  /** Tokens of `embedText`. */
  tokens: Schema.NonNegativeInt,
  /** In UTF-16 code units of the document's Markdown, inclusive. */
  start: Schema.NonNegativeInt,
  /** In UTF-16 code units of the document's Markdown, exclusive. */
  end: Schema.NonNegativeInt,
  /** 1-based physical pages, or slides of a presentation, that the span touches, ascending; `[]` where the answer tells none. */
  pages: Schema.Array(Schema.Int.pipe(Schema.positive())),
  /** In reading order; `[]` where the layout is unknown. */
  boxes: Schema.Array(Box),
  /**
   * The headings over all text of the chunk after its first headings, from the outermost to the innermost; those that begin inside
   * the chunk are `metadata.headings`.
   */
  headingPath: Schema.Array(Heading),
  /** Block types or Markdown node types, each once, in order of appearance. */
  kinds: Schema.Array(Schema.String),
  /** Ids of the blocks that the chunk holds, in reading order. */
  blockIds: Schema.Array(Schema.String),
  /** Id of the larger chunk that contains this one. */
  parentId: Schema.optional(ChunkId),
  /**
   * Caveats for a reader: `truncated-document`, `header-not-repeated`, `ambiguous-marker`, `low-confidence`, `headings-shortened` (of
   * a heading only the first 500 characters are in `headingPath`, or not all of its headings), `metadata-shortened`, `embedding-cut` (the
   * vector is of the beginning of `embedText` only), …
   */
  notes: Schema.Array(Schema.String),
  metadata: Metadata,
  /** The vector of `embedText`, once there is one. */
  embedding: Schema.optional(Vector)
}) {}

/**
 * A part of a document that is to be a chunk.
 *
 * @since 0.1.0
 * @category models
 */
export interface Span {
  /** 0-based position of the chunk in its document. */
  readonly index: number
  /** In UTF-16 code units of the Markdown, inclusive. */
  readonly start: number
  /** In UTF-16 code units of the Markdown, exclusive. */
  readonly end: number
  /** Default the text of the span. */
  readonly embedText?: string | undefined
  /** Default none. */
  readonly metadata?: Readonly<Record<string, MetadataValue>> | undefined
}

/**
 * All that the id of a chunk depends on, next to the document and the span: another value of any of these, other ids.
 *
 * @since 0.1.0
 * @category models
 */
export interface Configuration {
  /** The chunker's name. */
  readonly name: string
  /** The chunker's `configuration`. */
  readonly configuration: string
  /** Counts the tokens. */
  readonly tokenizer: { readonly name: string; readonly count: (text: string) => number }
}

/**
 * The chunk of a span, for a chunker of your own: text, tokens, and an id by the recipe of {@link ChunkId}. It carries no pages,
 * boxes, headings and kinds.
 *
 * @example
 * import * as DocumentChunk from "docsluice/DocumentChunk"
 * import type { ParsedDocument } from "docsluice/ParsedDocument"
 * import type { Tokenizer } from "docsluice/Tokenizer"
 *
 * const whole = (document: ParsedDocument, tokenizer: Tokenizer.Service) =>
 *   DocumentChunk.fromSpan(
 *     document,
 *     { index: 0, start: 0, end: document.markdown.length },
 *     { name: "whole", configuration: "{}", tokenizer }
 *   )
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromSpan: {
  (
    span: Span,
    configuration: Configuration
  ): (document: Pick<ParsedDocument, "documentId" | "source" | "markdown">) => DocumentChunk
  (
    document: Pick<ParsedDocument, "documentId" | "source" | "markdown">,
    span: Span,
    configuration: Configuration
  ): DocumentChunk
} = dual(
  3,
  (
    document: Pick<ParsedDocument, "documentId" | "source" | "markdown">,
    span: Span,
    configuration: Configuration
  ): DocumentChunk => {
    const { documentId, source } = document
    const { end, index, metadata = {}, start } = span
    const { tokenizer } = configuration
    const text = document.markdown.slice(start, end)
    const embedText = span.embedText ?? text
    const digest = chunkerDigest(configuration, tokenizer.name)
    return DocumentChunk.make({
      id: ChunkId.make(spanId(documentId, digest, { start, end, text, embedText })),
      documentId,
      source,
      index,
      text,
      embedText,
      tokens: tokenizer.count(embedText),
      start,
      end,
      pages: [],
      boxes: [],
      headingPath: [],
      kinds: [],
      blockIds: [],
      notes: [],
      metadata
    })
  }
)

/**
 * The place of a chunk in its file as text, in terms of the file's type: `sheet Costs, A2:F41`, `slide 4`, `chapter “…”`, `rows 120–164`,
 * `lines 10–42`, `p. 3–4`, else the innermost heading over it; empty when nothing is known.
 *
 * @since 0.1.0
 * @category accessors
 */
export const place: (chunk: Pick<DocumentChunk, "pages" | "headingPath" | "metadata">) => string = internalPlace

/**
 * The chunk's file with its {@link place}: `report.xlsx, sheet Costs, A2:F41`, `deck.pptx, slide 4`, `contract.pdf, p. 3–4`. Never empty,
 * on one line as far as the file's name is.
 *
 * @since 0.1.0
 * @category accessors
 */
export const citation = (chunk: Pick<DocumentChunk, "source" | "pages" | "headingPath" | "metadata">): string => {
  const where = place(chunk)
  return where === "" ? chunk.source : `${chunk.source}, ${where}`
}

/**
 * The boxes of the figures in the chunk, in order, for `Corpus.figure`: those of the blocks that `metadata.figureBlocks` names. Empty where the
 * layout is unknown.
 *
 * @since 0.1.0
 * @category accessors
 */
export const figures = ({
  blockIds,
  boxes,
  metadata
}: Pick<DocumentChunk, "blockIds" | "boxes" | "metadata">): ReadonlyArray<typeof Box.Type> => {
  const { figureBlocks } = metadata
  return Array.isArray(figureBlocks) && boxes.length === blockIds.length
    ? boxes.filter((_, at) => figureBlocks.includes(blockIds[at] ?? ""))
    : []
}

/**
 * The chunk as one line of JSON without a line break at its end: members in the order of the class, `embedding` last,
 * absent ones left out. Reads back with `Schema.parseJson(DocumentChunk)` as long as all numbers are finite.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toLine = (chunk: DocumentChunk): string =>
  JSON.stringify({
    id: chunk.id,
    documentId: chunk.documentId,
    source: chunk.source,
    index: chunk.index,
    text: chunk.text,
    embedText: chunk.embedText,
    tokens: chunk.tokens,
    start: chunk.start,
    end: chunk.end,
    pages: chunk.pages,
    boxes: chunk.boxes.map(({ page, bbox }) => ({ page, bbox })),
    headingPath: chunk.headingPath.map(({ depth, text }) => ({ depth, text })),
    kinds: chunk.kinds,
    blockIds: chunk.blockIds,
    parentId: chunk.parentId,
    notes: chunk.notes,
    metadata: chunk.metadata,
    embedding: chunk.embedding === undefined ? undefined : Array.from(chunk.embedding)
  })
