/** The first thing that is wrong with a value that a schema refuses. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"

export interface Issue {
  /** Members from the outermost to its own, separated by dots; empty for the whole. */
  readonly path: string
  readonly message: string
}

const unnamed: Issue = { path: "", message: "it has another form, or is nested too deeply" }

/** Total: a value that is nested too deeply to be written out has no further description. */
export const of = (error: ParseResult.ParseError): Issue =>
  Either.getOrElse(
    Either.try(() => {
      const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
      return first === undefined ? unnamed : { path: first.path.map(String).join("."), message: first.message }
    }),
    () => unnamed
  )
