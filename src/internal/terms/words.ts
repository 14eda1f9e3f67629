/** Words of a text with their places: by blanks and punctuation, and by dictionary in scripts that have no blanks. */
import { isContracted, isJoint, joinedTerm, spacedAt, ungrouped } from "./codes.ts"
import { fold, type Version } from "./fold.ts"
import { Form, forms } from "./forms.ts"
import { remembering } from "./remembering.ts"

/** A word at a place of a text. */
export interface Word {
  /** UTF-16 offset in the text. */
  readonly start: number
  readonly end: number
  readonly form: Form
  /**
   * `word`: one to be stemmed. `part`: two characters in a row of a script in which words have no certain end; in version 2 also a word
   * within a name or code. `chain`: several words joined by punctuation, as in `E-PRTR` and `1.2.3`, the punctuation folded to `·`; in
   * version 2 as `joinedTerm` has it, and numbers with spaces.
   */
  readonly kind: "word" | "part" | "chain"
  /** Number of the run of letters that it is part of, from 0 on. */
  readonly run: number
}

/** Longest word in UTF-16 units; the rest of a longer one is left out. */
const longest = 64

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

const runsOf = (more: string): RegExp =>
  new RegExp(String.raw`[${unspaced}${more}]+|[[\p{L}\p{N}\p{M}]--[${unspaced}${more}]]+`, "gv")

/** Runs of letters and digits; half-width kana have marks of their own. */
const runs: Readonly<Record<Version, RegExp>> = { 1: runsOf("々〆ー"), 2: runsOf(String.raw`々〆ーｰﾞﾟ\u3099\u309A`) }

const isUnspaced = new RegExp(`[${unspaced}]`, "u")

const paired = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

const hangul = /^[\p{Script=Hangul}]+$/u

/** Words joined by punctuation. */
const chainOf: Readonly<Record<Version, (written: string) => Form>> = {
  1: (written) => {
    const { folded, lower } = forms[1](written)
    return new Form(1, lower, folded.replaceAll(/[-.,:/_'’@+]/gu, "·"))
  },
  2: remembering((written) => {
    const whole = written.normalize("NFKC").toLowerCase()
    const lower = joinedTerm(whole)
    const plain = /^\p{Nd}/u.test(whole) ? (ungrouped(fold(whole, 2)) ?? undefined) : undefined
    return new Form(2, lower, fold(lower, 2), [], plain)
  })
}

const segmenter = new Intl.Segmenter("en", { granularity: "word" })

/** Punctuation that joins two words in version 1. */
const joint = /^[-.,:/_'’@+]$/u

/** Marks that make one character with that before them. */
const voiced = /ﾞ|ﾟ|\u3099|\u309A/u

/** The words of a text, while they are found. */
class Found {
  readonly all: Array<Word> = []
  /** Number of the run of characters that is looked at. */
  run = -1
  /** End of the last number with spaces. */
  private numbered = 0
  private readonly text: string
  private readonly version: Version

  constructor(text: string, version: Version) {
    this.text = text
    this.version = version
  }

  /** A word of marks alone, which do not count, is none. */
  private push(word: Word): Form {
    if (word.form.folded !== "") this.all.push(word)
    return word.form
  }

  private add(start: number, end: number, kind: Word["kind"]): Form {
    const form = forms[this.version](this.text.slice(start, Math.min(end, start + longest)))
    return this.push({ start, end, form, kind, run: this.run })
  }

  /** A word between blanks and punctuation. */
  addSpaced(start: number, end: number): void {
    const { lower, parts } = this.add(start, end, "word")
    for (const part of parts) this.add(start + part.start, start + part.start + part.text.length, "part")
    if (end - start > 2 && lower.length === end - start && hangul.test(lower)) this.addPairs(start, end)
  }

  /** Two neighbours of each pair of characters; in scripts of one unit a character. */
  private addPairs(from: number, to: number): void {
    let before = -1
    for (let at = from; at < to;) {
      const own = (this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
      const length = own + (this.version === 2 && voiced.test(this.text.charAt(at + own)) ? 1 : 0)
      if (before >= 0) this.add(before, at + length, "part")
      before = at
      at += length
    }
  }

  addUnspaced(start: number, end: number): void {
    const written = this.text.slice(start, end)
    for (const { index, isWordLike, segment } of segmenter.segment(written)) {
      if (isWordLike === true) this.add(start + index, start + index + segment.length, "word")
    }
    if (paired.test(written)) this.addPairs(start, end)
  }

  /** Words joined by punctuation, no longer than a word may be. */
  addChain(start: number, end: number): void {
    this.push({ start, end, form: chainOf[this.version](this.text.slice(start, end)), kind: "chain", run: -1 })
  }

  /** A number with spaces between its thousands, if one begins here. */
  addNumber(start: number): void {
    const number = start < this.numbered ? null : spacedAt(this.text, start)
    if (number === null) return
    this.numbered = number.end
    this.all.push({ start, end: number.end, form: new Form(2, number.term, number.term), kind: "chain", run: -1 })
  }
}

/** Runs of letters and digits of a text, one after another; those of ASCII are found without the expression. */
class Runs {
  start = 0
  end = 0
  /** True for a run that is not all ASCII. */
  wide = false
  private readonly text: string
  private readonly pattern: RegExp

  constructor(text: string, version: Version) {
    this.text = text
    this.pattern = runs[version]
  }

  next(): boolean {
    const { text } = this
    let at = this.end
    while (at < text.length && isOther(text.charCodeAt(at))) at += 1
    let end = at
    while (end < text.length && isAsciiLetter(text.charCodeAt(end))) end += 1
    this.wide = end < text.length && text.charCodeAt(end) > 127
    if (this.wide) {
      this.pattern.lastIndex = at
      const found = this.pattern.exec(text)
      if (found === null) return false
      at = found.index
      end = at + found[0].length
    }
    this.start = at
    this.end = end
    return end > at
  }
}

const isAsciiLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)

/** ASCII that is in no word. */
const isOther = (code: number): boolean => code < 128 && !isAsciiLetter(code)

const digits = /^\d+$/u

/** The words of a text in order; parts of a word come after it, joined words after the last of them. */
export const words = (text: string, version: Version = 2): ReadonlyArray<Word> => {
  const found = new Found(text, version)
  const joins = version === 1 ? (at: number) => joint.test(text.charAt(at)) : (at: number) => isJoint(text, at)
  let chain = { start: -1, end: -1, count: 0 }
  const close = () => {
    if (chain.count > 1 && chain.end - chain.start <= longest) found.addChain(chain.start, chain.end)
  }
  const all = new Runs(text, version)
  while (all.next()) {
    const { end, start } = all
    const continues = start === chain.end + 1 && joins(chain.end)
    const written = text.slice(start, end)
    if (version === 2 && continues && isContracted(written, text.charAt(chain.end))) continue
    found.run += 1
    if (!continues) close()
    if (all.wide && isUnspaced.test(written)) {
      if (continues) close()
      chain = { start: -1, end: -1, count: 0 }
      found.addUnspaced(start, end)
      continue
    }
    chain = continues ? { start: chain.start, end, count: chain.count + 1 } : { start, end, count: 1 }
    if (version === 2 && !continues && written.length <= 3 && digits.test(written)) found.addNumber(start)
    found.addSpaced(start, end)
  }
  close()
  return found.all
}
