/**
 * A model on any server that speaks OpenAI's `POST /embeddings`.
 *
 * Lenient: `object`, `usage`, `model` and `index` may be missing; vectors may come as lists or packed in base64, in any order
 * that `index` gives. One request per call, without retries or batches: `Embedder` adds those.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import type { InvalidAddress } from "../../service/Client.ts"
import * as server from "../client/modelServer.ts"
import * as connection from "./connection.ts"
import * as openAi from "./openAi.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends server.OpenAiServer, connection.Limits {
  /** The server's name for the model. */
  readonly model: string
  /** Length of the vectors to request, for models that support several; default: not sent. */
  readonly dimensions?: number | undefined
  /** Encoding of the vectors to request; after a server rejects base64, lists are requested. Default `base64`. */
  readonly encoding?: "base64" | "float" | undefined
}

/** Fails before anything is sent when the address or the key cannot be used. */
export const make = (options: Options): Effect.Effect<connection.Model, InvalidAddress, HttpClient.HttpClient> =>
  Effect.map(connection.open(server.openAi, options), (connected) => {
    const settings: openAi.Settings = {
      ...connected,
      model: options.model,
      dimensions: options.dimensions,
      dimensionsAs: "dimensions",
      base64: options.encoding !== "float",
      more: {}
    }
    return { documents: (texts) => openAi.embedMany(settings, texts), queries: null }
  })
