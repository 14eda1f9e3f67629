/** Colour codes in texts for a terminal. Loads nothing. */

/** The part of a stream that tells whether it shows colours. */
export interface Screen {
  readonly isTTY?: boolean | undefined
}

// oxlint-disable-next-line no-control-regex -- the escape character is what colour codes begin with
export const codes = /(\u001B\[[0-9;]*m)/g

/** True if colour codes are not wanted: output to a file or a program, or `NO_COLOR` is set. */
export const plain = (screen: Screen): boolean => screen.isTTY !== true || (process.env["NO_COLOR"] ?? "") !== ""

/** The text without colour codes. */
export const without = (text: string): string => text.replaceAll(codes, "")
