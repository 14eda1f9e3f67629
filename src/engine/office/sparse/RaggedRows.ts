/**
 * Bounds tables of text whose rows differ in length: the parser pads all rows to the longest, so one long row among many short ones makes
 * a table many times as large as the file.
 */
import { Refusal } from "../../lanes/serve.ts"

/** Number of positions up to which a table is always accepted. */
const smallTable = 1_000_000

const placesPerCell = 16

const lineFeed = 10

interface Shape {
  readonly rows: number
  readonly cells: number
  readonly longest: number
}

/** Shape of the rows with this separator; ignores quotes, so it is an estimate in favour of the file. */
const shapeOf = (bytes: Uint8Array, separator: number): Shape => {
  let rows = 0
  let cells = 0
  let longest = 0
  let own = 1
  for (const byte of bytes) {
    if (byte === separator) {
      own += 1
    } else if (byte === lineFeed) {
      rows += 1
      cells += own
      longest = Math.max(longest, own)
      own = 1
    }
  }
  return { rows: rows + 1, cells: cells + own, longest: Math.max(longest, own) }
}

const separators = [",", ";", "\t", "|"].map((separator) => separator.charCodeAt(0))

/** Throws a `Refusal` when the table of these rows would have more than a million positions plus 16 per cell. */
export const check = (bytes: Uint8Array): void => {
  const { cells, longest, rows } = separators
    .map((separator) => shapeOf(bytes, separator))
    .reduce((most, shape) => (shape.cells > most.cells ? shape : most))
  if (rows * longest > smallTable + placesPerCell * cells) {
    throw new Refusal(
      "resourceLimit",
      `the file crosses a safety limit: ${rows} rows of which the longest has ${longest} cells, with ${cells} cells in all`
    )
  }
}
