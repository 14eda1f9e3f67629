import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { ParseOptions } from "../service/ParseOptions.ts"

/** The options break a rule of the interface; nothing was sent. */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>("docsluice/InvalidOptions")("InvalidOptions", {
  /** Which member, and what is wrong with it. */
  problem: Schema.String
}) {
  override get message(): string {
    return this.problem
  }
}

const decode = Schema.validate(ParseOptions, { onExcessProperty: "error" })

/** The options as they are, when every bound of the interface holds. */
export const validate = (options: ParseOptions): Effect.Effect<ParseOptions, InvalidOptions> =>
  Effect.mapError(
    decode(options),
    (error) => new InvalidOptions({ problem: ParseResult.TreeFormatter.formatErrorSync(error) })
  )
