/** Quality of the alignment over a folder of documents. */
import * as TextLine from "../../src/engine/pdf/TextLine.ts"
import * as Align from "./align.ts"
import * as Folder from "./folder.ts"
import * as Pdf from "./pdf.ts"

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

const mean = (values: ReadonlyArray<number>): number =>
  rounded(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length))

/** Shares of words that were found, of words and lines that have a label; the five worst documents; means by producer and script. */
export const quality = async (folder: string) => {
  const rows: Array<{
    readonly name: string
    readonly group: string
    readonly found: number
    readonly labelled: number
    readonly lines: number
  }> = []
  for (const { bytes, name, truth } of Folder.read(folder)) {
    const pages = await Pdf.pages(bytes())
    const { found, labelOf, labelled } = Align.align(truth, Align.piecesOf(pages))
    const lines = pages.flatMap((page) => TextLine.group(page.items).map((line) => labelOf(page.pageNumber, line.box)))
    const withLabel = lines.filter((label) => label !== undefined).length / Math.max(1, lines.length)
    rows.push({ name, group: `${truth.producer} ${truth.script}`, found, labelled, lines: withLabel })
  }
  const groups = [...new Set(rows.map(({ group }) => group))].toSorted()
  return {
    documents: rows.length,
    found: mean(rows.map(({ found }) => found)),
    labelled: mean(rows.map(({ labelled }) => labelled)),
    lines: mean(rows.map(({ lines }) => lines)),
    worst: rows
      .toSorted((one, other) => one.found + one.lines - other.found - other.lines)
      .slice(0, 5)
      .map(({ found, lines, name }) => ({ name, found: rounded(found), lines: rounded(lines) })),
    groups: Object.fromEntries(
      groups.map((group) => {
        const own = rows.filter((row) => row.group === group)
        return [
          group,
          {
            documents: own.length,
            found: mean(own.map(({ found }) => found)),
            lines: mean(own.map(({ lines }) => lines))
          }
        ]
      })
    )
  }
}
