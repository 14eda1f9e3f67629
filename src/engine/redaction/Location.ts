/** Places: streets with a number, postal codes with a city, cities after a word for a place or in a field of that name. */
import * as Label from "./Label.ts"
import * as Reading from "./Reading.ts"
import type { Span } from "./Span.ts"
import * as WordList from "./WordList.ts"

const W = String.raw`\p{Lu}[\p{L}'’.-]{0,30}`

/** Words of a street's name: capitalised, or small ones between them. */
const names = String.raw`(?:(?:d['’]|l['’]|dell['’])?(?:[\p{L}][\p{L}'’.-]{0,24}|\d{1,2}(?:er|e|º)?)[ ]){0,4}`

const number = String.raw`\d{1,4}(?:[ -]?[a-zA-Z](?![\p{L}])|[-–/]\d{1,4}|-?[IVX]{1,4}(?![\p{L}])|[ ]?(?:bis|ter))?`

const unit = String.raw`(?:,? (?:apt|suite|unit|floor|flat|apartment|#)\.? ?[\w-]{1,6})?`

const streets: ReadonlyArray<RegExp> = [
  // 86 Victoria Avenue
  new RegExp(
    String.raw`(?<![\p{L}\p{N}.,-])${number} (?:(?:N|S|E|W|North|South|East|West)\.? )?(?:(?:${W}|\d{1,3}(?:st|nd|rd|th)) ){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Close|Way|Place|Pl|Terrace|Crescent|Square|Sq|Parkway|Pkwy|Highway|Hwy|Grove|Gardens|Row|Walk|Circle|Mews|Hill|Quay|Park|Trail)(?![\p{L}])\.?${unit}`,
    "gu"
  ),
  // Lindenstraße 12, Kerkstraat 5
  new RegExp(
    String.raw`(?<![\p{L}])(?:${W}[ -]){0,3}(?:\p{Lu}[\p{L}-]{0,40}(?:stra(?:ß|ss)e|str\.|weg|gasse|allee|platz|ring|damm|ufer|steig|chaussee|promenade|markt|straat|laan|gracht|plein|dijk|kade|singel|dreef|pad|steeg|gatan|vägen|gade|vej|katu|tie)|\p{Lu}[\p{L}-]{1,30} (?:Straße|Strasse|Str\.|Weg|Allee|Platz|Ring|Damm|Ufer|Chaussee|Gasse|Landstraße)|(?:Alte|Neue|Große|Kleine|Lange|Untere|Obere)[rn]? (?:Straße|Gasse)|Straße des \p{Lu}[\p{L}.]+(?: \p{Lu}[\p{L}]+)?) ${number}(?![\p{L}\p{N}-])`,
    "gu"
  ),
  // Am Mühlbach 3, Unter den Linden 5
  new RegExp(
    String.raw`(?<![\p{L}])(?:Am|An der|An den|Auf der|Auf dem|Im|In der|In den|Zum|Zur|Hinter der|Unter den|Bei der) \p{Lu}[\p{L}-]{2,30} ${number}(?![\p{L}\p{N}.-])`,
    "gu"
  ),
  // 12 bis, rue de la République
  new RegExp(
    String.raw`(?<![\p{L}\p{N}.-])${number},? (?:rue|avenue|av\.|boulevard|bd|place|chemin|allée|impasse|quai|route|cours|square|passage|sentier|faubourg|villa) ${names}\p{Lu}[\p{L}'’-]{1,30}`,
    "giu"
  ),
  // calle Mayor, 5; via Garibaldi 12; rua Augusta, 100
  new RegExp(
    String.raw`(?<![\p{L}])(?:calle|c\/|avenida|avda\.?|plaza|pza\.?|paseo|camino|carretera|ronda|travesía|carrera|via|viale|v\.le|piazza|p\.za|piazzale|corso|c\.so|largo|vicolo|strada|lungomare|contrada|rua|travessa|praça|alameda|estrada|ulica|ul\.|aleja|al\.) ${names}\p{Lu}[\p{L}'’-]{1,30}(?:(?:,? ?(?:n[.°º]|nº|no\.|num\.)? ?)${number}(?![\p{N}])(?:,? \d{1,2}[ºª°])?)`,
    "giu"
  )
]

