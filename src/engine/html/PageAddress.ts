/** Addresses in a page: made absolute when the page's own address is known, rejected when they run code. */
import type { Element } from "hast"
import * as Tree from "./Tree.ts"

/** Base of relative addresses; undefined for an uploaded page that declares none. */
export type Base = string | undefined

const absolute = (address: string | undefined): Base =>
  address !== undefined && /^https?:/i.test(address.trim()) && URL.canParse(address.trim()) ? address.trim() : undefined

/** Base of a page: its `<base>`, otherwise its canonical address, which names the same page. */
export const baseOf = (elements: ReadonlyArray<Element>): Base => {
  let canonical: Base
  for (const element of elements) {
    if (element.tagName === "base") {
      const base = absolute(Tree.attribute(element, "href"))
      if (base !== undefined) {
        return base
      }
    } else if (element.tagName === "link" && Tree.attribute(element, "rel") === "canonical") {
      canonical ??= absolute(Tree.attribute(element, "href"))
    }
  }
  return canonical
}

const hasScheme = /^[a-z][a-z0-9+.-]*:/i

const unsafe = /^(?:javascript|vbscript|data|blob|about):/i

/** Characters that browsers ignore inside an address; they could hide its scheme. */
const ignored = /[\t\n\r]+/g

const tidy = (address: string): string => address.replaceAll(ignored, "").trim()

/**
 * Address of a link: absolute if the base is known, otherwise as written. Undefined when there is none, or when it runs code or carries
 * data.
 */
export const link = (address: string | undefined, base: Base): string | undefined => {
  const tidied = address === undefined ? "" : tidy(address)
  return tidied === "" || unsafe.test(tidied) ? undefined : resolve(tidied, base)
}

/** Address of an image or another medium; a data address is allowed here. */
export const medium = (address: string | undefined, base: Base): string | undefined => {
  const tidied = address === undefined ? "" : tidy(address)
  if (/^data:image\//i.test(tidied)) {
    return tidied
  }
  return tidied === "" || unsafe.test(tidied) ? undefined : resolve(tidied, base)
}

/** Resolves an address. A fragment is kept: it points into this text. */
const resolve = (address: string, base: Base): string =>
  address.startsWith("#") || base === undefined || hasScheme.test(address) || !URL.canParse(address, base)
    ? address
    : new URL(address, base).href

/** True if an address can be followed without knowing the page. */
export const isAbsolute = (address: string): boolean => hasScheme.test(address)

const candidate = /^(\S*[^,\s])(?:\s+([\d.]+)([wx]))?$/

/** Address of the largest candidate of a `srcset`; undefined when there is none. */
export const largest = (sourceSet: string | undefined): string | undefined => {
  let best: string | undefined
  let bestSize = 0
  for (const part of (sourceSet ?? "").split(/,\s+|,(?=https?:)/)) {
    const match = candidate.exec(part.trim().replace(/,$/, ""))
    const size = match?.[2] === undefined ? 1 : Number(match[2])
    if (match?.[1] !== undefined && size > bestSize) {
      best = match[1]
      bestSize = size
    }
  }
  return best
}
