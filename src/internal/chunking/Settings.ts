/** What all strategies are made of. */
export interface Settings {
  readonly configuration: string
  readonly maxTokens: number
  readonly minTokens: number
  /** Heading paths stand before the text that is embedded. */
  readonly context: boolean
  /** Chunks break at sections that do not fit whole. */
  readonly sections: boolean
  /** Where pages come from; `none` leaves their layout to the text. */
  readonly pages: "markers" | "pages" | "auto"
  /** A chunk never reaches over the start of a page. */
  readonly hardPages: boolean
  /** Chunks carry the ids and boxes of blocks. */
  readonly blocks: boolean
  /** Chunks with a block of less confidence, 0 to 1, are noted. */
  readonly minConfidence: number
  /** Running heads, feet and page numbers stay in. */
  readonly furniture: boolean
}
