/** Links and images of a cleaned page. */
import type { Element, Root } from "hast"
import * as PageAddress from "./PageAddress.ts"
import * as Tree from "./Tree.ts"

const anchors = new Set(["a", "area"])

/** Absolute addresses of links, each once, in document order. An address that is relative to an unknown page is left out. */
export const links = (page: Root): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const element of Tree.elements(page)) {
    const address = anchors.has(element.tagName) ? Tree.attribute(element, "href") : undefined
    if (address !== undefined && PageAddress.isAbsolute(address)) found.add(address)
  }
  return [...found]
}

/** The name of an image: its absolute address, or for one inside the document its alternative text or its part's name. */
const imageName = (element: Element): string | undefined => {
  const address = Tree.attribute(element, "src")
  if (address !== undefined && PageAddress.isAbsolute(address)) return address
  const part = Tree.attribute(element, "dataPart")
  return part === undefined ? undefined : Tree.attribute(element, "alt")?.trim() || part
}

/**
 * Absolute addresses of images, each once, in document order. An image that is part of the document, and has no data address, is listed
 * by its alternative text, or by its name in the document.
 */
export const images = (page: Root): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const element of Tree.elements(page)) {
    const name = element.tagName === "img" ? imageName(element) : undefined
    if (name !== undefined) found.add(name)
  }
  return [...found]
}
