/** The texts after `--filter`: `KEY=VALUE`, or a filter in JSON. */
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Filter from "../Filter.ts"
import { UsageError } from "./UsageError.ts"

const example = `'{"metadata.year":{"$gte":2020}}'`

const usage = (problem: string) => Either.left(new UsageError({ problem: `--filter: ${problem}` }))

/** Fields that a key names; every other key is a member of the metadata. */
const fields: ReadonlySet<string> = new Set(["source", "documentId", "heading", "kind", "page", "date"])

const ofJson = (text: string): Either.Either<unknown, UsageError> =>
  Either.orElse(Schema.decodeEither(Schema.parseJson())(text), () =>
    usage(`the JSON is not valid; write it in single quotes, such as ${example}`)
  )

/** A member of the metadata is found by the text, and by the number or boolean that is written so. */
const ofPair = (key: string, value: string): unknown => {
  if (key === "page") return { page: /^\d+$/u.test(value) ? Number(value) : value }
  if (fields.has(key)) return { [key]: value }
  const number = value !== "" && String(Number(value)) === value && Number.isFinite(Number(value))
  const boolean = value === "true" || value === "false"
  const others = number ? [Number(value)] : boolean ? [value === "true"] : []
  return { [key.startsWith("metadata.") ? key : `metadata.${key}`]: { $in: [value, ...others] } }
}

const isFilter = Schema.is(Filter.Filter)

/** The filter of all texts, which must all hold; absent without any. */
export const parse = (texts: ReadonlyArray<string>): Effect.Effect<Filter.Filter | undefined, UsageError> =>
  Either.gen(function* () {
    const keys = new Set<string>()
    const all: Array<Filter.Filter> = []
    for (const text of texts) {
      const at = text.indexOf("=")
      const isJson = text.trimStart().startsWith("{")
      if (!isJson && at < 1)
        return yield* usage(`expected KEY=VALUE or JSON such as ${example}, got ${JSON.stringify(text)}`)
      const key = text.slice(0, at)
      if (!isJson && keys.has(key)) {
        return yield* usage(
          `${key} is given twice, and all filters must hold; write $in for any of several values, as in '{"metadata.${key}":{"$in":["a","b"]}}'`
        )
      }
      if (!isJson) keys.add(key)
      const filter = isJson ? yield* ofJson(text) : ofPair(key, text.slice(at + 1))
      yield* Either.orElse(Filter.parse(filter), (error) => usage(error.message))
      if (isFilter(filter)) all.push(filter)
    }
    const [only] = all
    return all.length < 2 ? only : { $and: all }
  })
