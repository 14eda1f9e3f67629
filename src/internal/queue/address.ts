import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"

/** The server of a queue. */
export interface Address {
  readonly kind: "redis" | "postgres"
  /** The whole address, with its password. */
  readonly url: Redacted.Redacted
  /** Without user, password and settings: for messages. */
  readonly shown: string
}

const kinds: Readonly<Record<string, Address["kind"]>> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres"
}

const forms = "give redis://HOST:PORT, rediss://HOST:PORT or postgres://HOST:PORT/DATABASE"

/** Reads the address of a queue. The problem of one that is refused repeats nothing of it, since any part may be a password. */
export const parse = (given: Redacted.Redacted): Either.Either<Address, string> => {
  const text = Redacted.value(given)
  if (!URL.canParse(text)) return Either.left(`this is no address of a queue; ${forms}`)
  const url = new URL(text)
  const kind = kinds[url.protocol]
  if (kind === undefined) return Either.left(`a queue is on Redis or PostgreSQL; ${forms}`)
  if (url.hostname === "") return Either.left(`the address names no host; ${forms}`)
  return Either.right({ kind, url: given, shown: `${url.protocol}//${url.host}${url.pathname.replace(/\/$/u, "")}` })
}
