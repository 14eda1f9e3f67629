import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Tenant from "../shared/Tenant.ts"
import * as Settings from "./Settings.ts"

/** The address of a table. */
export interface Address {
  /** `pgvector:host:port/database/schema.table[#tenant]`, without credentials. */
  readonly id: string
  /** Connection URL for the driver. */
  readonly url: Redacted.Redacted
  readonly schema: string
  readonly table: string
  /** Null: the table serves one owner of rows. */
  readonly tenant: string | null
  readonly settings: Settings.Settings
}

/**
 * Parses `postgres://user:password@host:port/database`. `?schema=`, `?table=`, `?tenant=` and those of `Settings` are the sink's and are removed;
 * everything else is the driver's. A socket's folder is `?host=`. The error never repeats the address, which may hold a password.
 */
export const parse = (
  options: {
    readonly url: string | Redacted.Redacted
    readonly schema?: string | undefined
    readonly table?: string | undefined
    readonly tenant?: string | undefined
  } & Settings.Given
): Effect.Effect<Address, SinkError> =>
  Effect.suspend(() => {
    const given = Redacted.isRedacted(options.url) ? Redacted.value(options.url) : options.url
    // A URL needs a host where libpq's address may leave it out.
    const text = given.replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?=[/?#]|$)/u, "$1localhost")
    if (!/^postgres(?:ql)?:\/\//u.test(text) || !URL.canParse(text)) {
      return invalid("the address is not of the form postgres://user:password@host:port/database")
    }
    const url = new URL(text)
    const database = url.pathname.slice(1)
    if (database === "") return invalid("the address names no database: postgres://host:port/DATABASE")
    const schema = options.schema ?? url.searchParams.get("schema") ?? defaults.schema
    const table = options.table ?? url.searchParams.get("table") ?? defaults.table
    const host = url.searchParams.get("host") ?? url.hostname
    const port = url.searchParams.get("port") ?? (url.port === "" ? "5432" : url.port)
    const made = Settings.make(options, new URLSearchParams(url.searchParams))
    const tenant = options.tenant ?? url.searchParams.get("tenant")
    for (const name of ["schema", "table", "tenant", ...Settings.names]) url.searchParams.delete(name)
    return Effect.map(Effect.zipLeft(made, Tenant.check("pgvector", tenant)), (settings) => ({
      id: `pgvector:${decode(host)}:${port}/${decode(database)}/${schema}.${table}${tenant === null ? "" : `#${tenant}`}`,
      url: Redacted.make(url.href),
      schema,
      table,
      tenant,
      settings
    }))
  })

/** The address of a tenant's part of a table without one. */
export const ofTenant = (address: Address, tenant: string): Effect.Effect<Address, SinkError> =>
  Effect.as(Tenant.check(address.id, tenant), { ...address, tenant, id: `${address.id}#${tenant}` })

const defaults = { schema: "public", table: "chunks" } as const

const decode = (part: string): string => (/%(?![0-9a-f]{2})/iu.test(part) ? part : decodeURIComponent(part))

const invalid = (problem: string) => Effect.fail(new SinkError({ sink: "pgvector", reason: "Rejected", problem }))
