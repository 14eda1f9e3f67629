/** Parts of an electronic publication that the parser runs together or repeats: formulas, and the title of the book. */
import * as Edits from "../../Edits.ts"
import * as Formula from "../equation/Formula.ts"
import * as Element from "../markup/Element.ts"
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

/** Repairs of `epub`. */
export const mender: Mender = {
  wanted: (name) => /\.x?html?$/iu.test(name),
  mend: (parts, inserted) => {
    for (const [name, xhtml] of parts) parts.set(name, RaisedRuns.ofPage(withFormulas(xhtml, inserted), inserted))
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
