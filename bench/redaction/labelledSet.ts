/** The labelled set: texts with spans, from templates, words and a seed. */
import * as Random from "./random.ts"
import { half, languages, shapes, templates, type Language, type Shape } from "./templates.ts"
import { values } from "./values.ts"
import { development, heldOut } from "./words.ts"

export const buckets = ["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"] as const

export type Bucket = (typeof buckets)[number]

export interface Span {
  readonly bucket: Bucket
  /** `[start, end)` in UTF-16 code units of the text. */
  readonly start: number
  readonly end: number
}

export interface Case {
  readonly language: Language
  readonly shape: Shape
  readonly half: "development" | "heldOut"
  readonly text: string
  readonly spans: ReadonlyArray<Span>
}

const halves = { development, heldOut }

const isBucket = (word: string): word is Bucket => buckets.some((bucket) => bucket === word)

const slot = /\{\{(\w+)\.([a-zA-Z]+(?:256)?)(\d?)\}\}/g

const fill = (language: Language, shape: Shape, random: Random.Random): Case => {
  const part = half(language, shape)
  const known = new Map<string, string>()
  const spans: Array<Span> = []
  let text = ""
  let from = 0
  const template = templates[language][shape]
  for (const match of template.matchAll(slot)) {
    const [whole, bucket = "", kind = "", repeat = ""] = match
    const make = values[`${bucket}.${kind}`]
    if (make === undefined) throw new RangeError(`${language} ${shape}: no value for ${whole}`)
    const value = (repeat === "" ? undefined : known.get(whole)) ?? make(random, halves[part][language], language)
    known.set(whole, value)
    text += template.slice(from, match.index)
    if (isBucket(bucket)) spans.push({ bucket, start: text.length, end: text.length + value.length })
    text += value
    from = match.index + whole.length
  }
  return { language, shape, half: part, text: text + template.slice(from), spans }
}

/** Each template filled `fills` times. */
export const make = (seed: number, fills: number): ReadonlyArray<Case> => {
  const random = Random.make(seed)
  return languages.flatMap((language) =>
    shapes.flatMap((shape) => Array.from({ length: fills }, () => fill(language, shape, random)))
  )
}
