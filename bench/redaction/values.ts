/** Values of the labelled set: numbers with true check digits, keys of the known shapes, and values that only look like them. */
import type { Random } from "./random.ts"
import type { Language } from "./templates.ts"
import type { Words } from "./words.ts"

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const lower = upper.toLowerCase()
const digits = "0123456789"
const letters = upper + lower
const hex = "0123456789abcdef"

/** Digit that makes the Luhn sum of `body` and it a multiple of ten. */
const luhnDigit = (body: string): string => {
  const sum = [...body].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}

const mod97 = (text: string): number =>
  [...text.toUpperCase()].reduce((rest, letter) => {
    const value = parseInt(letter, 36)
    return (rest * (value > 9 ? 100 : 10) + value) % 97
  }, 0)

const grouped = (text: string, size: number, by: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, "g")) ?? []).join(by)

const ibanBody: Readonly<Record<Language, (random: Random) => readonly [string, string]>> = {
  en: (random) => ["GB", random.text(4, upper) + random.digits(14)],
  de: (random) => ["DE", random.digits(18)],
  fr: (random) => ["FR", random.digits(10) + random.text(11, upper + digits) + random.digits(2)],
  es: (random) => ["ES", random.digits(20)],
  it: (random) => ["IT", random.text(1, upper) + random.digits(10) + random.text(12, upper + digits)],
  nl: (random) => ["NL", random.text(4, upper) + random.digits(10)]
}

const iban = (language: Language, random: Random): string => {
  const [country, body] = ibanBody[language](random)
  const check = String(98 - mod97(`${body}${country}00`)).padStart(2, "0")
  const plain = `${country}${check}${body}`
  return random.below(2) === 0 ? plain : grouped(plain, 4, " ")
}

const card = (random: Random): string => {
  const body = random.pick(["4", "51", "5425", "2221", "6011"])
  const number = body + random.digits(15 - body.length)
  return grouped(number + luhnDigit(number), 4, random.pick(["", " ", "-"]))
}

const nif = (random: Random): string => {
  const number = random.digits(8)
  return number + ("TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23] ?? "")
}

const nir = (random: Random): string => {
  const body = `${random.pick(["1", "2"])}${random.digits(2)}0${1 + random.below(9)}${10 + random.below(80)}${random.digits(6)}`
  const key = String(97 - Number(BigInt(body) % 97n)).padStart(2, "0")
  return random.below(2) === 0
    ? `${body}${key}`
    : `${body[0]} ${body.slice(1, 3)} ${body.slice(3, 5)} ${body.slice(5, 7)} ${body.slice(7, 10)} ${body.slice(10)} ${key}`
}

/** German tax id: eleven digits, one of them twice among the first ten, check digit by ISO 7064 MOD 11,10. */
const steuerId = (random: Random): string => {
  const left = [..."0123456789"]
  const body: Array<string> = []
  while (body.length < 9) {
    const [digit = ""] = left.splice(random.below(left.length), 1)
    if (body.length === 0 && digit === "0") left.push(digit)
    else body.push(digit)
  }
  body.push(body[1 + random.below(8)] ?? "1")
  let product = 10
  for (const digit of body) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  const check = (11 - product) % 10
  const plain = `${body.join("")}${check}`
  return random.below(2) === 0
    ? plain
    : `${plain.slice(0, 2)} ${plain.slice(2, 5)} ${plain.slice(5, 8)} ${plain.slice(8)}`
}

const codiceFiscaleOdd: Readonly<Record<string, number>> = Object.fromEntries(
  [..."0123456789"]
    .map((digit, at): [string, number] => [digit, [1, 0, 5, 7, 9, 13, 15, 17, 19, 21][at] ?? 0])
    .concat(
      [...upper].map((letter, at): [string, number] => [
        letter,
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23][at] ?? 0
      ])
    )
)

const codiceFiscale = (random: Random): string => {
  const body = `${random.text(6, "BCDFGLMNPRSTV")}${random.digits(2)}${random.text(1, "ABCDEHLMPRST")}${10 + random.below(18)}${random.text(1, "ABCDEFGHL")}${random.digits(3)}`
  const sum = [...body].reduce(
    (total, sign, at) =>
      total +
      (at % 2 === 0
        ? (codiceFiscaleOdd[sign] ?? 0)
        : (parseInt(sign, 36) % 10) + (parseInt(sign, 36) > 9 ? upper.indexOf(sign) - (parseInt(sign, 36) % 10) : 0)),
    0
  )
  return body + (upper[sum % 26] ?? "")
}

