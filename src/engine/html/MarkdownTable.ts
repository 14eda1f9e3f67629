/**
 * Converts a table of a page to a table of GitHub-Flavored Markdown, whose cells hold phrasing content only and do not span; a table that
 * is not understood without its spans becomes HTML.
 */
import type { Element } from "hast"
import type { State } from "hast-util-to-mdast"
import type { AlignType, BlockContent, Nodes, PhrasingContent, Table, TableCell, TableRow } from "mdast"
import * as SpannedTable from "./SpannedTable.ts"
import * as Tree from "./Tree.ts"

/** Upper bound of `colspan` in the HTML standard. */
const maxColumns = 1000

/** Empty positions that every table may have, in addition to some per cell; a table of a few bytes can claim millions. */
const fewSpare = 100

const sparePerCell = 8

const mostSpare = (cells: number): number => fewSpare + sparePerCell * cells

const lineBreak = (): PhrasingContent => ({ type: "html", value: "<br>" })

const joined = (groups: ReadonlyArray<ReadonlyArray<PhrasingContent>>): Array<PhrasingContent> => {
  const line: Array<PhrasingContent> = []
  for (const group of groups) {
    if (group.length > 0 && line.length > 0) {
      line.push(lineBreak())
    }
    line.push(...group)
  }
  return line
}

const codeLines = (code: string): Array<PhrasingContent> =>
  joined(
    code
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((value) => [{ type: "inlineCode", value }])
  )

const tableLines = (table: Table): Array<PhrasingContent> =>
  joined(
    table.children.map((row) =>
      row.children.flatMap((cell, at) => (at === 0 ? cell.children : [{ type: "text", value: " " }, ...cell.children]))
    )
  )

/** Content of a block on one line; `undefined` for phrasing content. */
const lineOf = (node: Nodes): Array<PhrasingContent> | undefined => {
  switch (node.type) {
    case "paragraph":
      return node.children.map(oneLine)
    case "heading":
      return [{ type: "strong", children: node.children.map(oneLine) }]
    case "list":
      return joined(
        node.children.map((item, at) => [
          { type: "text", value: node.ordered === true ? `${(node.start ?? 1) + at}. ` : "• " },
          ...phrasing(item.children)
        ])
      )
    case "blockquote":
    case "listItem":
      return phrasing(node.children)
    case "code":
      return codeLines(node.value)
    case "table":
      return tableLines(node)
    case "thematicBreak":
      return []
    default:
      return undefined
  }
}

const oneLine = (node: PhrasingContent): PhrasingContent => {
  if (node.type === "break") {
    return lineBreak()
  }
  if (node.type === "html") {
    // The library escapes the bars of texts and code only; an escaped bar in TeX is another sign.
    const bar = node.value.startsWith("$") ? String.raw`\vert ` : String.raw`\|`
    return { ...node, value: node.value.replaceAll("|", bar) }
  }
  return node.type === "text" ? { ...node, value: node.value.replaceAll(/\s*\n\s*/g, " ") } : node
}

const isPhrasing = (node: Nodes): node is PhrasingContent => lineOf(node) === undefined

/** The nodes as one line of phrasing content, with `<br>` between blocks. */
const phrasing = (nodes: ReadonlyArray<Nodes>): Array<PhrasingContent> => {
  const groups: Array<Array<PhrasingContent>> = []
  let open = false
  for (const node of nodes) {
    if (isPhrasing(node)) {
      const last = groups.at(-1)
      if (open && last !== undefined) {
        last.push(oneLine(node))
      } else if (node.type !== "text" || node.value.trim() !== "") {
        groups.push([oneLine(node)])
        open = true
      }
    } else {
      groups.push(lineOf(node) ?? [])
      open = false
    }
  }
  return joined(groups)
}

const rowsOf = (table: Element): ReadonlyArray<Element> => {
  const first: Array<Element> = []
  const rows: Array<Element> = []
  const last: Array<Element> = []
  for (const child of Tree.childElements(table, "tr", "thead", "tbody", "tfoot")) {
    const section = child.tagName === "tfoot" ? last : child.tagName === "thead" ? first : rows
    section.push(...(child.tagName === "tr" ? [child] : Tree.childElements(child, "tr")))
  }
  return [...first, ...rows, ...last]
}

