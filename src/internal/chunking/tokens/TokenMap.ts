/** The tokens of any part of one text. */
/** A text of our own with its token count. */
export interface Rendered {
  readonly text: string
  readonly tokens: number
}

/**
 * Answers how many tokens a part of one text has. All places are UTF-16 code units; a part is counted as if nothing stood
 * around it, so every answer equals `Tokenizer.count` of that text.
 */
export interface TokenMap {
  readonly text: string
  /** Tokens of a text of our own. */
  readonly count: (text: string) => number
  /** Tokens of `[start, end)`. */
  readonly tokens: (start: number, end: number) => number
  /**
   * Tokens of `before`, `[start, end)` and `after` as one text. `before` is empty or ends with a line break, and no blank
   * line follows it.
   */
  readonly joined: (before: Rendered, start: number, end: number, after: string) => number
  /** Estimated tokens of `[start, end)`, to be added up over neighbours; the cheapest question there is. */
  readonly weight: (start: number, end: number) => number
  /**
   * The farthest place in `(start, end]` up to which there are at most `limit` tokens and at which a piece or a token ends;
   * `start` when there is none.
   */
  readonly reach: (start: number, end: number, limit: number) => number
}

/** A piece of an encoding may reach over a line break to this character: o200k_base's take slashes, U+0085 is white space to them. */
export const joinsLineBreak = (unit: number): boolean => unit === 47 || unit === 0x85

/** Two texts of our own as one; the first is empty or ends with a line break. */
export const concat = (map: TokenMap, left: Rendered, right: Rendered): Rendered => {
  if (left.text === "" || right.text === "") {
    return left.text === "" ? right : left
  }
  const text = left.text + right.text
  return { text, tokens: joinsLineBreak(right.text.charCodeAt(0)) ? map.count(text) : left.tokens + right.tokens }
}
