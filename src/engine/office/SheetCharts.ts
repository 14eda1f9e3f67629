/**
 * Charts of workbooks, of which the parser says nothing, as tables after those of their sheets.
 *
 * Source: ECMA-376 part 1, 20.5.2 (anchors of drawings). Charts of other file types than Office Open XML are not read.
 */
import { type CellRange, format } from "../../internal/base/cellRange.ts"
import * as MarkdownText from "../pdf/MarkdownText.ts"
import * as Element from "./markup/Element.ts"
import * as Relationships from "./markup/Relationships.ts"
import * as Archive from "./mend/Archive.ts"
import * as Charts from "./mend/Charts.ts"
import * as SheetParts from "./SheetParts.ts"
import * as SheetTables from "./SheetTables.ts"

export interface Result {
  readonly markdown: string
  /** The cells below each chart in A1 notation, in the order of their tables; the name of the sheet for a chart that no cells anchor. */
  readonly charts: ReadonlyArray<string>
}

type Read = (part: string) => Uint8Array | undefined

interface Anchored {
  /** Cells that the chart covers; its first one where the file does not say the last. */
  readonly cells: Omit<CellRange, "sheet"> | undefined
  readonly chart: Charts.Chart
}

/** Most charts of a workbook. */
const mostCharts = 1000

/** Most cells of all charts of a workbook; of those after them the formulas are written. */
const mostCells = 200_000

/** Total size of the parts of drawings and charts that are read, in bytes; charts after them are left out. */
const mostBytes = 16 * 1024 * 1024

const bounded = (read: Read): Read => {
  let left = mostBytes
  return (part) => {
    const content = left > 0 ? read(part) : undefined
    left -= content?.length ?? 0
    return left < 0 ? undefined : content
  }
}

/** Column or row of an end of an anchor, 0-based, and the distance of the end from its start. */
const numberOf = (end: Element.Element | undefined, name: string): number => {
  const found = Element.child(end, name)
  return found === undefined ? Number.NaN : Number(Element.text(found))
}

const cellsOf = (anchor: Element.Element): Anchored["cells"] => {
  const [from, to] = [Element.child(anchor, "from"), Element.child(anchor, "to")]
  const last = (name: string, first: number): number => {
    const own = numberOf(to, name)
    // An end at the very start of a cell covers the one before.
    return Number.isInteger(own) ? Math.max(first, numberOf(to, `${name}Off`) > 0 ? own + 1 : own) : first
  }
  const [left, top] = [numberOf(from, "col") + 1, numberOf(from, "row") + 1]
  const cells = { left, top, right: last("col", left), bottom: last("row", top) }
  return left >= 1 && top >= 1 && cells.right <= 16_384 && cells.bottom <= 1_048_576 ? cells : undefined
}

/** Ids of the charts in an element, in order. */
const idsOf = (element: Element.Element): ReadonlyArray<string> =>
  element.name === "chart" ? [element.attributes.get("id") ?? ""] : Element.children(element).flatMap(idsOf)

const anchors = ["twoCellAnchor", "oneCellAnchor", "absoluteAnchor"]

const textOf = (read: Read, part: string): string => Buffer.from(read(part) ?? []).toString("utf8")

/** The charts of a sheet, in the order of its drawing. */
const ofSheet = (read: Read, sheet: string, budget: { charts: number; cells: number }): ReadonlyArray<Anchored> => {
  const found: Array<Anchored> = []
  for (const drawing of new Set(Relationships.ofPart(read, sheet, "drawing").values())) {
    const parts = new Map(Relationships.ofPart(read, drawing, "chart"))
    if (parts.size === 0) continue
    for (const anchor of Element.named(textOf(read, drawing), anchors)) {
      for (const id of anchor === undefined ? [] : idsOf(anchor.element)) {
        const part = parts.get(id)
        // Versions of an anchor hold the same chart.
        parts.delete(id)
        const chart =
          part === undefined || budget.charts === 0 ? undefined : Charts.read(textOf(read, part), budget.cells)
        if (anchor === undefined || chart === undefined) continue
        budget.charts -= 1
        budget.cells = Math.max(0, budget.cells - chart.rows.length * chart.head.length)
        found.push({ cells: cellsOf(anchor.element), chart })
      }
    }
  }
  return found
}

const lineOf = (texts: ReadonlyArray<string>): string =>
  `| ${texts.map((text) => MarkdownText.cell(MarkdownText.escapeInline(text))).join(" | ")} |`

const written = ({ head, rows, title }: Charts.Chart): string => {
  const table = [lineOf(head), lineOf(head.map(() => "---")), ...rows.map(lineOf)].join("\n")
  return title === "" ? table : `**${MarkdownText.escapeInline(title)}**\n\n${table}`
}

const headingOf = (sheet: string): string => `## ${MarkdownText.escapeInline(sheet.replaceAll(/\s+/gu, " ").trim())}`

interface Sheet {
  readonly name: string
  readonly charts: ReadonlyArray<Anchored>
}

/** The Markdown with the charts at the end of their sheets; a sheet without cells begins with a heading, unless it is the only one. */
const inserted = (markdown: string, sheets: ReadonlyArray<Sheet>): string => {
  const sections = markdown.split(/^(?=## )/mu)
  const parts = sections.splice(0, markdown.startsWith("## ") ? 0 : 1)
  const names = sections.map((section) => SheetTables.nameOf(section.split("\n", 1)[0]?.slice(3) ?? ""))
  let next = 0
  for (const { charts, name } of sheets) {
    const at = names.indexOf(SheetTables.nameOf(name), next)
    if (at >= 0) {
      parts.push(...sections.slice(next, at + 1))
      next = at + 1
    }
    if (charts.length === 0) continue
    if (at < 0 && sheets.length > 1) parts.push(headingOf(name))
    parts.push(...charts.map(({ chart }) => written(chart)))
  }
  const texts = [...parts, ...sections.slice(next)].map((part) => part.trim()).filter((part) => part !== "")
  return `${texts.join("\n\n")}\n`
}

/** Puts the charts of a workbook into its Markdown, which stays the same where there are none. */
export const into = (markdown: string, bytes: Uint8Array): Result => {
  const archive = Archive.open(bytes)
  if (archive === undefined) return { markdown, charts: [] }
  const read = bounded(archive.read)
  const budget = { charts: mostCharts, cells: mostCells }
  const sheets = SheetParts.of(archive.read).map(({ name, part }): Sheet => ({
    name,
    charts: ofSheet(read, part, budget)
  }))
  const charts = sheets.flatMap((sheet) =>
    sheet.charts.map(({ cells }) => (cells === undefined ? sheet.name : format({ sheet: sheet.name, ...cells })))
  )
  return charts.length === 0 ? { markdown, charts } : { markdown: inserted(markdown, sheets), charts }
}
