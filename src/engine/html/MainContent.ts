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

const allMatching = (page: Root, tags: ReadonlyArray<string>): ReadonlySet<Element> =>
  new Set(tags.filter((tag) => tag.trim() !== "").flatMap((tag) => matching(page, tag.trim())))

/** The tree without the elements that `drop` names; what is kept is shared, nothing is changed in place. */
const without = (page: Root, drop: (element: Element) => boolean): Root => {
  const kept = <Node extends RootContent>(children: ReadonlyArray<Node>): Array<Node> =>
    children.filter((child) => !(Tree.isElement(child) && drop(child))).map(copy)
  const copy = <Node extends RootContent>(node: Node): Node =>
    Tree.isElement(node) ? { ...node, children: kept(node.children) } : node
  return { ...page, children: kept(page.children) }
}

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
const nearlyEmpty = (left: Root, whole: number): boolean => {
  const weight = Tree.weight(left)
  return weight < 200 && weight * 10 < whole
}

const mainContent = (page: Root, holders: Boilerplate.Holders): Root => {
  const whole = Tree.weight(page)
  const unmarked = without(page, (element) => Boilerplate.isMarkedFurniture(element, holders))
  if (nearlyEmpty(unmarked, whole)) {
    return page
  }
  const unnamed = without(
    page,
    (element) => Boilerplate.isMarkedFurniture(element, holders) || Boilerplate.isNamedFurniture(element, holders)
  )
  return nearlyEmpty(unnamed, whole) ? unmarked : unnamed
}

/**
 * The chosen content. `includeTags` replaces `onlyMainContent`: then exactly the named elements remain, none when none
 * matches. Throws a `Refusal` for a tag that is no selector.
 *
 * @since 0.1.0
 * @category transformations
 */
export const select = (page: Root, choice: Choice): Root => {
  const holders = Boilerplate.holders(page)
  const excluded = allMatching(page, choice.excludeTags)
  const isDropped = (element: Element): boolean =>
    excluded.has(element) || (choice.blockAds && Boilerplate.isAdvertising(element, holders))
  if (choice.includeTags.some((tag) => tag.trim() !== "")) {
    return without(only(page, allMatching(page, choice.includeTags)), isDropped)
  }
  const rest = without(page, isDropped)
  return choice.onlyMainContent ? mainContent(rest, Boilerplate.holders(rest)) : rest
}
