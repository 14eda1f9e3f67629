/**
 * Links and images of a cleaned page.
 *
 * @since 0.1.0
 */
import type { Root } from "hast"
import * as PageAddress from "./PageAddress.ts"
import * as Tree from "./Tree.ts"

const unique = (page: Root, property: string, tagNames: ReadonlySet<string>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const element of Tree.elements(page)) {
    const address = tagNames.has(element.tagName) ? Tree.attribute(element, property) : undefined
    if (address !== undefined && PageAddress.isAbsolute(address)) {
      found.add(address)
    }
  }
  return [...found]
}

const anchors = new Set(["a", "area"])

const pictures = new Set(["img"])

/**
 * Absolute addresses of links, each once, in document order. An address that is relative to an unknown page is left out.
 *
 * @since 0.1.0
 * @category accessors
 */
export const links = (page: Root): ReadonlyArray<string> => unique(page, "href", anchors)

/**
 * Absolute addresses of images, each once, in document order.
 *
 * @since 0.1.0
 * @category accessors
 */
export const images = (page: Root): ReadonlyArray<string> => unique(page, "src", pictures)
