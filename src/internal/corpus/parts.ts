import type * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Parser from "../../Parser.ts"
import type { InvalidAddress } from "../../service/Client.ts"
import type { InvalidOptions } from "../../service/ParseOptions.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import type { InvalidProxy } from "../../UndiciHttpClient.ts"
import type { OptionError } from "../base/optionError.ts"
import * as ServiceTarget from "../target/serviceTarget.ts"
import type { Options } from "./options.ts"

/** What a parser is made of. */
export type ParserOptions = Pick<Options, "apiKey" | "model" | "parseOptions" | "service"> &
  Pick<ServiceTarget.ServiceTarget<never>, "concurrency" | "ocrLanguages">

/** The parser of the options. */
export const parser = ({
  apiKey,
  parseOptions = {},
  service = "embedded",
  ...words
}: ParserOptions): Effect.Effect<
  Parser.Parser.Service,
  OptionError | InvalidAddress | InvalidOptions | InvalidProxy,
  FileSystem.FileSystem | Scope.Scope
> => {
  const client = ServiceTarget.layer({ ...words, apiKey, service })
  return Effect.map(Layer.build(Layer.provide(Parser.layer(parseOptions), client)), (services) =>
    Context.get(services, Parser.Parser)
  )
}

/** A tokenizer that is loaded when it is first asked for. */
export const tokenizer = <E>(
  layer: Layer.Layer<Tokenizer, E>
): Effect.Effect<Effect.Effect<Tokenizer.Service, E>, never, Scope.Scope> =>
  Effect.flatMap(Effect.scope, (scope) =>
    Effect.cached(
      Effect.uninterruptible(
        Effect.map(Layer.buildWithScope(layer, scope), (services) => Context.get(services, Tokenizer))
      )
    )
  )
