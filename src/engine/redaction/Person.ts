/** Persons: after titles, greetings and closings, in fields of that name, and first names with the name after them. */
import * as Label from "./Label.ts"
import type * as Reading from "./Reading.ts"
import type { Span } from "./Span.ts"
import * as WordList from "./WordList.ts"

/** A capitalised word of a name, or an initial. */
const W = String.raw`(?:(?:[DdLlO]|Mc|Mac|dell|Dell)['’])?\p{Lu}(?:[\p{L}\p{M}'’-]{1,30}|\.)`

const particle = String.raw`(?:van|von|vom|der|den|de|del|della|dello|delle|di|da|dos|das|do|du|des|la|le|el|al|bin|ibn|ben|ter|ten|zu|zum|zur|'t|y|e|af|av)`

/** One to five words with particles between them. */
const name = String.raw`${W}(?: (?:${particle} ){0,3}${W}){0,4}`

const title = String.raw`(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Herrn?|Frau|Hr|Fr|Dipl\.-Ing|Monsieur|Madame|Mademoiselle|MM|Mme|Mlle|Don|Doña|don|doña|Sra|Sr|Srta|Dña|señora?|Señora?|Sig\.ra|Sig\.na|Sig|Signora?|signora?|Dott\.ssa|Dott|Avv|Ing|Geom|Rag|[Dd]hr|[Mm]evr|[Mm]w|[Dd]rs|[Ii]r|mr|meneer|mevrouw|heer|Heer|Mevrouw|Senhora?|Hra|Herra|Rouva)\.?`

const greeting = String.raw`(?:Dear|Hi|Hello|Hey|Hallo|Liebe[r]?|Guten Tag|Bonjour|Salut|Chère|Cher|Bonsoir|Hola|Estimad[oa]|Querid[oa]|Buenos días|Ciao|Car[oa]|Gentile|Gentilissim[oa]|Egregio|Buongiorno|Salve|Beste|Geachte|Dag|Goedemorgen|Prezad[oa]|Olá|Car[oa]|Cześć|Szanown[ay] Pani?e?|Hej|Kære|Kjære|Hei|Ahoj)`

const afterTitle = new RegExp(String.raw`(?<![\p{L}])(?:${title} ){1,3}(${name})`, "gu")

/** Titles that are words of other languages. */
const afterOwnTitle: Readonly<Record<string, RegExp>> = {
  fr: new RegExp(String.raw`(?<![\p{L}])Me (${name})`, "gu"),
  pl: new RegExp(String.raw`(?<![\p{L}])Pani? (${name})`, "gu"),
  cs: new RegExp(String.raw`(?<![\p{L}])(?:Pan|Paní) (${name})`, "gu")
}

