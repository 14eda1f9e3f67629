/**
 * Metadata that a page states in its head.
 *
 * Source: interface document, "`data.metadata`": title, description, keywords, language, ogLocaleAlternate, and other
 * extracted keys, each a string or an array of strings.
 */
import type { Element } from "hast"
import type { Properties } from "../jobs.ts"
import * as Tree from "./Tree.ts"

/** Metadata keys that differ from the `name` or `property` of the `meta` element. */
const renamed: Readonly<Record<string, string>> = {
  description: "description",
  keywords: "keywords",
  robots: "robots",
  author: "author",
  generator: "generator",
  "og:title": "ogTitle",
  "og:description": "ogDescription",
  "og:url": "ogUrl",
  "og:image": "ogImage",
  "og:audio": "ogAudio",
  "og:video": "ogVideo",
  "og:determiner": "ogDeterminer",
  "og:locale": "ogLocale",
  "og:locale:alternate": "ogLocaleAlternate",
  "og:site_name": "ogSiteName",
  "article:section": "articleSection",
  "article:tag": "articleTag",
  "article:published_time": "publishedTime",
  "article:modified_time": "modifiedTime",
  "dc.description": "dcDescription",
  "dc.subject": "dcSubject",
  "dc.type": "dcType",
  "dcterms.created": "dcTermsCreated",
  "dcterms.subject": "dcTermsSubject"
}

/** Most values of a key; more are cut off, as are long ones: metadata is copied to every chunk. */
const maxValues = 64
const maxLength = 4096
const maxKeys = 256

const tidy = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, maxLength)

type Found = Map<string, Array<string>>

const add = (found: Found, key: string, value: string): void => {
  const tidied = tidy(value)
  const values = found.get(key) ?? []
  if (tidied !== "" && values.length < maxValues && (values.length > 0 || found.size < maxKeys)) {
    found.set(key, [...values, tidied])
  }
}

const addMeta = (found: Found, meta: Element): void => {
  const content = Tree.attribute(meta, "content")
  const name = Tree.attribute(meta, "name") ?? Tree.attribute(meta, "property") ?? Tree.attribute(meta, "itemProp")
  if (content === undefined || name === undefined || name.trim() === "") {
    return
  }
  const own = renamed[name.trim().toLowerCase()]
  if (own !== undefined) {
    add(found, own, content)
  }
  if (own !== name.trim()) {
    add(found, name.trim(), content)
  }
}

/** Adds the metadata of an element. The first `title` is that of the page; one further down belongs to an SVG. */
const addElement = (found: Found, element: Element): void => {
  if (element.tagName === "html") {
    add(found, "language", Tree.attribute(element, "lang") ?? Tree.attribute(element, "xmlLang") ?? "")
  } else if (element.tagName === "title" && !found.has("title")) {
    add(found, "title", Tree.text(element))
  } else if (element.tagName === "meta") {
    addMeta(found, element)
  } else if (element.tagName === "link" && /(?:^|\s)icon(?:\s|$)/.test(Tree.attribute(element, "rel") ?? "")) {
    add(found, "favicon", Tree.attribute(element, "href") ?? "")
  }
}

const single = new Set(["title", "language", "favicon"])

/**
 * Metadata by key. A key that occurs once has a string, a repeated one an array in document order; `ogLocaleAlternate` always has an
 * array.
 */
export const of = (elements: ReadonlyArray<Element>): Properties => {
  const found: Found = new Map()
  for (const element of elements) {
    addElement(found, element)
  }
  const title = found.get("title") ?? found.get("ogTitle")
  if (title !== undefined) {
    found.set("title", title)
  }
  return Object.fromEntries(
    Array.from(found, ([key, values]) => [
      key,
      (values.length === 1 || single.has(key)) && key !== "ogLocaleAlternate" ? (values[0] ?? "") : values
    ])
  )
}
