import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { InvalidAddress } from "../../service/Client.ts"
import * as baseAddress from "./baseAddress.ts"

/** Address and key of a server of models. */
export interface ModelServer {
  readonly baseUrl?: string | undefined
  readonly apiKey?: Redacted.Redacted | undefined
}

/** Address and key of a server that speaks OpenAI's protocol. */
export interface OpenAiServer extends ModelServer {
  /**
   * Address before `/embeddings` or `/chat/completions`, or with it; `/v1` is added when it has no path. Credentials in it are ignored. Default
   * `https://api.openai.com/v1`.
   */
  readonly baseUrl?: string | undefined
  /** Sent as `Authorization: Bearer`; needed for OpenAI itself only. */
  readonly apiKey?: Redacted.Redacted | undefined
}

/** The provider whose dialect a server speaks. */
export interface Home {
  /** Its own address, with the version, which is added to an address without a path. */
  readonly address: string
  /** Endpoints that an address may end in. */
  readonly endings: RegExp
}

export const openAi: Home = {
  address: "https://api.openai.com/v1",
  endings: /\/+(?:embeddings|chat\/completions)$/
}

export const cohere: Home = { address: "https://api.cohere.com/v2", endings: /\/+embed$/ }

export const voyage: Home = { address: "https://api.voyageai.com/v1", endings: /\/+embeddings$/ }

export const jina: Home = { address: "https://api.jina.ai/v1", endings: /\/+rerank$/ }

export const addressOf = (
  home: Home,
  { baseUrl = home.address }: ModelServer
): Either.Either<baseAddress.BaseAddress, InvalidAddress> =>
  Either.mapLeft(
    baseAddress.parseWith(baseUrl, (path) =>
      path === "" ? new URL(home.address).pathname : path.replace(home.endings, "")
    ),
    (reason) => new InvalidAddress({ reason })
  )

/** The key as a header may carry it; undefined for a server without keys, which the provider's own is not. */
export const keyOf = (
  home: Home,
  { apiKey }: ModelServer,
  address: baseAddress.BaseAddress
): Either.Either<string | undefined, InvalidAddress> => {
  const key = apiKey === undefined ? "" : Redacted.value(apiKey).trim()
  if (key === "") {
    return address.host === new URL(home.address).host
      ? Either.left(new InvalidAddress({ reason: "KeyMissing" }))
      : Either.right(undefined)
  }
  return /^[\x21-\x7e]+$/.test(key) ? Either.right(key) : Either.left(new InvalidAddress({ reason: "KeyMalformed" }))
}
