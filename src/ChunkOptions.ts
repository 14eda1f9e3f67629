/**
 * What all strategies of splitting can be told.
 *
 * @since 0.1.0
 */
import type { Heading, MetadataValue } from "./DocumentChunk.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"

/**
 * Text that stands before a chunk's own text in `embedText`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Template {
  /** Stands in the configuration digest: change it with the function. */
  readonly name: string
  /**
   * The text for a heading path, from the outermost heading to the innermost, which is empty above the first heading. Must
   * depend on its arguments alone. A blank line is put behind it; the empty text is left out. Where it takes more than a
   * quarter of the budget it is asked again without the outermost heading, and so on.
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
  /** A chunk with fewer tokens goes on across the start of a section that does not fit whole; default 0. */
  readonly minTokens?: number | undefined
  /**
   * Tokens of a chunk that the next one may repeat, as part of its budget: whole leaves or lines, never over a heading or a
   * page marker; default 0.
   */
  readonly overlapTokens?: number | undefined
  /**
   * What stands before the text in `embedText`: the heading path (true), nothing (false), or a template of your own;
   * default true.
   */
  readonly context?: boolean | Template | undefined
  /** Whether a section that does not fit whole starts a chunk. */
  readonly sections?: boolean | undefined
  /** Whether a chunk may reach over the start of a page that no marker shows (`soft`). Markers are never reached over. */
  readonly pageBoundaries?: "hard" | "soft" | undefined
  /**
   * Small chunks to find, within the chunks to read: each chunk is followed by children of at most so many tokens whose
   * `parentId` is its id.
   */
  readonly children?: { readonly maxTokens: number } | undefined
  /**
   * Members of every chunk's metadata, for example a tenant or an access list; part of no digest. A member that is undefined is
   * left out; any other value that is no `MetadataValue` fails the document with a `ChunkingError` that names the member.
   */
  readonly metadata?: ((document: ParsedDocument) => Readonly<Record<string, MetadataValue>>) | undefined
}
