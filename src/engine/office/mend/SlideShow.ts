/**
 * Parts of a PowerPoint 97 presentation that the parser does not know: tables, and fields for numbers and dates.
 *
 * Source: [MS-PPT] 2.9.49 to 2.9.53 (`SlideNumberMCAtom` and the other meta characters).
 */
import * as CompoundFile from "../../content/CompoundFile.ts"
import * as Records from "../slideshow/Records.ts"
import * as SlideTables from "../slideshow/SlideTables.ts"
import * as TableLines from "../slideshow/TableLines.ts"
import { type Mended, nothing } from "./Mended.ts"

const textOfTwoBytes = 0x0fa0
const textOfOneByte = 0x0fa8
const asterisk = 0x2a
const space = 0x20

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
  const found = CompoundFile.streamOf(CompoundFile.open(bytes), "PowerPoint Document")
  if (found === undefined) return nothing(bytes)
  const stream = Buffer.from(found.content)
  const tables = SlideTables.of(stream)
  return {
    ...nothing(bytes),
    bytes: blanked(stream) ? found.replaced(stream) : bytes,
    completed: (markdown) => TableLines.placed(markdown, tables)
  }
}
