/** The key by which a server shows that it is the one that was meant: what is known of it, and whether it fits. */
import { createHash, createHmac } from "node:crypto"
import { type Place, defaultPort } from "./place.ts"

/** A key that is known, or its fingerprint. */
export interface KnownKey {
  /** `ssh-ed25519` for instance; undefined for a fingerprint. */
  readonly type: string | undefined
  /** The key in Base64, or `SHA256:` and its hash. */
  readonly value: string
  /** No key that may be trusted. */
  readonly revoked: boolean
}

/** `known`: it may be trusted. `changed`: another key of its type is known. `unknown`: none is. `revoked`: it must not be trusted. */
export type Trust = "known" | "changed" | "unknown" | "revoked"

/** The fingerprint as OpenSSH shows it. */
export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/u, "")}`

/** The type that a key names in its first field. */
export const typeOf = (key: Buffer): string => key.subarray(4, 4 + key.readUInt32BE(0)).toString("latin1")

/** The name under which a server stands in a list of keys. */
export const hostOf = ({ host, port }: Pick<Place, "host" | "port">): string =>
  port === defaultPort ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`

const isHashed = (pattern: string, name: string): boolean => {
  const [, , salt = "", hash = ""] = pattern.split("|")
  return createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest("base64") === hash
}

const matches = (pattern: string, name: string): boolean => {
  if (pattern.startsWith("|1|")) return isHashed(pattern, name)
  const spelled = pattern
    .toLowerCase()
    .replaceAll(/[.+^${}()|[\]\\]/gu, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
  return new RegExp(`^${spelled}$`, "u").test(name)
}

const names = (field: string, name: string): boolean => {
  const patterns = field.split(",")
  const excluded = patterns.some((pattern) => pattern.startsWith("!") && matches(pattern.slice(1), name))
  return !excluded && patterns.some((pattern) => !pattern.startsWith("!") && matches(pattern, name))
}

/** The keys of a host in a text of the form of `~/.ssh/known_hosts`. Authorities of certificates do not count. */
export const listed = (text: string, host: string): ReadonlyArray<KnownKey> =>
  text.split(/\r?\n/u).flatMap((line) => {
    const fields = line.trim().split(/\s+/u)
    const marker = fields[0]?.startsWith("@") === true ? fields.shift() : undefined
    const [hosts = "", type, value] = fields
    if (hosts.startsWith("#") || value === undefined || marker === "@cert-authority" || !names(hosts, host)) return []
    return [{ type, value, revoked: marker === "@revoked" }]
  })

/** A key as an option gives it: `SHA256:…`, or its type and itself in Base64. Null for any other text. */
export const given = (text: string): KnownKey | null => {
  const [first = "", second] = text.trim().split(/\s+/u)
  if (/^SHA256:[A-Za-z0-9+/]{43}=?$/u.test(first)) {
    return { type: undefined, value: first.replace(/=$/u, ""), revoked: false }
  }
  return second !== undefined && /^[A-Za-z0-9+/]+=*$/u.test(second)
    ? { type: first, value: second, revoked: false }
    : null
}

/** Whether the key of a server is one of those that are known. */
export const trustIn = (known: ReadonlyArray<KnownKey>, key: Buffer): Trust => {
  const own = new Set([key.toString("base64"), fingerprintOf(key)])
  const fits = known.filter(({ value }) => own.has(value))
  if (fits.some(({ revoked }) => revoked)) return "revoked"
  if (fits.length > 0) return "known"
  const type = typeOf(key)
  return known.some((one) => !one.revoked && (one.type === undefined || one.type === type)) ? "changed" : "unknown"
}
