/** Snowball stemmers by language and script. */
import { stemmer as ar } from "@orama/stemmers/arabic"
import { stemmer as hy } from "@orama/stemmers/armenian"
import { stemmer as bg } from "@orama/stemmers/bulgarian"
import { stemmer as da } from "@orama/stemmers/danish"
import { stemmer as nl } from "@orama/stemmers/dutch"
import { stemmer as en } from "@orama/stemmers/english"
import { stemmer as fi } from "@orama/stemmers/finnish"
import { stemmer as fr } from "@orama/stemmers/french"
import { stemmer as de } from "@orama/stemmers/german"
import { stemmer as el } from "@orama/stemmers/greek"
import { stemmer as hu } from "@orama/stemmers/hungarian"
import { stemmer as hi } from "@orama/stemmers/indian"
import { stemmer as id } from "@orama/stemmers/indonesian"
import { stemmer as ga } from "@orama/stemmers/irish"
import { stemmer as it } from "@orama/stemmers/italian"
import { stemmer as lt } from "@orama/stemmers/lithuanian"
import { stemmer as no } from "@orama/stemmers/norwegian"
import { stemmer as pt } from "@orama/stemmers/portuguese"
import { stemmer as ro } from "@orama/stemmers/romanian"
import { stemmer as ru } from "@orama/stemmers/russian"
import { stemmer as sr } from "@orama/stemmers/serbian"
import { stemmer as es } from "@orama/stemmers/spanish"
import { stemmer as sv } from "@orama/stemmers/swedish"
import { stemmer as ta } from "@orama/stemmers/tamil"
import { stemmer as tr } from "@orama/stemmers/turkish"
import { stemmer as uk } from "@orama/stemmers/ukrainian"
import type { Version } from "./fold.ts"

const stemmers: ReadonlyMap<string, (word: string) => string> = new Map(
  Object.entries({
    ar,
    bg,
    da,
    de,
    el,
    en,
    es,
    fi,
    fr,
    ga,
    hi,
    hu,
    hy,
    id,
    it,
    lt,
    nl,
    no,
    pt,
    ro,
    ru,
    sr,
    sv,
    ta,
    tr,
    uk
  })
)

/** A script whose words have other forms, and the languages that are written in it. */
export interface Script {
  readonly letters: RegExp
  /** The first one is taken for a text that shows none of them. */
  readonly languages: ReadonlyArray<string>
}

const first: ReadonlyArray<Script> = [
  {
    letters: /\p{Script=Latin}/u,
    languages: ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "hu", "ro", "tr", "id", "lt", "ga"]
  },
  { letters: /\p{Script=Cyrillic}/u, languages: ["ru", "uk", "bg", "sr"] },
  { letters: /\p{Script=Greek}/u, languages: ["el"] },
  { letters: /\p{Script=Arabic}/u, languages: ["ar"] },
  { letters: /\p{Script=Armenian}/u, languages: ["hy"] },
  { letters: /\p{Script=Devanagari}/u, languages: ["hi"] },
  { letters: /\p{Script=Tamil}/u, languages: ["ta"] }
]

/** Scripts by version of the terms. */
export const scripts: Readonly<Record<Version, ReadonlyArray<Script>>> = {
  1: first,
  2: [
    ...first,
    { letters: /\p{Script=Hebrew}/u, languages: ["he"] },
    { letters: /\p{Script=Hangul}/u, languages: ["ko"] },
    { letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, languages: ["ja"] },
    { letters: /\p{Script=Han}/u, languages: ["zh", "ja"] }
  ]
}

/** Languages that have a stemmer. */
export const stemmable: ReadonlyArray<string> = [...stemmers.keys()]

/**
 * The stem of a word in lower case; the word itself for a language without a stemmer, and where the stemmer throws (that of Bulgarian on
 * `учители`, for instance) or leaves nothing. Total.
 */
export const stem = (word: string, language: string): string => {
  try {
    return stemmers.get(language)?.(word) || word
  } catch {
    return word
  }
}
