/**
 * Options of all splitting strategies.
 *
 * @since 0.1.0
 */
import type { Heading, MetadataValue } from "./DocumentChunk.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"

/**
 * Text prepended to a chunk's own text in `embedText`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Template {
  /** Part of the configuration digest: change it whenever the function changes. */
  readonly name: string
  /**
   * The text for a heading path, given from the outermost heading to the innermost; the path is empty above the first heading.
   * Must depend on its arguments alone. A blank line is added after it; an empty text is omitted. While the text takes more than
   * a quarter of the budget, it is rendered again without the outermost heading.
   */
  readonly render: (path: ReadonlyArray<Heading>, document: ParsedDocument) => string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ChunkOptions {
  /** Most tokens of a chunk's `embedText`; at least 1; default 512. */
  readonly maxTokens?: number | undefined
  /** A chunk with fewer tokens continues across the start of a section that does not fit whole; default 0. */
  readonly minTokens?: number | undefined
  /**
   * Maximum number of tokens that the next chunk repeats, counted in its budget: whole leaves or lines, never across a heading
   * or a page marker; default 0.
   */
  readonly overlapTokens?: number | undefined
  /**
   * Text prepended in `embedText`: the heading path (true), nothing (false), or a template of your own; default true.
   */
  readonly context?: boolean | Template | undefined
  /** True when a section that does not fit whole starts a chunk. */
  readonly sections?: boolean | undefined
  /** `soft`: a chunk may span the start of a page that no marker shows; `hard`: it may not. No chunk spans a marker. */
  readonly pageBoundaries?: "hard" | "soft" | undefined
  /**
   * Smaller chunks for retrieval within larger ones for reading: each chunk is followed by its children of at most `maxTokens`
   * tokens, whose `parentId` is its id.
   */
  readonly children?: { readonly maxTokens: number } | undefined
  /**
   * Members added to every chunk's metadata, for example a tenant or an access list; not part of any digest. An undefined member
   * is omitted; any other value that is not a `MetadataValue` fails the document with a `ChunkingError` that names the member.
   */
  readonly metadata?: ((document: ParsedDocument) => Readonly<Record<string, MetadataValue>>) | undefined
}
