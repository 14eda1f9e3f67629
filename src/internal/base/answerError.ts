/** Errors that an answer of the service stands for. */
import * as Schema from "effect/Schema"
import { json } from "./wireFields.ts"

/** Fields of every such error. */
export const answer = {
  /** HTTP status of the answer. */
  status: Schema.Int,
  /** The service's own words, member `error`. */
  error: Schema.String,
  /** Member `code`, when the answer had one. */
  code: Schema.optional(Schema.String),
  /** Member `details`: per-field validation errors and the like. */
  details: json
}

interface Words {
  readonly error: string
  readonly foreign?: true | undefined
}

type WordedFields = Schema.Struct.Fields & { readonly error: typeof Schema.String }

/**
 * An error class, by default with the identifier `docsluice/TAG`, whose `message` is its `error`, with a note when the service may not have
 * written it.
 */
export function answered<Self>(
  identifier?: string
): <Tag extends string, Fields extends WordedFields>(
  tag: Tag,
  fields: Fields
) => Schema.TaggedErrorClass<Self, Tag, { readonly _tag: Schema.tag<Tag> } & Fields>
// An overload, since the type of `Schema.TaggedError` stays undecided while `Self` is a parameter.
export function answered(identifier?: string): (tag: string, fields: WordedFields) => unknown {
  return (tag, fields) => {
    const base = Schema.TaggedError<Words>(identifier ?? `docsluice/${tag}`)(tag, fields)
    Object.defineProperty(base.prototype, "message", {
      get(this: Words): string {
        return this.foreign === true
          ? `${this.error} (not an error record of the service: a proxy or a firewall may have answered)`
          : this.error
      },
      configurable: true
    })
    return base
  }
}

const row =
  <const Retryable extends string, const Severity extends string>(retryable: Retryable, severity: Severity) =>
  <const Status extends number, const Text extends string>(status: Status, error: Text) =>
    ({ status, error, retryable, severity }) as const

/** Rows of a catalogue by severity: tried again, final for the document, final for the run. */
export const [transient, ofDocument, ofRun] = [
  row("yes", "transient"),
  row("no", "document"),
  row("no", "run")
] as const
