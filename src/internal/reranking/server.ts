import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { PayloadTooLarge, type ServiceError } from "../../service/ServiceError.ts"
import { parseJson } from "../base/json.ts"
import * as exchange from "../client/openAiExchange.ts"
import { brokenContent, ofAiError, type Provider } from "../embedding/provider.ts"
import { wellFormed } from "../embedding/wire.ts"
import type { Dialect } from "./dialects.ts"

export interface Settings extends exchange.Settings {
  readonly dialect: Dialect
  readonly model: string | undefined
}

const { member } = exchange

/** What a server says of itself in an answer without scores, with a blank before it. */
const saidBy = (body: unknown): string => {
  const error = member(body, "error") ?? member(body, "message") ?? member(body, "detail")
  const said = member(error, "message") ?? error
  return typeof said === "string" ? `; it says: ${said}` : ""
}

const shown = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40))
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

/** Scores in the order of the texts: one for each, whatever the order of the answer. */
export const scoresOf = (
  { list, score }: Dialect,
  text: string,
  count: number
): Either.Either<ReadonlyArray<number>, string> => {
  if (text.trim() === "") return Either.left("the answer is empty")
  const body = parseJson(text)
  if (Either.isLeft(body)) return Either.left("the answer is not JSON")
  const items = list === null ? body.right : member(body.right, list)
  if (!Array.isArray(items)) {
    return Either.left(
      `the answer holds no list of scores${list === null ? "" : ` in \`${list}\``}${saidBy(body.right)}`
    )
  }
  const scores = new Map<number, number>()
  for (const item of items) {
    const [index, value] = [member(item, "index"), member(item, score)]
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count) {
      return Either.left(`the answer has the index ${shown(index)} for ${count} texts`)
    }
    if (scores.has(index)) return Either.left(`the answer has the index ${index} twice`)
    if (typeof value !== "number" || !Number.isFinite(Math.fround(value))) {
      return Either.left(
        `the answer has the \`${score}\` ${shown(value)} for text ${index}; a finite number is expected`
      )
    }
    scores.set(index, value)
  }
  return scores.size === count
    ? Either.right(Array.from({ length: count }, (_, at) => scores.get(at) ?? 0))
    : Either.left(`the answer holds ${scores.size} scores for ${count} texts`)
}

/** llama.cpp answers a text that is longer than its batch with a 500, as if it had failed itself. */
const tooLarge = /too large to process/iu

const refusal = (error: ServiceError): ServiceError =>
  error._tag === "InternalServerError" && tooLarge.test(error.message)
    ? new PayloadTooLarge({ status: 413, error: error.message })
    : error

/** One request for a query: a vector of one component, the score, for each text. */
export const provider = (settings: Settings, query: string): Provider => {
  const { dialect, model } = settings
  const place: exchange.Place = { module: "Reranker", method: "rerank", path: dialect.path }
  return (texts) =>
    exchange.post(settings, place, dialect.body(model, wellFormed(query), texts.map(wellFormed))).pipe(
      Effect.flatMap((answer) =>
        exchange.isSuccess(answer)
          ? Effect.succeed(answer.text)
          : Effect.fail(exchange.refused(settings, place, answer))
      ),
      Effect.catchAll((error) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const failed = ofAiError(error, now)
          return Effect.fail(failed._tag === "Thrown" ? failed : refusal(failed))
        })
      ),
      Effect.flatMap((text) =>
        Either.match(scoresOf(dialect, text, texts.length), {
          onLeft: (problem) => Effect.fail(brokenContent(settings.redact(problem))),
          onRight: (scores) => Effect.succeed(scores.map((score) => [score]))
        })
      )
    )
}
