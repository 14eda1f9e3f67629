/** Lists of names and places, read on first use. */
import { cities } from "./data/cities.ts"
import { commonNames } from "./data/commonNames.ts"
import { firstNames } from "./data/firstNames.ts"
import { lastNames } from "./data/lastNames.ts"

export interface WordList {
  readonly first: ReadonlySet<string>
  readonly last: ReadonlySet<string>
  /** Cities, each as one string; more than one word is possible. */
  readonly city: ReadonlySet<string>
  /** Countries in the languages of the rules. */
  readonly country: ReadonlySet<string>
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(/[|\n]/))

const languages = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "fi", "cs", "tr", "ru", "uk"]

/** English names of cities whose own name is in the list, and the other way round. */
const exonyms =
  "Munich|Cologne|Nuremberg|Hanover|Vienna|Zurich|Geneva|Lucerne|Basle|Brussels|Antwerp|Ghent|Bruges|The Hague|Florence|Venice|Milan|Naples|Turin|Rome|Genoa|Seville|Lisbon|Prague|Warsaw|Cracow|Copenhagen|Gothenburg|Moscow|Kyiv|Kiev|Athens|Bucharest|Belgrade|Marseilles|Lyons|New York|New York City|London|Paris|Berlin|Madrid|Tokyo|Beijing|Shanghai|Delhi|New Delhi|Mumbai|Cairo|Istanbul|Londres|Parijs|Londen|Londra|Parigi|Berlino|Berlín|París|Mailand|Rom|Venedig|Neapel|Turin|Florenz|Genf|Brüssel|Lissabon|Prag|Warschau|Kopenhagen|Moskau|Athen|Peking|Tokio|Kairo|Wien|München|Köln|Zürich|Genève|Bruxelles|Anvers|Gand|Bruges|Vienne|Londen|Milano|Roma|Napoli|Torino|Firenze|Venezia|Genova|Sevilla|Lisboa|Praga|Varsovia|Moscú|Atenas"

const countriesOf = (): ReadonlySet<string> => {
  const names = new Set<string>()
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  for (const language of languages) {
    const display = new Intl.DisplayNames(language, { type: "region", fallback: "none" })
    for (const first of signs) {
      for (const second of signs) {
        const name = display.of(first + second)
        if (name !== undefined) names.add(name)
      }
    }
  }
  return names
}

let loaded: WordList | undefined

/** The lists; the first call takes some 30 ms. */
export const load = (): WordList => {
  loaded ??= {
    first: setOf(`${firstNames}\n${commonNames}`),
    last: setOf(lastNames),
    city: setOf(`${cities}\n${exonyms}`),
    country: countriesOf()
  }
  return loaded
}
