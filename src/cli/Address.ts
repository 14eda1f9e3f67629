/** Addresses that a server of the command line binds. */

const spelled = (host: string): string => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host)

/** The address of a server, without a path. */
export const baseOf = (host: string, port: number): string => `http://${spelled(host)}:${port}`

const reason = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "the address cannot be used"

/** The report of a server that cannot take its address. */
export const notListening = (
  { host, port }: { readonly host: string; readonly port: number },
  error: { readonly cause: unknown }
) => ({ _tag: "ServeError", message: `cannot listen on ${host}:${port}: ${reason(error.cause)}` })
