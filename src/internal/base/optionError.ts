/** The error of an option whose value cannot be used. */
import * as Schema from "effect/Schema"
import * as Message from "./message.ts"

/**
 * An option's value cannot be used: found before any work. The command line shows the option as its flag.
 *
 * @since 0.1.0
 * @category errors
 */
export class OptionError extends Schema.TaggedError<OptionError>("docsluice/OptionError")("OptionError", {
  /** Name of the option, `to` for instance; null for a variable of the environment, which `problem` then names. */
  option: Schema.NullOr(Schema.String),
  /** The part of the value that may be shown, `pgvector` for instance: the rest may hold a password. */
  part: Schema.optional(Schema.String),
  /** The fault and its remedy, in one line. */
  ...Message.problemFields
}) {
  override get message(): string {
    return `${subjectOf(this)}${this.problem}`
  }

  /** The message with the options that it names as data; undefined where it names none. */
  get parts(): Message.Parts | undefined {
    return Message.partsAfter(subjectOf(this), this.template)
  }
}

const subjectOf = ({ option, part }: OptionError): string => {
  if (option === null) return ""
  return `${option}${part === undefined ? "" : ` ${part}`}: `
}
