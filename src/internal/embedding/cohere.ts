/** Cohere's `POST /v2/embed`, which vLLM and gateways speak as well. */
import type * as AiError from "@effect/ai/AiError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exchange from "../client/openAiExchange.ts"
import { componentsOf, miscounted, readJson, wellFormed } from "./wire.ts"

export interface Settings extends Exchange.Settings {
  readonly model: string
  readonly inputType: "search_document" | "search_query"
  /** Number of dimensions to request; undefined: the model's own. */
  readonly dimensions: number | undefined
  /** Treatment of a text that is too long: its end is left out, or it is refused. */
  readonly truncate: "END" | "NONE"
}

/** Most texts that one request may hold. */
export const mostTexts = 96

const place: Exchange.Place = { module: "CohereEmbeddings", method: "embedMany", path: "/embed" }

const unusable = (description: string): AiError.AiError => Exchange.unusable(place, description)

const vectorsOf = (text: string, count: number): Either.Either<Array<Array<number>>, AiError.AiError> => {
  const body = readJson(text)
  if (Either.isLeft(body)) return Either.left(unusable("the answer is not JSON"))
  const vectors = Exchange.member(Exchange.member(body.right, "embeddings"), "float")
  if (!Array.isArray(vectors)) return Either.left(unusable("the answer holds no list of vectors in `embeddings.float`"))
  return vectors.length === count
    ? Either.right(vectors.map(componentsOf))
    : Either.left(unusable(miscounted(vectors.length, count)))
}

/** One request: as many vectors as texts, in their order. The platform's errors are never passed on: they hold the key. */
export const embedMany = Effect.fnUntraced(function* (
  settings: Settings,
  texts: ReadonlyArray<string>
): Effect.fn.Return<Array<Array<number>>, AiError.AiError> {
  if (texts.length === 0) return []
  const answer = yield* Exchange.post(settings, place, {
    model: settings.model,
    texts: texts.map(wellFormed),
    input_type: settings.inputType,
    embedding_types: ["float"],
    truncate: settings.truncate,
    ...(settings.dimensions === undefined ? {} : { output_dimension: settings.dimensions })
  })
  return Exchange.isSuccess(answer)
    ? yield* vectorsOf(answer.text, texts.length)
    : yield* Exchange.refused(settings, place, answer)
})
