import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { InvalidAddress } from "../../service/Client.ts"
import * as server from "../client/modelServer.ts"
import * as cohere from "./cohere.ts"
import * as connection from "./connection.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends connection.Limits {
  /** Cohere's name for the model, such as `embed-v4.0`. */
  readonly model: string
  /** Length of the vectors to request, which models from `embed-v4.0` on support; default: the model's own. */
  readonly dimensions?: number | undefined
  /**
   * Address before `/embed`, or with it; `/v2` is added when it has no path. Credentials in it are ignored. Default
   * `https://api.cohere.com/v2`.
   */
  readonly baseUrl?: string | undefined
  /** Sent as `Authorization: Bearer`; needed for Cohere itself only. */
  readonly apiKey?: Redacted.Redacted | undefined
}

/** Fails before anything is sent when the address or the key cannot be used. */
export const make = (
  options: Options & { readonly overlong: "cut" | "refuse" }
): Effect.Effect<connection.Model, InvalidAddress, HttpClient.HttpClient> =>
  Effect.map(connection.open(server.cohere, options), (connected) => {
    const asking =
      (inputType: cohere.Settings["inputType"]): connection.EmbedMany =>
      (texts) =>
        cohere.embedMany(
          {
            ...connected,
            model: options.model,
            inputType,
            dimensions: options.dimensions,
            truncate: options.overlong === "cut" ? "END" : "NONE"
          },
          texts
        )
    return { documents: asking("search_document"), queries: asking("search_query") }
  })
