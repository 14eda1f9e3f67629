/** Addresses of mailboxes: `imap://USER@HOST:PORT/FOLDER` and `imaps://…`. */
import * as Either from "effect/Either"

/** A mailbox, and the folder of it that is read. */
export interface Place {
  readonly user: string
  /** Without brackets around the number of an IPv6 address. */
  readonly host: string
  readonly port: number
  /** True for TLS from the first byte on. */
  readonly secure: boolean
  /** Folder with slashes between its parts, as documents have it; empty for the whole mailbox. */
  readonly folder: string
}

const ports = { imap: 143, imaps: 993 } as const

/** Address that tells the folder from all others, without its default port. */
export const addressOf = ({ folder, host, port, secure, user }: Place): string => {
  const scheme = secure ? "imaps" : "imap"
  const authority = `${host.includes(":") ? `[${host}]` : host}${port === ports[scheme] ? "" : `:${port}`}`
  return `${scheme}://${encodeURIComponent(user)}@${authority}${folder === "" ? "" : `/${folder}`}`
}

/** Name of the root without one of its own. */
export const nameOf = ({ folder, host, user }: Place): string =>
  `${user.includes("@") ? user : `${user}@${host}`}${folder === "" ? "" : `/${folder}`}`

/** The folder of new mail is the same in any case. */
export const folderOf = (path: string): string => path.replace(/^inbox(?=\/|$)/iu, "INBOX")

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** The address as it was given, without its password. */
export const shown = (address: string): string =>
  address.replace(/^(imaps?:\/\/[^/:@]+):.*@/isu, "$1:…@").replace(/^(imaps?:\/\/[^/:]*):[^/]*@/iu, "$1:…@")

const form = /^(imaps?):\/\/([^/]*)@(\[[0-9a-f:.]+\]|[^/@:[\]\s]+)(?::(\d{1,5}))?(?:\/(.*))?$/isu

/** Parses an address; the problem in words on the left. The last `@` before the folder ends the user, who may be an address of mail. */
export const parse = (address: string): Either.Either<Place, string> => {
  const [, scheme = "", before = "", host = "", given, path = ""] = form.exec(address) ?? []
  const secure = scheme.toLowerCase() === "imaps"
  const user = decoded(before)
  const port = given === undefined ? ports[secure ? "imaps" : "imap"] : Number(given)
  if (user === null || user === "" || host === "" || port < 1 || port > 65_535) {
    return Either.left(
      "expected imaps://USER@HOST, imaps://USER@HOST/FOLDER, or imap:// where the server starts TLS by itself"
    )
  }
  if (before.includes(":")) return Either.left("it holds a password; leave it out, and set IMAP_PASSWORD")
  const folder = folderOf(path.replace(/^\/+|\/+$/gu, ""))
  return Either.right({ user, host: host.replace(/^\[|\]$/gu, "").toLowerCase(), port, secure, folder })
}