const cellsOf = (row: Element): ReadonlyArray<Element> => Tree.childElements(row, "td", "th")

const span = (cell: Element, property: "colSpan" | "rowSpan", most: number): number => {
  const value = Number(cell.properties[property] ?? 1)
  // A rowspan of 0 reaches to the end of the table's section.
  return value === 0 && property === "rowSpan" ? most : Math.min(Math.max(Math.trunc(value) || 1, 1), most)
}

interface Cell {
  readonly element: Element
  readonly columns: number
  readonly rows: number
}

type Place = Cell | "covered" | undefined

type Grid = ReadonlyArray<Array<Place>>

const isCell = (place: Place): place is Cell => place !== undefined && place !== "covered"

const elementsOf = (row: ReadonlyArray<Place>): ReadonlyArray<Element> =>
  row.filter(isCell).map(({ element }) => element)

/**
 * Grid with every cell at its position. Positions that a cell spans are marked as covered, while the spans stay in proportion to the
 * cells; a cell beyond that spans nothing.
 */
const gridOf = (rows: ReadonlyArray<Element>): Grid => {
  const grid: Grid = rows.map(() => [])
  const most = mostSpare(rows.reduce((sum, row) => sum + cellsOf(row).length, 0))
  let covered = 0
  rows.forEach((row, y) => {
    let x = 0
    for (const cell of cellsOf(row)) {
      while (grid[y]?.[x] !== undefined) {
        x += 1
      }
      const wide = span(cell, "colSpan", maxColumns)
      const high = span(cell, "rowSpan", rows.length - y)
      const [width, height] = covered + wide * high <= most ? [wide, high] : [1, 1]
      covered += width * height - 1
      for (let down = 0; down < height; down++) {
        for (let right = 0; right < width; right++) {
          const line = grid[y + down]
          if (line !== undefined) {
            line[x + right] ??= down === 0 && right === 0 ? { element: cell, columns: width, rows: height } : "covered"
          }
        }
      }
      x += width
    }
  })
  return grid
}

/** Number of columns up to the last cell: columns that only spans reach are empty. */
const widthOf = (row: Grid[number]): number => row.findLastIndex(isCell) + 1

const alignments: Readonly<Record<string, AlignType>> = { left: "left", right: "right", center: "center" }

const alignOf = (cell: Place): AlignType => {
  if (!isCell(cell)) return null
  const style = /text-align:\s*(left|right|center)/i.exec(Tree.attribute(cell.element, "style") ?? "")?.[1]
  return alignments[(Tree.attribute(cell.element, "align") ?? style ?? "").toLowerCase()] ?? null
}

/** True for a row that names the columns: all its cells are headers. One header before other cells names the row. */
const hasHead = (table: Element, grid: Grid): boolean => {
  if (Tree.childElements(table, "thead").some((head) => Tree.childElements(head, "tr").length > 0)) return true
  const cells = elementsOf(grid[0] ?? [])
  const headers = cells.filter(({ tagName }) => tagName === "th").length
  return headers > 0 && (headers === cells.length || headers > 1)
}

const structure = new Set(["table", "form", "article", "section", "nav", "main", "header", "footer"])

const blockNames = new Set("p div ul ol dl blockquote pre h1 h2 h3 h4 h5 h6 hr".split(" "))

/** True for an element of a page's structure in a cell, which data do not have, at a small depth. */
const holdsStructure = (cell: Element, depth = 3): boolean =>
  Tree.childElements(cell).some(
    (child) => structure.has(child.tagName) || (depth > 0 && holdsStructure(child, depth - 1))
  )

/** Rows of a table that places the parts of a page: few, with long texts in paragraphs. */
const fewRows = 3

const blocksIn = (cell: Element): number =>
  Tree.childElements(cell).filter(({ tagName }) => blockNames.has(tagName)).length

/**
 * Tests for a layout table: by its role, with one column only, with the structure of a page in a cell and no header or caption, or with few
 * rows and several blocks in one cell.
 */
