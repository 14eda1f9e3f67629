/** The structure tree of a tagged PDF: what each piece of marked content is, and if the tree can be trusted. */
import type { StructureTreeElement } from "@llamaindex/liteparse-wasm"
import * as Tally from "../../Tally.ts"

/** The block element that marked content belongs to. */
export interface Tag {
  /** `heading`, `title`, `caption`, `formula`, `footnote`, `code`, `list`, `contents`, `table` or `text`. */
  readonly kind: string
  /** Level of a heading, 1 to 6; 0 for anything else. */
  readonly level: number
  /** Number of the element on its page. */
  readonly element: number
}

/** Text with its marked content. */
interface Tagged {
  readonly items: ReadonlyArray<{ readonly text: string; readonly mcid: number | undefined }>
  readonly tagged: ReadonlyMap<number, Tag>
}

const kinds: Readonly<Record<string, string>> = {
  title: "title",
  caption: "caption",
  formula: "formula",
  note: "footnote",
  fenote: "footnote",
  code: "code",
  li: "list",
  lbl: "list",
  lbody: "list",
  toci: "contents",
  td: "table",
  th: "table",
  p: "text",
  blockquote: "text"
}

const headingType = /^h(?:eading)?\s?([1-6])?$/i

const ofType = (type: string): { readonly kind: string; readonly level: number } | undefined => {
  const heading = headingType.exec(type)
  if (heading !== null) return { kind: "heading", level: Number(heading[1] ?? "1") }
  const kind = kinds[type.toLowerCase()]
  return kind === undefined ? undefined : { kind, level: kind === "title" ? 1 : 0 }
}

/** Kinds that paragraphs inside of them keep. */
const lasting = new Set(["heading", "title", "caption", "footnote", "code", "list", "contents", "table"])

/**
 * Tags by marked content id. The innermost block element counts; a paragraph in a heading, a caption, a note, a list item or a cell is of
 * that kind.
 */
export const fromTree = (roots: ReadonlyArray<StructureTreeElement>): ReadonlyMap<number, Tag> => {
  const tags = new Map<number, Tag>()
  let count = 0
  const visit = (element: StructureTreeElement, outer: Tag | undefined): void => {
    const own = ofType(element.type)
    const label = element.type === "Lbl" || element.type === "LBody"
    const tag =
      own === undefined || (label && outer?.kind === "list")
        ? outer
        : own.kind === "text" && outer !== undefined && lasting.has(outer.kind)
          ? { ...outer, element: outer.kind === "list" ? outer.element : count++ }
          : { ...own, element: count++ }
    if (tag !== undefined) for (const id of element.markedContentIds) tags.set(id, tag)
    for (const child of element.children) visit(child, tag)
  }
  for (const root of roots) visit(root, undefined)
  return tags
}

/** The tag of most characters of some lines; undefined when less than 80 % of them have it. */
export const ofLines = (
  lines: ReadonlyArray<Pick<Tagged, "items">>,
  tags: ReadonlyMap<number, Tag>
): Tag | undefined => {
  if (tags.size === 0) return undefined
  const counts = new Map<number, number>()
  const found = new Map<number, Tag>()
  let all = 0
  for (const { items } of lines) {
    for (const { mcid, text } of items) {
      all += text.length
      const tag = mcid === undefined ? undefined : tags.get(mcid)
      if (tag === undefined) continue
      found.set(tag.element, tag)
      Tally.add(counts, tag.element, text.length)
    }
  }
  let best: Tag | undefined
  for (const [element, count] of counts) if (count >= all * 0.8) best = found.get(element)
  return best
}

/** Parts of a tree that can be trusted. */
export interface Soundness {
  /** It has headings, and they are not whole paragraphs: they may be followed. */
  readonly headings: boolean
  /** Its paragraphs are neither lines nor pages: they tell which lines belong together. */
  readonly paragraphs: boolean
}

/** Least share of the characters that the tree covers. */
const covered = 0.7

/** Largest share of the characters that are headings, and mean length of a heading and of a paragraph. */
const mostHeadings = 0.3
const longestHeading = 160
const longestParagraph = 1500
const shortestParagraph = 100

export const soundness = (pages: ReadonlyArray<Tagged>): Soundness => {
  let all = 0
  let tagged = 0
  let headings = 0
  let headingElements = 0
  let paragraphs = 0
  let paragraphElements = 0
  for (const page of pages) {
    const elements = new Map<number, Tag>()
    for (const { mcid, text } of page.items) {
      all += text.length
      const tag = mcid === undefined ? undefined : page.tagged.get(mcid)
      if (tag === undefined) continue
      tagged += text.length
      elements.set(tag.element, tag)
      if (tag.kind === "heading" || tag.kind === "title") headings += text.length
      if (tag.kind === "text") paragraphs += text.length
    }
    for (const { kind } of elements.values()) {
      if (kind === "heading" || kind === "title") headingElements++
      if (kind === "text") paragraphElements++
    }
  }
  const sound = all > 0 && tagged >= covered * all
  const mean = paragraphs / Math.max(1, paragraphElements)
  return {
    headings:
      sound && headingElements > 0 && headings <= mostHeadings * tagged && headings <= longestHeading * headingElements,
    paragraphs: sound && mean >= shortestParagraph && mean <= longestParagraph
  }
}
