/** Errors that an answer of the service stands for. */
import * as Schema from "effect/Schema"

/** Fields of every such error. */
export const answer = {
  /** HTTP status of the answer. */
  status: Schema.Int,
  /** The service's own words, member `error`. */
  error: Schema.String,
  /** Member `code`, when the answer had one. */
  code: Schema.optional(Schema.String),
  /** Member `details`: per-field validation errors and the like. */
  details: Schema.optional(Schema.Unknown)
}

interface Words {
  readonly error: string
  readonly foreign?: true | undefined
}

/** An error class whose `message` is the answer's `error`, with a note when the service may not have written it. */
export const worded = <Class extends abstract new (...fields: never) => Words>(base: Class): Class => {
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