const bsn = (random: Random): string => {
  for (;;) {
    const number = random.digits(8)
    const sum = [...number].reduce((total, digit, at) => total + Number(digit) * (9 - at), 0)
    if (number[0] !== "0" && sum % 11 < 10) return `${number}${sum % 11}`
  }
}

const national: Readonly<Record<Language, (random: Random) => string>> = {
  en: (random) => `${100 + random.below(560)}-${10 + random.below(89)}-${1000 + random.below(8999)}`,
  de: steuerId,
  fr: nir,
  es: nif,
  it: codiceFiscale,
  nl: bsn
}

/** National formats, then international ones; `#` is a digit. */
const phones: Readonly<Record<Language, readonly [ReadonlyArray<string>, ReadonlyArray<string>]>> = {
  en: [
    ["(916) 5##-####".replace("5#", "55"), "0116 2## ####", "07911 ######", "414-27#-####", "020 7946 ####"],
    ["+1 916 552 ####", "+44 7911 ######", "+44 20 7946 ####", "+1-414-276-####"]
  ],
  de: [
    ["0521 98#####", "030/23####7#", "0176 2#######", "(0941) 78####", "089-54######"],
    ["+49 521 98#####", "+49 (0)30 23######", "+43 316 82####", "+49 176 2#######", "0049 89 54######"]
  ],
  fr: [
    ["01 42 ## ## ##", "06.12.##.##.##", "0476######", "02 98 ## ## ##"],
    ["+33 1 42 ## ## ##", "+33 6 12 ## ## ##", "+32 81 22 ## ##", "0033 4 76 ## ## ##"]
  ],
  es: [
    ["612 34# ###", "983 ## ## ##", "91 52# ## ##", "655######"],
    ["+34 612 34# ###", "+34 91 52# ## ##", "+52 55 5### ####".replace("5###", "52##")]
  ],
  it: [
    ["035 23####", "347 12#####", "06 67######", "02-48######"],
    ["+39 347 12#####", "+39 06 67######", "+39 02 48######"]
  ],
  nl: [
    ["06-12######", "055 52# ####", "020-62#####", "(058) 21# ####"],
    ["+31 6 12######", "+31 20 62# ####", "+32 3 22# ## ##"]
  ]
}

const filled = (random: Random, pattern: string): string => pattern.replace(/#/g, () => random.digits(1))

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ı/g, "i")
    .normalize("NFD")
    .replace(/[^a-z]/g, "")

const topDomain: Readonly<Record<Language, ReadonlyArray<string>>> = {
  en: ["com", "co.uk", "org"],
  de: ["de", "at", "com"],
  fr: ["fr", "be", "net"],
  es: ["es", "com.mx"],
  it: ["it", "eu"],
  nl: ["nl", "be"]
}

const email = (random: Random, words: Words, language: Language): string => {
  const first = plainName(random.pick(words.first))
  const last = plainName(random.pick(words.last))
  const local = random.pick([
    `${first}.${last}`,
    `${first[0] ?? ""}${last}`,
    `${last}${random.digits(2)}`,
    `${first}_${last}`,
    `${first}+rechnung`,
    `${last}-${first}`
  ])
  const host = random.pick(["mailbox", "example", "post-haus", "inbox", "work.example", "uni-mail"])
  return `${local}@${host}.${random.pick(topDomain[language])}`
}

const postcode: Readonly<Record<Language, (random: Random) => string>> = {
  en: (random) => String(10000 + random.below(89999)),
  de: (random) => String(10000 + random.below(89999)),
  fr: (random) => String(10000 + random.below(85999)),
  es: (random) => String(10000 + random.below(41999)),
  it: (random) => String(10000 + random.below(88999)),
  nl: (random) => `${1000 + random.below(8999)} ${random.text(2, "ABCDEGHJKLMNPRSTVWXZ")}`
}

const street = (random: Random, words: Words, language: Language): string => {
  const number = 1 + random.below(180)
  const name = random.pick(words.street)
  const forms: Readonly<Record<Language, string>> = {
    en: `${number} ${name}`,
    de: `${name} ${number}`,
    fr: `${number} ${name}`,
    es: `${name}, ${number}`,
    it: `${name}, ${number}`,
    nl: `${name} ${number}`
  }
  return forms[language]
}

