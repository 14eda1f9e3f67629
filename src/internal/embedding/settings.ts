/** Settings in the spelling of an embedder: `openai:MODEL?dimensions=512&batchSize=64&documentPrefix=passage: &queryPrefix=query: `. */
import * as Either from "effect/Either"

export interface Settings {
  readonly dimensions?: number | undefined
  readonly batchSize?: number | undefined
  readonly documentPrefix?: string | undefined
  readonly queryPrefix?: string | undefined
}

const counts = ["dimensions", "batchSize"] as const
const texts = ["documentPrefix", "queryPrefix"] as const

/** Names of all settings, in the order in which they are written. */
const names = [...counts, ...texts] as const

const mostDimensions = 65_535

const encoded = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+")

/** Parsed spelling: its settings, and the rest without them. */
export interface Split {
  readonly rest: string
  readonly settings: Settings
}

/** A count above 0; null for anything else. */
const countOf = (text: string): number | null => {
  const count = /^\d{1,6}$/u.test(text) ? Number(text) : 0
  return count > 0 && count <= mostDimensions ? count : null
}

/**
 * Takes the settings out of the text after the first `?`; other parameters are those of the base address and stay. The Left is the problem, which
 * repeats names but no values.
 */
export const split = (spelling: string): Either.Either<Split, string> => {
  const at = spelling.indexOf("?")
  if (at < 0) return Either.right({ rest: spelling, settings: {} })
  const parts = spelling.slice(at + 1).split("&")
  const nameOf = (part: string): string => part.slice(0, `${part}=`.indexOf("="))
  const isOwn = (part: string): boolean => names.some((name) => name === nameOf(part))
  const others = parts.filter((part) => part !== "" && !isOwn(part))
  const own = new URLSearchParams(parts.filter(isOwn).join("&"))
  const settings: { -readonly [Name in keyof Settings]: Settings[Name] } = {}
  for (const name of counts) {
    const given = own.getAll(name)
    if (given.length === 0) continue
    const count = countOf(given[0] ?? "")
    if (count === null || given.length > 1) return Either.left(`${name} must be one number from 1 to ${mostDimensions}`)
    settings[name] = count
  }
  for (const name of texts) {
    const given = own.getAll(name)
    if (given.length > 1) return Either.left(`${name} is given more than once`)
    if (given[0] !== undefined && given[0] !== "") settings[name] = given[0]
  }
  const address = spelling.slice(0, at)
  if (others.length > 0 && !address.includes("://")) {
    return Either.left(`after the ? only ${names.join(", ")} are allowed`)
  }
  return Either.right({ rest: others.length === 0 ? address : `${address}?${others.join("&")}`, settings })
}

/** The spelling of `split`'s parts. */
export const join = (rest: string, settings: Settings): string => {
  const own = names.flatMap((name) => {
    const value = settings[name]
    return value === undefined ? [] : [`${name}=${encoded(String(value))}`]
  })
  return own.length === 0 ? rest : `${rest}${rest.includes("?") ? "&" : "?"}${own.join("&")}`
}

/** The same as options of `Embedder`. */
export const options = ({ batchSize, dimensions, documentPrefix, queryPrefix }: Settings) => ({
  batchSize,
  dimensions,
  prefix: { document: documentPrefix, query: queryPrefix }
})
