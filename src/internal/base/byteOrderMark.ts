/** Encodings that the first bytes of a text tell, and windows-1252 as every version of Node should decode it. */

/** An encoding and the byte order mark of its texts. */
export type Mark = readonly [encoding: string, mark: ReadonlyArray<number>]

export const marks: ReadonlyArray<Mark> = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]]
]

/** The mark with which the bytes begin: the first one of those given. */
export const find = (bytes: Uint8Array, among: ReadonlyArray<Mark> = marks): Mark | undefined =>
  among.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))

/** Characters 80 to 9F of windows-1252; the five that it leaves undefined stay control characters. */
const windows = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

/** Replaces the C1 controls as which some versions of Node decode these characters. */
export const inWindows1252 = (text: string): string =>
  text.replace(/[\x80-\x9f]/gu, (control) => windows.charAt(control.charCodeAt(0) - 0x80))