const afterFrench = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:M\.|Mme\.?) (${name})`, "gu")

const afterGreeting = new RegExp(
  String.raw`(?:^|\n)[ >]{0,4}${greeting} (?:(?:${title} ){0,2})(${name})(?=[ ]?[,:!.\n]|$)`,
  "gu"
)

const afterRole = new RegExp(
  String.raw`(?<![\p{L}])(?:[Ff]ounder|CEO|CTO|CFO|[Cc]hair(?:man|woman|person)?|[Dd]irector|[Mm]anager|[Pp]resident|[Ss]ecretary|[Tt]reasurer|[Mm]ayor|[Aa]ttorney|[Ll]awyer|[Cc]ontact|[Aa]uthor|[Gg]ründerin|[Gg]ründer|[Gg]eschäftsführerin|[Gg]eschäftsführer|[Vv]orsitzende[rn]?|[Bb]ürgermeisterin|[Bb]ürgermeister|[Aa]nwältin|[Aa]nwalt|[Ff]ondatrice|[Ff]ondateur|[Dd]irectrice|[Dd]irecteur|[Pp]résidente?|[Mm]aire|[Gg]érante?|[Ff]undadora?|[Dd]irectora?|[Pp]residenta?|[Aa]lcaldesa|[Aa]lcalde|[Gg]erente|[Ff]ondatore|[Dd]irettrice|[Dd]irettore|[Ss]indaca|[Ss]indaco|[Oo]prichtster|[Oo]prichter|[Dd]irecteur|[Vv]oorzitter|[Bb]urgemeester|[Ww]ethouder)(?:[:,] | )(${name})`,
  "gu"
)

const beforeRole = new RegExp(
  String.raw`(?<![\p{L}])(${name})(?=,? (?:wrote|schrieb|a écrit|escribió|ha scritto|schreef)(?!\p{L})| <[^<>@\s]{1,64}@)`,
  "gu"
)

const closing =
  /(?:^|\n)[ >]{0,4}(?:(?:kind|best|warm|many)(?: \p{L}+)? regards|regards|best wishes|best|sincerely(?: yours)?|yours (?:sincerely|truly|faithfully)|cheers|thanks|thank you|many thanks|(?:mit )?(?:freundliche[nm]?|viele[nr]?|beste[nr]?|herzliche[nr]?|liebe[nr]?) gr(?:ü|ue)(?:ß|ss)e?n?|mfg|lg|vg|cordialement|bien cordialement|bien à vous|sincères salutations|un saludo|saludos(?: cordiales)?|atentamente|un abrazo|cordiali saluti|distinti saluti|cordialmente|un saluto|saluti|met vriendelijke groeten?|vriendelijke groeten?|groeten?|hartelijke groeten?|atenciosamente|abraços|pozdrawiam|med vänliga hälsningar|med venlig hilsen|mvh)[ ]?[,.!]?[ ]*\n{1,3}[ ]*/giu

const organisation =
  /^(?:GmbH|AG|KG|OHG|UG|e\.V|SE|Ltd|Limited|LLC|LLP|Inc|Corp|Corporation|Company|Co|PLC|SA|SAS|SARL|SL|SpA|Srl|BV|NV|VZW|Oy|AB|AS|ApS|Group|Gruppe|Groupe|Grupo|Gruppo|Holding|University|Universität|Université|Universidad|Università|Universiteit|College|School|Institute|Institut|Foundation|Stiftung|Fondation|Fundación|Stichting|Bank|Hospital|Klinik|Klinikum|Clinic|Street|Road|Avenue|Lane|Drive|Boulevard|Park|Platz|Museum|Church|Hotel|Airport|Stadium|Award|Prize|Day|Center|Centre|Team|Department|Ministry|Bakery|Foods|Devices|Instruments|Medical|Technologies|Systems|Software|Services|Partners|Associates|Solutions|Industries|Verlag|Press|Magazine|Times|Post|News|Library|Theatre|Theater|River|Lake|Mountain|Island|Bridge|Tower|Building|House|Square)$/

/** Capitalised words that begin sentences, lines or headings and are no part of a name. */
const common = new Set(
  "The|A|An|And|Or|But|If|In|On|At|To|For|From|With|By|Of|As|Is|It|We|You|He|She|They|This|That|These|Those|Please|Thank|Thanks|Dear|Hi|Hello|Our|Your|My|Sir|Madam|Team|All|Everyone|Customer|Client|User|Name|Address|Phone|Email|Mail|Date|Order|Number|Invoice|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Der|Die|Das|Ein|Eine|Und|Oder|Wenn|Wir|Sie|Ihr|Ihre|Ihren|Unser|Unsere|Bitte|Damen|Herren|Kunde|Kundin|Kunden|Nr|Telefon|Adresse|Anschrift|Rechnung|Datum|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Le|La|Les|Un|Une|Des|Et|Ou|Nous|Vous|Il|Elle|Votre|Notre|Pour|Fait|Client|Madame|Monsieur|El|Los|Las|Una|Y|Para|Por|Su|Nuestro|Cliente|Señor|Señora|Il|Lo|Gli|Per|Con|Spett|De|Het|Een|En|Wij|Uw|Onze|Voor|Met|Heer|Mevrouw|Klant|Iedereen|Alle|Todos|Tutti|Tous".split(
    "|"
  )
)

const joining = new RegExp(String.raw`^${particle}$`, "u")

/** The words of `text` without what belongs to a sentence or an organisation; undefined when no name is left. */
const cleaned = (text: string): string | undefined => {
  const words = text.split(" ")
  const stop = words.findIndex((word) => common.has(word))
  const kept = stop < 0 ? words : words.slice(0, stop)
  while (kept.length > 0 && joining.test(kept.at(-1) ?? "")) kept.pop()
  if (kept.length === 0 || kept.some((word) => organisation.test(word))) return undefined
  const found = kept.join(" ")
  return /\p{L}{2}/u.test(found) ? found : undefined
}

const captured = (
  text: string,
  patterns: ReadonlyArray<RegExp>,
  accepts: (name: string) => boolean = () => true
): Array<Span> => {
  const found: Array<Span> = []
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      const words = match[1] ?? ""
      const kept = cleaned(words)
      if (kept === undefined || !accepts(kept)) continue
      const start = match.index + match[0].lastIndexOf(words)
      found.push({ entity: "PERSON", start, end: start + kept.length })
    }
  }
  return found
}

const wholeName = new RegExp(
  String.raw`^(?:(?:${title} ){0,2})(${name}|${W}, ${name})(?=$|[,;(<]|\.(?: |$)| [(<–-])`,
  "u"
)

/** A name in capitals or of a script without them. */
const otherName =
  /^(?:\p{Lu}[\p{Lu}'’]{1,20}(?:[ -]|, )\p{Lu}[\p{Lu}'’]{1,20}(?:[ -]\p{Lu}{2,20}){0,2}|\p{Lo}{2,12}(?:[ ·]\p{Lo}{1,12}){0,3})$/u

const signatures = (text: string): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const match of text.matchAll(closing)) {
    const start = match.index + match[0].length
    const line = text.slice(start, start + 80).split("\n", 1)[0] ?? ""
    const words = wholeName.exec(line.trimEnd())?.[1]
    const kept = words === undefined || words.length < line.trim().length - 30 ? undefined : cleaned(words)
    if (kept !== undefined && kept.split(" ").length <= 5) {
      const from = start + line.indexOf(kept)
      found.push({ entity: "PERSON", start: from, end: from + kept.length })
    }
  }
  return found
}

/** True if a word of the text is in one of the lists of names. */
const hasName = (text: string): boolean => {
  const { first, last } = WordList.load()
  return text.split(/[ ,-]+/).some((written) => {
    const word = /^\p{Lu}{2,}$/u.test(written) ? `${written.slice(0, 1)}${written.slice(1).toLowerCase()}` : written
    return first.has(word) || (last.has(word) && !common.has(word))
  })
}

const fields = ({ eager, fields, text }: Reading.Reading): ReadonlyArray<Span> =>
  fields.flatMap(({ end, label, start }): ReadonlyArray<Span> => {
    if (label?.entity !== "PERSON" || end - start > 200) return []
    const value = text.slice(start, end)
    const words = wholeName.exec(value)?.[1] ?? otherName.exec(value)?.[0]
    if (words === undefined || /\d/.test(words)) return []
    const kept = otherName.test(words) || words.includes(",") ? words : cleaned(words)
    if (kept === undefined || !(label.sure || eager || hasName(kept))) return []
    const from = start + value.indexOf(kept)
    return [{ entity: "PERSON", start: from, end: from + kept.length }]
  })

const run = new RegExp(String.raw`(?<![\p{L}\p{N}_@'’-])${name}(?![\p{L}\p{N}_@])`, "gu")

/** Words that are first names and mostly something else. */
const ambiguous = new Set(
  "Mark|Will|Bill|Art|Rich|Frank|Grant|Chase|Dean|Duke|Earl|Drew|Rose|Lily|Grace|Hope|Faith|Joy|April|May|June|August|Paris|Florence|Georgia|Virginia|Carolina|Victoria|Charlotte|Sydney|Austin|Dallas|Houston|Jackson|Madison|Lincoln|Washington|Jordan|Israel|China|India|America|Asia|Christian|Pascal|Ruby|Jasper|Amber|Crystal|Pearl|Summer|Autumn|Winter|Angel|Sky|Star|Sunny|Chance|Price|Wolf|Ernst|Rosa|Mai|Max|Viola|Iris|Linde|Major|General|King|Prince|Judge|Christ|Forest|Lane|Stone|Ward|Park|Mercedes|Dolores|Pilar|Consuelo|Rosario|Cruz|Santiago|San|Santa|Reyes|Domingo|Pasqua|Natale|Domenica|Italia|Roma|Marina|Perla|Gioia|Speranza|Olivier|Pierre|Clément|Aimé|Désiré|Marin|Constant|Modeste|Parfait|Sylvestre|Zoo|Java|Ruby|Perl|Dart|Julia|Swift|Scala|Crystal|Elixir|Flora|Fauna|Alba|Stella|Luna|Nova|Terra|Gloria|Regina|Maria|Jesus|Jesús|Dios|Welcome|Price|Story|Page|Case|Law|Guy|Hunter|Mason|Carter|Cooper|Porter|Tanner|Miller|Taylor|Parker|Tyler|Baker".split(
    "|"
  )
)

/** True if a single word that may be a name is mostly something else. */
export const isAmbiguous = (word: string): boolean => ambiguous.has(word) || common.has(word)

/** A name at the begin of a line, up to its end or to a mark. */
const nextLine = new RegExp(
  String.raw`^[ ]{0,2}\\?\n[ >]{0,4}(${W}(?: (?:${particle} ){0,3}${W})?)(?=[ ]*(?:$|\n|[,;.(<]))`,
  "u"
)

/** The spans, each with the rest of its name where a line breaks between a first and a last name. */
const overLines = (text: string, spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const { city, first, last } = WordList.load()
  return spans.map((span) => {
    if (
      !text
        .slice(span.start, span.end)
        .split(" ")
        .every((word) => first.has(word.normalize("NFC")))
    )
      return span
    const [whole = "", name = ""] = nextLine.exec(text.slice(span.end, span.end + 80)) ?? []
    const kept = cleaned(name)
    if (kept === undefined || (city.has(kept) && !last.has(kept))) return span
    return { ...span, end: span.end + whole.length - name.length + kept.length }
  })
}

/** First name, then the rest of the name; in `aggressive`, a first name alone as well. */
const byList = ({ eager, languages, text }: Reading.Reading): ReadonlyArray<Span> => {
  const { city, first, last } = WordList.load()
  // German capitalises every noun: the word after the first name must be a known last name.
  const nouns = languages[0] === "de"
  const found: Array<Span> = []
  for (const match of text.matchAll(run)) {
    const words = match[0].split(" ")
    let at = match.index
    for (let index = 0; index < words.length; at += (words[index]?.length ?? 0) + 1, index++) {
      const word = words[index] ?? ""
      if (common.has(word) || !word.split("-").every((part) => first.has(part.normalize("NFC")))) continue
      const rest = words.slice(index + 1)
      const stop = rest.findIndex((next) => common.has(next))
      const tail = stop < 0 ? rest : rest.slice(0, stop)
      while (joining.test(tail.at(-1) ?? "")) tail.pop()
      const known = tail.some((next) => last.has(next.normalize("NFC")) || first.has(next.normalize("NFC")))
      const likely =
        tail.length > 0 && !tail.some((next) => organisation.test(next)) && (known || !(nouns || ambiguous.has(word)))
      const alone =
        eager &&
        tail.length === 0 &&
        word.length > 3 &&
        !ambiguous.has(word) &&
        !city.has(word) &&
        Label.of(word) === undefined
      if (!likely && !alone) continue
      const length = [word, ...tail].join(" ").length
      found.push({ entity: "PERSON", start: at, end: at + length })
      break
    }
  }
  return found
}

/** In `aggressive`: the last names of the names that were found, where they stand alone. */
const repeated = (text: string, spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const names = new Set<string>()
  for (const { end, start } of spans) {
    const words = text.slice(start, end).split(" ")
    for (const word of words.length > 1 ? words : [])
      if (word.length > 3 && !ambiguous.has(word) && !common.has(word)) names.add(word)
  }
  if (names.size === 0) return []
  const found: Array<Span> = []
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_@.-])\p{Lu}[\p{L}\p{M}'’-]{3,30}(?![\p{L}\p{N}_@])/gu)) {
    if (names.has(match[0])) found.push({ entity: "PERSON", start: match.index, end: match.index + match[0].length })
  }
  return found
}

export interface Found {
  /** After a word or in a field that says so. */
  readonly certain: ReadonlyArray<Span>
  /** By the lists of names. */
  readonly likely: ReadonlyArray<Span>
  /** Parts of the names above; none in `fast`. */
  readonly parts: ReadonlyArray<Span>
}

/** Linear: every pattern has a bounded length. */
export const find = (reading: Reading.Reading): Found => {
  const { eager, languages, text } = reading
  const certain = overLines(text, [
    ...captured(text, [afterTitle, afterFrench, afterGreeting, beforeRole]),
    ...captured(
      text,
      languages.flatMap((language) => afterOwnTitle[language] ?? [])
    ),
    // A role before other words is a heading more often than not: `Contact Us`.
    ...captured(text, [afterRole], (words) => eager || hasName(words)),
    ...signatures(text),
    ...fields(reading)
  ])
  const likely = byList(reading)
  return { certain, likely, parts: eager ? repeated(text, [...certain, ...likely]) : [] }
}
