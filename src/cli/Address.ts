/** Addresses as the state may keep them: absolute, and without credentials. */
import { resolve } from "node:path"

export interface Kept {
  readonly address: string
  /** Something was taken out, or is needed beside it. */
  readonly credential: boolean
}

/** Query parameters that hold a secret, in any case and with any separators. */
const secret =
  /^(pass(word|wd|phrase)?|pwd|secret|token|apikey|key|auth|authtoken|accesstoken|sslpassword|credentials?)$/

const isSecret = (name: string): boolean => secret.test(name.toLowerCase().replaceAll(/[^a-z]/g, ""))

/** Against the working directory. */
export const absolute = (path: string): string => resolve(path)

const secretsOf = (url: URL): ReadonlyArray<string> => [...url.searchParams.keys()].filter(isSecret)

const bare = (given: URL): string => {
  const url = new URL(given)
  url.username = ""
  url.password = ""
  for (const name of secretsOf(url)) url.searchParams.delete(name)
  return url.href
}

/** A URL without user name, password and secret parameters; any other text as it is. */
export const stripped = (address: string): Kept => {
  if (!URL.canParse(address) || !address.includes("://")) return { address, credential: false }
  const url = new URL(address)
  return url.username === "" && url.password === "" && secretsOf(url).length === 0
    ? { address, credential: false }
    : { address: bare(url), credential: true }
}

/** As {@link stripped}, of a database: there a user name without a password is no secret. */
export const database = (url: URL): Kept =>
  url.password === "" && secretsOf(url).length === 0
    ? { address: url.href, credential: false }
    : { address: bare(url), credential: true }

/** An address that nobody wants to use, without what may be secret in it; a password may hold any character. */
export const shown = (address: string): string => address.replace(/:\/\/.*@/su, "://").replace(/[?#].*$/su, "")

/** Whether both name the same place, whoever the user is. */
export const same = (left: string, right: string): boolean => withoutUser(left) === withoutUser(right)

const withoutUser = (address: string): string => address.replace(/:\/\/[^/?#@]*@/u, "://")