const postcodeCity = (random: Random, words: Words, language: Language): string =>
  language === "en"
    ? `${random.pick(words.city)}, ${random.pick(["CA", "WI", "NY", "TX"])} ${postcode.en(random)}`
    : `${postcode[language](random)} ${random.pick(words.city)}`

type Make = (random: Random, words: Words, language: Language) => string

const password: Make = (random) =>
  `${random.pick(["Sommer", "Tiger", "Kx", "blue", "Zq"])}${random.digits(2)}${random.pick(["!", "#", "_", "%"])}${random.text(6, letters + digits)}`

/** Makers by what a template names. */
export const values: Readonly<Record<string, Make>> = {
  "PERSON.full": (random, words) => `${random.pick(words.first)} ${random.pick(words.last)}`,
  "PERSON.first": (random, words) => random.pick(words.first),
  "PERSON.last": (random, words) => random.pick(words.last),
  "EMAIL.plain": email,
  "PHONE.national": (random, _, language) => filled(random, random.pick(phones[language][0])),
  "PHONE.international": (random, _, language) => filled(random, random.pick(phones[language][1])),
  "LOCATION.city": (random, words) => random.pick(words.city),
  "LOCATION.street": street,
  "LOCATION.postcodeCity": postcodeCity,
  "LOCATION.address": (random, words, language) =>
    `${street(random, words, language)}, ${postcodeCity(random, words, language)}`,
  "FINANCIAL.iban": (random, _, language) => iban(language, random),
  "FINANCIAL.card": (random) => card(random),
  "FINANCIAL.national": (random, _, language) => national[language](random),
  "SECRET.password": password,
  "SECRET.opaque": (random) => random.text(40, `${letters}${digits}+/`),
  "SECRET.github": (random) => `ghp_${random.text(36, letters + digits)}`,
  "SECRET.aws": (random) => `AKIA${random.text(16, `${upper}234567`)}`,
  "SECRET.stripe": (random) => `sk_live_${random.text(24, letters + digits)}`,
  "SECRET.slack": (random) => `xoxb-${random.digits(12)}-${random.digits(12)}-${random.text(24, letters + digits)}`,
  "SECRET.openai": (random) => `sk-proj-${random.text(48, letters + digits)}`,
  "SECRET.jwt": (random) =>
    `eyJhbGciOiJIUzI1NiJ9.eyJ${random.text(40, letters + digits)}.${random.text(43, `${letters}${digits}-_`)}`,
  "trap.order": (random) =>
    random.pick([
      `ORD-${random.digits(8)}`,
      `2026-${random.digits(6)}`,
      random.digits(10),
      `${random.digits(4)}-${random.digits(7)}-${random.digits(7)}`
    ]),
  "trap.version": (random) => `${random.below(9)}.${random.below(30)}.${random.below(20)}`,
  "trap.isbn": (random) => `978-3-${random.digits(3)}-${random.digits(5)}-${random.digits(1)}`,
  "trap.date": (random) =>
    random.pick([
      `${10 + random.below(18)}.03.2026`,
      `2026-03-${10 + random.below(18)}`,
      `${10 + random.below(18)}/03/2026`
    ]),
  "trap.ticket": (random) => `${random.pick(["OPS", "DEV", "HELP"])}-${random.digits(4)}`,
  "trap.sha": (random) => random.text(40, hex),
  "trap.sha256": (random) => random.text(64, hex),
  "trap.uuid": (random) =>
    `${random.text(8, hex)}-${random.text(4, hex)}-4${random.text(3, hex)}-a${random.text(3, hex)}-${random.text(12, hex)}`,
  "trap.badge": (random) => `B${random.digits(5)}`,
  "trap.part": (random) => `${random.text(2, upper)}-${random.digits(4)}-${random.digits(3)}`,
  "trap.tracking": (random) =>
    random.pick([`1Z${random.text(16, upper + digits)}`, random.digits(14), `JJD${random.digits(16)}`]),
  "trap.build": (random) => `20260304.${random.digits(4)}-${random.text(7, hex)}`,
  "trap.ean": (random) => `40${random.digits(11)}`,
  "trap.org": (random, words) => random.pick(words.organisation)
}
