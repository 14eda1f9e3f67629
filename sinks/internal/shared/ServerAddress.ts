/** The parts of a server's address that name it. */
export interface ServerAddress {
  /** Scheme, host and port; the port is left out where it is the scheme's own. */
  readonly origin: string
  readonly host: string
  readonly port: number
  readonly ssl: boolean
  /** Without a slash at its end; may be empty. */
  readonly path: string
}

/** Null for a text that is not a server's address: another scheme than http and https, credentials, a query, a fragment. */
export const parse = (text: string): ServerAddress | null => {
  if (!URL.canParse(text)) return null
  const { hash, hostname, origin, password, pathname, port, protocol, search, username } = new URL(text)
  const ssl = protocol === "https:"
  if (!ssl && protocol !== "http:") return null
  if (username + password + search + hash !== "") return null
  const path = pathname.replace(/\/+$/u, "")
  return { origin, host: hostname, port: port === "" ? (ssl ? 443 : 80) : Number(port), ssl, path }
}
