/** An empty PDF page with lines, on which recognised words are laid, so that they are read as the text of any other page. */
import type { Rule } from "../pdf/PageItem.ts"
import type * as PageTurn from "../pdf/PageTurn.ts"

const point = (value: number): string => value.toFixed(2)

const stroke = ({ at, from, horizontal, to }: Rule, { height }: PageTurn.Size): string =>
  horizontal
    ? `${point(from)} ${point(height - at)} m ${point(to)} ${point(height - at)} l S`
    : `${point(at)} ${point(height - from)} m ${point(at)} ${point(height - to)} l S`

/** The file of a page of that size in points. */
export const write = (size: PageTurn.Size, rules: ReadonlyArray<Rule>): Uint8Array => {
  const content = ["0.5 w", ...rules.map((rule) => stroke(rule, size))].join("\n")
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${point(size.width)} ${point(size.height)}]/Contents 4 0 R>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`
  ]
  let file = "%PDF-1.4\n"
  const entries = objects.map((object, at) => {
    const entry = `${String(file.length).padStart(10, "0")} 00000 n \n`
    file += `${at + 1} 0 obj${object}endobj\n`
    return entry
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}`
  file += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`
  return Buffer.from(file, "latin1")
}
