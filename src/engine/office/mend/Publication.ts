/** Parts of an electronic publication that the parser runs together or repeats: formulas, captions, the title of the book, and links that lead nowhere. */
import { posix } from "node:path"
import * as Edits from "../../Edits.ts"
import * as Formula from "../equation/Formula.ts"
import * as Element from "../markup/Element.ts"
import * as XmlText from "../XmlText.ts"
import type { Inserted } from "./Inserted.ts"
import type { Mender } from "./Package.ts"
import * as RaisedRuns from "./RaisedRuns.ts"

const withFormulas = (xhtml: string, inserted: Inserted): string => {
  if (!/<(?:[\w.-]+:)?math[\s>]/u.test(xhtml)) return xhtml
  const edits = Element.replacing(xhtml, ["math"], (math) => {
    const markdown = Formula.ofElement(math, math.attributes.get("display") === "block")
    return markdown === "" ? undefined : inserted.word(markdown)
  })
  return Edits.edited(xhtml, edits)
}

/** An address in the book: no other host, no place in the same file. */
const link = /<((?:[\w.-]+:)?a)(\s[^<>]*?)?\s(?:xlink:)?href\s*=\s*("[^"<>]*"|'[^'<>]*')([^<>]*)>/gu

/** The page without the addresses of its links that lead to no other page of the book. */
const withoutDeadLinks = (xhtml: string, name: string, parts: ReadonlyMap<string, string>): string =>
  xhtml.replace(link, (tag, element: string, before = "", quoted: string, after: string) => {
    const address = XmlText.unescape(quoted.slice(1, -1)).trim()
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/iu.test(address)) return tag
    const [path = ""] = address.split("#", 1)
    return path === "" || parts.has(pathOf(name, path)) ? tag : `<${element}${before}${after}>`
  })

const pathOf = (name: string, path: string): string => {
  try {
    return posix.join(posix.dirname(name), decodeURIComponent(path))
  } catch {
    return path
  }
}

/** The page with the descriptions of its pictures apart from their captions. */
const withCaptionsApart = (xhtml: string): string =>
  xhtml.includes("<figcaption")
    ? xhtml
        .replaceAll(/(<img\s[^<>]*>(?:\s*<\/img>)?)(?=\s*<figcaption[\s>])/gu, "<p>$1</p>")
        .replaceAll(/(?<=<\/figcaption>\s*)(<img\s[^<>]*>(?:\s*<\/img>)?)/gu, "<p>$1</p>")
    : xhtml

/** Repairs of `epub`. */
export const mender: Mender = {
  wanted: (name) => /\.x?html?$/iu.test(name),
  mend: (parts, inserted) => {
    for (const [name, xhtml] of parts) {
      const page = withCaptionsApart(withoutDeadLinks(xhtml, name, parts))
      parts.set(name, RaisedRuns.ofPage(withFormulas(page, inserted), inserted))
    }
    return []
  }
}

/** Lines in which the book's own title is looked for. */
const firstLines = 12

const heading = /^#{1,6} (.*)$/u

/** The Markdown without the title that the parser puts before the text, where the text begins with the same title. */
export const titledOnce = (markdown: string): string => {
  const end = markdown.indexOf("\n")
  const title = /^# (.*)$/u.exec(markdown.slice(0, end))?.[1]?.trim().toLowerCase()
  if (title === undefined) return markdown
  const rest = markdown.slice(end + 1)
  const own = rest
    .split("\n", firstLines)
    .some((line) => heading.exec(line)?.[1]?.replaceAll(/\*/gu, "").trim().toLowerCase() === title)
  return own ? rest.trimStart() : markdown
}
