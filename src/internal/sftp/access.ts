/** What signs in to an SSH server, and what is known of the server's key, from where OpenSSH keeps them. */
import { readFile } from "node:fs/promises"
import { homedir, userInfo } from "node:os"
import { join } from "node:path"
import * as Redacted from "effect/Redacted"
import type { AnyAuthMethod } from "ssh2"
import type { Environment } from "../objects/environment.ts"
import * as HostKey from "./hostKey.ts"
import type { Place } from "./place.ts"

/** What a program gives in place of the environment. */
export interface Given {
  readonly password?: Redacted.Redacted | undefined
  readonly privateKey?: Redacted.Redacted | undefined
  readonly passphrase?: Redacted.Redacted | undefined
  readonly hostKey?: string | undefined
  readonly knownHosts?: string | undefined
}

/** All that a connection needs to know beside its place. */
export interface Access {
  /** Ways to sign in, in the order in which they are tried. */
  readonly methods: Array<AnyAuthMethod>
  /** Keys that the server may have. */
  readonly known: ReadonlyArray<HostKey.KnownKey>
}

/** Files of keys in `~/.ssh`, in the order in which OpenSSH tries them. */
const identities = ["id_rsa", "id_ecdsa", "id_ed25519"]

const textAt = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "")

const folderOf = (environment: Environment): string => join(environment["HOME"] ?? homedir(), ".ssh")

const byKey = (username: string, key: string, passphrase: string | undefined): AnyAuthMethod => ({
  type: "publickey",
  username,
  key,
  ...(passphrase !== undefined && { passphrase })
})

/** Some servers ask for the password as a question. */
const byPassword = (username: string, password: string): ReadonlyArray<AnyAuthMethod> => [
  { type: "password", username, password },
  {
    type: "keyboard-interactive",
    username,
    prompt: (_name, _instructions, _language, prompts, finish) => finish(prompts.map(() => password))
  }
]

/** What was given alone, else a key's file and a password of the environment, the agent, and the keys in `~/.ssh`. */
const methodsOf = async (
  username: string,
  { passphrase: phrase, password, privateKey }: Given,
  environment: Environment
): Promise<Array<AnyAuthMethod>> => {
  const secret = phrase === undefined ? environment["SFTP_PASSPHRASE"] : Redacted.value(phrase)
  if (password !== undefined || privateKey !== undefined) {
    return [
      ...(privateKey === undefined ? [] : [byKey(username, Redacted.value(privateKey), secret)]),
      ...(password === undefined ? [] : byPassword(username, Redacted.value(password)))
    ]
  }
  const { SFTP_KEY_FILE: file, SFTP_PASSWORD: spoken, SSH_AUTH_SOCK: agent } = environment
  const own = await Promise.all(identities.map((name) => textAt(join(folderOf(environment), name))))
  const keys = [...(file ? [await readFile(file, "utf8")] : []), ...own].filter((text) => text !== "")
  const [named, others] = file ? [keys.slice(0, 1), keys.slice(1)] : [[], keys]
  return [
    ...named.map((key) => byKey(username, key, secret)),
    ...(spoken ? byPassword(username, spoken) : []),
    ...(agent ? [{ type: "agent", username, agent } as const] : []),
    ...others.map((key) => byKey(username, key, secret))
  ]
}

/** Keys that are known of the host; null for an option that is none. */
const knownOf = async (
  place: Place,
  { hostKey, knownHosts }: Given,
  environment: Environment
): Promise<ReadonlyArray<HostKey.KnownKey> | null> => {
  if (hostKey !== undefined) {
    const key = HostKey.given(hostKey)
    return key === null ? null : [key]
  }
  const named = knownHosts ?? (environment["SFTP_KNOWN_HOSTS"] || undefined)
  const texts = await Promise.all(
    named === undefined
      ? [textAt(join(folderOf(environment), "known_hosts")), textAt("/etc/ssh/ssh_known_hosts")]
      : [readFile(named, "utf8")]
  )
  return HostKey.listed(texts.join("\n"), HostKey.hostOf(place))
}

/** Reads the files. Rejects for one that was named and cannot be read; null for a key of the server that is none. */
export const find = async (place: Place, given: Given, environment: Environment): Promise<Access | null> => {
  const known = await knownOf(place, given, environment)
  if (known === null) return null
  return { known, methods: await methodsOf(userOf(place), given, environment) }
}

/** The user who signs in. */
export const userOf = ({ user }: Pick<Place, "user">): string => user ?? userInfo().username
