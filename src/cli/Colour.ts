/** Colour codes in texts for a terminal. Loads nothing. */

/** The part of a stream that tells whether it shows colours. */
export interface Screen {
  readonly isTTY?: boolean | undefined
}

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
