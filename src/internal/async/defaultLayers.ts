/** The promise interface: plain JavaScript values as services, streams and layers. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Parser from "../../Parser.ts"
import * as Tokenizer from "../../Tokenizer.ts"
import * as ServiceTarget from "../target/serviceTarget.ts"
import * as AsyncModels from "./model.ts"
import type { ServiceOptions } from "./options.ts"

/** The parser of a program that names none of its own. */
export const parser = (options: ServiceOptions): Layer.Layer<Parser.Parser, unknown> => {
  const { apiKey, dispatcher, parseOptions = {}, service = "embedded" } = options
  const target = ServiceTarget.layer({
    service,
    apiKey: apiKey === undefined || apiKey === "none" ? apiKey : Redacted.make(apiKey),
    dispatcher,
    model: options.model === undefined ? undefined : AsyncModels.model(options.model, dispatcher)
  })
  return Layer.provide(Parser.layer(parseOptions), Layer.provide(target, NodeContext.layer))
}

/** The parser and the tokenizer of a program that names none of its own. */
export const defaultLayers = (options: ServiceOptions): Layer.Layer<Parser.Parser | Tokenizer.Tokenizer, unknown> =>
  Layer.merge(parser(options), Tokenizer.layer(options.tokenizer ?? "o200k_base"))
