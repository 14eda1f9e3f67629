import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { InvalidAddress } from "../../service/Client.ts"
import * as baseAddress from "./baseAddress.ts"

/** Address and key of a server that speaks OpenAI's protocol. */
export interface OpenAiServer {
  /**
   * Address before `/embeddings` or `/chat/completions`, or with it; `/v1` is added when it has no path. Credentials in it are ignored. Default
   * `https://api.openai.com/v1`.
   */
  readonly baseUrl?: string | undefined
  /** Sent as `Authorization: Bearer`; needed for OpenAI itself only. */
  readonly apiKey?: Redacted.Redacted | undefined
}

const openAi = "https://api.openai.com/v1"

export const addressOf = ({ baseUrl = openAi }: OpenAiServer): Either.Either<baseAddress.BaseAddress, InvalidAddress> =>
  Either.mapLeft(
    baseAddress.parseWith(baseUrl, (path) =>
      path === "" ? "/v1" : path.replace(/\/+(?:embeddings|chat\/completions)$/, "")
    ),
    (reason) => new InvalidAddress({ reason })
  )

/** The key as a header may carry it; undefined for a server without keys. */
export const keyOf = (
  { apiKey }: OpenAiServer,
  address: baseAddress.BaseAddress
): Either.Either<string | undefined, InvalidAddress> => {
  const key = apiKey === undefined ? "" : Redacted.value(apiKey).trim()
  if (key === "") {
    return address.host === "api.openai.com"
      ? Either.left(new InvalidAddress({ reason: "KeyMissing" }))
      : Either.right(undefined)
  }
  return /^[\x21-\x7e]+$/.test(key) ? Either.right(key) : Either.left(new InvalidAddress({ reason: "KeyMalformed" }))
}
