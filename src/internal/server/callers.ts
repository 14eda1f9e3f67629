/** Hosts that a server answers to and web pages that may call it: a stranger's page must not reach a server on loopback. */
import type * as HttpServer from "@effect/platform/HttpServer"
import { catalogue, Forbidden } from "../../service/ServiceError.ts"
import { isLoopback } from "../base/loopback.ts"
import { show } from "../base/rules.ts"

export interface Options {
  /** Host names in addition to the server's own, with a port or for all ports; `*` for any. */
  readonly allowHosts: ReadonlyArray<string>
  /** Allowed origins of web pages; `*` for all. */
  readonly cors: ReadonlyArray<string>
}

/** Checks the headers of a request: the refusal, or null when the request may be answered. Header names are lower case. */
export type Check = (headers: {
  readonly host?: string | undefined
  readonly origin?: string | undefined
}) => Forbidden | null

const withoutPort = (host: string): string => host.replace(/:\d*$/, "")

const refusal = (what: string, remedy: string): Forbidden =>
  new Forbidden({ status: 403, error: `${catalogue.Forbidden.error}: ${what}; ${remedy}` })

const foreignHost = (host: string): Forbidden =>
  refusal(
    `this server does not answer to the host ${show(host)}`,
    "if it is one of its names, allow it with the option `allowHosts` (`docsluice serve --allow-host`)"
  )

const foreignOrigin = (origin: string): Forbidden =>
  refusal(
    `web pages of ${show(origin)} may not call this server`,
    "allow them with the option `cors` (`docsluice serve --cors`), or the host that they are on with `allowHosts` (`docsluice serve --allow-host`)"
  )

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/**
 * A server on a loopback address answers only to that address and `localhost` at its own port, and only to its own pages. A server on
 * another address is protected by its keys: it answers to any host and origin, unless an option restricts them.
 */
export const make = (address: HttpServer.Address, { allowHosts, cors }: Options): Check => {
  const open = address._tag !== "TcpAddress" || !isLoopback(address.hostname)
  if (allowHosts.includes("*") || (open && allowHosts.length === 0)) return () => null
  const port = address._tag === "TcpAddress" ? address.port : undefined
  const names = new Set(allowHosts.map((name) => name.toLowerCase()))
  const origins = new Set(cors.map((origin) => origin.toLowerCase()))

  const isOwn = (host: string): boolean => {
    const name = withoutPort(host)
    return isLoopback(name) && (host === `${name}:${port}` || (port === 80 && host === name))
  }
  const isKnown = (host: string): boolean => isOwn(host) || names.has(host) || names.has(withoutPort(host))

  return (headers) => {
    // Every browser sends a `Host` header.
    const host = headers.host?.toLowerCase()
    if (host !== undefined && !isKnown(host)) return foreignHost(host)
    const origin = headers.origin?.toLowerCase()
    if (origin === undefined || origins.has("*") || origins.has(origin)) return null
    const from = hostOf(origin)
    return from !== undefined && isKnown(from) && (host === undefined || from === host || names.has(withoutPort(from)))
      ? null
      : foreignOrigin(origin)
  }
}
