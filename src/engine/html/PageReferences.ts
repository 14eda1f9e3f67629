/** Links and images of a cleaned page. */
import type { Element, Root } from "hast"
import * as PageAddress from "./PageAddress.ts"
import * as Tree from "./Tree.ts"

/** Texts that elements of a page give, each once, in document order. */
const eachOnce = (page: Root, of: (element: Element) => string | undefined): ReadonlyArray<string> => [
  ...new Set(Tree.elements(page).flatMap((element) => of(element) ?? []))
]

const absolute = (element: Element, property: string): string | undefined => {
  const address = Tree.attribute(element, property)
  return address !== undefined && PageAddress.isAbsolute(address) ? address : undefined
}

/** Absolute addresses of links, each once, in document order. An address that is relative to an unknown page is left out. */
export const links = (page: Root): ReadonlyArray<string> =>
  eachOnce(page, (element) =>
    element.tagName === "a" || element.tagName === "area" ? absolute(element, "href") : undefined
  )

/** The name of an image: its absolute address, or for one inside the document its alternative text or its part's name. */
const imageName = (element: Element): string | undefined => {
  const address = absolute(element, "src")
  if (address !== undefined) return address
  const part = Tree.attribute(element, "dataPart")
  return part === undefined ? undefined : Tree.attribute(element, "alt")?.trim() || part
}

/**
 * Absolute addresses of images, each once, in document order. An image that is part of the document, and has no data address, is listed
 * by its alternative text, or by its name in the document.
 */
export const images = (page: Root): ReadonlyArray<string> =>
  eachOnce(page, (element) => (element.tagName === "img" ? imageName(element) : undefined))