const city = String.raw`(?:(?:Sankt|St\.|Saint|San|Santa|La|Le|Los|Las|El|Bad|Den|De|'s-)[ -]?)?\p{Lu}[\p{L}'’-]{1,30}(?:(?:[ ](?:am|an der|im|in der|sur|sous|de|del|della|di|la|les|aan den|aan de|upon|on|en)|[ -])[ ]?\p{Lu}[\p{L}'’-]{1,30}){0,2}`

const withCode: ReadonlyArray<RegExp> = [
  // Sacramento, CA 95814
  new RegExp(
    String.raw`(?<![\p{L}])(?:${W} ){0,2}${W}, ?(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]) \d{5}(?:-\d{4})?(?!\d)`,
    "gu"
  ),
  // Postal codes of the United Kingdom, with or without the city before them
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${W},? )?(?:[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2})(?![\p{L}\p{N}])`,
    "gu"
  )
]

/** 1234 AB: in a Dutch text; elsewhere it may be an id. */
const dutchCode = /(?<![\p{L}\p{N}#=-])[1-9]\d{3} ?[A-Z]{2}(?![\p{L}\p{N}])/gu

/** 33602 Bielefeld, 1012 AB Amsterdam, 00-590 Warszawa, 114 55 Stockholm, 1000-001 Lisboa: the words may be others, so they must be a city or follow a street. */
const codeAndCity = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,/#-])(?:(?:[A-Z]{1,2}-)?\d{4,5}(?: ?[A-Z]{2}(?!\p{L}))?|\d{2}-\d{3}|\d{3} \d{2}|\d{4,5}-\d{3}) (${city})`,
  "gu"
)

const all = (text: string, patterns: ReadonlyArray<RegExp>): Array<Span> => {
  const found: Array<Span> = []
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      found.push({ entity: "LOCATION", start: match.index, end: match.index + match[0].length })
    }
  }
  return found
}

/** The longest beginning of `words`, in whole words, that is a city. */
const cityOf = (words: string): string | undefined => {
  const { city } = WordList.load()
  const parts = words.split(" ")
  for (let count = parts.length; count > 0; count--) {
    const name = parts.slice(0, count).join(" ")
    if (city.has(name) || city.has(name.replace(/-/g, " "))) return name
  }
  return undefined
}

const postcodes = (reading: Reading.Reading, streetEnds: ReadonlyArray<number>): ReadonlyArray<Span> => {
  const { text } = reading
  const ends = new Set(streetEnds)
  const found: Array<Span> = []
  for (const match of text.matchAll(codeAndCity)) {
    const words = match[1] ?? ""
    const start = match.index
    const length = match[0].length - words.length
    const gap = /[,;\s|]{0,6}$/.exec(text.slice(Math.max(0, start - 6), start))?.[0].length ?? 0
    const name =
      ends.has(start - gap) || Reading.labelledAs(reading, start, "LOCATION") === true ? words : cityOf(words)
    if (name !== undefined) found.push({ entity: "LOCATION", start, end: start + length + name.length })
  }
  return found
}

/** Cities right after a street: `12 Maple Street, Springfield`. */
const afterStreets = (text: string, ends: ReadonlyArray<number>): ReadonlyArray<Span> =>
  ends.flatMap((end): ReadonlyArray<Span> => {
    const match = afterStreet.exec(text.slice(end, end + 120))
    const name = match === null ? undefined : cityOf(match[2] ?? "")
    const start = end + (match?.[1]?.length ?? 0)
    return name === undefined ? [] : [{ entity: "LOCATION", start, end: start + name.length }]
  })

const afterStreet = new RegExp(String.raw`^(,? (?:in )?)(${city})`, "u")

