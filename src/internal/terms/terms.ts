/** Terms of full-text search: see `Terms`. */
import { fold, type Version } from "./fold.ts"
import { stemless } from "./functionWords.ts"
import { type Script, scripts } from "./stemmers.ts"
import { type Word, words } from "./words.ts"

export { type Version } from "./fold.ts"

/** Words that a language is found by; more do not change it. */
const sampled = 300

/** Number of function words of each language among these. */
type Votes = ReadonlyMap<string, number>

const votesOf = (all: ReadonlyArray<Word>): Votes => {
  const counts = new Map<string, number>()
  let seen = 0
  for (const { form, kind } of all) {
    if (kind !== "word") continue
    seen += 1
    if (seen > sampled) break
    for (const language of form.idleIn) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return counts
}

/** Languages of a script that have votes, most first. */
const elected = (votes: Votes, script: Script): ReadonlyArray<readonly [string, number]> =>
  [...votes].filter(([language]) => script.languages.includes(language)).toSorted(([, left], [, right]) => right - left)

/** The language of a text in each script. */
export type Languages = ReadonlyMap<Script, string>

/** Most function words of another language that do not outweigh the language declared. */
const doubt = 2

const baseOf = (declared: string | undefined): string | undefined => declared?.split(/[-_]/u, 1)[0]?.toLowerCase()

export const languages = (all: ReadonlyArray<Word>, declared: string | undefined, version: Version = 2): Languages => {
  const base = baseOf(declared)
  const votes = votesOf(all)
  const found = new Map<Script, string>()
  for (const script of scripts[version]) {
    const [[language, count] = [script.languages[0] ?? "", 0]] = elected(votes, script)
    const trusted = base !== undefined && script.languages.includes(base) && count <= doubt
    found.set(script, trusted ? base : language)
  }
  return found
}

/** The script of a word that has other forms. */
const stemmedScript = ({ form, kind }: Word, version: Version): Script | undefined =>
  kind === "word" || version === 2 ? form.script : undefined

/** The language of a word that has other forms in it. */
const languageOf = (word: Word, spoken: Languages, version: Version): string | undefined => {
  const script = stemmedScript(word, version)
  return script && spoken.get(script)
}

/** A word of a text: its place and its terms. */
export interface Place {
  readonly start: number
  readonly end: number
  readonly terms: ReadonlyArray<string>
}

export const places = (all: ReadonlyArray<Word>, spoken: Languages, version: Version = 2): ReadonlyArray<Place> =>
  all.map((word) => ({
    start: word.start,
    end: word.end,
    terms: word.form.termsIn(languageOf(word, spoken, version))
  }))

/** What the fields of a chunk hold. */
interface Of<A> {
  readonly text: A
  readonly headings: A
  readonly source: A
}

/** Words of a chunk's fields. */
export type Fields = Of<ReadonlyArray<Place>>

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
const fieldsBy = <A>(
  chunk: Fielded,
  version: Version,
  of: (all: ReadonlyArray<Word>, spoken: Languages, version: Version) => A
): Of<A> => {
  const { headingPath, metadata, source, text } = chunk
  const title = version === 1 ? "" : titleOf(chunk)
  const declared = metadata["language"]
  const all = words(text, version)
  const headings = words(title + headingPath.map((heading) => heading.text).join("\n"), version)
  const spoken = languages([...all, ...headings], typeof declared === "string" ? declared : undefined, version)
  return {
    text: of(all, spoken, version),
    headings: of(headings, spoken, version),
    source: of(words(source, version), spoken, version)
  }
}

export const fields = (chunk: Fielded, version: Version = 2): Fields => fieldsBy(chunk, version, places)

/** The terms of each field with blanks between them. */
export const texts = (chunk: Fielded, version: Version): Of<string> =>
  fieldsBy(chunk, version, (all, spoken) =>
    all.map((word) => word.form.textIn(languageOf(word, spoken, version))).join(" ")
  )

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
  return written === lower ? [] : [fold(written, 2)]
}

export const sought = (text: string, version: Version = 2): ReadonlyArray<Sought> => {
  const all = words(text, version)
  const votes = votesOf(all)
  const asked = new Map(scripts[version].map((script) => [script, languagesOfQuery(votes, script)]))
  const found = new Map<string, Sought>()
  for (const [at, word] of all.entries()) {
    const { folded, idleIn, lower, plain } = word.form
    if (found.has(folded)) continue
    if (found.size === longestQuery) break
    const base = all[at - 1]
    // A power as it is typed, `10^6`, is one word in a document that has it as `10⁶`.
    const power = base?.end === word.start - 1 && text[base.end] === "^" ? [base.form.folded + folded] : []
    const script = stemmedScript(word, version)
    const spoken = (script && asked.get(script)) ?? []
    const others = new Set(spoken.flatMap((language) => word.form.keysIn(language)))
    if (plain !== undefined) others.add(plain)
    if (version === 2) for (const other of expanded(lower)) others.add(other)
    const idle = idleIn.some((one) => spoken.includes(one) || stemless.has(one))
    found.set(folded, { terms: [folded, ...others, ...power], kind: word.kind, run: word.run, idle })
  }
  return [...found.values()]
}
