/** Every language that documents are written in, with its share. */
import type { Chance } from "../chance.ts"
import { english } from "./english.ts"
import { french } from "./french.ts"
import { german } from "./german.ts"
import type { Language } from "./language.ts"
import { russian } from "./russian.ts"
import { spanish } from "./spanish.ts"

const shares: ReadonlyArray<readonly [Language, number]> = [
  [english, 10],
  [german, 3],
  [french, 3],
  [spanish, 2],
  [russian, 2]
]

export const pick = (chance: Chance): Language => chance.weighted(shares)
