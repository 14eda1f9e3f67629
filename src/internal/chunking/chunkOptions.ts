/** Options that every chunking strategy takes. */
import type { Heading, MetadataValue } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"

/**
 * Text put before a chunk's own text in `embedText`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Template {
  /** Part of the configuration digest: change it with the function. */
  readonly name: string
  /**
   * The text for a heading path, from the outermost heading to the innermost, which is empty above the first heading. Must depend
   * on its arguments alone. A blank line follows it; an empty text is left out. While the text takes more than a quarter of the
   * budget, it is rendered again with one outermost heading fewer.
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
  /** A chunk with fewer tokens continues into the next section when that does not fit whole; default 0. */
  readonly minTokens?: number | undefined
  /**
   * Tokens of a chunk that the next one may repeat, as part of its budget: whole leaves or lines, never over a heading or a
   * page marker; default 0.
   */
  readonly overlapTokens?: number | undefined
  /**
   * Text put before the chunk's own in `embedText`: the heading path (true), nothing (false), or a template of your own; default
   * true.
   */
  readonly context?: boolean | Template | undefined
  /** Starts a chunk at each section that does not fit whole. */
  readonly sections?: boolean | undefined
  /** `soft` lets a chunk cross the start of a page that has no marker. No chunk ever crosses a marker. */
  readonly pageBoundaries?: "hard" | "soft" | undefined
  /**
   * Small chunks to search, inside larger chunks to read: each chunk is followed by children of at most `maxTokens` tokens, whose
   * `parentId` is its id.
   */
  readonly children?: { readonly maxTokens: number } | undefined
  /**
   * Members added to every chunk's metadata, for example a tenant or an access list; they win over members that a chunker sets. A
   * record of another content is written into stored chunks by the next run; a function is part of no digest, so that a change of
   * its results reaches new and changed documents only. An undefined member is left out; any other value that is not a
   * `MetadataValue` fails the document with a `ChunkingError` that names the member.
   */
  readonly metadata?:
    | Readonly<Record<string, MetadataValue>>
    | ((document: ParsedDocument) => Readonly<Record<string, MetadataValue>>)
    | undefined
}
