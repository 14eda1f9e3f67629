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

/** A connection to the server. */
export interface Client {
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
    return { connect: Effect.map(Effect.tryPromise({ try: () => pool.connect(), catch: failure }), clientOf) }
  })

const clientOf = (client: Pg.PoolClient): Client => ({
  query: (text, values = []) =>
    Effect.map(
      Effect.tryPromise({
        try: () => client.query<Array<unknown>>({ text, values: [...values], rowMode: "array" }),
        catch: failure
      }),
      ({ rows }): ReadonlyArray<Row> => rows
    ),
  simple: (text) => Effect.asVoid(Effect.tryPromise({ try: () => client.query(text), catch: failure })),
  release: (broken) => client.release(broken)
})
