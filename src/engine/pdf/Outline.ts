/**
 * Bookmarks of a PDF file: titles of its headings with their depth. The engine does not return them.
 *
 * Source: ISO 32000-1, 12.3.3 (document outline).
 */
import { type PdfObjects, reference } from "./PdfObjects.ts"
import * as PdfText from "./PdfText.ts"

export interface Bookmark {
  readonly title: string
  /** 1 for the highest. */
  readonly depth: number
}

/** Bounds of the scan: a damaged or hostile file must not take long. */
const mostBookmarks = 5000
const deepest = 8

/** Root of the outline: that of the last catalog in the file. */
const rootOf = (objects: PdfObjects): string => {
  for (const root of objects.references("Root", 16)) {
    const outline = objects.text(reference(objects.text(root), "Outlines"))
    if (outline !== "") return outline
  }
  return ""
}

/** Bookmarks in their order, at most 5,000 of them to a depth of 8; never throws. */
export const read = (objects: PdfObjects): ReadonlyArray<Bookmark> => {
  if (!objects.includes("/Outlines") && !objects.includes("/ObjStm")) return []
  const found: Array<Bookmark> = []
  const seen = new Set<number>()
  const visit = (first: number | undefined, depth: number): void => {
    let number = first
    while (number !== undefined && !seen.has(number) && found.length < mostBookmarks) {
      seen.add(number)
      const item = objects.text(number)
      const indirect = reference(item, "Title")
      const title =
        indirect === undefined
          ? PdfText.entry(item, "Title")
          : PdfText.entry(`/Title ${objects.text(indirect).trim()}`, "Title")
      if (title !== undefined) found.push({ title, depth })
      if (depth < deepest) visit(reference(item, "First"), depth + 1)
      number = reference(item, "Next")
    }
  }
  visit(reference(rootOf(objects), "First"), 1)
  return found
}
