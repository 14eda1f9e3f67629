import type { ByteHandle } from "./byteHandle.ts"

/** The kind of a file by its first bytes, whatever its name says. */
export type Mark = "zip" | "tar" | "gzip" | "bzip2" | "xz" | "zstd"

const starts: ReadonlyArray<readonly [start: string, mark: Mark]> = [
  ["504b0304", "zip"],
  ["1f8b", "gzip"],
  ["425a68", "bzip2"],
  ["fd377a585a00", "xz"],
  ["28b52ffd", "zstd"]
]

/** Place and text of a word in the first header of a tar archive; those of before 1988 lack it. */
const word = { at: 257, text: "ustar" } as const

/** Null for a file whose first bytes tell nothing. */
export const ofHandle = async (handle: ByteHandle): Promise<Mark | null> => {
  const end = word.at + word.text.length
  const { buffer } = await handle.read(Buffer.alloc(end), 0, end, 0)
  const hex = buffer.toString("hex", 0, 8)
  const known = starts.find(([start]) => hex.startsWith(start))
  if (known !== undefined) return known[1]
  return buffer.toString("latin1", word.at) === word.text ? "tar" : null
}
