/** HTML within Markdown: its text, headings, and tables with their spans. */
import { type DefaultTreeAdapterMap, parseFragment } from "parse5"

type Node = DefaultTreeAdapterMap["node"]

export interface Html {
  readonly text: string
  readonly headings: ReadonlyArray<{ readonly level: number; readonly text: string }>
  readonly tables: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>>
}

const children = (node: Node): ReadonlyArray<Node> => ("childNodes" in node ? node.childNodes : [])

const textOf = (node: Node): string => {
  if (node.nodeName === "#text" && "value" in node) return node.value
  const inner = children(node).map(textOf).join("")
  return /^(?:b|i|em|strong|a|span|sub|sup|u|code|#document-fragment)$/.test(node.nodeName) ? inner : ` ${inner} `
}

const within = (node: Node, name: RegExp): ReadonlyArray<Node> =>
  children(node).flatMap((child) => (name.test(child.nodeName) ? [child] : within(child, name)))

const span = (node: Node, name: string, most: number): number => {
  const value = "attrs" in node ? Number(node.attrs.find((one) => one.name === name)?.value ?? 1) : 1
  return Number.isInteger(value) && value > 0 ? Math.min(most, value) : 1
}

/** Complete grid: a spanning cell's text stands at its first place. */
const gridOf = (table: Node): ReadonlyArray<ReadonlyArray<string>> => {
  const rows = within(table, /^tr$/)
  const grid: Array<Array<string | undefined>> = rows.map(() => [])
  rows.forEach((row, top) => {
    let left = 0
    for (const one of within(row, /^t[dh]$/)) {
      while (grid[top]?.[left] !== undefined) left++
      const across = span(one, "colspan", 200)
      for (let y = 0; y < span(one, "rowspan", 500); y++) {
        const cells = Array.from({ length: across }, (_, x) => (x === 0 && y === 0 ? textOf(one) : ""))
        cells.forEach((text, x) => {
          const line = grid[top + y]
          if (line !== undefined) line[left + x] = text
        })
      }
      left += across
    }
  })
  return grid.map((row) => Array.from(row, (one) => one ?? ""))
}

export const read = (html: string): Html => {
  const root = parseFragment(html)
  return {
    text: textOf(root),
    headings: within(root, /^h[1-6]$/).map((node) => ({ level: Number(node.nodeName.slice(1)), text: textOf(node) })),
    tables: within(root, /^table$/).map(gridOf)
  }
}
