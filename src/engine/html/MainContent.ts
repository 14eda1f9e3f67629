/**
 * Selects the requested part of a page: chosen tags, without excluded ones, without everything outside the main content.
 *
 * Source: interface document, "ParseOptions": `onlyMainContent`, `includeTags`, `excludeTags`, `blockAds`.
 *
 * @since 0.1.0
 */
import type { Element, Root, RootContent } from "hast"
import { selectAll } from "hast-util-select"
import type { HtmlJob } from "../jobs.ts"
import { Refusal } from "../lanes/serve.ts"
import * as Boilerplate from "./Boilerplate.ts"
import * as Tree from "./Tree.ts"

/**
 * Options that select content.
 *
 * @since 0.1.0
 * @category models
 */
export type Choice = Pick<HtmlJob, "onlyMainContent" | "includeTags" | "excludeTags" | "blockAds">

/**
 * The selection: the nodes to read, and the elements in them that are left out.
 *
 * @since 0.1.0
 * @category models
 */
export interface Chosen {
  readonly page: Root
  readonly dropped: ReadonlySet<Element>
}

/** `*text*`: any element whose tag name or attribute values contain the text, in any case. */
const wildcard = /^\*(.+)\*$/

const contains = (element: Element, text: string): boolean =>
  element.tagName.includes(text) ||
  Object.keys(element.properties).some((name) => (Tree.attribute(element, name) ?? "").toLowerCase().includes(text))

const matching = (page: Root, tag: string): ReadonlyArray<Element> => {
  const text = wildcard.exec(tag)?.[1]?.toLowerCase()
  if (text !== undefined) {
    return Array.from(Tree.elements(page)).filter((element) => contains(element, text))
  }
  try {
    return selectAll(tag, page)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Refusal("badOptions", `includeTags, excludeTags: "${tag}" is not a CSS selector: ${why}`)
  }
}

const allMatching = (page: Root, tags: ReadonlyArray<string>): Set<Element> =>
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

/** Tests for a remainder of less than a tenth of the text and less than a paragraph: that is not the main content. */
const nearlyEmpty = (weight: number, whole: number): boolean => weight < 200 && weight * 10 < whole

/** Furniture of a page: by names, tags and roles; by tags and roles only; or none at all: the first that leaves some content. */
const furniture = (page: Root, dropped: ReadonlySet<Element>): ReadonlyArray<Element> => {
  const holders = Boilerplate.holders(page)
  const marked: Array<Element> = []
  const named: Array<Element> = []
  for (const element of Tree.elements(page)) {
    if (Boilerplate.isMarkedFurniture(element, holders)) {
      marked.push(element)
    } else if (Boilerplate.isNamedFurniture(element, holders)) {
      named.push(element)
    }
  }
  const whole = Tree.weight(page, dropped)
  if (nearlyEmpty(Tree.weight(page, new Set([...dropped, ...marked])), whole)) {
    return []
  }
  return nearlyEmpty(Tree.weight(page, new Set([...dropped, ...marked, ...named])), whole)
    ? marked
    : [...marked, ...named]
}

const advertising = (page: Root): ReadonlyArray<Element> => {
  const holders = Boilerplate.holders(page)
  return Array.from(Tree.elements(page)).filter((element) => Boilerplate.isAdvertising(element, holders))
}

/**
 * Selects without changing the page. `includeTags` replaces `onlyMainContent`: exactly the matching elements remain, none if none
 * matches. Throws a `Refusal` for a tag that is not a selector.
 *
 * @since 0.1.0
 * @category constructors
 */
export const choose = (page: Root, choice: Choice): Chosen => {
  const dropped = allMatching(page, choice.excludeTags)
  if (choice.blockAds) {
    advertising(page).forEach((element) => dropped.add(element))
  }
  if (choice.includeTags.some((tag) => tag.trim() !== "")) {
    return { page: only(page, allMatching(page, choice.includeTags)), dropped }
  }
  if (choice.onlyMainContent) {
    furniture(page, dropped).forEach((element) => dropped.add(element))
  }
  return { page, dropped }
}
