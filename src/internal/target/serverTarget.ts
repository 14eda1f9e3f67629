/** Sinks on a server: `pgvector`, `chroma`, `qdrant`, `opensearch`, `libsql` with an address. A credential outside the address comes from the environment. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Address from "./address.ts"
import * as Http from "./http.ts"
import * as Secret from "./secret.ts"
import { named, type Open, opening, refused, type SinkKind, type Target } from "./sinkKind.ts"

interface Made {
  readonly spelling: string
  readonly kept: Address.Kept
  readonly variable: string | null
  readonly needsVectors: boolean
  readonly open: Open
}

const served = ({ kept, open, ...made }: Made): Target => ({
  ...made,
  shown: kept.address,
  kept,
  outputs: [],
  place: null,
  searches: true,
  open,
  openToAppend: open
})

const unknown = (): null => null

const postgresForm = "postgres://user:password@host:port/database, or @FILE with that in it"

export const pgvector: SinkKind = {
  form: "pgvector:URL",
  searches: true,
  read: (target) =>
    Effect.gen(function* () {
      const address = (yield* Secret.textOrFile("to", target)).trim()
      const url = postgresUrl(address)
      if (url === null || url.pathname.length < 2) return yield* refused("pgvector", `expected ${postgresForm}`)
      const kept = Address.database(url)
      const options = { url: Redacted.make(address) }
      return served({
        spelling: `pgvector:${address}`,
        kept: { ...kept, address: `pgvector:${kept.address}` },
        variable: null,
        needsVectors: false,
        open: opening(
          () => import("docsluice/sinks/PgVector"),
          (sink) => sink.make(options)
        )
      })
    }),
  spellingOf: unknown
}

/** Parses an address of PostgreSQL, which may have no host, as a URL, which needs one. */
const postgresUrl = (address: string): URL | null => {
  const text = address.replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?=[/?#]|$)/u, "$1localhost")
  return /^postgres(?:ql)?:\/\//u.test(text) && URL.canParse(text) ? new URL(text) : null
}

/** Parses `http(s)://host:port` and what follows; null for other schemes and for credentials, which do not belong in these addresses. */
const httpUrl = (address: string): URL | null => {
  if (!/^https?:\/\//iu.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.username + url.password === "" ? url : null
}

const collection = "chunks"

const tokenOfChroma = "CHROMA_TOKEN"

export const chroma: SinkKind = {
  form: "chroma:URL[#COLLECTION]",
  searches: true,
  read: (target, environment) =>
    Effect.gen(function* () {
      const { address, name = collection } = named(yield* Secret.textOrFile("to", target))
      const url = httpUrl(address.trim())
      const { database, others, tenant } = ofChroma(url, environment)
      if (url === null || others || url.pathname !== "/") {
        return yield* refused(
          "chroma",
          `expected http://host:port[?tenant=…&database=…][#COLLECTION], without credentials; a token goes into ${tokenOfChroma}`
        )
      }
      if (!/^[a-z0-9][\w.-]{1,510}[a-z0-9]$/iu.test(name)) {
        return yield* refused(
          "chroma",
          "the collection's name, after the #, must have 3 to 512 letters, digits, ., _ and -, a letter or digit first and last"
        )
      }
      yield* Http.check
      const token = yield* Secret.headerFromEnvironment(tokenOfChroma, environment)
      const options = { url: url.origin, collection: name, tenant, database, token }
      const spelling = `chroma:${url.origin}${query({ tenant, database })}#${name}`
      return served({
        spelling,
        kept: { address: spelling, credential: token !== undefined },
        variable: tokenOfChroma,
        needsVectors: true,
        open: opening(
          () => import("docsluice/sinks/Chroma"),
          (sink) => Effect.flatMap(Http.proxied, (dispatcher) => sink.make({ ...options, dispatcher }))
        )
      })
    }),
  spellingOf: unknown
}

/** Settings of Chroma; empty texts count as unset. */
const ofChroma = (url: URL | null, environment: Secret.Environment) => ({
  tenant: (url?.searchParams.get("tenant") ?? environment["CHROMA_TENANT"]) || undefined,
  database: (url?.searchParams.get("database") ?? environment["CHROMA_DATABASE"]) || undefined,
  others: [...(url?.searchParams.keys() ?? [])].some((key) => key !== "tenant" && key !== "database")
})

const query = (given: Readonly<Record<string, string | undefined>>): string => {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(given)) if (value !== undefined) parameters.set(key, value)
  return parameters.size === 0 ? "" : `?${parameters.toString()}`
}

/** The tenant of an address, and whether it has other parameters. */
const ofTenant = (url: URL | null) => ({
  tenant: url?.searchParams.get("tenant") ?? undefined,
  others: [...(url?.searchParams.keys() ?? [])].some((key) => key !== "tenant")
})

const keyOfQdrant = "QDRANT_API_KEY"

export const qdrant: SinkKind = {
  form: "qdrant:URL[#COLLECTION]",
  searches: true,
  read: (target, environment) =>
    Effect.gen(function* () {
      const { address, name = collection } = named(yield* Secret.textOrFile("to", target))
      const url = httpUrl(address.trim())
      const { others, tenant } = ofTenant(url)
      if (url === null || others || name === "" || tenant === "") {
        return yield* refused(
          "qdrant",
          `expected http://host:port[/path][?tenant=…][#COLLECTION], without credentials; a key goes into ${keyOfQdrant}`
        )
      }
      yield* Http.check
      const key = yield* Secret.headerFromEnvironment(keyOfQdrant, environment)
      const base = `${url.origin}${url.pathname.replace(/\/+$/u, "")}`
      const options = { url: base, collection: name, tenant, key }
      const spelling = `qdrant:${base}${query({ tenant })}#${name}`
      return served({
        spelling,
        kept: { address: spelling, credential: key !== undefined },
        variable: keyOfQdrant,
        needsVectors: false,
        open: opening(
          () => import("docsluice/sinks/Qdrant"),
          (sink) =>
            Effect.flatMap(Layer.build(Layer.orDie(Http.layer)), (client) => Effect.provide(sink.make(options), client))
        )
      })
    }),
  spellingOf: unknown
}

const authorizationOfOpenSearch = "OPENSEARCH_AUTHORIZATION"

export const opensearch: SinkKind = {
  form: "opensearch:URL[?tenant=NAME][#INDEX]",
  searches: true,
  read: (target, environment) =>
    Effect.gen(function* () {
      const { address, name = collection } = named(yield* Secret.textOrFile("to", target))
      const url = httpUrl(address.trim())
      const { others, tenant } = ofTenant(url)
      if (url === null || others || tenant === "") {
        return yield* refused(
          "opensearch",
          `expected http://host:port[/path][?tenant=…][#INDEX], without credentials; \`ApiKey …\` or \`Basic …\` goes into ${authorizationOfOpenSearch}`
        )
      }
      if (!/^[a-z0-9][a-z0-9._-]{0,199}$/u.test(name)) {
        return yield* refused(
          "opensearch",
          "the index's name, after the #, must have 1 to 200 lower-case letters, digits, ., _ and -, a letter or digit first"
        )
      }
      yield* Http.check
      const authorization = yield* authorizationFrom(environment)
      const base = `${url.origin}${url.pathname.replace(/\/+$/u, "")}`
      const options = { url: base, index: name, tenant, authorization }
      const spelling = `opensearch:${base}${query({ tenant })}#${name}`
      return served({
        spelling,
        kept: { address: spelling, credential: authorization !== undefined },
        variable: authorizationOfOpenSearch,
        needsVectors: false,
        open: opening(
          () => import("docsluice/sinks/OpenSearch"),
          (sink) =>
            Effect.flatMap(Layer.build(Layer.orDie(Http.layer)), (client) => Effect.provide(sink.make(options), client))
        )
      })
    }),
  spellingOf: unknown
}

/** A header's value of a scheme and its credentials, which is refused here, since the HTTP client's error would repeat it. */
const authorizationFrom = (environment: Secret.Environment) =>
  Effect.filterOrFail(
    Secret.fromEnvironment(authorizationOfOpenSearch, environment),
    (value) => value === undefined || /^(?:ApiKey|Basic|Bearer) [\x21-\x7e]+$/u.test(Redacted.value(value)),
    () => refused("opensearch", `${authorizationOfOpenSearch} must be \`ApiKey …\`, \`Basic …\` or \`Bearer …\``)
  )

const tokenOfLibsql = "LIBSQL_AUTH_TOKEN"

/** A database of libSQL on a server; the kind `libsql` with an address instead of a path. */
export const libsql: SinkKind = {
  form: "libsql:libsql://HOST[?tenant=NAME]",
  searches: true,
  read: (target, environment) =>
    Effect.gen(function* () {
      const url = URL.canParse(target) ? new URL(target) : null
      const { others, tenant } = ofTenant(url)
      const bare = url !== null && !others && url.username + url.password + url.hash === "" && url.host !== ""
      if (url === null || !bare || tenant === "" || !/^(?:libsql|https?):$/u.test(url.protocol)) {
        return yield* refused(
          "libsql",
          `expected FILE or libsql://HOST, each with ?tenant=NAME or without, and without credentials or other parameters; a token goes into ${tokenOfLibsql}`
        )
      }
      const authToken = yield* Secret.headerFromEnvironment(tokenOfLibsql, environment)
      const address = `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/u, "")}`
      const spelling = `libsql:${address}${query({ tenant })}`
      return served({
        spelling,
        kept: { address: spelling, credential: authToken !== undefined },
        variable: tokenOfLibsql,
        needsVectors: false,
        open: opening(
          () => import("docsluice/sinks/LibSql"),
          (sink) => sink.makeRemote({ url: address, authToken, tenant })
        )
      })
    }),
  spellingOf: unknown
}
