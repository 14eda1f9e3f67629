/** Words of pages, and their comparison with the words of the main text. */
import type { Element, Root, RootContent } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { selectAll } from "hast-util-select"
import * as Parse5 from "parse5"

const blocks = new Set(
  `address article aside blockquote br caption dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol
   option p pre section select summary table td th tr ul`.split(/\s+/)
)

const silent = new Set(["head", "noscript", "script", "style", "svg", "template"])

const parse = (html: string): Root => {
  const tree = fromParse5(Parse5.parse(html, { scriptingEnabled: false }))
  return tree.type === "root" ? tree : { type: "root", children: [] }
}

const textOf = (nodes: ReadonlyArray<RootContent>, without: ReadonlySet<Element>): string => {
  const parts: Array<string> = []
  const add = (node: RootContent): void => {
    if (node.type === "text") {
      parts.push(node.value)
    } else if (node.type === "element" && !silent.has(node.tagName) && !without.has(node)) {
      const around = blocks.has(node.tagName) ? "\n" : ""
      parts.push(around)
      node.children.forEach(add)
      parts.push(around)
    }
  }
  nodes.forEach(add)
  return parts.join("")
}

/** How often each word occurs. */
export type Words = ReadonlyMap<string, number>

/** Words of a plain text. */
export const textWords = (text: string): Words => {
  const words = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) words.set(word, (words.get(word) ?? 0) + 1)
  return words
}

export const total = (words: Words): number => [...words.values()].reduce((sum, own) => sum + own, 0)

export const wordsOf = (html: string): Words => textWords(textOf(parse(html).children, new Set()))

const markdownMarks =
  /!\[[^\]]*\](?:\((?:[^()]|\([^()]*\))*\))?|\]\((?:[^()]|\([^()]*\))*\)|<\/?[a-z][^>]*>|\\(?=[^\w\s])/gi

/** Words of a Markdown text that a reader sees: without pictures, tags and the addresses of links. */
export const markdownWords = (markdown: string): Words =>
  textWords(markdown.replaceAll(markdownMarks, (mark) => (mark === "\\" ? "" : " ")))

/** Words of the outermost elements that `main` selects, without those that `without` selects. */
export const mainWords = (html: string, main: string, without: string): Words => {
  const page = parse(html)
  const dropped = new Set(without === "" ? [] : selectAll(without, page))
  const chosen = new Set(selectAll(main, page))
  const outermost: Array<Element> = []
  const visit = (node: RootContent): void => {
    if (node.type !== "element" || dropped.has(node)) return
    if (chosen.has(node)) outermost.push(node)
    else node.children.forEach(visit)
  }
  page.children.forEach(visit)
  return textWords(textOf(outermost, dropped))
}

export interface Score {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export const compare = (found: Words, truth: Words): Score => {
  let common = 0
  for (const [word, own] of found) common += Math.min(own, truth.get(word) ?? 0)
  const [all, wanted] = [total(found), total(truth)]
  if (all === 0 && wanted === 0) return { precision: 1, recall: 1, f1: 1 }
  const precision = all === 0 ? 0 : common / all
  const recall = wanted === 0 ? 0 : common / wanted
  return { precision, recall, f1: common === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}
