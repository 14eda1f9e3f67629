/** Tables that only place what they hold: what their cells hold stands without them. */
import * as Edits from "../../Edits.ts"
import * as Tags from "../markup/Tags.ts"

/** Local names of the elements of tables. */
export interface Names {
  readonly table: string
  readonly row: string
  readonly cell: string
  /** Properties at the start of a cell, which are no content. */
  readonly properties: string | undefined
}

interface Table {
  readonly start: number
  rows: number
  readonly cells: Array<{ readonly start: number; end: number }>
  /** Rows of the largest table in it. */
  nested: number
}

/** Most cells around other tables that are taken for places of a page. */
const mostPlaces = 4

/** A frame around one cell; one column, or a few cells, around other tables. */
const isLayout = ({ cells, nested, rows }: Table): boolean =>
  cells.length === 1 || (nested > 1 && (cells.length <= mostPlaces || cells.length === rows))

const contentOf = (xml: string, properties: string | undefined): string => {
  const [first] = properties === undefined ? [] : Tags.of(xml)
  if (first === undefined || first.name !== properties || first.start !== 0) return xml
  if (first.kind === "empty") return xml.slice(first.end)
  for (const tag of Tags.of(xml, first.end))
    if (tag.kind === "close" && tag.name === properties) return xml.slice(tag.end)
  return xml
}

/** The document without the outermost tables that are a layout; those in them stand by themselves. */
export const without = (xml: string, names: Names): string => {
  if (!Tags.mayHave(xml, names.table)) return xml
  const edits: Array<Edits.Edit> = []
  const open: Array<Table> = []
  for (const tag of Tags.named(xml, [names.table, names.row, names.cell])) {
    if (tag.kind === "empty") continue
    const [outermost] = open
    const table = open.at(-1)
    if (tag.name === names.table) {
      if (tag.kind === "open") open.push({ start: tag.start, rows: 0, cells: [], nested: 0 })
      else if (table !== undefined) {
        open.pop()
        if (outermost !== undefined && outermost !== table) outermost.nested = Math.max(outermost.nested, table.rows)
        else if (isLayout(table)) {
          const text = table.cells.map(({ end, start }) => contentOf(xml.slice(start, end), names.properties)).join("")
          edits.push({ start: table.start, end: tag.end, text })
        }
      }
    } else if (table !== undefined && tag.name === names.row) {
      table.rows += tag.kind === "open" ? 1 : 0
    } else if (table !== undefined && tag.name === names.cell) {
      const cell = table.cells.at(-1)
      if (tag.kind === "open") table.cells.push({ start: tag.end, end: tag.end })
      else if (cell !== undefined) cell.end = tag.start
    }
  }
  return Edits.edited(xml, edits)
}
