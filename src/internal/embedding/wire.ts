/** Texts and vectors as JSON carries them. */
import * as Either from "effect/Either"
import { parseJson } from "../base/json.ts"

export const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, "\ufffd")

/** Parses JSON, including the NaN and Infinity that some servers write, so that their texts can be named. */
export const readJson = (text: string): Either.Either<unknown, unknown> =>
  Either.orElse(parseJson(text), () => parseJson(text.replaceAll(/-?\b(?:NaN|Infinity)\b/g, "null")))

/** Decodes 32-bit floats, little-endian, from base64. */
const unpacked = (base64: string): Array<number> => {
  const bytes = Buffer.from(base64, "base64")
  if (bytes.length % 4 !== 0) return []
  const numbers = Array.from<number>({ length: bytes.length / 4 })
  for (let index = 0; index < numbers.length; index++) numbers[index] = bytes.readFloatLE(4 * index)
  return numbers
}

/** Components of a vector; one that is not a number becomes NaN, which is reported where the text is known. */
export const componentsOf = (embedding: unknown): Array<number> => {
  if (typeof embedding === "string") return unpacked(embedding)
  if (!Array.isArray(embedding)) return []
  return embedding.map((component: unknown) => (typeof component === "number" ? component : Number.NaN))
}

/** Problem of an answer with a wrong number of vectors. */
export const miscounted = (vectors: number, texts: number): string =>
  `the answer holds ${vectors} vectors for ${texts} texts`
