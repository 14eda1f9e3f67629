/** Words of a text with their places: by blanks and punctuation, and by dictionary in scripts that have no blanks. */
import { isContracted, isJoint, joinedTerm, type Part, partsOf, spacedAt, ungrouped } from "./codes.ts"
import { fold, type Version } from "./fold.ts"
import { remembering } from "./remembering.ts"

/** A word, folded: compatibility forms, case and diacritics do not count. */
export interface Word {
  /** UTF-16 offset in the text. */
  readonly start: number
  readonly end: number
  readonly folded: string
  /** In lower case, with its diacritics, as stemmers take it. */
  readonly lower: string
  /** A number without the separators of its thousands, where `folded` has them. */
  readonly plain?: string | undefined
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

/** Forms of a word as it is written. */
interface Forms {
  readonly lower: string
  readonly folded: string
  readonly parts: ReadonlyArray<Part>
}

const none: ReadonlyArray<Part> = []

const formsOf: Readonly<Record<Version, (written: string) => Forms>> = {
  1: remembering((written) => {
    const lower = written.normalize("NFKC").toLowerCase()
    return { lower, folded: fold(lower, 1), parts: none }
  }),
  2: remembering((written) => {
    const lower = written.normalize("NFKC").toLowerCase()
    return { lower, folded: fold(lower, 2), parts: partsOf(written) }
  })
}

/** Forms of words joined by punctuation. */
const chainOf: Readonly<Record<Version, (written: string) => Pick<Word, "lower" | "folded" | "plain">>> = {
  1: (written) => {
    const { folded, lower } = formsOf[1](written)
    return { lower, folded: folded.replaceAll(/[-.,:/_'’@+]/gu, "·") }
  },
  2: remembering((written) => {
    const whole = written.normalize("NFKC").toLowerCase()
    const lower = joinedTerm(whole)
    const plain = /^\p{Nd}/u.test(whole) ? (ungrouped(fold(whole, 2)) ?? undefined) : undefined
    return { lower, folded: fold(lower, 2), plain }
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

  private forms(start: number, end: number): Forms {
    return formsOf[this.version](this.text.slice(start, Math.min(end, start + longest)))
  }

  private add(start: number, end: number, kind: Word["kind"]): Forms {
    const forms = this.forms(start, end)
    this.all.push({ start, end, lower: forms.lower, folded: forms.folded, plain: undefined, kind, run: this.run })
    return forms
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
    const { folded, lower, plain } = chainOf[this.version](this.text.slice(start, end))
    this.all.push({ start, end, lower, folded, plain, kind: "chain", run: -1 })
  }

  /** A number with spaces between its thousands, if one begins here. */
  addNumber(start: number): void {
    const number = start < this.numbered ? null : spacedAt(this.text, start)
    if (number === null) return
    this.numbered = number.end
    this.all.push({ start, end: number.end, lower: number.term, folded: number.term, kind: "chain", run: -1 })
  }
}

const digits = /^\d+$/u

/** The words of a text in order; parts of a word come after it, joined words after the last of them. */
export const words = (text: string, version: Version = 2): ReadonlyArray<Word> => {
  const found = new Found(text, version)
  const joins = version === 1 ? (at: number) => joint.test(text.charAt(at)) : (at: number) => isJoint(text, at)
  let chain = { start: -1, end: -1, count: 0 }
  const close = () => {
    if (chain.count > 1 && chain.end - chain.start <= longest) found.addChain(chain.start, chain.end)
  }
  for (const { 0: written, index } of text.matchAll(runs[version])) {
    const end = index + written.length
    const continues = index === chain.end + 1 && joins(chain.end)
    if (version === 2 && continues && isContracted(written, text.charAt(chain.end))) continue
    found.run += 1
    if (!continues) close()
    if (isUnspaced.test(written)) {
      if (continues) close()
      chain = { start: -1, end: -1, count: 0 }
      found.addUnspaced(index, end)
      continue
    }
    chain = continues ? { start: chain.start, end, count: chain.count + 1 } : { start: index, end, count: 1 }
    if (version === 2 && !continues && written.length <= 3 && digits.test(written)) found.addNumber(index)
    found.addSpaced(index, end)
  }
  close()
  return found.all
}
