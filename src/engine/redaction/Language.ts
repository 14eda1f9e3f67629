/** The languages of a text, by its most frequent words, and the countries whose numbers it is likely to hold. */

const words: Readonly<Record<string, string>> = {
  en: "the and of to is in for you your with this that are please was from have will number name address order phone customer city street",
  de: "der die das und ist nicht mit für ein eine von den dem auf zu im bei wird sie ihr wir bitte straße nummer telefon vorname nachname ort rechnung an kontakt",
  fr: "le la les et est de des du une un pour dans vous votre avec que par sur au aux nous ville nom prénom téléphone adresse courriel commande",
  es: "el la los las y es de del una un para en con por que su se al usted calle nombre apellidos teléfono correo ciudad pedido telefono",
  it: "il la le gli e è di del della una un per in con che si al sono via nome cognome telefono città indirizzo ordine cellulare",
  nl: "de het een en is van voor in op met dat te je uw zijn bij wordt straat naam voornaam telefoon plaats adres bestelling",
  pt: "o a os as e é de do da uma um para em com por que seu se ao não rua nome telefone cidade",
  pl: "i w na z do nie się jest to że od dla ul nazwisko telefon",
  sv: "och att det är en ett som på för med av till den namn telefon",
  da: "og at det er en et som på for med af til den navn telefon",
  nb: "og at det er en et som på for med av til den navn telefon",
  fi: "ja on ei se että kun tai nimi puhelin osoite",
  cs: "a je v na se že do pro jméno telefon ulice",
  tr: "ve bir bu için ile da de ad soyad telefon adres",
  ru: "и в не на что с по это имя телефон адрес",
  uk: "і в не на що з це ім'я телефон адреса"
}

const regions: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: ["US", "GB", "AU", "IE", "IN", "ZA", "NZ"],
  de: ["DE", "AT", "CH"],
  fr: ["FR", "BE", "CH", "LU"],
  es: ["ES", "MX", "AR", "CO", "CL", "PE"],
  it: ["IT", "CH"],
  nl: ["NL", "BE"],
  pt: ["PT", "BR"],
  pl: ["PL"],
  sv: ["SE", "FI"],
  da: ["DK"],
  nb: ["NO"],
  fi: ["FI"],
  cs: ["CZ", "SK"],
  tr: ["TR"],
  ru: ["RU"],
  uk: ["UA"]
}

const byWord: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const table = new Map<string, Array<string>>()
  for (const [language, list] of Object.entries(words)) {
    for (const word of list.split(" ")) table.set(word, [...(table.get(word) ?? []), language])
  }
  return table
})()

/** Characters that are looked at. */
const sample = 100_000

/** Likely languages of the text, the likeliest first; empty when it has too few known words. */
export const guess = (text: string): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const [word] of text
    .slice(0, sample)
    .toLowerCase()
    .matchAll(/[\p{L}']{1,20}/gu)) {
    for (const language of byWord.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const ranked = [...counts].toSorted((left, right) => right[1] - left[1])
  const most = ranked[0]?.[1] ?? 0
  return most < 2 ? [] : ranked.filter(([, count]) => count * 2 > most).map(([language]) => language)
}

/** Countries whose national numbers a text in these languages may hold, each once; those of all languages when none is known. */
export const countries = (languages: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set((languages.length === 0 ? Object.keys(regions) : languages).flatMap((language) => regions[language] ?? []))
]