const placeWord =
  /(?:^|[\s(,])(?:in|at|from|near|to|of|town|city|aus|nach|bei|wohnhaft|à|au|ville de|vit à|en|desde|ciudad de|a|da|di|città di|presso|te|van|von|uit|naar|bij|em|de|w|z|do|i|från|fra|til)[ ]$/iu

/** Words that are cities too, and mostly something else. */
const ambiguous = new Set(
  "Bar|Best|Born|Bath|Reading|Mobile|Nice|Of|Man|Split|Most|Bern|Essen|Hof|Halle|Singen|Werder|Melle|Wedel|Haar|Lage|Brand|Weil|Kehl|Hamm|Hagen|Lauf|Goes|Zug|Same|Una|Para|Sale|Male|Police|Orange|Date|Sens|Tours|Vienne|Nevers|Cannes|Sète|Vienna|Lens|Laval|Victoria|Independence|Enterprise|Commerce|Industry|Normal|Eagle|Union|Liberty|Paradise|Troy|Surprise|Corona|Concord|Aurora|Hope|Mission|Plus|Our|Central|Buy|Wells|Deal|Ware|Rugby|Sandy|Street|Lincoln|Washington|Jackson|Madison|Houston|Austin|Monroe|Cary|Carson|Warren|Marina|Florence|Charlotte|Victor|Pascal|Jordan|Norman|Nelson|Clinton|Wilson|Hamilton|Anderson|Burton|Newton|Preston|Stafford|Chester|Lancaster|Windsor|Kent|Rosario|Santiago|Mercedes|Trinidad|Soledad|Leon|León|Salvador|San|Santa|Cruz|Bello|Toledo|March|May|August|Ada|Eden|Asia|Chad|Will|Mark".split(
    "|"
  )
)

const cityRun = new RegExp(String.raw`(?<![\p{L}\p{N}_@./-])${city}(?![\p{L}\p{N}_@/])`, "gu")

/** Cities after a preposition; in `aggressive`, cities and countries anywhere. */
const cities = (reading: Reading.Reading): ReadonlyArray<Span> => {
  const { eager, text } = reading
  const { country } = WordList.load()
  const found: Array<Span> = []
  for (const match of text.matchAll(cityRun)) {
    const [words] = match
    const name = cityOf(words) ?? (eager && country.has(words) ? words : undefined)
    if (name === undefined || name.length < 3 || (ambiguous.has(name) && !eager)) continue
    const sure = name === words && placeWord.test(text.slice(Math.max(0, match.index - 12), match.index))
    const opens = match.index === 0 || text[match.index - 1] === "\n"
    const dateline =
      opens && /^, (?:\d|den |a |le |li )/.test(text.slice(match.index + name.length, match.index + name.length + 6))
    const label = text[match.index + name.length] === ":" || Label.of(name) !== undefined
    if (sure || dateline || (eager && !label && !ambiguous.has(name) && name === words)) {
      found.push({ entity: "LOCATION", start: match.index, end: match.index + name.length })
    }
  }
  return found
}

const capitalised =
  /^(?:[\p{Lu}\d]|c\/|via |calle |rue |avenida |plaza |piazza |avenue |viale |paseo |corso |place |chemin |impasse |quai |boulevard )/u

const fields = ({ fields, text }: Reading.Reading): ReadonlyArray<Span> =>
  fields.flatMap(({ end, label, start }): ReadonlyArray<Span> => {
    const value = text.slice(start, end)
    const place =
      label?.entity === "LOCATION" && capitalised.test(value) && value.length <= 120 && /\p{L}{2}|\d{4}/u.test(value)
    return place && !/[@=]|https?:/.test(value) ? [{ entity: "LOCATION", start, end }] : []
  })

/** Joins spans that only a comma, a line feed or a space parts. */
const joined = (text: string, spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const span of spans.toSorted((left, right) => left.start - right.start)) {
    const last = found.at(-1)
    const touches =
      last !== undefined &&
      (span.start <= last.end || (span.start - last.end <= 3 && /^[, ]+$/.test(text.slice(last.end, span.start))))
    if (touches) found[found.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    else found.push(span)
  }
  return found
}

/** Linear: every pattern has a bounded length. */
export const find = (reading: Reading.Reading): ReadonlyArray<Span> => {
  const { text } = reading
  const street = all(text, streets)
  const ends = street.map(({ end }) => end)
  return joined(text, [
    ...street,
    ...all(text, withCode),
    ...(reading.languages.includes("nl") ? all(text, [dutchCode]) : []),
    ...postcodes(reading, ends),
    ...afterStreets(text, ends),
    ...cities(reading),
    ...fields(reading)
  ])
}
