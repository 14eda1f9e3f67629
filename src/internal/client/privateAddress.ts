/** Addresses that are not public: this machine, private and link-local networks, metadata services of clouds, and what is reserved. */
import { type LookupAddress, lookup } from "node:dns"
import { BlockList, isIP, type LookupFunction } from "node:net"

const blocked = new BlockList()
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
] as const) {
  blocked.addSubnet(network, prefix, "ipv4")
}
// Of the sixth version only 2000::/3 is public, without tunnels and documentation.
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const) {
  blocked.addSubnet(network, prefix, "ipv6")
}

const global = new BlockList()
global.addSubnet("2000::", 3, "ipv6")

const translated = new BlockList()
translated.addSubnet("64:ff9b::", 96, "ipv6")
translated.addSubnet("::ffff:0:0", 96, "ipv6")

/** The last 32 bits as an address of the fourth version. */
const embedded = (address: string): string => {
  const host = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [high = "0", low = "0"] = host.split(":").slice(-2)
  const [left, right] = [Number.parseInt(high === "" ? "0" : high, 16), Number.parseInt(low === "" ? "0" : low, 16)]
  return [left >>> 8, left & 255, right >>> 8, right & 255].join(".")
}

/** True for an IP address that everyone reaches; false for a text that is none. */
export const isPublic = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, "ipv4")
    case 6: {
      const bare = address.replace(/%.*$/u, "")
      if (translated.check(bare, "ipv6")) return isPublic(embedded(bare))
      return global.check(bare, "ipv6") && !blocked.check(bare, "ipv6")
    }
    default:
      return false
  }
}

/** The IP address that a URL's host is; null for a name. */
export const literal = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/gu, "")
  return isIP(bare) === 0 ? null : bare
}

/** Nothing was sent: a host has an address that is not public. */
export class PrivateAddress extends Error {
  readonly host: string

  constructor(host: string, address: string) {
    super(
      host === address
        ? `${address} is no public address`
        : `${host} has the address ${address}, which is no public one`
    )
    this.name = "PrivateAddress"
    this.host = host
  }
}

/** The refusal in an error or its causes. */
export const refusalIn = (error: unknown): PrivateAddress | undefined => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if (cause instanceof PrivateAddress) return cause
    if (cause instanceof AggregateError) {
      const found = cause.errors.map(refusalIn).find((one) => one !== undefined)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** The addresses of a host; fails with {@link PrivateAddress} unless the host is allowed or all of them are public. */
const addresses = (
  host: string,
  options: { readonly family?: number | "IPv4" | "IPv6" | undefined; readonly hints?: number | undefined },
  allows: (host: string) => boolean,
  done: (error: NodeJS.ErrnoException | null, found: ReadonlyArray<LookupAddress>) => void
): void => {
  lookup(host, { family: options.family ?? 0, hints: options.hints ?? 0, all: true }, (error, found) => {
    if (error !== null) return done(error, [])
    const wrong = allows(host) ? undefined : found.find(({ address }) => !isPublic(address))
    return wrong === undefined ? done(null, found) : done(new PrivateAddress(host, wrong.address), [])
  })
}

/** Looks names up for a connection, which is made to the very addresses that were checked. */
export const lookupPublic =
  (allows: (host: string) => boolean): LookupFunction =>
  (host, options, callback) =>
    addresses(host, options, allows, (error, found) => {
      if (error !== null) return callback(error, "", 0)
      if (options.all === true) return callback(null, [...found])
      const [first] = found
      return first === undefined
        ? callback(new Error(`${host} has no address`), "", 0)
        : callback(null, first.address, first.family)
    })

/** The refusal of a host by its name, where a proxy makes the connection; null also for a name that only the proxy knows. */
export const refusalOf = (host: string, allows: (host: string) => boolean): Promise<PrivateAddress | null> =>
  new Promise((resolve) => {
    addresses(host, {}, allows, (error) => resolve(error instanceof PrivateAddress ? error : null))
  })
