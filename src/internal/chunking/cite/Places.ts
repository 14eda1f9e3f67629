/** The place of a chunk in its file, in terms of the file's type: sheet and cells, slides, chapter, rows, headings. */
import * as Option from "effect/Option"
import type { Heading, MetadataValue } from "../../../DocumentChunk.ts"
import type { ParsedDocument } from "../../../ParsedDocument.ts"
import { type CellRange, cells, format, parse } from "../../base/cellRange.ts"
import { grammarOf } from "../../base/codeType.ts"
import * as FileType from "../../base/fileType.ts"
import type { Outline } from "../pack/Outline.ts"
import type { Unit } from "../pack/Unit.ts"
import { type TableRows, tablesOf } from "./Rows.ts"

/** Metadata members that tell the place of a chunk. A chunker of this package sets them; a user's member of that name wins. */
export const members = [
  "headings",
  "sheet",
  "sheets",
  "cellRange",
  "cellRanges",
  "slide",
  "lastSlide",
  "chapter",
  "firstRow",
  "lastRow",
  "firstLine",
  "lastLine"
] as const

type Place = { readonly [Member in (typeof members)[number]]?: MetadataValue }

/** Changes when the same answer gives other places, so that stored chunks get them with the next run. */
export const version = "places-1"

/** Kinds of files with specific names for their places. */
const kinds: Readonly<Partial<Record<FileType.Extension, "workbook" | "presentation" | "book" | "rows">>> = {
  xlsx: "workbook",
  xlsm: "workbook",
  xlsb: "workbook",
  xls: "workbook",
  ods: "workbook",
  pptx: "presentation",
  pptm: "presentation",
  ppt: "presentation",
  odp: "presentation",
  epub: "book",
  csv: "rows"
}

/** The chunk whose place is asked for. */
export interface Spanned {
  readonly start: number
  readonly end: number
  readonly headingPath: ReadonlyArray<Heading>
  readonly pages: ReadonlyArray<number>
}

/** A table of a workbook: its sheet, and the cells that its rows are in where that is certain. */
interface SheetTable {
  readonly rows: TableRows
  readonly sheet: string
  /** Of a chart the cells below it, whichever of its rows a chunk has. */
  readonly range: CellRange | undefined
  readonly isChart: boolean
}

const none: Place = {}

const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.filter((item: unknown) => typeof item === "string")
    : typeof value === "string"
      ? [value]
      : []

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim().toLowerCase()

/** Numbers of the lines of a text, from 1. */
class LineNumbers {
  private readonly starts: ReadonlyArray<number>
  private readonly text: string

  constructor(text: string) {
    this.text = text
    this.starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/gu), ({ 0: end, index }) => index + end.length)]
  }

  private at(place: number): number {
    let low = 0
    let high = this.starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.starts[middle] ?? 0) <= place) low = middle
      else high = middle
    }
    return low + 1
  }

  of({ end, start }: Spanned): Place {
    const last = start + this.text.slice(start, end).trimEnd().length - 1
    return { firstLine: this.at(start), lastLine: this.at(Math.max(start, last)) }
  }
}

export class Places {
  private readonly outline: Outline
  private readonly kind: (typeof kinds)[FileType.Extension]
  private readonly title: ReadonlyArray<string>
  private readonly lines: LineNumbers | undefined
  private readonly tables: ReadonlyArray<TableRows>
  private readonly sheets: ReadonlyArray<SheetTable>

  constructor(document: ParsedDocument, units: ReadonlyArray<Unit>, outline: Outline) {
    this.outline = outline
    this.kind = Option.match(FileType.fromName(document.source), {
      onNone: () => undefined,
      onSome: (type) => kinds[type]
    })
    this.lines = grammarOf(FileType.extensionOf(document.source)) && new LineNumbers(document.markdown)
    this.title = textsOf(document.metadata.title).map(oneLine)
    const tabular = this.kind === "workbook" || this.kind === "rows"
    this.tables = tabular ? tablesOf(document.markdown, units) : []
    this.sheets =
      this.kind === "workbook"
        ? sheetTables(
            this.tables,
            outline,
            textsOf(document.metadata["sheets"]).flatMap((text) => parse(text) ?? []),
            textsOf(document.metadata["charts"])
          )
        : []
  }

