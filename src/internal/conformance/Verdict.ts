import * as Data from "effect/Data"
import * as Schema from "effect/Schema"

export class ConformanceFailure extends Schema.TaggedError<ConformanceFailure>("docsluice/ConformanceFailure")(
  "ConformanceFailure",
  {
    /** Name of the case. */
    case: Schema.String,
    problem: Schema.String,
    cause: Schema.optional(Schema.Defect)
  }
) {
  override get message(): string {
    return `${this.case}: ${this.problem}`
  }
}

/** Ends a case that cannot be decided for this sink. */
export class NotVerifiable extends Data.TaggedError("NotVerifiable")<{
  /** The capability, the call or the hook that is missing, in words. */
  readonly reason: string
}> {}

/** Result of a case that found no fault. */
export type Verdict =
  | { readonly result: "passed" }
  | {
      readonly result: "not verifiable"
      /** The capability, the call or the hook that is missing, in words. */
      readonly reason: string
    }
