import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Parser, Terms } from "../../Parser.ts"
import { InvalidOptions } from "../../service/ParseOptions.ts"

/** The terms of a parser. Fails for one without: nobody knows what its answers cost. */
export const requiredTerms = (parser: Parser.Service): Effect.Effect<Terms, InvalidOptions> =>
  Effect.flatMap(
    parser.terms({}),
    Option.match({
      onSome: Effect.succeed,
      onNone: () => {
        const bound = "a parser with terms, which say what an answer costs"
        return new InvalidOptions({
          issues: [{ field: "parser", value: undefined, bound, message: `parser: expected ${bound}` }]
        })
      }
    })
  )
