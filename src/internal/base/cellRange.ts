/** Cell ranges in A1 notation, such as `Costs!A2:F41`. */

/** A rectangle of cells; columns and rows are 1-based, both ends inclusive. */
export interface CellRange {
  /** Name of the sheet. */
  readonly sheet: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const notation = /^(?:'((?:[^']|'')*)'|([^'].*))!([A-Z]{1,3})([1-9]\d{0,6}):([A-Z]{1,3})([1-9]\d{0,6})$/su

/** The column with these letters, 1-based. */
export const columnOf = (letters: string): number =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0)

export const lettersOf = (column: number): string => {
  let letters = ""
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  }
  return letters
}

/** The range of a text in A1 notation with a sheet and both corners; undefined for any other text. */
export const parse = (text: string): CellRange | undefined => {
  const found = notation.exec(text)
  if (found === null) return undefined
  const [, quoted, bare = "", left = "", top = "", right = "", bottom = ""] = found
  const range = {
    sheet: quoted === undefined ? bare : quoted.replaceAll("''", "'"),
    left: columnOf(left),
    top: Number(top),
    right: columnOf(right),
    bottom: Number(bottom)
  }
  return range.left <= range.right && range.top <= range.bottom ? range : undefined
}

/** The cells alone: `A2:F41`. */
export const cells = ({ bottom, left, right, top }: Omit<CellRange, "sheet">): string =>
  `${lettersOf(left)}${top}:${lettersOf(right)}${bottom}`

/** The name as it stands in a reference: in quotes unless it is a plain word that cannot be read as a cell. */
const quoted = (sheet: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) && !/^(?:[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*|[Rr]|[Cc])$/u.test(sheet)
    ? sheet
    : `'${sheet.replaceAll("'", "''")}'`

/** The range in A1 notation with its sheet: `Costs!A2:F41`, `'Costs 2024'!A2:F41`. */
export const format = (range: CellRange): string => `${quoted(range.sheet)}!${cells(range)}`
