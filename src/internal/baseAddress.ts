import * as Either from "effect/Either"

/** Where the service is: never with credentials, query or fragment. */
export interface BaseAddress {
  /** Ends in `/v2`, without a slash after it. */
  readonly url: string
  /** Host and port. */
  readonly host: string
  /** A name or address of this machine itself. */
  readonly loopback: boolean
}

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Reads an address with or without `/v2`, with any number of slashes after it. The text itself may hold a password. */
export const parse = (text: string): Either.Either<BaseAddress, "Malformed" | "Scheme"> => {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return Either.left("Malformed")
  const url = new URL(trimmed)
  if (url.protocol !== "http:" && url.protocol !== "https:") return Either.left("Scheme")
  const path = url.pathname.replace(/\/+$/, "")
  const versioned = path.endsWith("/v2") ? path : `${path}/v2`
  return Either.right({ url: `${url.origin}${versioned}`, host: url.host, loopback: isLoopback(url.hostname) })
}
