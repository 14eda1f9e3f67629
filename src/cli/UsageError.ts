import * as Schema from "effect/Schema"
import { commandLine, render } from "../internal/base/message.ts"
import type { OptionError } from "../internal/base/optionError.ts"
import { flagOf } from "../internal/base/optionNames.ts"

/** Wrong usage, found before any work: exit status 64. */
export class UsageError extends Schema.TaggedError<UsageError>("docsluice/cli/UsageError")("UsageError", {
  /** The fault and its remedy, in one line. */
  problem: Schema.String
}) {
  override get message(): string {
    return this.problem
  }
}

/** An error of the command line or of an option; each is wrong usage. */
export type Refused = UsageError | OptionError

/** The error of an option, with the option as its flag. */
export const ofOption = ({ option, part, problem, template }: OptionError): UsageError => {
  const words = render(template ?? problem, commandLine)
  if (option === null) return new UsageError({ problem: words })
  return new UsageError({ problem: `${flagOf(option)}${part === undefined ? "" : ` ${part}`}: ${words}` })
}
