/** Terms of full-text search: see `Terms`. */
import { languagesOf, stemless } from "./functionWords.ts"
import { remembering } from "./remembering.ts"
import { type Script, scripts, stem } from "./stemmers.ts"
import { fold, type Word, words } from "./words.ts"

/** A version of the terms: see `Terms`. */
export type Version = 1 | 2

/** Stands between a stem and its language; no word holds it, and every full-text engine takes it for a letter. */
const mark = "\u00A6"

/** Words that a language is found by; more do not change it. */
const sampled = 300

/** Languages of the function words among these, most frequent first, with their counts. */
const votes = (all: ReadonlyArray<Word>, script: Script): ReadonlyArray<readonly [string, number]> => {
  const counts = new Map<string, number>()
  let seen = 0
  for (const { folded, kind } of all) {
    if (kind !== "word") continue
    seen += 1
    if (seen > sampled) break
    for (const language of languagesOf.get(folded) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return [...counts]
    .filter(([language]) => script.languages.includes(language))
    .toSorted(([, left], [, right]) => right - left)
}

/** The language of a text in each script. */
export type Languages = ReadonlyMap<Script, string>

const scriptOf = (word: string): Script | undefined => scripts.find(({ letters }) => letters.test(word))

/** Most function words of another language that do not outweigh the language declared. */
const doubt = 2

const baseOf = (declared: string | undefined): string | undefined => declared?.split(/[-_]/u, 1)[0]?.toLowerCase()

export const languages = (all: ReadonlyArray<Word>, declared: string | undefined): Languages => {
  const base = baseOf(declared)
  const found = new Map<Script, string>()
  for (const script of scripts) {
    const [[language, count] = [script.languages[0] ?? "", 0]] = votes(all, script)
    const trusted = base !== undefined && script.languages.includes(base) && count <= doubt
    found.set(script, trusted ? base : language)
  }
  return found
}

const stemmed = /^[\p{L}\p{M}]{3,}$/u

/** The stem of a word in lower case with its language; empty for numbers, very short words and scripts without a stemmer. */
const terms = new Map(
  scripts
    .flatMap(({ languages }) => languages)
    .map((language) => [
      language,
      remembering((lower) => (stemmed.test(lower) ? `${fold(stem(lower, language))}${mark}${language}` : ""))
    ])
)

const stemOf = ({ kind, lower }: Word, language: string | undefined): string | null =>
  kind === "word" && language !== undefined ? terms.get(language)?.(lower) || null : null

/** A word of a text: its place and its terms. */
export interface Place {
  readonly start: number
  readonly end: number
  readonly terms: ReadonlyArray<string>
}

export const places = (all: ReadonlyArray<Word>, known: Languages): ReadonlyArray<Place> =>
  all.map((word) => {
    const script = word.kind === "word" ? scriptOf(word.lower) : undefined
    const own = stemOf(word, script && known.get(script))
    return { start: word.start, end: word.end, terms: own === null ? [word.folded] : [word.folded, own] }
  })

/** Words of a chunk's fields. */
export interface Fields {
  readonly text: ReadonlyArray<Place>
  readonly headings: ReadonlyArray<Place>
  readonly source: ReadonlyArray<Place>
}

export interface Fielded {
  readonly text: string
  readonly source: string
  readonly headingPath: ReadonlyArray<{ readonly text: string }>
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The title of the document where no heading says it already. */
const titleOf = ({ headingPath, metadata }: Fielded): string => {
  const title = metadata["title"]
  return typeof title !== "string" || headingPath.some(({ text }) => text.trim() === title.trim()) ? "" : `${title}\n`
}

/** The language is that of text and headings; the member `language` of the metadata is the one declared. */
export const fields = (chunk: Fielded, version: Version = 2): Fields => {
  const { headingPath, metadata, source, text } = chunk
  const declared = metadata["language"]
  const all = words(text)
  const title = version === 1 ? "" : titleOf(chunk)
  const headings = words(title + headingPath.map((heading) => heading.text).join("\n"))
  const spoken = languages([...all, ...headings], typeof declared === "string" ? declared : undefined)
  return { text: places(all, spoken), headings: places(headings, spoken), source: places(words(source), spoken) }
}

/** A word that is searched for. */
export interface Sought {
  /** The word, and its stem in each language that it may be of. */
  readonly terms: ReadonlyArray<string>
  /** `part`: a pair of characters, `chain`: words joined by punctuation; both repeat what words say. */
  readonly kind: "word" | "part" | "chain"
  /** Number of the run of letters that holds the word: in scripts without blanks, several words and parts. */
  readonly run: number
  /** True for a word that says nothing about a subject: `the`, `wie`. */
  readonly idle: boolean
}

/** Languages of a query: those whose function words it holds most of; all of the script when none decides. */
const languagesOfQuery = (all: ReadonlyArray<Word>, script: Script): ReadonlyArray<string> => {
  const counted = votes(all, script)
  const most = counted[0]?.[1] ?? 0
  return most === 0 ? script.languages : counted.filter(([, count]) => count === most).map(([language]) => language)
}

/** Most words of a query; further ones are not searched for. */
const longestQuery = 64

export const sought = (text: string, _version: Version = 2): ReadonlyArray<Sought> => {
  const all = words(text)
  const asked = new Map(scripts.map((script) => [script, languagesOfQuery(all, script)]))
  const found = new Map<string, Sought>()
  for (const [at, word] of all.entries()) {
    if (found.has(word.folded)) continue
    if (found.size === longestQuery) break
    const base = all[at - 1]
    // A power as it is typed, `10^6`, is one word in a document that has it as `10⁶`.
    const power = base?.end === word.start - 1 && text[base.end] === "^" ? [base.folded + word.folded] : []
    const script = word.kind === "word" ? scriptOf(word.lower) : undefined
    const spoken = (script && asked.get(script)) ?? []
    const stems = spoken.flatMap((language) => stemOf(word, language) ?? [])
    const idle = (languagesOf.get(word.folded) ?? []).some((one) => spoken.includes(one) || stemless.has(one))
    found.set(word.folded, { terms: [word.folded, ...stems, ...power], kind: word.kind, run: word.run, idle })
  }
  return [...found.values()]
}
