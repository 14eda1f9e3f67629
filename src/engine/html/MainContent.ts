/**
 * The part of a page that was asked for: chosen tags, without excluded ones, without what surrounds the main content.
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
 * The options that choose content.
 *
 * @since 0.1.0
 * @category models
 */
export type Choice = Pick<HtmlJob, "onlyMainContent" | "includeTags" | "excludeTags" | "blockAds">

/**
 * What was chosen: the nodes to look at, and the elements among them and below that are left out.
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

/** The chosen elements, outermost ones only, in document order. */
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

/** Less than a tenth of the text, and less than a paragraph of it, is not what the page is about. */
const nearlyEmpty = (weight: number, whole: number): boolean => weight < 200 && weight * 10 < whole

/** The furniture of a page: by names too, or by tags and roles only, or none, so that something is left. */
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
 * Chooses; changes nothing. `includeTags` replaces `onlyMainContent`: then exactly the named elements remain, none when
 * none matches. Throws a `Refusal` for a tag that is no selector.
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
