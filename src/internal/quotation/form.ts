/** The normal form of a text, and the words of it that are compared. */

/** Stands in a word for a hyphen that may belong to the word or only to the end of a line. */
export const perhaps = "\u00AD"

/** Numbers, signs and raised letters whose compatibility form says something else: `½`, `10²`, `10⁻³`, `①`, `™`. */
const kept =
  /[^\p{No}\p{So}ªº\u02B0-\u02B8\u02E0-\u02E4\u1D2C-\u1D6A\u1D78\u1D9B-\u1DBF\u2071\u207A-\u207F\u208A-\u209C]+/gu

/** Blanks without width, and marks of the writing direction. */
const invisible = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu

/** Scripts without blanks between words, where the end of a line is no blank either. */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Khmer}\\p{Script=Lao}"

const unspacedEnd = new RegExp(`[${unspaced}]$`, "u")

const conjunction = "(?:and|or|to|und|oder|bis|et|ou|y|o|e|en|of|och|og|i|a|и|или)(?![\\p{L}\\p{M}])"

/** Ways to read what a text does not tell; each is tried. */
export interface Way {
  /** A hyphen at the end of a line before `and` is that of `short- and long-term`. */
  readonly suspended: boolean
  /** A dash between two words was typed as a hyphen without blanks. */
  readonly narrow: boolean
}

const lineEnds: ReadonlyArray<readonly [RegExp, string]> = [
  // Between letters the hyphen may be that of the line or of the word; beside a digit it is a sign.
  [/(?<=\p{L})[-\u00AD‐‑][^\S\n]*\n\s*(?=\p{L})/gu, perhaps],
  [/(?<=[\p{L}\p{N}])[-\u00AD‐‑–][^\S\n]*\n\s*(?=[\p{L}\p{N}])/gu, "-"],
  [/(?<=\p{N})\u00AD(?=[\p{L}\p{N}])|(?<=\p{L})\u00AD(?=\p{N})/gu, "-"],
  [/(?<!\p{L})\u00AD|\u00AD(?!\p{L})/gu, ""]
]

const suspended = new RegExp(`(?<=\\p{L})[-\\u00AD‐‑][^\\S\\n]*\\n\\s*(?=${conjunction})`, "giu")

