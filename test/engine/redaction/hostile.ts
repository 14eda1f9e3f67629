/** Texts that make careless rules slow, each of a unit repeated. */
const units: Readonly<Record<string, string>> = {
  "at signs": "a@",
  "e-mail addresses": "u.v@a.example ",
  "one long domain": "a.",
  digits: "1 ",
  "phone numbers": "+49 521 981234 ",
  "phone numbers that do not end": "0521 98 ",
  "beginnings of an IBAN": "DE12 1234 ",
  "beginnings of a token": "eyJaaaaaaaa-",
  "beginnings of a key": "-----BEGIN PRIVATE KEY-----",
  "words for passwords": "password is ",
  "addresses with credentials": "ab://b:c:",
  "names that do not end": "Aa van der ",
  greetings: "\nDear AbCDef,\n",
  "streets without a number": "calle de la ",
  "streets without a name": "12 rue de ",
  labels: "a: b\n",
  tables: "| name | mail |\n",
  emphasis: "**Aa** _b_ ",
  "embedded bytes": "data:image/png;base64,",
  "references of characters": "&#64;",
  "tags that are not closed": "<a b=\"c' ",
  comments: "<!--<script>"
}

export const hostileNames: ReadonlyArray<string> = Object.keys(units)

/** The text of that name, `length` characters long. */
export const hostileText = (name: string, length: number): string => {
  const unit = units[name] ?? name
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
}
