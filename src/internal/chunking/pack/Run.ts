/** Units that follow each other as one chunk. */
import type { Rendered } from "../tokens/TokenMap.ts"

/** The overlap of a chunk with the one before it, up to its own first unit. */
export interface Lead {
  /** Start of the chunk's text. */
  readonly start: number
  /** Unit that holds the start. */
  readonly unit: number
  /** Tokens from the start to the chunk's own first unit. */
  readonly tokens: number
}

/** The text before the units of a chunk. */
export interface Before {
  readonly context: Rendered
  readonly lead: Lead
}

/** Units `[from, to)` as one chunk, with an overlap before them. */
export interface Run {
  readonly from: number
  readonly to: number
  /** Start of the text, overlap included. */
  readonly start: number
  readonly context: string
  readonly opening: string
  readonly closing: string
  /** Tokens of context, opening, text and closing together. */
  readonly tokens: number
}
