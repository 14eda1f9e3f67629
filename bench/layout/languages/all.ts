/** Every language that documents are written in, with its share. */
import type { Chance } from "../chance.ts"
import { arabic } from "./arabic.ts"
import { chinese } from "./chinese.ts"
import { english } from "./english.ts"
import { french } from "./french.ts"
import { german } from "./german.ts"
import { greek } from "./greek.ts"
import { hebrew } from "./hebrew.ts"
import { japanese } from "./japanese.ts"
import { korean } from "./korean.ts"
import type { Language } from "./language.ts"
import { russian } from "./russian.ts"
import { spanish } from "./spanish.ts"

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
