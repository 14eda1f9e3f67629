import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { OptionError } from "../base/optionError.ts"
import type { Found } from "../evaluation/judge.ts"
import * as Questions from "../evaluation/question.ts"
import type { Result } from "../evaluation/report.ts"
import * as Running from "../evaluation/run.ts"
import type { CallOptions } from "./options.ts"
import { promise } from "./promise.ts"

/** See `Async.EvaluateOptions`. */
export type Options = Running.Options & CallOptions

/** See `Async.evaluate`. */
export type Search = (question: string, options: { readonly limit: number }) => Promise<ReadonlyArray<Found>>

/** See `Async.evaluate`. */
export type Asked = string | ReadonlyArray<Questions.Question | typeof Questions.Question.Encoded>

const read = (path: string): Effect.Effect<string, OptionError> =>
  Effect.tryPromise({
    try: (signal) => readFile(path, { encoding: "utf8", signal }),
    catch: (cause) =>
      new OptionError({ option: "questions", problem: cause instanceof Error ? cause.message : String(cause) })
  })

const questionsOf = (asked: Asked) =>
  typeof asked === "string"
    ? Effect.flatMap(read(asked), (text) => Questions.decode(asked, text))
    : Questions.decodeAll("questions", asked)

/** See `Async.evaluate`. */
export const evaluate = (asked: Asked, search: Search, { signal, ...options }: Options): Promise<Result> =>
  promise(
    Effect.gen(function* () {
      const questions = yield* questionsOf(asked)
      const asking: Running.Search<unknown> = (question, limits) =>
        Effect.tryPromise({ try: () => search(question, limits), catch: (error) => error })
      return yield* Running.measure(questions, asking, options)
    }),
    signal
  )
