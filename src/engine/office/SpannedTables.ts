/** Tables of a document whose cells span others: in its Markdown they become HTML. */
import type { Element, Root } from "hast"
import { inlineText } from "../../internal/chunking/scan/inlineText.ts"
import * as MarkdownWriter from "../html/MarkdownWriter.ts"
import * as Tree from "../html/Tree.ts"

const tablesIn = (parent: Tree.Parent): ReadonlyArray<Element> =>
  parent.children.flatMap((node) => {
    if (!Tree.isElement(node)) return []
    return node.tagName === "table" ? [node] : tablesIn(node)
  })

/** Letters and digits of a table, by which it is known again; a link's address, a tag and the delimiter row are none of its text. */
const keyOf = (markdown: string): string =>
  inlineText(markdown.replaceAll(/<[a-z/][^<>]*>/giu, " ")).replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** True for a row of a table below its first one with an empty cell, as the places have that a cell spans. */
export const mayHaveSpans = (markdown: string): boolean =>
  /^\|(?: :?-+:? \|)+\n(?:\|.*\n)*?\|(?:.*\|)? {2}\|/mu.test(markdown)

const pipes = /^\|.*\n\|(?: :?-+:? \|)+(?:\n\|.*)*/gmu

/**
 * The Markdown of a document with the tables of its `tree` that Markdown cannot express as HTML. A table that is not found by its text, or
 * that has marks of notes, stays as it is.
 */
export const into = (markdown: string, tree: Root): string => {
  const spanned = tablesIn(tree).flatMap((table) => {
    const written = MarkdownWriter.write({ type: "root", children: [table] }).trim()
    return written.startsWith("<table>") ? [{ key: keyOf(written), written }] : []
  })
  let next = 0
  return markdown.replaceAll(pipes, (table) => {
    const key = keyOf(table)
    const found = table.includes("[^") ? -1 : spanned.findIndex((each, at) => at >= next && each.key === key)
    if (found < 0) return table
    next = found + 1
    return spanned[found]?.written ?? table
  })
}
