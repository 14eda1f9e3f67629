/**
 * Parts of a PowerPoint 97 presentation that the parser does not know: tables, and fields for numbers and dates.
 *
 * Source: [MS-PPT] 2.9.49 to 2.9.53 (`SlideNumberMCAtom` and the other meta characters).
 */
import * as CompoundFile from "../../content/CompoundFile.ts"
import * as Records from "../slideshow/Records.ts"
import * as SlideTables from "../slideshow/SlideTables.ts"
import * as TableLines from "../slideshow/TableLines.ts"

const textOfTwoBytes = 0x0fa0
const textOfOneByte = 0x0fa8
const asterisk = 0x2a
const space = 0x20

export interface Mended {
  readonly bytes: Uint8Array
  /** The parser's Markdown, with the tables. */
  readonly completed: (markdown: string) => string
}

/** Blanks the texts that only hold the place of a field; true when there is one. */
const blanked = (stream: Buffer): boolean => {
  let found = false
  for (const { end, start, type } of Records.all(stream, 0, stream.length)) {
    const wide = type === textOfTwoBytes && end - start === 2 && stream[start + 1] === 0
    if ((!wide && !(type === textOfOneByte && end - start === 1)) || stream[start] !== asterisk) continue
    stream[start] = space
    found = true
  }
  return found
}

/** The presentation as the parser is to read it. Never fails. */
export const mended = (bytes: Uint8Array): Mended => {
  const file = CompoundFile.open(bytes)
  const entry = file?.entries.find(({ name }) => name === "PowerPoint Document")
  const content = entry === undefined ? undefined : file?.read(entry)
  if (file === undefined || entry === undefined || content === undefined)
    return { bytes, completed: (markdown) => markdown }
  const stream = Buffer.from(content)
  const tables = SlideTables.of(stream)
  return {
    bytes: blanked(stream) ? file.replaced(entry, stream) : bytes,
    completed: (markdown) => TableLines.placed(markdown, tables)
  }
}
