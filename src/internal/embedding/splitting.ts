import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Failure, isRefusal, isTooLong, ofError, type ExchangeError } from "./failure.ts"
import type { Components } from "./provider.ts"

/** A vector of an answer with the text it was made of, which may be the beginning of the requested one. */
export interface Answered {
  readonly components: Components
  readonly text: string
}

export interface Splitting {
  readonly send: (texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Components>, ExchangeError>
  /** Most times that a text which the server calls too long is sent again without a quarter of it; then it fails. */
  readonly shortenings: number
  /** Called with a batch size that succeeded after a larger one was refused. */
  readonly learned: (count: number) => void
}

/** Bound on requests: a server that refuses everything must not be asked once for each text. */
const budgetOf = (count: number): number => 8 + 4 * Math.ceil(Math.log2(count + 1))

/** First three quarters of a text, without half of a surrogate pair at the end. */
const shortened = (text: string): string => {
  const end = Math.floor(text.length * 0.75)
  const code = text.charCodeAt(end - 1)
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? end - 1 : end)
}

type Results = ReadonlyArray<Either.Either<Answered, Failure>>

const failedAll = (texts: ReadonlyArray<string>, failure: Failure): Results => texts.map(() => Either.left(failure))

/**
 * Sends texts in one request, and in halves when the server refuses their content, so that one bad text does not fail the others. Results
 * are in the order of the texts.
 */
export const sendAll = (settings: Splitting, all: ReadonlyArray<string>): Effect.Effect<Results> => {
  let budget = budgetOf(all.length)

  const halves = (texts: ReadonlyArray<string>): Effect.Effect<Results> => {
    const middle = texts.length >> 1
    budget -= 2
    return Effect.zipWith(together(texts.slice(0, middle)), together(texts.slice(middle)), (left, right) => {
      if (left.every(Either.isRight) && right.every(Either.isRight)) settings.learned(texts.length - middle)
      return [...left, ...right]
    })
  }

  const shorter = (text: string, left: number, error: ExchangeError): Effect.Effect<Results> => {
    const next = shortened(text)
    if (left === 0 || next === "") return Effect.succeed(failedAll([text], ofError(error)))
    return Effect.matchEffect(settings.send([next]), {
      onSuccess: (vectors) => Effect.succeed(answered([next], vectors)),
      onFailure: (error) =>
        isTooLong(error) ? shorter(next, left - 1, error) : Effect.succeed(failedAll([text], ofError(error)))
    })
  }

  const together = (texts: ReadonlyArray<string>): Effect.Effect<Results> =>
    Effect.matchEffect(settings.send(texts), {
      onSuccess: (vectors) => Effect.succeed(answered(texts, vectors)),
      onFailure: (error) => {
        const only = texts.length === 1 ? texts[0] : undefined
        if (only !== undefined && isTooLong(error)) return shorter(only, settings.shortenings, error)
        if (only !== undefined || !isRefusal(error)) return Effect.succeed(failedAll(texts, ofError(error)))
        if (budget > 0) return halves(texts)
        // Refused only together with others: alone, at another time, it may succeed.
        return Effect.succeed(failedAll(texts, { ...ofError(error), retryable: true }))
      }
    })

  return together(all)
}

const answered = (texts: ReadonlyArray<string>, vectors: ReadonlyArray<Components>): Results =>
  texts.map((text, index) => {
    const components = vectors[index]
    return Either.right({ components: components ?? [], text })
  })
