import type { Nodes } from "mdast"
/** What a Markdown document says: its words in order, headings, tables and list items. */
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { toString } from "mdast-util-to-string"
import { gfm } from "micromark-extension-gfm"
import * as Tokens from "../tokens.ts"
import * as HtmlTable from "./htmlTable.ts"

export interface Heading {
  readonly level: number
  readonly words: ReadonlyArray<string>
}

/** Rows of cells, each as its letters and digits. */
export type Grid = ReadonlyArray<ReadonlyArray<string>>

export interface Reading {
  readonly words: ReadonlyArray<string>
  readonly headings: ReadonlyArray<Heading>
  readonly tables: ReadonlyArray<Grid>
  /** Words of each list item, without those of the lists in it, joined by spaces. */
  readonly items: ReadonlyArray<string>
}

/** Text of a cell, comparable: its words without what stands between them. */
export const cell = (text: string): string => Tokens.of(text).join("")

/** A formula's commands are no words. */
const plain = (text: string): string =>
  text.replace(/\\(?:begin|end)\{[^}]*\}|\\[A-Za-z]+\*?/g, " ").replace(/\\([^\w\s])/g, "$1")

interface Draft {
  readonly words: Array<string>
  readonly headings: Array<Heading>
  readonly tables: Array<Grid>
  readonly items: Array<string>
}

const wordsOf = (text: string): ReadonlyArray<string> => Tokens.of(plain(text))

const visit = (node: Nodes, draft: Draft): void => {
  if (node.type === "html") {
    const html = HtmlTable.read(node.value)
    draft.words.push(...wordsOf(html.text))
    draft.headings.push(...html.headings.map(({ level, text }) => ({ level, words: wordsOf(text) })))
    draft.tables.push(...html.tables.map((rows) => rows.map((row) => row.map(cell))))
    return
  }
  if (node.type === "heading") {
    const words = wordsOf(toString(node, { includeImageAlt: false }))
    if (words.length > 0) draft.headings.push({ level: node.depth, words })
  }
  if (node.type === "table") {
    draft.tables.push(node.children.map((row) => row.children.map((one) => cell(plain(textOf(one))))))
  }
  if (node.type === "listItem") {
    const words = node.children.flatMap((child) => (child.type === "list" ? [] : wordsOf(textOf(child))))
    if (words.length > 0) draft.items.push(words.join(" "))
  }
  if (node.type === "text" || node.type === "inlineCode" || node.type === "code")
    draft.words.push(...wordsOf(node.value))
  else if ("children" in node) {
    if (isInline(node)) draft.words.push(...wordsOf(textOf(node)))
    else for (const child of node.children) visit(child, draft)
  }
}

/** Words may begin in one child and end in the next. */
const isInline = (node: Nodes): boolean =>
  node.type === "paragraph" || node.type === "heading" || node.type === "tableCell"

const textOf = (node: Nodes): string => {
  if (node.type === "html") return HtmlTable.read(node.value).text
  if (node.type === "text" || node.type === "inlineCode" || node.type === "code") return node.value
  if (node.type === "break") return " "
  return "children" in node
    ? node.children.map(textOf).join(node.type === "listItem" || node.type === "list" ? " " : "")
    : ""
}

export const read = (markdown: string): Reading => {
  const draft: Draft = { words: [], headings: [], tables: [], items: [] }
  const shown = markdown.replace(/<!--[\s\S]*?-->/g, " ")
  visit(fromMarkdown(shown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }), draft)
  return { ...draft, tables: draft.tables.filter((rows) => rows.some((row) => row.some((one) => one !== ""))) }
}
