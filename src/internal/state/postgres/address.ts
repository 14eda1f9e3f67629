import * as Redacted from "effect/Redacted"

/** Where a state lies on a server. */
export interface Address {
  /** For messages: without user, password and the driver's parameters. */
  readonly shown: string
  /** For the driver. */
  readonly url: Redacted.Redacted
  /** Schema of the tables. */
  readonly schema: string
}

/** Schema of a state whose address names none. */
const usual = "docsluice"

/** PostgreSQL cuts longer names, so that two of them could mean one schema. */
const longest = 63

const decode = (part: string): string => (/%(?![0-9a-f]{2})/iu.test(part) ? part : decodeURIComponent(part))

/** Words for an address that is none; they do not repeat it, since it may hold a password. */
const form = "the address of the state is not of the form postgres://user:password@host:port/database"

/**
 * Reads `postgres://user:password@host:port/database?schema=NAME`, followed by the driver's parameters. Returns the problem of one that
 * cannot be used.
 */
export const parse = (given: string | Redacted.Redacted): Address | string => {
  const text = (Redacted.isRedacted(given) ? Redacted.value(given) : given)
    // A URL needs a host where libpq's address may leave it out.
    .replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?=[/?#]|$)/iu, "$1localhost")
  if (!/^postgres(?:ql)?:\/\//iu.test(text) || !URL.canParse(text)) return form
  const url = new URL(text)
  const database = decode(url.pathname.slice(1))
  if (database === "") return "the address of the state names no database: postgres://host:port/DATABASE"
  const schema = url.searchParams.get("schema") ?? usual
  url.searchParams.delete("schema")
  if (schema === "" || schema.includes("\0") || Buffer.byteLength(schema) > longest) {
    return `the schema of the state (\`?schema=\`) needs a name of 1 to ${longest} bytes`
  }
  const host = url.searchParams.get("host") ?? decode(url.hostname)
  const port = url.searchParams.get("port") ?? (url.port === "" ? "5432" : url.port)
  return { shown: `postgres://${host}:${port}/${database}?schema=${schema}`, url: Redacted.make(url.href), schema }
}

/** The address without user, password and the driver's parameters; of a text that is no address, only that it is none. */
export const shown = (given: string): string => {
  const address = parse(given)
  return typeof address === "string" ? "postgres://" : address.shown
}
