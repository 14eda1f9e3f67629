import * as Either from "effect/Either"

/** Where the service is: never with credentials, query or fragment. */
export interface BaseAddress {
  /** The parse service's ends in `/v2`; without a slash after it. */
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

const versioned = (path: string): string => (path.endsWith("/v2") ? path : `${path}/v2`)

/** Reads an address with or without `/v2`, with any number of slashes after it. The text itself may hold a password. */
export const parse = (text: string): Either.Either<BaseAddress, "Malformed" | "Scheme"> => parseWith(text, versioned)

/** As {@link parse}, with a path of one's own: made from that of the text, which comes without slashes at its end. */
export const parseWith = (
  text: string,
  pathOf: (path: string) => string
): Either.Either<BaseAddress, "Malformed" | "Scheme"> => {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return Either.left("Malformed")
  const url = new URL(trimmed)
  if (url.protocol !== "http:" && url.protocol !== "https:") return Either.left("Scheme")
  const path = url.pathname.replace(/\/+$/, "")
  return Either.right({ url: `${url.origin}${pathOf(path)}`, host: url.host, loopback: isLoopback(url.hostname) })
}
