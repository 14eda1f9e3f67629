/** Files that hold a query, as roots: `sql:FILE`; and the addresses of databases. */
import { basename, resolve } from "node:path"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"

/** A file that holds a query. */
export interface QueryFile {
  /** Absolute path. */
  readonly path: string
  readonly name: string
}

/** Address of a file that holds a query. */
export const addressOf = ({ path }: Pick<QueryFile, "path">): string => `sql:${path}`

/** Parses an address; the problem in words on the left. */
export const parse = (address: string): Either.Either<QueryFile, string> => {
  const [, file = ""] = /^sql:(.+)$/su.exec(address) ?? []
  const path = resolve(file)
  const name = basename(path).replace(/\.sql$/iu, "")
  return file === "" || name === ""
    ? Either.left("expected sql:FILE, a file that holds a query")
    : Either.right({ path, name })
}

/** A query, or the file that holds it. */
export type Query =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "InFile"; readonly path: string }

/** A database that is asked. */
export type Database =
  /** `shown`: without user, password and parameters. */
  | { readonly _tag: "Server"; readonly url: Redacted.Redacted; readonly shown: string }
  | { readonly _tag: "File"; readonly path: string; readonly shown: string }

const forms = "postgres://USER:PASSWORD@HOST:PORT/DATABASE or libsql:FILE"

/** Parses the address of a database. The words for one that cannot be used do not repeat it, since it may hold a password. */
export const database = (given: string | Redacted.Redacted): Either.Either<Database, string> => {
  const text = Redacted.isRedacted(given) ? Redacted.value(given) : given
  const [, file = ""] = /^libsql:(?!\/\/)(.+)$/su.exec(text) ?? []
  if (file !== "") return Either.right({ _tag: "File", path: resolve(file), shown: `libsql:${resolve(file)}` })
  // A URL needs a host where libpq's address may leave it out.
  const address = text.replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?=[/?#]|$)/iu, "$1localhost")
  if (!/^postgres(?:ql)?:\/\//iu.test(address) || !URL.canParse(address)) {
    return Either.left(`the address of the database is not of the form ${forms}`)
  }
  const url = new URL(address)
  if (url.pathname.length < 2)
    return Either.left("the address of the database names none: postgres://HOST:PORT/DATABASE")
  const host = url.searchParams.get("host") ?? url.hostname
  const port = url.searchParams.get("port") ?? (url.port === "" ? "5432" : url.port)
  return Either.right({
    _tag: "Server",
    url: Redacted.make(url.href),
    shown: `postgres://${host}:${port}${url.pathname}`
  })
}
