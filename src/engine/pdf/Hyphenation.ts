import * as Tally from "../Tally.ts"
/** Joins the text of a line to that of the next one: hyphens of divided words go, those of compounds stay. */
import type { PageItems } from "./PageItem.ts"

/** Join of two lines: characters to cut from the upper one, and the text in between. */
export interface LineJoin {
  readonly cut: number
  readonly gap: "" | " "
}

const ideograph = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3000-\u303f\uff00-\uffef]/
const dividedEnd = /(\p{L}+)[-\u2010]$/u
/** Characters before a line's end that are looked at; no word is longer. */
const longestWord = 64
const firstWord = /^\p{L}+/u
/** Words in front of which a hyphen stands for the rest of a compound, as in `pre- and postfix`. */
const conjunction = /^(?:and|or|to|und|oder|bis|et|ou|y|o|e|en|of|och|og|i|a|и|или)$/u

/** Words of a document within its lines, in lower case. */
export class Words {
  private readonly pages: ReadonlyArray<PageItems>
  private words: Set<string> | undefined
  private readonly compounds = new Set<string>()
  /** Numbers of compounds by their first part. */
  private readonly heads = new Map<string, number>()

  constructor(pages: ReadonlyArray<PageItems>) {
    this.pages = pages
  }

  /** Read when a line first ends in a hyphen: most documents have no such line. */
  private read(): Set<string> {
    if (this.words !== undefined) return this.words
    const words = new Set<string>()
    for (const page of this.pages) {
      for (const item of page.items) {
        for (const found of item.text.toLowerCase().match(/\p{L}+(?:[-\u2010]\p{L}*)*/gu) ?? []) {
          const parts = found.split(/[-\u2010]/)
          if (parts.length === 1) words.add(found)
          // The last part of a divided word is on the next line.
          else if (parts.at(-1) !== "") this.addCompound(parts, words)
        }
      }
    }
    this.words = words
    return words
  }

  private addCompound(parts: ReadonlyArray<string>, words: Set<string>): void {
    const compound = parts.join("-")
    if (this.compounds.has(compound)) return
    this.compounds.add(compound)
    parts.slice(1).forEach((part, at) => {
      const head = parts[at] ?? ""
      this.compounds.add(`${head}-${part}`)
      Tally.add(this.heads, head)
      if (part.length > 3) words.add(part)
    })
  }

  /** True if a word divided into `head` and `tail` is a compound, which keeps its hyphen. */
  isCompound(head: string, tail: string): boolean {
    const words = this.read()
    if (this.compounds.has(`${head}-${tail}`)) return true
    if (words.has(head + tail)) return false
    return (this.heads.get(head) ?? 0) >= 2 && words.has(tail)
  }

  has(word: string): boolean {
    return this.read().has(word)
  }
}

/**
 * The join of two lines of one paragraph. A hyphen at the end of the upper line is cut if it divides a word, and kept if the document has
 * the compound within a line; nothing is put between ideographs, or next to a dash that touches a word.
 */
export const lineJoin = (above: string, below: string, words: Words): LineJoin => {
  if (above.endsWith("\u00ad")) return { cut: 1, gap: "" }
  const head = dividedEnd.exec(above.slice(-longestWord))?.[1]
  if (head !== undefined) return dividedJoin(head, firstWord.exec(below)?.[0] ?? "", words)
  if (/\p{N}[-\u2010]$/u.test(above.slice(-2)) && /^\p{N}/u.test(below)) return { cut: 0, gap: "" }
  if (/\S[\u2012-\u2015]$/u.test(above.slice(-2)) || /^[\u2012-\u2015]\p{L}/u.test(below)) return { cut: 0, gap: "" }
  return { cut: 0, gap: ideograph.test(above.slice(-1)) && ideograph.test(below.slice(0, 1)) ? "" : " " }
}

const dividedJoin = (head: string, tail: string, words: Words): LineJoin => {
  const [low, lowTail] = [head.toLowerCase(), tail.toLowerCase()]
  if (tail === "") return { cut: 0, gap: " " }
  if (conjunction.test(tail) && !words.has(low + lowTail)) return { cut: 0, gap: " " }
  const capitals = head === head.toUpperCase() && tail === tail.toUpperCase() && words.has(low + lowTail)
  const divided = /^\p{Ll}/u.test(tail) || capitals
  return divided && !words.isCompound(low, lowTail) ? { cut: 1, gap: "" } : { cut: 0, gap: "" }
}
