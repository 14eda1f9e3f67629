/** Places recognised words on a page as text: level, of even sizes, without noise. */
import { median } from "../pdf/PageItem.ts"
import type { RecognisedLine, RecognisedWord } from "./Recognition.ts"

/** A word of a page; its box is as high as its font. */
export type PlacedWord = RecognisedWord

/** Confidence below which a word is noise of the paper. */
const noise = 0.3

/** Confidence below which a word without letters and digits is noise. */
const noiseOfSigns = 0.75

const hasLetters = /[\p{L}\p{N}]/u

/** Parts of lines and frames that are taken for characters. */
const stroke = /^[|¦_—–=~]+$/

/** True if a word is likely a character of the page, and not dirt, a frame or a part of a figure. */
const isText = (word: RecognisedWord): boolean => {
  if (stroke.test(word.text)) return false
  if (word.confidence < noise) return false
  return hasLetters.test(word.text) || word.confidence >= noiseOfSigns
}

/** Characters of the scripts whose letters have these shapes. */
const shaped = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}]+$/u

const tall = /[\p{Lu}\p{N}bdfhkltßþðбёйβδζθλξφψ!?()[\]{}/|"'%&#@]/u
const deep = /[gjpqyçþруцщфβγζηξρφψμχς,;()[\]{}/|]/u

/** Parts of the height of a font: of small letters, of tall ones above the baseline, and below it. */
const parts = { small: 0.47, tall: 0.7, deep: 0.21 }

/** Height of the font by the height of a word's ink; undefined for other scripts, and for signs. */
const sizeOf = ({ box, text }: RecognisedWord): number | undefined => {
  if (!hasLetters.test(text) || !shaped.test(text)) return undefined
  const share = (tall.test(text) ? parts.tall : parts.small) + (deep.test(text) ? parts.deep : 0)
  return (box.y1 - box.y0) / share
}

/** Height of the font of words; `usual` for other scripts. */
const fontSize = (words: ReadonlyArray<RecognisedWord>, usual: number): number => {
  const sizes = words.flatMap((word) => {
    const size = sizeOf(word)
    return size === undefined ? [] : Array.from({ length: word.text.length }, () => size)
  })
  return sizes.length === 0 ? usual : median(sizes)
}

/** Widest gap between two words of a sentence, in heights of the line. */
const widestGap = 1.6

/** Parts of a line that are far from each other: cells, and lines of two columns. */
const stretches = ({ height, words }: RecognisedLine): ReadonlyArray<ReadonlyArray<RecognisedWord>> => {
  const found: Array<Array<RecognisedWord>> = []
  for (const word of words) {
    const last = found.at(-1)
    const before = last?.at(-1)
    if (last === undefined || before === undefined || word.box.x0 - before.box.x1 > height * widestGap)
      found.push([word])
    else last.push(word)
  }
  return found
}

interface SizedLine {
  readonly words: ReadonlyArray<RecognisedWord>
  readonly size: number
  readonly letters: number
}

/** Share by which the sizes of lines may differ and still be one. */
const sameSize = 0.12

/** Joins sizes that differ by little to the one of most letters among them. */
const evened = (lines: ReadonlyArray<SizedLine>): ReadonlyArray<SizedLine> => {
  const usual: Array<number> = []
  const left = new Set(lines)
  const result = new Map<SizedLine, number>()
  while (left.size > 0) {
    // The size around which most letters are.
    let best = 0
    let most = -1
    for (const { size } of left) {
      let letters = 0
      for (const other of left) if (Math.abs(other.size - size) <= size * sameSize) letters += other.letters
      if (letters > most) {
        most = letters
        best = size
      }
    }
    usual.push(best)
    for (const line of left) {
      if (Math.abs(line.size - best) > best * sameSize) continue
      left.delete(line)
      result.set(line, best)
    }
  }
  return lines.map((line) => ({ ...line, size: result.get(line) ?? line.size }))
}

/** Size, in the usual one, below which one or two characters are dirt. */
const speck = 0.5

/** Lines above which sizes are left as measured: a page of figures. */
const mostLines = 600

/**
 * The words of a level picture in the unit of `scale` for each pixel. All words of a line stand between the same two heights; sizes of
 * lines that differ by little are made one, because they are measured at few letters.
 */
export const place = (lines: ReadonlyArray<RecognisedLine>, scale: number): ReadonlyArray<PlacedWord> => {
  const text = lines.flatMap((line) =>
    stretches({ ...line, words: line.words.filter(isText) }).map((words): SizedLine => ({
      words,
      size: fontSize(words, line.height),
      letters: words.reduce((sum, word) => sum + word.text.length, 0)
    }))
  )
  const even = text.length > mostLines ? text : evened(text)
  const usual = median(even.flatMap(({ letters, size }) => Array.from({ length: letters }, () => size)))
  return even.flatMap(({ letters, size, words }) => {
    if (letters <= 2 && size < usual * speck) return []
    const base = median(words.map(({ box, text: own }) => box.y1 - (deep.test(own) ? size * parts.deep : 0)))
    const y1 = (base + size * parts.deep) * scale
    return words.map(({ box: word, confidence, text: own }): PlacedWord => ({
      text: own,
      confidence,
      box: { x0: word.x0 * scale, x1: word.x1 * scale, y0: y1 - size * scale, y1 }
    }))
  })
}
