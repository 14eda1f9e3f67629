/** Rows in columns for a terminal. Where it is too narrow for them, each row takes several lines. */
import * as Columns from "./Columns.ts"
import * as Line from "./Line.ts"
import * as Printable from "./Printable.ts"

export interface Column {
  readonly title: string
  /** `number`: to the right. `path`: shortened in its middle. `prose`: broken between words. Default: whole, to the left. */
  readonly kind?: "number" | "path" | "prose" | undefined
}

/** Cells in the order of the columns; an empty one says nothing. */
export type Row = ReadonlyArray<Line.Part>

const gap = "  "

/** Least columns of a path, and of prose. */
const least = { path: 20, prose: 24 } as const

const clean = (part: Line.Part): Line.Part => Line.withText(part, Printable.line(Line.textOf(part)))

/** Columns that no row fills are left out. */
const used = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<Row>): ReadonlyArray<number> =>
  columns.flatMap((_, at) => (rows.some((row) => Line.textOf(row[at] ?? "") !== "") ? [at] : []))

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, one) => all + one, 0)

/** Widths of all columns, narrowed where they may be; null where the terminal is too narrow. */
const fitted = (
  columns: ReadonlyArray<Column>,
  natural: ReadonlyArray<number>,
  room: number
): ReadonlyArray<number> | null => {
  let over = sum(natural) - room
  const widths = [...natural]
  for (const kind of ["prose", "path"] as const) {
    for (const [at, column] of columns.entries()) {
      const width = widths[at] ?? 0
      if (over <= 0 || column.kind !== kind || width <= least[kind]) continue
      const less = Math.min(over, width - least[kind])
      widths[at] = width - less
      over -= less
    }
  }
  return over > 0 ? null : widths
}

const cells = (column: Column, part: Line.Part, width: number): ReadonlyArray<Line.Part> => {
  const text = Line.textOf(part)
  const lines = column.kind === "prose" ? Columns.wrap(text, width) : [Columns.middle(text, width)]
  return lines.map((line) =>
    Line.withText(part, column.kind === "number" ? Columns.padStart(line, width) : Columns.padEnd(line, width))
  )
}

/** The last cell of a line without the blanks after it. */
const trimmed = (parts: ReadonlyArray<Line.Part>): Line.Line => {
  const last = parts.findLastIndex((part) => Line.textOf(part).trim() !== "")
  return parts
    .slice(0, last + 1)
    .map((part, at) => (at === last ? Line.withText(part, Line.textOf(part).trimEnd()) : part))
}

const inColumns = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<Row>, widths: ReadonlyArray<number>) =>
  rows.flatMap((row) => {
    const columnCells = columns.map((column, at) => cells(column, row[at] ?? "", widths[at] ?? 0))
    const height = Math.max(...columnCells.map((lines) => lines.length))
    return Array.from({ length: height }, (_, line) =>
      trimmed(columnCells.flatMap((lines, at) => [gap, lines[line] ?? " ".repeat(widths[at] ?? 0)]).slice(1))
    )
  })

/** The first cell on a line of its own, the others below it: numbers with their titles. */
const stacked = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<Row>, width: number): ReadonlyArray<Line.Line> =>
  rows.flatMap((row) => {
    const first = row[0] ?? ""
    const others = columns.slice(1).flatMap((column, at) => {
      const text = Line.textOf(row[at + 1] ?? "")
      if (text === "") return []
      return [
        column.kind === "number"
          ? `${text}${Columns.unbroken}${text === "1" ? column.title.replace(/s$/u, "") : column.title}`
          : text
      ]
    })
    return [
      [Line.withText(first, Columns.middle(Line.textOf(first), width))],
      ...(others.length === 0
        ? []
        : Columns.wrap(others.join(", "), width - 2).map((line) => `${gap}${line.replaceAll(Columns.unbroken, " ")}`))
    ]
  })

/** The table's lines, the titles first; none for no rows. No line is wider than `width`. */
export const lines = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<Row>,
  width: number
): ReadonlyArray<Line.Line> => {
  if (rows.length === 0) return []
  const kept = used(columns, rows)
  const shown = kept.flatMap((at) => columns[at] ?? [])
  const body = rows.map((row) => kept.map((at) => clean(row[at] ?? "")))
  const natural = shown.map(({ title }, at) =>
    Math.max(title.length, ...body.map((row) => Columns.width(Line.textOf(row[at] ?? ""))))
  )
  const widths = fitted(shown, natural, width - gap.length * (shown.length - 1))
  if (widths === null) return stacked(shown, body, width)
  const titles = shown.map(({ title }) => Line.strong(title.toUpperCase()))
  return inColumns(shown, [titles, ...body], widths)
}
