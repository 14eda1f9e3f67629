/** Finds code: neighbouring lines in a font of one width, in a document that does not use such a font throughout. */
import * as Box from "./Box.ts"
import type { CodeDraft } from "./Draft.ts"
import type { PageItems } from "./PageItem.ts"
import type { TextLine } from "./TextLine.ts"
import * as Weighted from "./Weighted.ts"

/** Fewest lines of code; fewer are a name in a sentence, or an address. */
const fewest = 2

/** Largest distance between lines of one listing, in line heights. */
const widestGap = 3

/** True if more than four fifths of the characters of a document are in a font of one width: typescript, not code. */
export const isTypescript = (pages: ReadonlyArray<PageItems>): boolean =>
  Weighted.share(
    pages.flatMap((page) => page.items),
    ({ mono }) => mono
  ) > 0.8

/** Runs of lines that are either all code or all other text, in order. */
export const stretches = (
  lines: ReadonlyArray<TextLine>
): ReadonlyArray<{ readonly code: boolean; readonly lines: ReadonlyArray<TextLine> }> => {
  const found: Array<{ code: boolean; lines: Array<TextLine> }> = []
  for (const line of lines) {
    const last = found.at(-1)
    const previous = last?.lines.at(-1)
    const near = previous !== undefined && line.center - previous.center < line.size * widestGap
    if (last !== undefined && last.code === line.mono && (near || !line.mono)) last.lines.push(line)
    else found.push({ code: line.mono, lines: [line] })
  }
  const settled: Array<{ code: boolean; lines: Array<TextLine> }> = []
  for (const each of found) {
    const code = each.code && each.lines.length >= fewest
    const last = settled.at(-1)
    if (last !== undefined && !last.code && !code) last.lines.push(...each.lines)
    else settled.push({ code, lines: each.lines })
  }
  return settled
}

/** Converts lines to code with their indentation. */
export const draft = (lines: ReadonlyArray<TextLine>): CodeDraft => {
  const box = Box.around(lines.map((line) => line.box))
  const [widest] = lines.toSorted((left, right) => right.text.length - left.text.length)
  const advance = widest === undefined ? 1 : Math.max(1, Box.width(widest.box) / Math.max(1, widest.text.length))
  const texts = lines.map((line) => " ".repeat(Math.round((line.box.x0 - box.x0) / advance)) + line.text)
  return { kind: "code", box, lines: texts }
}
