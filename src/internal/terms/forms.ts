/** A word in the forms that a search compares: made once for each spelling, and remembered. */
import { type Part, partsOf } from "./codes.ts"
import { fold, type Version } from "./fold.ts"
import { languagesOf } from "./functionWords.ts"
import { simplified } from "./han.ts"
import { keys } from "./inflections.ts"
import { remembering } from "./remembering.ts"
import { type Script, scripts, stem } from "./stemmers.ts"

/** Stands between a stem and its language; no word holds it, and every full-text engine takes it for a letter. */
const mark = "\u00A6"

const none: ReadonlyArray<never> = []

/** Code of the first Chinese character. */
const firstHan = 0x3400

/** Languages of a function word; Chinese ones are listed in simplified characters. */
const functionOf = (folded: string, version: Version): ReadonlyArray<string> =>
  languagesOf[version].get(folded) ??
  (version === 2 && folded.charCodeAt(0) >= firstHan ? languagesOf[2].get(simplified(folded)) : undefined) ??
  none

const stemmed = /^[\p{L}\p{M}]{3,}$/u

/** What version 1 has besides the folded word: its stem with its language, none for numbers, very short words and scripts without a stemmer. */
const firstKeys = (lower: string, language: string): ReadonlyArray<string> =>
  stemmed.test(lower) ? [`${fold(stem(lower, language), 1)}${mark}${language}`] : none

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

/** A word, or several joined by punctuation. */
export class Form {
  /** In lower case, with its diacritics, as stemmers take it. */
  readonly lower: string
  /** Compatibility forms, case and diacritics do not count. */
  readonly folded: string
  /** A number without the separators of its thousands, where `folded` has them. */
  readonly plain: string | undefined
  /** Words within a name or code, in version 2. */
  readonly parts: ReadonlyArray<Part>
  /** Its script, if words of it have other forms. */
  readonly script: Script | undefined
  /** Languages in which it is a function word. */
  readonly idleIn: ReadonlyArray<string>
  private readonly version: Version
  private language: string | undefined
  private terms: ReadonlyArray<string> | null = null
  private text = ""

  constructor(version: Version, lower: string, folded: string, parts: ReadonlyArray<Part> = none, plain?: string) {
    this.version = version
    this.lower = lower
    this.folded = folded
    this.parts = parts
    this.plain = plain
    this.script = scripts[version].find(({ letters }) => letters.test(lower))
    this.idleIn = functionOf(folded, version)
  }

  /** Terms in a language besides the folded form. */
  keysIn(language: string | undefined): ReadonlyArray<string> {
    return language === undefined ? none : (known[this.version].get(language)?.(this.lower) ?? none)
  }

  /** All terms in a language, the folded form first; made again only for another language than the last one. */
  termsIn(language: string | undefined): ReadonlyArray<string> {
    if (this.terms !== null && this.language === language) return this.terms
    this.language = language
    this.terms = [this.folded, ...(this.plain === undefined ? this.keysIn(language) : [this.plain])]
    this.text = this.terms.join(" ")
    return this.terms
  }

  /** The terms with blanks between them. */
  textIn(language: string | undefined): string {
    this.termsIn(language)
    return this.text
  }
}

const lowered = (written: string): string => written.normalize("NFKC").toLowerCase()

const formOf = (version: Version) =>
  remembering((written) => {
    const lower = lowered(written)
    return new Form(version, lower, fold(lower, version), version === 1 ? none : partsOf(written))
  })

/** The form of a word as it is written. */
export const forms: Readonly<Record<Version, (written: string) => Form>> = { 1: formOf(1), 2: formOf(2) }
