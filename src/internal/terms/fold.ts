/** Folding: forms of letters that do not count in a search. */

/** Version of the terms: 1 is what older indices hold, and never changes. */
export type Version = 1 | 2

/** Letters that Unicode does not take apart. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ð: "d"
}

/** Diacritics of European letters, and the vowels and the stretching of Arabic ones. */
const marks = new RegExp(String.raw`[\u0300-\u036F\u0640\u064B-\u0652]`, "gu")

const plainAscii = /^[a-z0-9]*$/u

const foldFirst = (lower: string): string =>
  lower
    .normalize("NFD")
    .replaceAll(marks, "")
    .normalize("NFC")
    .replaceAll(/[ßæœøđłıþð]/gu, (letter) => letters[letter] ?? letter)

/** Hamza and madda, Hebrew points, the nukta, and the apostrophe that is a letter. */
const moreMarks = new RegExp(
  String.raw`[\u0653-\u0655\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u093C\u02BC]`,
  "gu"
)

/** Letters that are written one for the other. */
const moreLetters: Readonly<Record<string, string>> = {
  ς: "σ",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
  ٱ: "ا",
  "\u0901": "\u0902"
}

/** A digit of any script as 0 to 9: digits are ten in a row, the first of which no digit precedes. */
const digit = (written: string): string => {
  const code = written.codePointAt(0) ?? 0
  for (let zero = code, value = 0; value < 10; zero -= 1, value += 1) {
    if (!/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) return String(value)
  }
  return written
}

const foldMore = (lower: string): string =>
  foldFirst(lower.normalize("NFD").replaceAll(moreMarks, ""))
    .replaceAll(/ς|ى|ی|ک|ة|ٱ|\u0901/gu, (letter) => moreLetters[letter] ?? letter)
    .replaceAll(/[^\P{Nd}0-9]/gu, digit)

/** Folds a word in lower case: `straße` becomes `strasse`, `naïve` becomes `naive`. */
export const fold = (lower: string, version: Version): string => {
  if (plainAscii.test(lower)) return lower
  return version === 1 ? foldFirst(lower) : foldMore(lower)
}
