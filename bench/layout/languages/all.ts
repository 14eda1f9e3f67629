/** Every language that documents are written in, with its share where none is asked for. */
import type { Chance } from "../chance.ts"
import { arabic } from "./arabic.ts"
import { chinese } from "./chinese.ts"
import { english } from "./english.ts"
import { french } from "./french.ts"
import { german } from "./german.ts"
import { greek } from "./greek.ts"
import { hebrew } from "./hebrew.ts"
import { hindi } from "./hindi.ts"
import { japanese } from "./japanese.ts"
import { korean } from "./korean.ts"
import { type Language, nameOf } from "./language.ts"
import { russian } from "./russian.ts"
import { spanish } from "./spanish.ts"
import { thai } from "./thai.ts"
import { vietnamese } from "./vietnamese.ts"

const shares: ReadonlyArray<readonly [Language, number]> = [
  [english, 10],
  [german, 3],
  [french, 3],
  [spanish, 2],
  [russian, 2],
  [greek, 1],
  [arabic, 1.5],
  [hebrew, 1],
  [chinese, 1.5],
  [japanese, 1.5],
  [korean, 1]
]

export const pick = (chance: Chance): Language => chance.weighted(shares)

const known: ReadonlyArray<Language> = [
  ...shares.map(([language]) => language),
  hindi,
  thai,
  vietnamese,
  { ...chinese, vertical: true },
  { ...japanese, vertical: true }
]

/** The languages of codes, `ja-vertical` being Japanese in vertical lines. */
export const named = (names: ReadonlyArray<string>): ReadonlyArray<Language> =>
  names.map((name) => {
    const language = known.find((one) => nameOf(one) === name)
    if (language === undefined) throw new Error(`no language ${name}; there are ${known.map(nameOf).join(", ")}`)
    return language
  })
