/** Addresses and targets as the state may keep them: absolute, and without credentials. */
import { resolve } from "node:path"

export interface Kept {
  readonly address: string
  /** Something was taken out. */
  readonly credential: boolean
}

/** Kinds of sinks whose target is a path of this machine. */
const local = new Set(["jsonl", "fs", "libsql", "lancedb"])

/** Query parameters that hold a secret, in any case and with any separators. */
const secret =
  /^(pass(word|wd|phrase)?|pwd|secret|token|apikey|key|auth|authtoken|accesstoken|sslpassword|credentials?)$/

const isSecret = (name: string): boolean => secret.test(name.toLowerCase().replaceAll(/[^a-z]/g, ""))

/** Against the working directory. */
export const absolute = (path: string): string => resolve(path)

/** A URL without user name, password and secret parameters; any other text as it is. */
export const stripped = (address: string): Kept => {
  if (!URL.canParse(address) || !address.includes("://")) return { address, credential: false }
  const url = new URL(address)
  const secrets = [...url.searchParams.keys()].filter(isSecret)
  if (url.username === "" && url.password === "" && secrets.length === 0) return { address, credential: false }
  url.username = ""
  url.password = ""
  for (const name of secrets) url.searchParams.delete(name)
  return { address: url.href, credential: true }
}

/** Whether the target is a path of this machine, so that its spelling says all. */
export const isLocal = (spelling: string): boolean => {
  const colon = spelling.indexOf(":")
  return local.has(spelling.slice(0, colon)) && !spelling.slice(colon + 1).includes("://")
}

/** `KIND:TARGET`. */
export const target = (spelling: string): Kept => {
  const colon = spelling.indexOf(":")
  const kind = spelling.slice(0, colon)
  const rest = spelling.slice(colon + 1)
  if (isLocal(spelling)) return { address: `${kind}:${resolve(rest)}`, credential: false }
  const { address, credential } = stripped(rest)
  return { address: `${kind}:${address}`, credential }
}