const isLayout = (table: Element, grid: Grid, columns: number): boolean => {
  const role = Tree.attribute(table, "role")
  if (role === "presentation" || role === "none") {
    return true
  }
  if (columns < 2) {
    return !hasHead(table, grid)
  }
  const cells = elementsOf(grid.flat())
  const isNamed = hasHead(table, grid) || cells.some(({ tagName }) => tagName === "th")
  if (isNamed || Tree.childElements(table, "caption").length > 0) return false
  return (
    cells.some((cell) => holdsStructure(cell)) || (grid.length <= fewRows && cells.some((cell) => blocksIn(cell) > 2))
  )
}

/**
 * Number of cells to write for each row: all columns if that is in proportion to the cells of the table; otherwise only the first row,
 * which names the columns, is complete, and the others end with their last cell.
 */
const widthOfRows = (grid: Grid, columns: number): ((row: Grid[number], y: number) => number) => {
  const cells = grid.reduce((sum, row) => sum + row.filter(isCell).length, 0)
  const even = grid.length * columns <= cells + mostSpare(cells)
  return (row, y) => (even || y === 0 ? columns : widthOf(row))
}

const emptyRow = (columns: number): TableRow => ({
  type: "tableRow",
  children: Array.from({ length: columns }, (): TableCell => ({ type: "tableCell", children: [] }))
})

const captionOf = (state: State, table: Element): ReadonlyArray<BlockContent> =>
  Tree.childElements(table, "caption").map((caption) => ({
    type: "paragraph",
    children: phrasing(state.all(caption))
  }))

/** Number of rows at the top that are the head: those of `thead`, or those whose cells are headers. */
const headRowsOf = (table: Element, grid: Grid): number => {
  if (!hasHead(table, grid)) return 0
  const declared = Tree.childElements(table, "thead").reduce(
    (sum, head) => sum + Tree.childElements(head, "tr").length,
    0
  )
  if (declared > 0) return Math.min(declared, grid.length)
  const first = grid.findIndex((row) => elementsOf(row).some(({ tagName }) => tagName !== "th"))
  return first < 0 ? 1 : Math.max(1, first)
}

/** True if cells stand beside several rows, or above several of the columns: a row or a column of Markdown would lack its name. */
const needsSpans = (grid: Grid, columns: number): boolean =>
  grid.some((row, y) =>
    row.some((cell) => isCell(cell) && cell.columns < columns && (cell.rows > 1 || (y === 0 && cell.columns > 1)))
  )

/**
 * Markdown of a table, after its caption; for a layout table the contents of its cells in order. No text is lost: blocks in a cell are
 * separated by `<br>`, and a cell that spans is written at its first position. A table of which {@link needsSpans} is HTML with the spans.
 */
export const convert = (state: State, table: Element): Array<Nodes> => {
  const grid = gridOf(rowsOf(table)).filter((row) => row.length > 0)
  const columns = grid.reduce((most, row) => Math.max(most, widthOf(row)), 0)
  const caption = captionOf(state, table)
  if (columns === 0 || isLayout(table, grid, columns)) {
    return [...caption, ...elementsOf(grid.flat()).flatMap((cell) => state.toFlow(state.all(cell)))]
  }
  if (needsSpans(grid, columns)) {
    const headRows = headRowsOf(table, grid)
    const rows = grid.map((row, y) =>
      row.flatMap((cell, x) =>
        isCell(cell)
          ? {
              content: phrasing(state.all(cell.element)),
              header: y < headRows || cell.element.tagName === "th",
              columns: Math.min(cell.columns, columns - x),
              rows: cell.rows
            }
          : []
      )
    )
    return [...caption, SpannedTable.write(rows, headRows)]
  }
  const width = widthOfRows(grid, columns)
  const rows = grid.map((row, y): TableRow => ({
    type: "tableRow",
    children: Array.from({ length: width(row, y) }, (_, x): TableCell => {
      const cell = row[x]
      return { type: "tableCell", children: isCell(cell) ? phrasing(state.all(cell.element)) : [] }
    })
  }))
  return [
    ...caption,
    {
      type: "table",
      align: Array.from({ length: columns }, (_, x) => alignOf(grid[0]?.[x])),
      children: hasHead(table, grid) ? rows : [emptyRow(columns), ...rows]
    }
  ]
}
