import * as Either from "effect/Either"

/** Base address of the service, without credentials, query and fragment. */
export interface BaseAddress {
  /** The address without a trailing slash; that of the parse service ends in `/v2`. */
  readonly url: string
  /** Host and port. */
  readonly host: string
  /** True for a name or address of this machine itself. */
  readonly loopback: boolean
}

/** True for a name or address of this machine itself. `hostname` as in a `URL`. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** The path up to `/v2`; that of an endpoint, `/v2/parse` or `/v2/agent`, counts too. */
const versioned = (path: string): string => {
  const base = path.replace(/\/v2\/+(?:parse|agent)$/, "/v2")
  return base.endsWith("/v2") ? base : `${base}/v2`
}

/** Parses an address with or without `/v2`, `/v2/parse` or `/v2/agent`, with any number of trailing slashes. The text itself may hold a password. */
export const parse = (text: string): Either.Either<BaseAddress, "Malformed" | "Scheme"> => parseWith(text, versioned)

/** As {@link parse}, with a path derived from that of the text, which is passed without trailing slashes. */
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
