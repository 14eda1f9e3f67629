/** Addresses in the form that the state may store: absolute, and without credentials. */
import { resolve } from "node:path"
import { isSecret } from "../base/secretParameter.ts"

export interface Kept {
  readonly address: string
  /** True if a credential was removed, or is needed in addition to the address. */
  readonly credential: boolean
}

/** Resolves a path against the working directory. */
export const absolute = (path: string): string => resolve(path)

const secretsOf = (url: URL): ReadonlyArray<string> => [...url.searchParams.keys()].filter(isSecret)

const bare = (given: URL): string => {
  const url = new URL(given)
  url.username = ""
  url.password = ""
  for (const name of secretsOf(url)) url.searchParams.delete(name)
  return url.href
}

/** A URL without user name, password and secret parameters; any other text unchanged. */
export const stripped = (address: string): Kept => {
  if (!URL.canParse(address) || !address.includes("://")) return { address, credential: false }
  const url = new URL(address)
  return url.username === "" && url.password === "" && secretsOf(url).length === 0
    ? { address, credential: false }
    : { address: bare(url), credential: true }
}

/** As {@link stripped}, for a database: there a user name without a password is not secret. */
export const database = (url: URL): Kept =>
  url.password === "" && secretsOf(url).length === 0
    ? { address: url.href, credential: false }
    : { address: bare(url), credential: true }

/** A refused address without the parts that may be secret; a password may hold any character. */
export const shown = (address: string): string => address.replace(/:\/\/.*@/su, "://").replace(/[?#].*$/su, "")

/** True if both name the same place, for any user. */
export const same = (left: string, right: string): boolean => withoutUser(left) === withoutUser(right)

const withoutUser = (address: string): string => address.replace(/:\/\/[^/?#@]*@/u, "://")
