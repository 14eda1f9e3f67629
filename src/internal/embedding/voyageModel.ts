/** Voyage's `POST /v1/embeddings`: OpenAI's protocol with kinds of texts and another name for the dimensions. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { InvalidAddress } from "../../service/Client.ts"
import * as server from "../client/modelServer.ts"
import * as connection from "./connection.ts"
import * as openAi from "./openAi.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends connection.Limits {
  /** Voyage's name for the model, such as `voyage-3.5`. */
  readonly model: string
  /** Length of the vectors to request, for models that support several; default: the model's own. */
  readonly dimensions?: number | undefined
  /**
   * Address before `/embeddings`, or with it; `/v1` is added when it has no path. Credentials in it are ignored. Default
   * `https://api.voyageai.com/v1`.
   */
  readonly baseUrl?: string | undefined
  /** Sent as `Authorization: Bearer`; needed for Voyage itself only. */
  readonly apiKey?: Redacted.Redacted | undefined
}

/** Most texts that one request may hold. */
export const mostTexts = 1000

/** Fails before anything is sent when the address or the key cannot be used. */
export const make = (
  options: Options & { readonly overlong: "cut" | "refuse" }
): Effect.Effect<connection.Model, InvalidAddress, HttpClient.HttpClient> =>
  Effect.map(connection.open(server.voyage, options), (connected) => {
    const asking = (inputType: "document" | "query"): connection.EmbedMany => {
      const settings: openAi.Settings = {
        ...connected,
        model: options.model,
        dimensions: options.dimensions,
        dimensionsAs: "output_dimension",
        base64: true,
        more: { input_type: inputType, truncation: options.overlong === "cut" }
      }
      return (texts) => openAi.embedMany(settings, texts)
    }
    return { documents: asking("document"), queries: asking("query") }
  })
