/** Sentences of PDFs as two other extractors read them alike: `pdftotext` of Poppler, whose text is taken, and `mutool` of MuPDF. */
import { spawnSync } from "node:child_process"

type Extractor = readonly [program: string, ...options: ReadonlyArray<string>]

const poppler: Extractor = ["pdftotext", "-q", "-raw", "-enc", "UTF-8"]
const mupdf: Extractor = ["mutool", "draw", "-q", "-F", "txt"]

/** The packages of Debian whose program is not there. */
export const missing = (): ReadonlyArray<string> =>
  [
    ["pdftotext", "poppler-utils"],
    ["mutool", "mupdf-tools"]
  ].flatMap(([program = "", name = ""]) => (spawnSync(program, ["-v"]).error === undefined ? [] : [name]))

const textOf = ([program, ...options]: Extractor, file: string): string => {
  const { stdout } = spawnSync(program, [...options, file, ...(program === "pdftotext" ? ["-"] : [])], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    timeout: 120_000
  })
  return stdout ?? ""
}

/** The words in one line, without hyphens within words, and marks in one form. */
const plain = (text: string): string =>
  text
    .replaceAll(/[-\u2010\u00AD][^\S\n]*\n\s*/gu, "")
    .normalize("NFKC")
    .replaceAll(/[\u2010-\u2015\u2212]/gu, "-")
    .replaceAll(/(?<=\p{L})[-\u00AD](?=\p{L})/gu, "")
    .replaceAll(/[“”]/gu, '"')
    .replaceAll(/[‘’]/gu, "'")
    .replaceAll(/\s+/gu, " ")

const segmenter = new Intl.Segmenter("und", { granularity: "sentence" })

/** Share of the longest line of the page that each line of a sentence but its last one has: headings and cells of tables are shorter. */
const fullLine = 0.6

const isProse = (text: string): boolean => {
  const words = text.split(/\s+/u)
  const ordinary = words.filter((word) => /^[("'“‘]*\p{L}[\p{L}\-’']+[.,;:!?)"'”’]*$/u.test(word)).length
  return (
    words.length >= 8 &&
    words.length <= 60 &&
    ordinary >= 0.7 * words.length &&
    /^["“‘(]?\p{Lu}/u.test(text) &&
    /[.!?]["”’)]?$/u.test(text) &&
    !/\s\d+\.$/u.test(text) &&
    !/\p{Co}|\p{Cc}(?<!\n)|\uFFFD/u.test(text) &&
    // Neither of the two tells raised and lowered figures from others: `word1` may be a note, `D1` a subscript.
    !/[\p{L}.,;:!?)"'’”]\d|\d\p{L}/u.test(text)
  )
}

/** Sentences of a page, with the ends of its lines. */
const sentencesOf = (page: string): ReadonlyArray<string> => {
  const lines = page.split("\n")
  const longest = lines.map(({ length }) => length).toSorted((left, right) => right - left)
  const full = fullLine * (longest[Math.floor(lines.length / 10)] ?? 0)
  const starts: Array<number> = []
  let at = 0
  for (const { length } of lines) {
    starts.push(at)
    at += length + 1
  }
  return Array.from(segmenter.segment(page.replaceAll("\n", " ")), ({ index, segment }) => {
    const text = page.slice(index, index + segment.length).trim()
    const from = index + (segment.length - segment.trimStart().length)
    const crossed = lines.filter((line, which) => {
      const end = (starts[which] ?? 0) + line.length
      return end > from && end < from + text.length
    })
    // The first and the last line of a page are those of every page.
    const inside = from > (lines[0]?.length ?? 0) && !text.includes(lines.findLast((line) => line !== "") ?? "\n")
    return inside && crossed.every(({ length }) => length >= full) && isProse(text) ? [text] : []
  }).flat()
}

/** The text of a PDF, and its sentences of prose, each once. */
export const read = (file: string): { readonly text: string; readonly sentences: ReadonlyArray<string> } => {
  const text = textOf(poppler, file)
  const all = [...new Set(text.split("\f").flatMap(sentencesOf))]
  const other = all.length === 0 ? "" : plain(textOf(mupdf, file))
  return { text, sentences: all.filter((sentence) => other.includes(plain(sentence))) }
}
