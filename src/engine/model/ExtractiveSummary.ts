/**
 * A summary made of a text's own sentences, where no language model is there to write one.
 *
 * Sentences are ranked by how many of the text's frequent words they hold, each counted once, by their place, and by their length; the
 * best are given in the order of the text.
 */
import { sentences } from "../../internal/base/sentences.ts"
import * as Tally from "../Tally.ts"

/** Most sentences and characters of a summary. */
const mostSentences = 5
const mostCharacters = 1200

/** Most characters of the start of a text without sentences. */
const mostOfStart = 300

/** Characters of the text that are looked at. */
const window = 200_000

/** Shortest line and sentence that count as prose, and those of a text that has next to none, such as slides. */
const prose = { line: 40, sentence: 20 }
const notes = { line: 12, sentence: 12 }

/** Fewest sentences of a text that has prose. */
const fewestSentences = 3

/** Code in fences, which is no prose whatever its lines look like. */
const fenced = /^(```|~~~)[^]*?(?:^\1.*$|$(?![^]))/gmu

/** Lines that are no prose: headings, tables, lists of links, code, comments. */
const isProse = (line: string, shortest: number): boolean =>
  line.length >= shortest && !/^(?:#{1,6}\s|\||```|~~~|<|!\[|---|\s*[-*+]\s*\[|\s{4})/u.test(line)

/** The words of Markdown without its marks. Links are bounded, so that brackets without an end take no time. */
const plain = (line: string): string =>
  line
    .replaceAll(/!?\[([^\][]{0,500})\]\([^()]{0,2000}\)/gu, "$1")
    .replaceAll(/^\s*(?:>|[-*+]|\d+[.)])\s+/gu, "")
    .replaceAll(/\\(?=\p{P}|\p{S})/gu, "")
    .replaceAll(/[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()

const words = new Intl.Segmenter(undefined, { granularity: "word" })

interface Sentence {
  readonly text: string
  readonly words: ReadonlySet<string>
  readonly at: number
}

const wordsOf = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { isWordLike, segment } of words.segment(text)) {
    if (isWordLike === true) found.add(segment.toLowerCase())
  }
  return found
}

const sentencesOf = (markdown: string, shortest: typeof prose): ReadonlyArray<Sentence> =>
  markdown
    .split("\n")
    .filter((line) => isProse(line, shortest.line))
    .flatMap((line) => sentences(plain(line)).map((text) => text.trim()))
    .filter((text) => text.length >= shortest.sentence && text.length <= 600)
    .map((text, at) => ({ text, words: wordsOf(text), at }))

/** The start of a text without sentences: headings, and rows of a table with commas between their cells. */
const startOf = (markdown: string): string => {
  const lines = markdown
    .slice(0, 2 * mostCharacters)
    .split("\n")
    .filter((line) => !/^(?:[\s:|-]*|<.*)$/u.test(line))
    .map((line) =>
      plain(
        line
          .replace(/^#{1,6}\s+/u, "")
          .replaceAll(/^\s*\||\|\s*$/gu, "")
          .replaceAll(/\s*(?<!\\)\|\s*/gu, ", ")
      )
    )
  const text = lines.join("; ")
  if (text.length <= mostOfStart) return text
  const at = text.lastIndexOf(" ", mostOfStart)
  return `${text.slice(0, at > 0 ? at : mostOfStart)} …`
}

/** Number of sentences that hold each word; the commonest tenth are words of grammar, which say nothing. */
const frequencies = (sentences: ReadonlyArray<Sentence>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const sentence of sentences) for (const word of sentence.words) Tally.add(counts, word)
  for (const [word, count] of counts) {
    const isGrammar = word.length < 3 && !/\p{Script=Han}/u.test(word)
    if (isGrammar || (sentences.length >= 10 && count > sentences.length / 3)) counts.delete(word)
  }
  return counts
}

const scoreOf = ({ at, words: own }: Sentence, counts: ReadonlyMap<string, number>): number => {
  let weight = 0
  for (const word of own) weight += Math.log(1 + (counts.get(word) ?? 0))
  return (weight / Math.sqrt(own.size + 8)) * (1 + 1 / (1 + at / 3))
}

/** Up to five sentences of the text; the text's start when it has no sentences, and an empty text for one without words. */
export const of = (markdown: string): string => {
  const seen = markdown.slice(0, window).replaceAll(fenced, "")
  const proper = sentencesOf(seen, prose)
  const sentences = proper.length >= fewestSentences ? proper : sentencesOf(seen, notes)
  if (sentences.length === 0) return startOf(markdown)
  const counts = frequencies(sentences)
  const ranked = sentences
    .map((sentence) => ({ sentence, score: scoreOf(sentence, counts) }))
    .toSorted((left, right) => right.score - left.score)
  const chosen: Array<Sentence> = []
  let characters = 0
  for (const { sentence } of ranked) {
    if (chosen.length === mostSentences) break
    if (characters + sentence.text.length > mostCharacters && chosen.length > 0) continue
    if (chosen.some(({ text }) => text === sentence.text)) continue
    chosen.push(sentence)
    characters += sentence.text.length
  }
  return chosen
    .toSorted((left, right) => left.at - right.at)
    .map(({ text }, at) => (at === chosen.length - 1 || /[\p{P}]$/u.test(text) ? text : `${text};`))
    .join(" ")
}
