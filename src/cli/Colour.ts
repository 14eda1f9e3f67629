/** Colour codes in texts for a terminal. Loads nothing. */

/** The part of a stream that tells whether it shows colours. */
export interface Screen {
  readonly isTTY?: boolean | undefined
}

// oxlint-disable-next-line no-control-regex -- the escape character is what colour codes begin with
export const codes = /(\u001B\[[0-9;]*m)/g

/**
 * Codes of each style. Of the sixteen colours of a terminal red is the one that can be read on black and on white in the palettes in use;
 * bold text keeps the terminal's own colour.
 */
const styles = {
  strong: ["\u001B[1m", "\u001B[22m"],
  bad: ["\u001B[1;31m", "\u001B[22;39m"],
  notice: ["\u001B[1m", "\u001B[22m"]
} as const

export type Style = keyof typeof styles

/** The text between the codes of a style. */
export const styled = (text: string, style: Style): string => `${styles[style][0]}${text}${styles[style][1]}`

/** True if colour codes are not wanted: output to a file or a program, a terminal without colours, or `NO_COLOR` is set. */
export const plain = (screen: Screen): boolean =>
  screen.isTTY !== true || (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb"

/** The text without colour codes. */
export const without = (text: string): string => text.replaceAll(codes, "")

const flag = "--no-color"

export interface Taken {
  readonly words: ReadonlyArray<string>
  /** False where the flag was among the words. */
  readonly wanted: boolean
}

/** Takes `--no-color`, which every command accepts at any place, out of the words before `--`. */
export const take = (words: ReadonlyArray<string>): Taken => {
  const end = words.includes("--") ? words.indexOf("--") : words.length
  const kept = words.filter((word, at) => at >= end || word !== flag)
  return { words: kept, wanted: kept.length === words.length }
}
