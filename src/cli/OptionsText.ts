/** `--parse-options JSON|@FILE`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { textOrFile } from "../internal/target/secret.ts"
import { decode, type ParseOptions } from "../service/ParseOptions.ts"
import { type Refused, UsageError } from "./UsageError.ts"

const parseJson = Schema.decode(Schema.parseJson())

/** Reads the user's parse options; none without the flag. */
export const read = (value: Option.Option<string>): Effect.Effect<ParseOptions, Refused, FileSystem.FileSystem> =>
  Option.match(value, {
    onNone: () => Effect.succeed({}),
    onSome: (given) =>
      Effect.gen(function* () {
        const text = yield* textOrFile("parseOptions", given)
        const json = yield* Effect.mapError(
          parseJson(text),
          () => new UsageError({ problem: "--parse-options: expected JSON, or @FILE with JSON in it" })
        )
        return yield* Effect.mapError(
          decode(json),
          (error) => new UsageError({ problem: `--parse-options: ${error.message}` })
        )
      })
  })
