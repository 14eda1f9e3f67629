/**
 * Selects the requested part of a page: chosen tags, without excluded ones, without everything outside the main content.
 *
 * Source: interface document, "ParseOptions": `onlyMainContent`, `includeTags`, `excludeTags`, `blockAds`.
 */
import type { Element, Root, RootContent } from "hast"
import { selectAll } from "hast-util-select"
import type { HtmlJob } from "../jobs.ts"
import { Refusal } from "../lanes/serve.ts"
import * as Article from "./Article.ts"
import * as Beside from "./Beside.ts"
import * as Boilerplate from "./Boilerplate.ts"
import * as Surroundings from "./Surroundings.ts"
import * as Tree from "./Tree.ts"

/** Options that select content. */
export type Choice = Pick<HtmlJob, "onlyMainContent" | "includeTags" | "excludeTags" | "blockAds">

/** The selection: the nodes to read, and the elements in them that are left out. */
export interface Chosen {
  readonly page: Root
  readonly dropped: ReadonlySet<Element>
}

/** `*text*`: any element whose tag name or attribute values contain the text, in any case. */
const wildcard = /^\*(.+)\*$/

export interface Page {
  readonly root: Root
  readonly elements: ReadonlyArray<Element>
}

const contains = (element: Element, text: string): boolean =>
  element.tagName.includes(text) ||
  Object.keys(element.properties).some((name) => (Tree.attribute(element, name) ?? "").toLowerCase().includes(text))

const matching = ({ elements, root }: Page, tag: string): ReadonlyArray<Element> => {
  const text = wildcard.exec(tag)?.[1]?.toLowerCase()
  if (text !== undefined) {
    return elements.filter((element) => contains(element, text))
  }
  try {
    return selectAll(tag, root)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Refusal("badOptions", `includeTags, excludeTags: "${tag}" is not a CSS selector: ${why}`)
  }
}

const allMatching = (page: Page, tags: ReadonlyArray<string>): Set<Element> =>
  new Set(tags.filter((tag) => tag.trim() !== "").flatMap((tag) => matching(page, tag.trim())))

/** Root with the chosen elements only, outermost ones, in document order. */
const only = (page: Root, chosen: ReadonlySet<Element>): Root => {
  const found: Array<Element> = []
  const visit = (node: RootContent): void => {
    if (!Tree.isElement(node)) {
      return
    }
    if (chosen.has(node)) {
      found.push(node)
    } else {
      node.children.forEach(visit)
    }
  }
  page.children.forEach(visit)
  return { type: "root", children: found }
}

/** True for a remainder of less than a tenth of the text and less than a paragraph: that is not the main content. */
const nearlyEmpty = (weight: number, whole: number): boolean => weight < 200 && weight * 10 < whole

/** Furniture of a page: by names, tags and roles; by tags and roles only; or none at all: the first that leaves some content. */
const furniture = (
  { elements, root }: Page,
  holders: Boilerplate.Holders,
  dropped: ReadonlySet<Element>
): ReadonlyArray<Element> => {
  const marked: Array<Element> = []
  const named: Array<Element> = []
  for (const element of elements) {
    if (Boilerplate.isMarkedFurniture(element, holders)) {
      marked.push(element)
    } else if (Boilerplate.isNamedFurniture(element, holders)) {
      named.push(element)
    }
  }
  if (marked.length === 0 && named.length === 0) {
    return []
  }
  const { whole, withoutBoth, withoutFirst } = Tree.weights(root, dropped, new Set(marked), new Set(named))
  if (nearlyEmpty(withoutFirst, whole)) {
    return []
  }
  return nearlyEmpty(withoutBoth, whole) ? marked : [...marked, ...named]
}

const chosen = (page: Page, choice: Choice, isWebPage: boolean): Chosen => {
  const { elements, root } = page
  const dropped = allMatching(page, choice.excludeTags)
  const holders = Boilerplate.holders(root)
  if (choice.blockAds) {
    for (const element of elements) {
      if (Boilerplate.isAdvertising(element, holders)) dropped.add(element)
    }
  }
  if (choice.includeTags.some((tag) => tag.trim() !== "")) {
    return { page: only(root, allMatching(page, choice.includeTags)), dropped }
  }
  if (choice.onlyMainContent) {
    furniture(page, holders, dropped).forEach((element) => dropped.add(element))
    if (isWebPage && Article.isPage(elements)) {
      Beside.of(root, elements, dropped).forEach((element) => dropped.add(element))
    }
    if (isWebPage) {
      Surroundings.of(root, holders, dropped).forEach((element) => dropped.add(element))
    }
  }
  return { page: root, dropped }
}

/**
 * Selects without changing the page, of which `elements` are all descendants. `includeTags` replaces `onlyMainContent`: exactly the
 * matching elements remain, none if none matches. Throws a `Refusal` for a tag that is not a selector.
 */
export const choose = (page: Page, choice: Choice): Chosen => chosen(page, choice, false)

/**
 * The same for a web page, of which the parts around the main content are also found by what they hold: other documents have no furniture
 * without a name.
 */
export const chooseOfPage = (page: Page, choice: Choice): Chosen => chosen(page, choice, true)
