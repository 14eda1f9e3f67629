/** The sentences of an answer that may be Markdown. */
import { sentences } from "../base/sentences.ts"
import { isAbbreviated } from "../chunking/tokens/clauseEnd.ts"

/** Beginnings of lines that do not continue the line before: headings, points of lists, quotations, rows of tables, fences. */
const begins = /^\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|>|\||```|~~~)/u

/** Marks at the beginning of a part, which are no words of it. */
const mark = /^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+•]\s+(?!\d)|\d{1,3}[.)]\s+|```\S*|~~~\S*)?/u

/** The paragraphs, points and rows, with the ends of their lines. */
const partsOf = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let open = false
  for (const line of text.split(/\r\n?|\n/u)) {
    if (line.trim() === "") {
      open = false
      continue
    }
    if (open && !begins.test(line)) parts[parts.length - 1] += `\n${line}`
    else parts.push(line.replace(mark, ""))
    open = !/^\s*(?:#{1,6}\s|\||```|~~~)/u.test(line)
  }
  return parts
}

/** Sentences in order, without marks of headings and lists; what has no letter and no digit is left out. */
export const of = (text: string): ReadonlyArray<string> =>
  partsOf(text).flatMap((part) => {
    const found: Array<string> = []
    for (const sentence of sentences(part)) {
      const before = found.at(-1)?.trimEnd()
      if (before?.endsWith(".") === true && isAbbreviated(before, before.length - 1) && !/\b\d+\.$/u.test(before)) {
        found[found.length - 1] += sentence
      } else found.push(sentence)
    }
    return found.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  })

/** References that an answer puts at the end of a sentence: `[1]`, `[2, 3]`, `[^4]`. */
const reference =
  /(?:\s*\[\^?\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\])+(?=[.!?]?["'”’)]*$)|(?<=[.!?]["'”’)]*)(?:\s*\[\^?\d{1,3}\])+$/u

/** The sentence without its references; undefined where it has none. */
export const withoutReferences = (sentence: string): string | undefined => {
  const without = sentence.replace(reference, "")
  return without === sentence ? undefined : without
}
