/** Words of a text with their places: by blanks and punctuation, and by dictionary in scripts that have no blanks. */
import { remembering } from "./remembering.ts"

/** A word, folded: compatibility forms, case and diacritics do not count. */
export interface Word {
  /** UTF-16 offset in the text. */
  readonly start: number
  readonly end: number
  readonly folded: string
  /** In lower case, with its diacritics, as stemmers take it. */
  readonly lower: string
  /**
   * `word`: one to be stemmed. `part`: two characters in a row of a script in which words have no certain end. `chain`: several
   * words joined by punctuation, as in `E-PRTR` and `1.2.3`, the punctuation folded to `·`.
   */
  readonly kind: "word" | "part" | "chain"
  /** Number of the run of letters that it is part of, from 0 on. */
  readonly run: number
}

/** Longest word in UTF-16 units; the rest of a longer one is left out. */
const longest = 64

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

const runs = new RegExp(String.raw`[${unspaced}々〆ー]+|[[\p{L}\p{N}\p{M}]--[${unspaced}々〆ー]]+`, "gv")

const isUnspaced = new RegExp(`[${unspaced}]`, "u")

const paired = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

const hangul = /^[\p{Script=Hangul}]+$/u

/** Letters that Unicode does not take apart. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ð: "d"
}

/** Diacritics of European letters, and the vowels and the stretching of Arabic ones. */
const marks = new RegExp(String.raw`[\u0300-\u036F\u0640\u064B-\u0652]`, "gu")

const plainAscii = /^[a-z0-9]*$/u

/** Folds a word: `Straße` and `STRASSE` become `strasse`, `ＡＢＣ` becomes `abc`, `naïve` becomes `naive`. */
export const fold = (lower: string): string =>
  plainAscii.test(lower)
    ? lower
    : lower
        .normalize("NFD")
        .replaceAll(marks, "")
        .normalize("NFC")
        .replaceAll(/[ßæœøđłıþð]/gu, (letter) => letters[letter] ?? letter)

/** Forms of a word as it is written. */
interface Forms {
  readonly lower: string
  readonly folded: string
}

const formsOf = remembering((written: string): Forms => {
  const lower = written.normalize("NFKC").toLowerCase()
  return { lower, folded: fold(lower) }
})

const segmenter = new Intl.Segmenter("en", { granularity: "word" })

/** Punctuation that joins two words. */
const joint = /^[-.,:/_'’@+]$/u

/** One character for all joints, a letter to every full-text engine. */
const joined = (chain: Word): Word => ({ ...chain, folded: chain.folded.replaceAll(/[-.,:/_'’@+]/gu, "·") })

/** The words of a text, while they are found. */
class Found {
  readonly all: Array<Word> = []
  /** Number of the run of characters that is looked at. */
  run = -1
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  word(start: number, end: number, kind: Word["kind"], run = this.run): Word {
    const { folded, lower } = formsOf(this.text.slice(start, Math.min(end, start + longest)))
    return { start, end, lower, folded, kind, run }
  }

  /** Two neighbours of each pair of characters; in scripts of one unit a character. */
  addPairs(from: number, to: number): void {
    let before = -1
    for (let at = from; at < to;) {
      const length = (this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
      if (before >= 0) this.all.push(this.word(before, at + length, "part"))
      before = at
      at += length
    }
  }

  addUnspaced(start: number, end: number): void {
    const written = this.text.slice(start, end)
    for (const { index, isWordLike, segment } of segmenter.segment(written)) {
      if (isWordLike === true) this.all.push(this.word(start + index, start + index + segment.length, "word"))
    }
    if (paired.test(written)) this.addPairs(start, end)
  }
}

/** The words of a text in order; parts of a word come after it, joined words after the last of them. */
export const words = (text: string): ReadonlyArray<Word> => {
  const found = new Found(text)
  let chain = { start: -1, end: -1, count: 0 }
  const close = () => {
    if (chain.count > 1 && chain.end - chain.start <= longest) {
      found.all.push(joined(found.word(chain.start, chain.end, "chain", -1)))
    }
  }
  for (const { 0: written, index } of text.matchAll(runs)) {
    found.run += 1
    const end = index + written.length
    const continues = index === chain.end + 1 && joint.test(text.charAt(chain.end))
    if (!continues) close()
    if (isUnspaced.test(written)) {
      if (continues) close()
      chain = { start: -1, end: -1, count: 0 }
      found.addUnspaced(index, end)
      continue
    }
    chain = continues ? { start: chain.start, end, count: chain.count + 1 } : { start: index, end, count: 1 }
    const word = found.word(index, end, "word")
    found.all.push(word)
    if (hangul.test(word.lower) && word.lower.length === written.length && written.length > 2) {
      found.addPairs(index, end)
    }
  }
  close()
  return found.all
}
