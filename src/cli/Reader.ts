/** Readers of the texts that flags are given: each text becomes a value, or is refused with a description of what was expected. */
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Either from "effect/Either"

export interface Reader<A> {
  /** Form of the text on help pages, such as `FILE|-`. */
  readonly form: string
  /** The only words that are accepted; default any text. */
  readonly choices?: ReadonlyArray<string> | undefined
  /** Words that a shell completes: a word with a colon at its end is the beginning of a spelling. Default `choices`. */
  readonly words?: ReadonlyArray<string> | undefined
  readonly read: (text: string) => Either.Either<A, string>
}

/** Any text. Empty texts are refused before they are read. */
export const text = (form: string = "VALUE", words?: ReadonlyArray<string>): Reader<string> => ({
  form,
  words,
  read: Either.right
})

/** The path of a folder, as against the address of a server. */
export const folder: Reader<string> = {
  form: "DIR",
  read: (input) => (/^[a-z][a-z0-9+.-]*:\/\//iu.test(input) ? Either.left("a folder") : Either.right(input))
}

/** Languages of OCR, with commas between those of which one is chosen. */
export const languages: Reader<ReadonlyArray<string>> = {
  form: "VALUE",
  read: (input) =>
    /^[a-z_]+(\+[a-z_]+)*(,[a-z_]+(\+[a-z_]+)*)*$/i.test(input)
      ? Either.right(input.split(","))
      : Either.left("codes of languages such as eng,deu or eng+deu")
}

/** One part of a path. */
export const segment: Reader<string> = {
  form: "NAME",
  read: (input) =>
    input.trim() === "" || input === "." || input === ".." || /[/\\\p{Cc}]/u.test(input)
      ? Either.left("one part of a path, not empty, . or ..")
      : Either.right(input)
}

/** A whole number within bounds, both inclusive. */
export const integer = (min: number, max: number = Number.MAX_SAFE_INTEGER): Reader<number> => ({
  form: "N",
  read: (input) => {
    const number = Number(input)
    return /^\d+$/.test(input) && number >= min && number <= max
      ? Either.right(number)
      : Either.left(
          max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`
        )
  }
})

/** Whole numbers within bounds, with commas between them. */
export const integers = (min: number, max?: number): Reader<NonEmptyReadonlyArray<number>> => ({
  form: "LIST",
  read: (input) => {
    const [first = "", ...rest] = input.split(",").map((part) => part.trim())
    const one = integer(min, max)
    return Either.mapLeft(
      Either.all([one.read(first), Either.all(rest.map(one.read))]),
      (expected) => `${expected}, or several with commas between them`
    ).pipe(Either.map(([number, others]): NonEmptyReadonlyArray<number> => [number, ...others]))
  }
})

/** A number of requests in flight, or `adaptive`. */
export const concurrency = (max: number): Reader<number | "adaptive"> => ({
  form: "N",
  read: (input) =>
    input === "adaptive"
      ? Either.right(input)
      : Either.mapLeft(integer(1, max).read(input), (expected) => `adaptive or ${expected}`)
})

/** A number from 0 to 1. */
export const share: Reader<number> = {
  form: "VALUE",
  read: (input) =>
    /^(?:0|1|0?\.\d+|[01]\.\d+)$/.test(input) && Number(input) <= 1
      ? Either.right(Number(input))
      : Either.left("a number from 0 to 1")
}

/** A weight, relative to 1. */
export const weight: Reader<number> = {
  form: "VALUE",
  read: (input) =>
    /^(?:\d+|\d*\.\d+)$/.test(input) ? Either.right(Number(input)) : Either.left("a number of at least 0")
}

/** Longest form that repeats the words. */
const longestForm = 20

/** One of the given words. */
export const oneOf = <const A extends string>(...words: ReadonlyArray<A>): Reader<A> => {
  const spelled = words.join("|")
  return {
    form: spelled.length > longestForm ? "NAME" : spelled,
    choices: words,
    read: (input) =>
      Either.fromNullable(
        words.find((word) => word === input),
        () => `one of ${words.join(", ")}`
      )
  }
}

/** Some of the given words, with commas between them. */
export const listOf = <const A extends string>(...words: ReadonlyArray<A>): Reader<ReadonlyArray<A>> => {
  const { read } = oneOf(...words)
  return {
    form: "LIST",
    read: (input) =>
      Either.mapLeft(Either.all(input.split(",").map((word) => read(word.trim()))), () => `some of ${words.join(",")}`)
  }
}

/** A number and its unit, as an amount of the smallest unit; null for another text. */
const amount = (input: string, units: Readonly<Record<string, number>>): number | null => {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/u.exec(input.trim().toLowerCase()) ?? []
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined
  return digits === undefined || factor === undefined ? null : Math.round(Number(digits) * factor)
}

const bytes = { "": 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

/** A size in bytes: `64MB`, `2GB`, `1000000`; KB, MB and GB are powers of 1024. */
export const size: Reader<number> = {
  form: "SIZE",
  read: (input) => Either.fromNullable(amount(input, bytes) || null, () => "a size such as 64MB")
}

const milliseconds = { "": 1000, ms: 1, s: 1000, m: 60_000 }

/** A time in milliseconds: `30s`, `500ms`, `2m`; a bare number is seconds. */
export const duration: Reader<number> = {
  form: "TIME",
  read: (input) => Either.fromNullable(amount(input, milliseconds), () => "a time such as 30s")
}
