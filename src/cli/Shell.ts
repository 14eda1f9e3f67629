/** Command lines to type: words quoted for a shell, without secrets. */
import * as Address from "../internal/target/address.ts"

/** The word as a POSIX shell reads it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./~…-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Flags whose values are secrets, or may hold one. */
const secret: ReadonlySet<string> = new Set(["--api-key", "--parse-options"])

const hidden = (value: string): string => (value === "none" || value.startsWith("@") ? value : "…")

/** An address, with a sink's kind before it or not, without its credentials. */
const stripped = (value: string): string => {
  const [kind = ""] = /^[a-z]+:(?=[a-z]+:\/\/)/u.exec(value) ?? []
  return `${kind}${Address.stripped(value.slice(kind.length)).address}`
}

const shown = (flag: string, value: string): string => (secret.has(flag) ? hidden(value) : stripped(value))

/** A command line of this program; keys are replaced by `…`, and addresses lose their credentials. */
export const line = (words: ReadonlyArray<string>): string =>
  [
    "docsluice",
    ...words.map((word, at) => {
      const [, flag, value] = /^(--[\w-]+)=(.*)$/su.exec(word) ?? []
      return quoted(
        flag === undefined || value === undefined ? shown(words[at - 1] ?? "", word) : `${flag}=${shown(flag, value)}`
      )
    })
  ].join(" ")

/** A command with the state of a run, where it is not the default one. */
export const ofState = (command: string, state: string): string =>
  line([command, ...(state === ".docsluice" ? [] : ["--state", state])])
