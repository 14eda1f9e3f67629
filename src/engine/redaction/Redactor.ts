/** A language model that finds personal data: the seam between redaction and the model that a service is given. */
import type * as Effect from "effect/Effect"
import type { EngineError } from "../../service/Engine.ts"
import type { Entity, Span } from "./Span.ts"

export interface Redactor {
  /** Model and version of the instructions; part of the engine's version, since another model finds other values. */
  readonly name: string
  /**
   * Spans of the wanted buckets in `text`, `[start, end)` in UTF-16 code units, in any order; they may overlap. A text longer than the
   * model's context is the redactor's to divide. A failure fails the parse: nothing is answered that was not redacted.
   */
  readonly find: (text: string, wanted: Wanted) => Effect.Effect<ReadonlyArray<Span>, EngineError>
}

export interface Wanted {
  readonly entities: ReadonlyArray<Entity>
  /** The text must not leave the machine unless that is allowed. */
  readonly zeroDataRetention: boolean
}
