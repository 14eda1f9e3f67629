/** A document as the parser reads it, and the way back from the parser's text to the answer's. */
import type { Piece } from "./Inserted.ts"

export interface Mended {
  /** The document as the parser is to read it; the same bytes where there is nothing to mend. */
  readonly bytes: Uint8Array
  /** Gives a text of the parser as it is to stand in a tree of HTML. */
  readonly pieces: (text: string) => ReadonlyArray<Piece>
  /** Gives the parser's whole Markdown as it is to stand in the answer. */
  readonly completed: (markdown: string) => string
  /** If cells of its tables may span others; a function reads the document for it, of which only few answers are in need. */
  readonly spans: boolean | (() => boolean)
  /** Sentences for the answer's warning. */
  readonly warnings: ReadonlyArray<string>
}

const same = (text: string): string => text

const whole = (text: string): ReadonlyArray<Piece> => [{ text }]

/** A document that is read as it is. */
export const nothing = (bytes: Uint8Array): Mended => ({
  bytes,
  pieces: whole,
  completed: same,
  spans: false,
  warnings: []
})
