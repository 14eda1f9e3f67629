import * as Either from "effect/Either"
import type { Chunker, Part } from "../../Chunker.ts"
import { InvalidOptions, merge, type ParseOptions, resolve, validate } from "../../service/ParseOptions.ts"

/** The members of a chunker that say what it needs. */
export type Served = Pick<Chunker, "name" | "needs">

/** The options to ask with for a chunker: the parser's own over those of the chunker. Fails where they contradict its needs. */
export const optionsFor = (chunker: Served, own: ParseOptions): Either.Either<ParseOptions, InvalidOptions> =>
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

/** Fails where answers that have no other parts than these contradict the chunker's needs. */
export const checkParts = (chunker: Served, parts: ReadonlyArray<Part>): Either.Either<void, InvalidOptions> => {
  const required = chunker.needs?.requires ?? []
  return required.length === 0 || required.some((part) => parts.includes(part))
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
