/**
 * Sheet of an Office Open XML workbook: `row` and `c` elements that carry their positions.
 *
 * Source: ECMA-376 part 1, 18.3.1.4 and 18.3.1.73.
 */
import { columnOf, lettersOf } from "../../../internal/base/cellRange.ts"
import * as UsedCells from "./UsedCells.ts"

const tag = /<(?:\w+:)?(row|c)(?=[\s/>])([^>]*)>/g

const place = /(\sr\s*=\s*["'])([A-Z]{0,3})(\d{1,7})(?=["'])/

/** Beginnings of the start tags of rows and cells. */
const start = /<(?:\w+:)?(?:row|c)(?=[\s/>])/g

/** Where a row or a cell says that it is, 1-based; column 0 for a row. */
interface Position {
  readonly column: number
  readonly row: number
}

const [zero, nine, a, z, quote] = [0x30, 0x39, 0x41, 0x5a, 0x22]

/** The position that stands as ` r="AB12"` at `from`, as programs write it; undefined for anything else. */
const usual = (xml: string, from: number): Position | undefined => {
  if (!xml.startsWith(' r="', from)) return undefined
  let at = from + 4
  let column = 0
  let row = 0
  let code = xml.charCodeAt(at)
  for (; code >= a && code <= z && at < from + 7; code = xml.charCodeAt(++at)) column = column * 26 + code - a + 1
  const digits = at
  for (; code >= zero && code <= nine && at < digits + 7; code = xml.charCodeAt(++at)) row = row * 10 + code - zero
  return at > digits && code === quote ? { column, row } : undefined
}

/** The position among the attributes at `[from, to)`. */
const positionOf = (xml: string, from: number, to: number): Position | undefined => {
  const own = usual(xml, from)
  if (own !== undefined) return own
  const found = place.exec(xml.slice(from, to))
  return found === null ? undefined : { column: columnOf(found[2] ?? ""), row: Number(found[3]) }
}

/**
 * Cells with content: an element without content has a style only.
 *
 * @yields {UsedCells.Cell} In document order.
 */
export const cells = function* (xml: string): Generator<UsedCells.Cell> {
  const tags = new RegExp(start)
  let row = -1
  let column = -1
  while (tags.test(xml)) {
    const from = tags.lastIndex
    const end = xml.indexOf(">", from)
    if (end < 0) return
    tags.lastIndex = end
    const position = positionOf(xml, from, end)
    if (xml[from - 1] === "w") {
      row = position === undefined ? row + 1 : position.row - 1
      column = -1
    } else {
      column = position === undefined ? column + 1 : position.column - 1
      if (end === from || xml[end - 1] !== "/") {
        yield { row: position === undefined ? row : position.row - 1, column, height: 1, width: 1 }
      }
    }
  }
}

const moved = (xml: string, ranks: UsedCells.Ranks): string =>
  xml.replaceAll(tag, (whole) =>
    whole.replace(place, (_, start: string, letters: string, digits: string) => {
      const row = ranks.row(Number(digits) - 1) + 1
      return `${start}${letters === "" ? "" : lettersOf(ranks.column(columnOf(letters) - 1) + 1)}${row}`
    })
  )

/** Elements with ranges whose ends need not be cells. */
const ranges = /<(?:\w+:)?(mergeCells|dimension|hyperlinks)(?=[\s/>])(?:[^>]*\/>|[\s\S]*?<\/(?:\w+:)?\1>)/g

/** A value with white space around it. The parser drops a sheet with a number that is written so. */
const padded = /<(?:\w+:)?v(?:\s[^<>]*)?>(?:\s|[-+.\deE]+\s)/

const withoutPadding = (xml: string): string =>
  padded.test(xml) ? xml.replaceAll(/(<(?:\w+:)?v(?:\s[^<>]*)?>)\s*([-+.\deE]+)\s*(?=<)/g, "$1$2") : xml

/**
 * The sheet as the parser reads it, without its empty rows and columns where they are many; undefined when it is as it should be. `extent`
 * is that of its cells.
 */
export const closer = (xml: string, extent: UsedCells.Extent): string | undefined => {
  const ranks = UsedCells.closer(() => cells(xml), extent)
  const close = ranks === undefined ? xml : moved(xml.replaceAll(ranges, ""), ranks)
  const read = withoutPadding(close)
  return read === xml ? undefined : read
}
