import type * as AiError from "@effect/ai/AiError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as openAi from "../client/openAiExchange.ts"
import { componentsOf, miscounted, readJson, wellFormed } from "./wire.ts"

export interface Settings extends openAi.Settings {
  readonly model: string
  /** Number of dimensions to request; undefined: the model's own. */
  readonly dimensions: number | undefined
  /** Member that requests them; the second once the server has refused to know the first. */
  dimensionsAs: "dimensions" | "output_dimension"
  /** True while base64 vectors are requested; false once the server has refused them. */
  base64: boolean
  /** Further members of each request. */
  readonly more: Readonly<Record<string, unknown>>
}

const place: openAi.Place = { module: "OpenAiEmbeddings", method: "embedMany", path: "/embeddings" }

const { member } = openAi

const unusable = (description: string): AiError.AiError => openAi.unusable(place, description)

/** Vectors by `index`, if the server sends it, otherwise in the order of the answer. */
const ordered = (items: ReadonlyArray<unknown>, count: number): Either.Either<Array<Array<number>>, string> => {
  if (items.length !== count) return Either.left(miscounted(items.length, count))
  const indices = items.map((item) => member(item, "index") ?? null)
  if (indices.every((index) => index === null)) {
    return Either.right(items.map((item) => componentsOf(member(item, "embedding"))))
  }
  const placed = new Map<unknown, Array<number>>()
  // Servers that write JSON of Protobuf leave out a 0.
  items.forEach((item, at) => placed.set(indices[at] ?? 0, componentsOf(member(item, "embedding"))))
  const vectors: Array<Array<number>> = []
  for (let index = 0; index < count; index++) {
    const vector = placed.get(index)
    if (vector === undefined) return Either.left(`the answer holds no vector with index ${index}`)
    vectors.push(vector)
  }
  return Either.right(vectors)
}

const vectorsOf = (text: string, count: number): Either.Either<Array<Array<number>>, AiError.AiError> => {
  const body = readJson(text)
  if (Either.isLeft(body)) return Either.left(unusable("the answer is not JSON"))
  const data = member(body.right, "data")
  if (!Array.isArray(data)) return Either.left(unusable("the answer holds no list of vectors in `data`"))
  return Either.mapLeft(ordered(data, count), unusable)
}

/** A refusal of members that the server does not know, in the words of Pydantic, of Mistral for instance, or of Rust's serde. */
const unknownMember = /extra_forbidden|extra inputs are not permitted|unknown field/iu

/** Changes what the server refused in a way that it may accept; false when there is nothing to change. */
const yielded = (settings: Settings, { status, text }: openAi.Answer): boolean => {
  if (status !== 400 && status !== 422) return false
  if (settings.base64 && text.includes("encoding_format")) {
    settings.base64 = false
    return true
  }
  if (
    settings.dimensions === undefined ||
    settings.dimensionsAs === "output_dimension" ||
    !/\bdimensions\b/u.test(text) ||
    !unknownMember.test(text)
  ) {
    return false
  }
  settings.dimensionsAs = "output_dimension"
  return true
}

const once = Effect.fnUntraced(function* (
  settings: Settings,
  texts: ReadonlyArray<string>
): Effect.fn.Return<Array<Array<number>>, AiError.AiError> {
  const answer = yield* openAi.post(settings, place, {
    model: settings.model,
    input: texts.map(wellFormed),
    ...(settings.base64 ? { encoding_format: "base64" } : {}),
    ...(settings.dimensions === undefined ? {} : { [settings.dimensionsAs]: settings.dimensions }),
    ...settings.more
  })
  if (openAi.isSuccess(answer)) return yield* vectorsOf(answer.text, texts.length)
  if (yielded(settings, answer)) return yield* once(settings, texts)
  return yield* openAi.refused(settings, place, answer)
})

/** One request: as many vectors as texts, in their order. The platform's errors are never passed on: they hold the key. */
export const embedMany = (
  settings: Settings,
  texts: ReadonlyArray<string>
): Effect.Effect<Array<Array<number>>, AiError.AiError> =>
  texts.length === 0 ? Effect.succeed([]) : once(settings, texts)
