import type { Leaf } from "../scan/Leaf.ts"

/** The text put around a part of a fence or table that does not hold all of it. */
export interface Frame {
  /** Repeated before a part that does not start it: the table's head, the fence's opening line. */
  readonly opening: string
  readonly openingTokens: number
  /** Put after a part that does not end it: the fence's closing line. */
  readonly closing: string
  readonly closingTokens: number
  /** Starts of its first and its last unit; -1 and the greatest integer where these are in another leaf. */
  readonly first: number
  readonly last: number
  /** The head is too long to be repeated. */
  readonly bare: boolean
}

/** The smallest part that a chunk is packed from: a leaf, or a part of one that is above the budget. */
export interface Unit {
  readonly start: number
  /** Without trailing white space. */
  readonly end: number
  /** Estimated tokens up to the next unit; adds up over neighbours. */
  readonly weight: number
  readonly leaf: Leaf
  /** Innermost heading over it, itself if it is one; an index into the outline, -1 above the first. */
  readonly section: number
  /** Units of one region have no page marker between them. */
  readonly region: number
  /** A chunk ends after it. */
  closes: boolean
  /** True when it belongs to the unit before it, as a caption to its figure. */
  keep: boolean
  readonly frame: Frame | undefined
}

/** A heading at the top level, in document order. */
export interface Entry {
  readonly depth: number
  readonly text: string
  /** Index of the heading above it; -1 when there is none. */
  readonly parent: number
  /** Start of its line. */
  readonly start: number
}
