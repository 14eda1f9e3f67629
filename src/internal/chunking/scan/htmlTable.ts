/** The rows of an HTML table, as far as a chunk has to know them. */
export interface HtmlTable {
  /** End of what is repeated before every part: the opening tags and the head row, if there is one. */
  readonly headEnd: number
  /** Starts of the rows before which the table may be cut. */
  readonly rows: ReadonlyArray<number>
}

const rowStart = /<tr(?=[\s>])/gi

const rowSpan = /\browspan\s*=\s*["']?(\d{1,4})/gi

/** Rows that cells of this row reach over, itself included. */
const reach = (row: string): number => {
  let rows = 1
  for (const [, count] of row.matchAll(rowSpan)) {
    rows = Math.max(rows, Number(count))
  }
  return rows
}

/** Undefined when the text starts with no table or there are less than two rows. */
export const htmlTable = (text: string, start: number, end: number): HtmlTable | undefined => {
  const html = text.slice(start, end)
  if (!/^\s*<table[\s>]/i.test(html)) {
    return undefined
  }
  const starts = [...html.matchAll(rowStart)].map(({ index }) => index)
  const first = starts[0]
  const second = starts[1]
  if (first === undefined || second === undefined) {
    return undefined
  }
  const thead = html.search(/<\/thead\s*>/i)
  const body = thead > first ? starts.findIndex((at) => at > thead) : -1
  const hasHead = body > 0 || /<th[\s>]/i.test(html.slice(first, second))
  const headRows = hasHead ? (body > 0 ? body : 1) : 0
  const rows: Array<number> = []
  let together = 0
  starts.forEach((at, index) => {
    if (index > headRows && index >= together) {
      rows.push(start + at)
    }
    together = Math.max(together, index + reach(html.slice(at, starts[index + 1])))
  })
  return { headEnd: start + (starts[headRows] ?? first), rows }
}
