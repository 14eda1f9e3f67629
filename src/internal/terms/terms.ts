/** Terms of full-text search: see `Terms`. */
import { fold, type Version } from "./fold.ts"
import { languagesOf, stemless } from "./functionWords.ts"
import { simplified } from "./han.ts"
import { keys } from "./inflections.ts"
import { remembering } from "./remembering.ts"
import { type Script, scripts, stem } from "./stemmers.ts"
import { type Word, words } from "./words.ts"

export { type Version } from "./fold.ts"

/** Stands between a stem and its language; no word holds it, and every full-text engine takes it for a letter. */
const mark = "\u00A6"

/** Words that a language is found by; more do not change it. */
const sampled = 300

/** Languages of a function word; Chinese ones are listed in simplified characters. */
const functionOf = (folded: string, version: Version): ReadonlyArray<string> =>
  languagesOf[version].get(folded) ??
  (version === 2 && folded.charCodeAt(0) >= firstHan ? languagesOf[2].get(simplified(folded)) : undefined) ??
  none

/** Code of the first Chinese character. */
const firstHan = 0x3400

const none: ReadonlyArray<string> = []

/** Number of function words of each language among these. */
type Votes = ReadonlyMap<string, number>

const votesOf = (all: ReadonlyArray<Word>, version: Version): Votes => {
  const counts = new Map<string, number>()
  let seen = 0
  for (const { folded, kind } of all) {
    if (kind !== "word") continue
    seen += 1
    if (seen > sampled) break
    for (const language of functionOf(folded, version)) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return counts
}

/** Languages of a script that have votes, most first. */
const elected = (votes: Votes, script: Script): ReadonlyArray<readonly [string, number]> =>
  [...votes].filter(([language]) => script.languages.includes(language)).toSorted(([, left], [, right]) => right - left)

/** The language of a text in each script. */
export type Languages = ReadonlyMap<Script, string>

const scriptOf = (word: string, version: Version): Script | undefined =>
  scripts[version].find(({ letters }) => letters.test(word))

/** Most function words of another language that do not outweigh the language declared. */
const doubt = 2

const baseOf = (declared: string | undefined): string | undefined => declared?.split(/[-_]/u, 1)[0]?.toLowerCase()

export const languages = (all: ReadonlyArray<Word>, declared: string | undefined, version: Version = 2): Languages => {
  const base = baseOf(declared)
  const votes = votesOf(all, version)
  const found = new Map<Script, string>()
  for (const script of scripts[version]) {
    const [[language, count] = [script.languages[0] ?? "", 0]] = elected(votes, script)
    const trusted = base !== undefined && script.languages.includes(base) && count <= doubt
    found.set(script, trusted ? base : language)
  }
  return found
}

const stemmed = /^[\p{L}\p{M}]{3,}$/u

/** What version 1 has besides the folded word: its stem with its language, none for numbers, very short words and scripts without a stemmer. */
const firstKeys = (lower: string, language: string): ReadonlyArray<string> =>
  stemmed.test(lower) ? [`${fold(stem(lower, language), 1)}${mark}${language}`] : []

/** Terms besides the folded word by language. */
const keysBy = (
  version: Version,
  of: (lower: string, language: string) => ReadonlyArray<string>
): ReadonlyMap<string, (lower: string) => ReadonlyArray<string>> =>
  new Map(
    scripts[version]
      .flatMap((script) => script.languages)
      .map((language) => [language, remembering((lower) => of(lower, language))])
  )

const known = { 1: keysBy(1, firstKeys), 2: keysBy(2, keys) }

/** The script of a word that has other forms. */
const stemmedScript = (word: Word, version: Version): Script | undefined =>
  word.kind === "word" || version === 2 ? scriptOf(word.lower, version) : undefined

/** Terms of a word in a language besides its folded form. */
const keysOf = ({ lower }: Word, language: string | undefined, version: Version): ReadonlyArray<string> =>
  language === undefined ? none : (known[version].get(language)?.(lower) ?? none)

/** A word of a text: its place and its terms. */
export interface Place {
  readonly start: number
  readonly end: number
  readonly terms: ReadonlyArray<string>
}

export const places = (all: ReadonlyArray<Word>, spoken: Languages, version: Version = 2): ReadonlyArray<Place> =>
  all.map((word) => {
    const script = stemmedScript(word, version)
    const own = keysOf(word, script && spoken.get(script), version)
    const terms = word.plain === undefined ? [word.folded, ...own] : [word.folded, word.plain]
    return { start: word.start, end: word.end, terms }
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
  const title = version === 1 ? "" : titleOf(chunk)
  const declared = metadata["language"]
  const all = words(text, version)
  const headings = words(title + headingPath.map((heading) => heading.text).join("\n"), version)
  const spoken = languages([...all, ...headings], typeof declared === "string" ? declared : undefined, version)
  return {
    text: places(all, spoken, version),
    headings: places(headings, spoken, version),
    source: places(words(source, version), spoken, version)
  }
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
const languagesOfQuery = (votes: Votes, script: Script): ReadonlyArray<string> => {
  const counted = elected(votes, script)
  const most = counted[0]?.[1] ?? 0
  return most === 0 ? script.languages : counted.filter(([, count]) => count === most).map(([language]) => language)
}

/** Most words of a query; further ones are not searched for. */
const longestQuery = 64

/** How letters are written without their diacritics. */
const expansions: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" }

/** `mueller` for `Müller`. */
const expanded = (lower: string): ReadonlyArray<string> => {
  const written = lower.replaceAll(/[äöüøå]/gu, (letter) => expansions[letter] ?? letter)
  return written === lower ? none : [fold(written, 2)]
}

export const sought = (text: string, version: Version = 2): ReadonlyArray<Sought> => {
  const all = words(text, version)
  const votes = votesOf(all, version)
  const asked = new Map(scripts[version].map((script) => [script, languagesOfQuery(votes, script)]))
  const found = new Map<string, Sought>()
  for (const [at, word] of all.entries()) {
    if (found.has(word.folded)) continue
    if (found.size === longestQuery) break
    const base = all[at - 1]
    // A power as it is typed, `10^6`, is one word in a document that has it as `10⁶`.
    const power = base?.end === word.start - 1 && text[base.end] === "^" ? [base.folded + word.folded] : []
    const script = stemmedScript(word, version)
    const spoken = (script && asked.get(script)) ?? []
    const others = new Set(spoken.flatMap((language) => keysOf(word, language, version)))
    if (word.plain !== undefined) others.add(word.plain)
    if (version === 2) for (const other of expanded(word.lower)) others.add(other)
    const idle = functionOf(word.folded, version).some((one) => spoken.includes(one) || stemless.has(one))
    found.set(word.folded, { terms: [word.folded, ...others, ...power], kind: word.kind, run: word.run, idle })
  }
  return [...found.values()]
}
