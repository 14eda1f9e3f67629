/** Command lines to type: words quoted for a shell, without secrets. */
import * as Mailbox from "../internal/imap/place.ts"
import * as Address from "../internal/target/address.ts"

/** The word as a POSIX shell reads it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./~…-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Flags whose values are secrets, or may hold one. */
const secret: ReadonlySet<string> = new Set(["--api-key", "--parse-options"])

const hidden = (value: string): string => (value === "none" || value.startsWith("@") ? value : "…")

/** An address, with a sink's kind before it or not, without its credentials. The user of a database or a mailbox is none by itself. */
const stripped = (value: string): Address.Kept => {
  const [kind = ""] = /^[a-z]+:(?=[a-z]+:\/\/)/u.exec(value) ?? []
  const text = value.slice(kind.length)
  if (/^imaps?:\/\//iu.test(text)) return { address: Mailbox.shown(value), credential: Mailbox.shown(text) !== text }
  const isDatabase = /^postgres(?:ql)?:\/\//u.test(text) && URL.canParse(text)
  const { address, credential } = isDatabase ? Address.database(new URL(text)) : Address.stripped(text)
  return { address: `${kind}${address}`, credential }
}

const shown = (flag: string, value: string): string => (secret.has(flag) ? hidden(value) : stripped(value).address)

/** The value of a word of the form `--flag=value`, or the word itself. */
const valueOf = (word: string): string => /^--[\w-]+=(.*)$/su.exec(word)?.[1] ?? word

/** The words that {@link line} shows without a credential that they have. */
export const withCredentials = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word) => stripped(valueOf(word)).credential)

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