const wide =
  /\s{0,3}[—―⸺⸻]\s{0,3}|(?<=\p{L}[.,;:!?'")]?)-{2,3}(?=['"(]?\p{L})|(?<=\s)-{2,3}(?=\s)|(?<=\p{L}[.,;:!?'")]?)\s{1,3}[-–]\s{1,3}(?=['"(]?\p{L})/gu

/** Quick to find: most texts have none. */
const hasDash = /[—―⸺⸻]|--|\s[-–]\s/u

const marks: ReadonlyArray<readonly [RegExp, string]> = [
  [/«[\u00A0\u2009\u202F]?|[\u00A0\u2009\u202F]?»|``|''|[“”„‟‹›″〝〞〟]/gu, '"'],
  [/[‘’‚‛′´`]/gu, "'"],
  [/[‐‑‒–−]/gu, "-"]
]

const raised: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", (character, at) => ["0123456789+-".charAt(at), character])
)

/** A power as it is typed. */
const power = /\^(?:\{([+-]?\d+)\}|([+-]?\d+))/gu

const blanks: ReadonlyArray<readonly [RegExp, string]> = [
  [new RegExp(`(?<=[${unspaced}])[^\\S\\n]*\\n\\s*(?=[${unspaced}])`, "gu"), ""],
  [/\s+/gu, " "],
  // A point of a list; a comma and the end of a sentence without a blank after it.
  [/(?<=^| )[•◦▪▫‣●○■□] /gu, ""],
  [/(?<=\p{L}[,;])(?=\p{L})|(?<=\p{Ll}[.!?]["']?)(?=\p{Lu}\p{Ll})/gu, " "],
  [/(?<=\d) (?=[%‰°])|(?<=[$€£¥§]) (?=\d)|(?<=[([]) | (?=[)\];:!?](?:\s|$))/gu, ""]
]

const replaced = (text: string, rules: ReadonlyArray<readonly [RegExp, string]>): string =>
  rules.reduce((before, [pattern, mark]) => before.replaceAll(pattern, mark), text)

/**
 * The text in one line, with single blanks, plain quotation marks, apostrophes and hyphens, without ligatures, invisible characters and
 * wide forms; `perhaps` stands for a hyphen at the end of a line within a word. Numbers, names, negations, signs, raised digits and
 * capital letters stay as they are.
 */
export const form = (text: string, way: Way = { suspended: false, narrow: false }): string => {
  const lines = text.replaceAll(/\r\n?/gu, "\n")
  const joined = /[\n\u00AD]/u.test(lines)
    ? replaced(way.suspended ? lines.replaceAll(suspended, "- ") : lines, lineEnds)
    : lines
  const dashed = hasDash.test(joined) ? joined.replaceAll(wide, way.narrow ? "-" : " - ") : joined
  const evened = replaced(dashed, marks)
    .normalize("NFC")
    .replaceAll(/[^\0-\x7F]+/gu, (foreign) =>
      foreign.replaceAll(kept, (part) => part.normalize("NFKC")).replaceAll(invisible, "")
    )
    .replaceAll(power, (_, braced?: string, plain?: string) =>
      Array.from(braced ?? plain ?? "", (digit) => raised[digit] ?? digit).join("")
    )
  return replaced(evened, blanks).trim()
}

/** True where a way other than the plain one may give another form. */
export const differs = (text: string): boolean =>
  (text.includes("\n") && text.search(suspended) >= 0) || (hasDash.test(text) && text.search(wide) >= 0)

/** A sign goes with the number after it; characters of a script without blanks are words of their own. */
const word = new RegExp(`[-+±<>≤≥≈~=]+ (?=\\d)[^\\s${unspaced}]+|[${unspaced}]|[^\\s${unspaced}]+`, "gu")

/** The words of a normal form: what stands between blanks. */
export const wordsOf = (normal: string): ReadonlyArray<string> => normal.match(word) ?? []

const betweenUnspaced = new RegExp(`(?<=[${unspaced}]) (?=[${unspaced}])`, "gu")

/** Words as a text to show. */
export const shown = (words: ReadonlyArray<string>): string =>
  words.join(" ").replaceAll(perhaps, "").replaceAll(betweenUnspaced, "")

/** True if the text ends in a character of a script without blanks between words. */
export const endsUnspaced = (text: string): boolean => unspacedEnd.test(text)

/** True for equal words, where a hyphen of the one may be the end of a line in the other. */
export const same = (left: string, right: string): boolean => {
  if (left === right) return true
  if (!left.includes(perhaps) && !right.includes(perhaps)) return false
  let [at, to] = [0, 0]
  while (at < left.length || to < right.length) {
    const [one, other] = [left[at], right[to]]
    if (one === other || (one === perhaps && other === "-") || (one === "-" && other === perhaps)) {
      at += 1
      to += 1
    } else if (one === perhaps) at += 1
    else if (other === perhaps) to += 1
    else return false
  }
  return true
}

/** Marks around the words of a document that a quote may leave out. */
const before = /^[("'[{¿¡]$/u
const after = /^[.,;:!?)\]}"']$/u

/** A number in brackets is negative in a balance sheet. */
const bracketed = /^\([^\p{L}]*\d[^\p{L}]*\)[.,;]?$/u

/** A note's number after a full stop. */
const note = /(?<=[.,;:!?"'])[⁰¹²³⁴⁵⁶⁷⁸⁹]+$|(?<=[.!?]["')])\d{1,3}$/u

/** Marks at an end of a word that are taken off at most. */
const most = 4

/** The word without some of the marks at its end, the whole word first. */
const withoutEnd = (word: string): ReadonlyArray<string> => {
  const found = [word]
  for (let at = 0, left = word; at < most; at++) {
    const next = note.test(left) ? left.replace(note, "") : left.slice(0, -1)
    const mark = left.slice(next.length)
    // Seconds and feet are part of a number.
    if (next === "" || (!note.test(left) && !after.test(mark)) || (mark === "'" && /\d$/u.test(next))) break
    found.push(next)
    left = next
  }
  return found
}

/** Words of a document that begin or end a quote, without some of the marks around them. */
const edges = (word: string, first: boolean, last: boolean): ReadonlyArray<string> => {
  if (bracketed.test(word)) return []
  const found = last ? withoutEnd(word) : [word]
  if (!first) return found
  return found.flatMap((each) => {
    let lead = 0
    while (lead < most && before.test(each.charAt(lead))) lead++
    return Array.from({ length: lead + 1 }, (_, at) => each.slice(at))
  })
}

/** True if the word of a quote is that of a document; at the ends of the quote, marks around it do not count. */
export const fits = (quoted: string, word: string, first: boolean, last: boolean): boolean =>
  same(quoted, word) || ((first || last) && edges(word, first, last).some((each) => same(quoted, each)))
