/** The contract of a format that is read on this machine. */
import type * as Effect from "effect/Effect"
import type { MetadataValue } from "../../DocumentChunk.ts"
import type { TextBlock } from "../../ParsedDocument.ts"

/**
 * The text of a document and its structure, as a reader gives it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reading {
  /** The document's text, which every span refers to: as it stands in the file, unless the format is no text to read. */
  readonly markdown: string
  /**
   * The blocks of the text, in order and disjoint, in UTF-16 code units; text that no block covers is a paragraph. Default: the text is
   * Markdown.
   */
  readonly blocks?: ReadonlyArray<TextBlock> | undefined
  /**
   * Values that every chunk carries; `title`, `description`, `keywords` and `language` have the meaning of those of the service. A name that
   * the answers of the service use otherwise (`error`, `numPages`, …) gets `document.` in front. Default none.
   */
  readonly metadata?: Readonly<Record<string, MetadataValue>> | undefined
  /** Problems that a person should hear of; the document is stored. Default none. */
  readonly warnings?: ReadonlyArray<string> | undefined
}

/** A format that is built in. */
export interface Format {
  /** Lower case, without the dot. */
  readonly extensions: ReadonlyArray<string>
  /** A registered or customary MIME type, `metadata.contentType` of the document. */
  readonly mimeType: string
  /** True when its text is scanned only, however large it is: it is read in this process. */
  readonly scanned?: boolean | undefined
  /** Loaded with the first file of the format. */
  readonly reader: Effect.Effect<FormatReader>
}

/** Reads the files of a format. Pure and total: malformed text is read as far as it goes, the rest is plain text, and `warnings` say so. */
export type FormatReader =
  | {
      /** `text` is decoded, without its byte order mark, line ends kept. */
      readonly ofText: (text: string) => Reading
      /**
       * The name of the encoding that the file declares in itself, found in the file's first 1024 bytes, each of which is a character of
       * `start`. It is taken where the bytes are valid in it and no byte order mark says otherwise. Default none.
       */
      readonly encodingOf?: ((start: string) => string | undefined) | undefined
    }
  | {
      /**
       * Of a format whose bytes are not one text in one encoding. The bytes must not be changed. Fails, in words, with the bound that they
       * are above and the remedy.
       */
      readonly ofBytes: (bytes: Uint8Array) => Effect.Effect<Reading, string>
    }
