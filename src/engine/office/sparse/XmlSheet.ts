/**
 * Sheet of an Office Open XML workbook: `row` and `c` elements that carry their positions.
 *
 * Source: ECMA-376 part 1, 18.3.1.4 and 18.3.1.73.
 */
import { columnOf, lettersOf } from "../../../internal/base/cellRange.ts"
import * as UsedCells from "./UsedCells.ts"

const tag = /<(?:\w+:)?(row|c)(?=[\s/>])([^>]*)>/g

const place = /(\sr\s*=\s*["'])([A-Z]{0,3})(\d{1,7})(?=["'])/

/**
 * Cells with content: an element without content has a style only.
 *
 * @yields {UsedCells.Cell} In document order.
 */
export const cells = function* (xml: string): Generator<UsedCells.Cell> {
  let row = -1
  let column = -1
  for (const [, name, attributes = ""] of xml.matchAll(tag)) {
    const found = place.exec(attributes)
    if (name === "row") {
      row = found === null ? row + 1 : Number(found[3]) - 1
      column = -1
    } else {
      column = found === null ? column + 1 : columnOf(found[2] ?? "") - 1
      if (!attributes.endsWith("/")) {
        yield { row: found === null ? row : Number(found[3]) - 1, column, height: 1, width: 1 }
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

/** The sheet as the parser reads it, without its empty rows and columns where they are many; undefined when it is as it should be. */
export const closer = (xml: string): string | undefined => {
  const ranks = UsedCells.closer(() => cells(xml))
  const close = ranks === undefined ? xml : moved(xml.replaceAll(ranges, ""), ranks)
  const read = withoutPadding(close)
  return read === xml ? undefined : read
}
