/** Addresses of folders on SSH servers: `sftp://USER@HOST:PORT/PATH`. */
import * as Either from "effect/Either"

/** A folder on a server. */
export interface Place {
  /** Name or number, without brackets. */
  readonly host: string
  readonly port: number
  /** Undefined: the user of this machine. */
  readonly user: string | undefined
  /** Path of the folder with a slash at its end; empty for the user's home. */
  readonly path: string
  /** Name of the root without one of its own: the folder's, or the host of a topmost one. */
  readonly name: string
  /** Address that tells it from all others. */
  readonly address: string
}

export const defaultPort = 22

const form = /^sftp:\/\/(?:([^@/]*)@)?(\[[^\]/]+\]|[^:/@[\]]+)(?::(\d{1,5}))?(\/.*)?$/su

const decoded = (user: string): string => {
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}

/** Parses an address; the problem in words on the left. The path is taken as it is spelled, and begins with `~/` below the home. */
export const parse = (address: string): Either.Either<Place, string> => {
  const found = form.exec(address)
  if (found === null || Number(found[3] ?? defaultPort) > 65_535)
    return Either.left("expected sftp://USER@HOST/PATH or sftp://USER@HOST:PORT/PATH")
  const [, user, host = "", port, given = "/"] = found
  if (user?.includes(":") === true) {
    return Either.left("it holds a password; keep that in SFTP_PASSWORD, or sign in with a key")
  }
  const whole = given.endsWith("/") ? given : `${given}/`
  const last = whole.split("/").findLast((segment) => segment !== "" && segment !== "~")
  const at = port === undefined || Number(port) === defaultPort ? "" : `:${Number(port)}`
  return Either.right({
    host: host.replace(/^\[|\]$/gu, ""),
    port: port === undefined ? defaultPort : Number(port),
    user: user === undefined || user === "" ? undefined : decoded(user),
    path: whole.startsWith("/~/") ? whole.slice(3) : whole,
    name: last ?? host,
    address: `sftp://${user === undefined || user === "" ? "" : `${user}@`}${host.toLowerCase()}${at}${whole}`
  })
}
