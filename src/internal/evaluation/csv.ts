/** Comma-separated values, as RFC 4180 has them: quoted cells may hold commas, line breaks and doubled quotation marks. */
import * as Either from "effect/Either"

export interface Row {
  /** 1-based line on which the row begins. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

export interface Problem {
  readonly line: number
  readonly problem: string
}

/** A cell, and the comma, line break or end of the text after it. */
const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/uy

const breaks = (text: string): number => text.split("\n").length - 1

/** The rows of the text; blank lines are left out. */
export const rows = (text: string): Either.Either<ReadonlyArray<Row>, Problem> => {
  const found: Array<Row> = []
  let [at, line, start] = [0, 1, 1]
  let cells: Array<string> = []
  while (at < text.length || cells.length > 0) {
    cell.lastIndex = at
    const match = cell.exec(text)
    if (match === null) {
      return Either.left({
        line,
        problem: "a quotation mark is not closed, or stands within a cell that is not quoted"
      })
    }
    const [whole, quoted, plain = "", end] = match
    cells.push(quoted?.replaceAll('""', '"') ?? plain)
    at += whole.length
    line += breaks(whole)
    if (end === ",") continue
    if (cells.some((each) => each !== "")) found.push({ line: start, cells })
    cells = []
    start = line
  }
  return Either.right(found)
}
