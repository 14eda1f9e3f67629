import * as Layer from "effect/Layer"
import type { Parser } from "../Parser.ts"
import type { ParseOptions } from "../service/ParseOptions.ts"
import { ServiceUnreachable } from "../service/ServiceError.ts"
import type { Tokenizer } from "../Tokenizer.ts"

/** What `Async` says of the service and the tokenizer. */
export interface Options {
  /** `embedded`, or the service's base address. */
  readonly service: string
  readonly apiKey: string | undefined
  readonly parseOptions: ParseOptions
  readonly tokenizer: "o200k_base" | "cl100k_base" | "chars"
}

/** The parser and the tokenizer of a program that names none of its own. */
export const defaultLayers = (options: Options): Layer.Layer<Parser | Tokenizer, ServiceUnreachable> =>
  Layer.fail(
    new ServiceUnreachable({
      address: options.service,
      error: "this build has no service of its own: give `layer`, with a Parser and a Tokenizer"
    })
  )
