/** Finds personal data by a language model, for the modes `accurate` and `aggressive` of redaction. */
import * as Effect from "effect/Effect"
import { isRecord } from "../../internal/base/rules.ts"
import type { EngineError } from "../../service/Engine.ts"
import { InternalServerError } from "../../service/ServiceError.ts"
import type { Redactor } from "../redaction/Redactor.ts"
import type { Entity, Span } from "../redaction/Span.ts"
import * as Conversation from "./Conversation.ts"
import * as Model from "./Model.ts"

/** Raised with every change of the instructions. */
const revision = 1

interface Found {
  readonly entity: Entity
  readonly text: string
}

const isFound = (value: unknown, entities: ReadonlyArray<Entity>): value is Found =>
  isRecord(value) &&
  typeof value["text"] === "string" &&
  value["text"].trim() !== "" &&
  entities.some((entity) => entity === value["entity"])

/** All places of a value that the model quoted. */
const spansOf = (text: string, at: number, { entity, text: value }: Found): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length)) {
    spans.push({ entity, start: at + start, end: at + start + value.length })
  }
  return spans
}

/** The values of one part of a text. An answer that cannot be read fails: nothing must be answered that was not redacted. */
const valuesIn = (
  model: Model.Model,
  part: string,
  entities: ReadonlyArray<Entity>
): Effect.Effect<ReadonlyArray<Found>, InternalServerError> =>
  Effect.flatMap(Model.ask(model, Conversation.findPersonalData(entities, part)), (answer) => {
    const values = Conversation.jsonOf(answer)
    return Array.isArray(values)
      ? Effect.succeed(values.filter((value: unknown) => isFound(value, entities)))
      : new InternalServerError({ status: 500, error: "the language model did not list the personal data as JSON" })
  })

/** Parts overlap, so that a value at a cut is whole in one of them. */
const overlap = 200

const partsOf = (text: string, size: number): ReadonlyArray<readonly [at: number, part: string]> => {
  const parts: Array<readonly [number, string]> = []
  for (let at = 0; at === 0 || at + overlap < text.length; at += size - overlap)
    parts.push([at, text.slice(at, at + size)])
  return parts
}

/**
 * A redactor that asks the model for the values in each part of a text and finds them there; a value that is not in the text is left
 * out.
 */
export const make = (model: Model.Model): Redactor => ({
  name: `${model.identity} instructions@${revision}`,
  find: (text, { entities, zeroDataRetention }): Effect.Effect<ReadonlyArray<Span>, EngineError> =>
    Effect.gen(function* () {
      if (text.trim() === "") return []
      yield* Model.admit(model, zeroDataRetention)
      const found = yield* Effect.forEach(
        partsOf(text, Model.partSize(model)),
        ([at, part]) =>
          Effect.map(valuesIn(model, part, entities), (values) => values.flatMap((value) => spansOf(part, at, value))),
        { concurrency: Model.concurrency }
      )
      return found.flat()
    })
})
