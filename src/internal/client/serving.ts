import * as Either from "effect/Either"
import type { Chunker, Part } from "../../Chunker.ts"
import { InvalidOptions, merge, type ParseOptions, resolve, validate } from "../../service/ParseOptions.ts"

/** The members of a chunker that say what it needs. */
export type Served = Pick<Chunker, "name" | "needs">

/**
 * A request for one answer. A parser that wraps another passes it on as it is, for it decides what the answer holds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Request {
  /** The chunker that the answer is for: what it asks of an answer goes under the parser's own options, member by member. */
  readonly chunker?: Served | undefined
  /** Options over those of the parser, member by member; `formats` replace its own. */
  readonly options?: ParseOptions | undefined
}

/** The options to ask with for a chunker: the parser's own over those of the chunker. Fails where they contradict its needs. */
const optionsFor = (chunker: Served, own: ParseOptions): Either.Either<ParseOptions, InvalidOptions> =>
  Either.flatMap(validate(merge(chunker.needs?.asks ?? {}, own)), (options) => {
    const { formats, pdf } = resolve(options)
    if (!formats.some((format) => format.type === "markdown")) {
      return refused(chunker, "formats", formats, "markdown among the formats")
    }
    const [first, ...others] = chunker.needs?.requires ?? []
    if (first === undefined || pdf[first] || others.some((part) => pdf[part])) return Either.right(options)
    const bound = others.length === 0 ? "true" : `true, or ${others.join(" or ")}`
    return refused(chunker, `parsers[0].${first}`, false, bound)
  })

/** The options that a parser with these ones of its own sends for a request. */
export const optionsOf = (
  own: ParseOptions,
  { chunker, options }: Request
): Either.Either<ParseOptions, InvalidOptions> => {
  const served = chunker === undefined ? Either.right(own) : optionsFor(chunker, own)
  return options === undefined ? served : Either.flatMap(served, (below) => validate(merge(below, options)))
}

/** Fails where answers that have no other parts than these contradict the chunker's needs. */
export const checkParts = (
  chunker: Served | undefined,
  parts: ReadonlyArray<Part>
): Either.Either<void, InvalidOptions> => {
  const required = chunker?.needs?.requires ?? []
  return chunker === undefined || required.length === 0 || required.some((part) => parts.includes(part))
    ? Either.void
    : refused(chunker, "parser", parts, `a parser whose answers have ${required.join(" or ")}`)
}

/** Fails for any option: those of a parser that is a function of the user are in that function. */
export const refuseOptions = (options: ParseOptions): Either.Either<void, InvalidOptions> => {
  const [first] = Object.entries(options)
  if (first === undefined) return Either.void
  const [field, value] = first
  const bound = "no parse options, since the parser is a function of your own"
  return Either.left(
    new InvalidOptions({ issues: [{ field, value, bound, message: `${field}: expected ${bound}; set them there` }] })
  )
}

/** The error of a parser whose answer lacks a format of these options. */
export const withoutFormats = ({ formats }: ParseOptions): InvalidOptions => {
  const bound = "formats whose members the parser gives"
  return new InvalidOptions({
    issues: [{ field: "formats", value: formats, bound, message: `formats: expected ${bound}; its answer lacks one` }]
  })
}

const refused = (
  { name }: Served,
  field: string,
  value: unknown,
  bound: string
): Either.Either<never, InvalidOptions> =>
  Either.left(
    new InvalidOptions({
      issues: [
        {
          field,
          value,
          bound,
          message: `${field}: expected ${bound}, since the chunker ${name} works on it; change the parse options or take another chunker`
        }
      ]
    })
  )
