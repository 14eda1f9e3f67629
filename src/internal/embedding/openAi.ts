import type * as AiError from "@effect/ai/AiError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parseJson } from "../base/json.ts"
import * as openAi from "../client/openAiExchange.ts"

export interface Settings extends openAi.Settings {
  readonly model: string
  /** Number of dimensions to request; undefined: the model's own. */
  readonly dimensions: number | undefined
  /** True while base64 vectors are requested; false once the server has refused them. */
  base64: boolean
}

const place: openAi.Place = { module: "OpenAiEmbeddings", method: "embedMany", path: "/embeddings" }

const { member } = openAi

const unusable = (description: string): AiError.AiError => openAi.unusable(place, description)

/** Decodes 32-bit floats, little-endian, from base64. */
const unpacked = (base64: string): Array<number> => {
  const bytes = Buffer.from(base64, "base64")
  if (bytes.length % 4 !== 0) return []
  const numbers = Array.from<number>({ length: bytes.length / 4 })
  for (let index = 0; index < numbers.length; index++) numbers[index] = bytes.readFloatLE(4 * index)
  return numbers
}

/** Components of a vector; one that is not a number becomes NaN, which is reported where the text is known. */
const componentsOf = (embedding: unknown): Array<number> => {
  if (typeof embedding === "string") return unpacked(embedding)
  if (!Array.isArray(embedding)) return []
  return embedding.map((component: unknown) => (typeof component === "number" ? component : Number.NaN))
}

/** Vectors by `index`, if the server sends it, otherwise in the order of the answer. */
const ordered = (items: ReadonlyArray<unknown>, count: number): Either.Either<Array<Array<number>>, string> => {
  if (items.length !== count) return Either.left(`the answer holds ${items.length} vectors for ${count} texts`)
  const indices = items.map((item) => member(item, "index") ?? null)
  if (indices.every((index) => index === null)) {
    return Either.right(items.map((item) => componentsOf(member(item, "embedding"))))
  }
  const placed = new Map<unknown, Array<number>>()
  items.forEach((item, at) => placed.set(indices[at], componentsOf(member(item, "embedding"))))
  const vectors: Array<Array<number>> = []
  for (let index = 0; index < count; index++) {
    const vector = placed.get(index)
    if (vector === undefined) return Either.left(`the answer holds no vector with index ${index}`)
    vectors.push(vector)
  }
  return Either.right(vectors)
}

/** Parses JSON, including the NaN and Infinity that some servers write, so that their texts can be named. */
const readJson = (text: string): Either.Either<unknown, unknown> =>
  Either.orElse(parseJson(text), () => parseJson(text.replaceAll(/-?\b(?:NaN|Infinity)\b/g, "null")))

const vectorsOf = (text: string, count: number): Either.Either<Array<Array<number>>, AiError.AiError> => {
  const body = readJson(text)
  if (Either.isLeft(body)) return Either.left(unusable("the answer is not JSON"))
  const data = member(body.right, "data")
  if (!Array.isArray(data)) return Either.left(unusable("the answer holds no list of vectors in `data`"))
  return Either.mapLeft(ordered(data, count), unusable)
}

const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, "\ufffd")

const once = Effect.fnUntraced(function* (
  settings: Settings,
  texts: ReadonlyArray<string>
): Effect.fn.Return<Array<Array<number>>, AiError.AiError> {
  const answer = yield* openAi.post(settings, place, {
    model: settings.model,
    input: texts.map(wellFormed),
    ...(settings.base64 ? { encoding_format: "base64" } : {}),
    ...(settings.dimensions === undefined ? {} : { dimensions: settings.dimensions })
  })
  if (openAi.isSuccess(answer)) return yield* vectorsOf(answer.text, texts.length)
  const { status, text } = answer
  if (settings.base64 && (status === 400 || status === 422) && text.includes("encoding_format")) {
    settings.base64 = false
    return yield* once(settings, texts)
  }
  return yield* openAi.refused(settings, place, answer)
})

/** One request: as many vectors as texts, in their order. The platform's errors are never passed on: they hold the key. */
export const embedMany = (
  settings: Settings,
  texts: ReadonlyArray<string>
): Effect.Effect<Array<Array<number>>, AiError.AiError> =>
  texts.length === 0 ? Effect.succeed([]) : once(settings, texts)
