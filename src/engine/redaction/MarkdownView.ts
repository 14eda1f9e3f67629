/** The readable text of Markdown: without emphasis, escapes and embedded bytes. */
import * as CharacterCodes from "./CharacterCodes.ts"
import * as TextView from "./TextView.ts"

/**
 * Marks that the text does not have. No two alternatives begin with the same character and each is bounded, so the scan is linear.
 * In this order: bytes as an address, line break, other tags of inline elements, emphasis, escape.
 */
const mark =
  /data:[\w.+-]{1,60}\/[\w.+-]{1,80}[\w;=.+-]{0,80},[\w+/=%-]*|<br ?\/?>|<\/?(?:b|i|em|strong|span|sup|sub|u|mark|code)>|\*{1,3}|~~|`+|_{1,3}|\\[!-/:-@[-`{-~]/gi

const wordSign = /[\p{L}\p{N}]/u

/** True if the underscores from `start` to `end` stand inside a word, where they are text. */
const insideWord = (source: string, start: number, end: number): boolean =>
  start > 0 && end < source.length && wordSign.test(source[start - 1] ?? "") && wordSign.test(source[end] ?? "")

/** The view of a Markdown text. Line feeds stay; link addresses stay in their places. Linear. */
export const make = (source: string): TextView.TextView => {
  const view = TextView.builder(source)
  let from = 0
  for (const match of source.matchAll(mark)) {
    const [text] = match
    const start = match.index
    const end = start + text.length
    if (text.startsWith("_") && insideWord(source, start, end)) continue
    CharacterCodes.copy(view, source, from, start)
    if (text.startsWith("\\")) view.put(text.slice(1), start, end)
    else if (/^<br/i.test(text)) view.put("\n", start, start)
    else if (/^data:/i.test(text)) view.put(" ", start, start)
    from = end
  }
  CharacterCodes.copy(view, source, from, source.length)
  return view.build()
}
