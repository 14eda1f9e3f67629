/** The driver of PostgreSQL: connections that run one statement after another. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type Pg from "pg"
import type { Row } from "../libsql.ts"
import { failed, type ServerFailure } from "../serverFailure.ts"
import type { Address } from "./address.ts"
import { failure } from "./failure.ts"

/** A parameter: bytes are sent in PostgreSQL's binary format, lists as its arrays. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | ReadonlyArray<string | number | boolean | null | Uint8Array>

/** Runs a statement; columns of its rows are in the order of the statement. */
export type Query = (sql: string, values?: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>, ServerFailure>

/** A connection that stays with one process of the server: what is set or prepared on it stays there. */
export interface Kept {
  /** True once its settings are made. */
  set: boolean
}

/** A connection to the server. */
export interface Client {
  /** Null where a pooler in between may give the server's process to others. */
  readonly kept: Kept | null
  readonly query: Query
  /** Statements without parameters, several of which make one trip. */
  readonly simple: (text: string) => Effect.Effect<void, ServerFailure>
  /** Gives the connection back; one that is `broken` is closed. */
  readonly release: (broken: boolean) => void
}

export interface Driver {
  /** A connection that nobody else uses until it is released; waits for one as long as too many are open. */
  readonly connect: Effect.Effect<Client, ServerFailure>
}

export interface Options {
  readonly address: Address
  /** Connections at the same time. */
  readonly maxConnections: number
}

const connectMillis = 10_000

/** Limit of one statement; the server's own limit is usually shorter. */
const statementMillis = 120_000

const load: Effect.Effect<typeof Pg, ServerFailure> = Effect.tryPromise({
  try: () => import("pg"),
  catch: () => failed("Unsupported", "cannot find package 'pg'")
}).pipe(Effect.map((module) => module.default))

/** Opens connections when they are needed; all are closed with the scope. */
export const make = ({ address, maxConnections }: Options): Effect.Effect<Driver, ServerFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const pg = yield* load
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const made = new pg.Pool({
          connectionString: Redacted.value(address.url),
          connectionTimeoutMillis: connectMillis,
          query_timeout: statementMillis,
          keepAlive: true,
          application_name: "docsluice",
          max: maxConnections,
          allowExitOnIdle: true
        })
        // Without a listener, the error of an idle connection that dies would end the process.
        made.on("error", () => {})
        made.on("connect", (client) => void client.on("error", () => {}))
        return made
      }),
      (made) => Effect.ignore(Effect.tryPromise(() => made.end()))
    )
    const prepared = new Prepared()
    const connect = async (): Promise<Client> => {
      const client = await pool.connect()
      try {
        return clientOf(client, prepared, await prepared.keptOf(client))
      } catch (cause) {
        client.release(true)
        throw cause
      }
    }
    return { connect: Effect.tryPromise({ try: connect, catch: failure }) }
  })

/** True for the answer of a server to the name of a statement that it does not know. */
const isUnknown = (thrown: unknown): boolean => thrown instanceof Error && "code" in thrown && thrown.code === "26000"

/** Statements that are prepared on each connection; more are sent as they are. */
const mostPrepared = 256

/** Statements that the server prepares once for a connection: to plan one costs more than to run it. */
class Prepared {
  private readonly names = new Map<string, string>()
  /** False once a connection did not know what it had prepared. */
  private sound = true
  private readonly kept = new WeakMap<Pg.PoolClient, Kept | null>()

  /** A pooler in between names another process than the one that answers. */
  async keptOf(client: Pg.PoolClient): Promise<Kept | null> {
    const known = this.kept.get(client)
    if (known !== undefined) return known
    const { rows } = await client.query<Array<unknown>>({ text: "SELECT pg_backend_pid()", rowMode: "array" })
    const kept = "processID" in client && client.processID === rows[0]?.[0] ? { set: false } : null
    this.kept.set(client, kept)
    return kept
  }

  /** The failure of a statement. */
  failure(thrown: unknown): ServerFailure {
    if (isUnknown(thrown)) this.sound = false
    return failure(thrown)
  }

  /** Name of the statement on every connection. */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text)
    if (!this.sound) return undefined
    if (known !== undefined || this.names.size >= mostPrepared) return known
    const name = `docsluice_${this.names.size}`
    this.names.set(text, name)
    return name
  }
}

const clientOf = (client: Pg.PoolClient, prepared: Prepared, kept: Kept | null): Client => ({
  kept,
  query: (text, values = []) =>
    Effect.map(
      Effect.tryPromise({
        try: () => {
          // Without parameters it may be several statements, which cannot be prepared.
          const name = kept !== null && values.length > 0 ? prepared.nameOf(text) : undefined
          return client.query<Array<unknown>>({
            text,
            values: [...values],
            rowMode: "array",
            ...(name !== undefined && { name })
          })
        },
        catch: (thrown) => prepared.failure(thrown)
      }),
      ({ rows }): ReadonlyArray<Row> => rows
    ),
  simple: (text) => Effect.asVoid(Effect.tryPromise({ try: () => client.query(text), catch: failure })),
  release: (broken) => client.release(broken)
})
