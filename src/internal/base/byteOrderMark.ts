/** Encodings that the first bytes of a text tell. */

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
