/** Sitemaps as sitemaps.org defines them: a set of addresses, or an index of further sitemaps. */
import { SaxesParser } from "saxes"

/** An address that a sitemap or a list names. */
export interface Listed {
  readonly url: string
  /** Time of the last change, as it is spelled; empty without one. */
  readonly modified: string
}

export interface Sitemap {
  readonly kind: "urls" | "sitemaps"
  readonly entries: ReadonlyArray<Listed>
}

const kinds: Readonly<Record<string, Sitemap["kind"]>> = { urlset: "urls", sitemapindex: "sitemaps" }
const items: ReadonlySet<string> = new Set(["url", "sitemap"])

/** Characters of an address; browsers take no more. */
const longest = 8192

const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** Characters that are parsed at a time, so that no copy of the whole is made. */
const step = 1024 * 1024

/** Reads a sitemap to its end; null for a text that is none, or none to its end, so that no address is missing from it unnoticed. */
export const read = (bytes: Buffer): Sitemap | null => {
  const parser = new SaxesParser({ fragment: false })
  const path: Array<string> = []
  const entries: Array<Listed> = []
  let kind: Sitemap["kind"] | undefined
  let [url, modified, text] = ["", "", ""]
  const found = { failed: false }
  parser.on("error", () => {
    found.failed = true
  })
  parser.on("opentag", ({ name }) => {
    path.push(localName(name))
    if (path.length === 1) kind = kinds[path[0] ?? ""]
    if (path.length === 2) [url, modified] = ["", ""]
    text = ""
  })
  const gather = (part: string): void => {
    if (path.length === 3 && text.length < longest) text += part
  }
  parser.on("text", gather)
  parser.on("cdata", gather)
  parser.on("closetag", () => {
    const name = path.pop() ?? ""
    // Extensions for pictures and languages have names of the same kind deeper inside.
    if (path.length === 2 && name === "loc") url = text.trim()
    if (path.length === 2 && name === "lastmod") modified = text.trim()
    if (path.length === 1 && items.has(name) && url !== "") entries.push({ url, modified })
  })
  const decoder = new TextDecoder()
  for (let at = 0; at < bytes.length && !found.failed; at += step) {
    parser.write(decoder.decode(bytes.subarray(at, at + step), { stream: true }))
  }
  if (!found.failed) parser.close()
  return found.failed || kind === undefined ? null : { kind, entries }
}