  of(chunk: Spanned): Place {
    const headings = this.outline.startedIn(chunk.start, chunk.end)
    const own = this.own(chunk)
    return headings.length === 0 ? own : { headings, ...own }
  }

  private own(chunk: Spanned): Place {
    switch (this.kind) {
      case "workbook":
        return this.cells(chunk)
      case "presentation":
        return slides(chunk.pages)
      case "book":
        return this.chapter(chunk.headingPath)
      case "rows":
        return this.rows(chunk)
      default:
        return this.lines?.of(chunk) ?? none
    }
  }

  private cells({ end, start }: Spanned): Place {
    const touched = this.sheets.filter(({ rows }) => rows.start < end && rows.end > start)
    const [first] = touched
    if (first === undefined) return none
    const ranges = touched.flatMap(({ isChart, range, rows }) => {
      if (isChart) return range ?? []
      const part = range === undefined ? undefined : rows.touched(start, end)
      return range === undefined || part === undefined
        ? []
        : [{ ...range, top: range.top + part[0], bottom: range.top + part[1] }]
    })
    const [only] = ranges
    const one = touched.every(({ sheet }) => sheet === first.sheet)
    return {
      sheets: [...new Set(touched.map(({ sheet }) => sheet))],
      ...(one && { sheet: first.sheet }),
      ...(only !== undefined && { cellRanges: ranges.map(format) }),
      ...(only !== undefined && touched.length === 1 && { cellRange: cells(only) })
    }
  }

  /** The outermost heading that is not the title of the book. */
  private chapter(path: ReadonlyArray<Heading>): Place {
    const chapter = path.find(({ text }) => !this.title.includes(oneLine(text)))
    return chapter === undefined ? none : { chapter: chapter.text }
  }

  private rows({ end, start }: Spanned): Place {
    const [table, ...others] = this.tables
    const part = others.length === 0 ? table?.touched(start, end) : undefined
    return part === undefined ? none : { firstRow: part[0] + 1, lastRow: part[1] + 1 }
  }
}

const slides = (pages: ReadonlyArray<number>): Place => {
  const [first, last] = [pages[0], pages.at(-1)]
  return first === undefined || last === undefined ? none : { slide: first, lastSlide: last }
}

const aligned = (first: number, last: number, count: number): boolean =>
  last - first + 1 === count || (first === 1 && last < count)

/**
 * The tables with their sheets: a heading over a table is the name of its sheet. The last tables of a sheet are its charts, as many as
 * `metadata.charts` has entries for it. The ranges of a sheet, as `metadata.sheets` states them, are those of its other tables in their
 * order where there is one for each table, and a table has the rows and columns of its range, or begins with the first one, with empty
 * ones left at the end of the table.
 */
const sheetTables = (
  tables: ReadonlyArray<TableRows>,
  outline: Outline,
  ranges: ReadonlyArray<CellRange>,
  charted: ReadonlyArray<string>
): ReadonlyArray<SheetTable> => {
  const charts = charted.map((text) => ({ range: parse(text), sheet: parse(text)?.sheet ?? text }))
  const names = new Set([...ranges, ...charts].map(({ sheet }) => sheet))
  const [only] = names.size === 1 ? names : []
  return tables.flatMap((rows): ReadonlyArray<SheetTable> => {
    const sheet = outline.path(rows.section)[0]?.text ?? only
    if (sheet === undefined) return []
    const isNamed = (named: { readonly sheet: string }): boolean => oneLine(named.sheet) === oneLine(sheet)
    const together = tables.filter((other) => other.section === rows.section)
    const own = charts.filter(isNamed)
    const at = together.indexOf(rows)
    const count = together.length - own.length
    if (count >= 0 && at >= count) return [{ rows, sheet, range: own[at - count]?.range, isChart: true }]
    const named = ranges.filter(isNamed)
    const range = named.length === count ? named[at] : undefined
    const fits =
      range !== undefined &&
      aligned(range.top, range.bottom, rows.count) &&
      aligned(range.left, range.right, rows.columns)
    return [{ rows, sheet, range: fits ? range : undefined, isChart: false }]
  })
}
