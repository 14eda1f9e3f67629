import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type Pg from "pg"
import type { Script } from "../ledger/script.ts"
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

/** Statements of one transaction. */
export interface Transaction {
  readonly query: Query
  /** The rows, each read by a function that may throw `DatabaseFailure`. */
  readonly rows: Rows
  readonly script: <A>(script: () => Script<A>) => Effect.Effect<A, ServerFailure>
}

export type Rows = <A>(
  sql: string,
  values: ReadonlyArray<Value>,
  read: (row: Row) => A
) => Effect.Effect<ReadonlyArray<A>, ServerFailure>

/** Connections to the database of a state; every unqualified name in a statement is of its schema. */
export interface Connection {
  readonly address: Address
  /** One statement that reads. Repeated while the server cannot be reached. */
  readonly rows: Rows
  /** The same in one trip instead of three, for a statement in which every name is one of {@link table}. */
  readonly whole: Rows
  /** Name of a table with its schema. */
  readonly table: (name: string) => string
  /**
   * All or nothing. Repeated as a whole when the connection breaks or another transaction is in the way, so its body may run several
   * times, also after a commit whose confirmation was lost: it has to be idempotent.
   */
  readonly transaction: <A>(
    body: (transaction: Transaction) => Effect.Effect<A, ServerFailure>
  ) => Effect.Effect<A, ServerFailure>
}

/** A connection whose failures became the error of a store. */
export interface Tables<E> {
  readonly rows: <A>(
    sql: string,
    values: ReadonlyArray<Value>,
    read: (row: Row) => A
  ) => Effect.Effect<ReadonlyArray<A>, E>
  readonly transaction: <A>(body: (transaction: Transaction) => Effect.Effect<A, ServerFailure>) => Effect.Effect<A, E>
}

export const mapped = <E>({ rows, transaction }: Connection, failed: (failure: ServerFailure) => E): Tables<E> => ({
  rows: (sql, values, read) => Effect.mapError(rows(sql, values, read), failed),
  transaction: (body) => Effect.mapError(transaction(body), failed)
})

export interface Options {
  readonly address: Address
  /** Connections at the same time. */
  readonly maxConnections: number
  /** Longest time in which a broken connection, or a row that another transaction holds, is tried again. */
  readonly patience: Duration.Duration
  /**
   * Time for which the documents of a silent process are its own. So long may a transaction of it be silent too: then the server ends it, and
   * with it the locks of a process that was stopped, or whose machine is gone.
   */
  readonly lease: Duration.Duration
  /** True when nothing may be written. */
  readonly readOnly: boolean
}

const connectMillis = 10_000

/** Longest time in which a server is tried again that has not answered yet. */
const firstPatience = Duration.seconds(3)

/** Limit of one statement; the server's own limit is usually shorter. */
const statementMillis = 120_000

/** Shortest silence that ends a transaction: a process may be busy for a moment. */
const shortestSilence = Duration.seconds(1)

/** Time that a wait for a lock lasts longer than a silent transaction, which may hold it. */
const longer = Duration.seconds(1)

/** Sets a limit of the transaction, in milliseconds, unless the server has a shorter one. */
const limited = (setting: string, limit: Duration.Duration): string => {
  const millis = Math.ceil(Duration.toMillis(limit))
  const own = `current_setting('${setting}')::interval`
  return `SELECT set_config('${setting}', '${millis}', true) WHERE ${own} = '0' OR ${own} > '${millis} ms'`
}

const load: Effect.Effect<typeof Pg, ServerFailure> = Effect.tryPromise({
  try: () => import("pg"),
  catch: () => failed("Unsupported", "cannot find package 'pg'")
}).pipe(Effect.map((module) => module.default))

/** As an identifier of SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Opens connections when they are needed; all are closed with the scope. */
export const make = (options: Options): Effect.Effect<Connection, ServerFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const pg = yield* load
    const { address, lease, maxConnections, patience, readOnly } = options
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
    const silence = Duration.max(lease, shortestSilence)
    // Settings of the transaction, not of the connection: a pooler between us and the server gives connections to others.
    const begin = [
      `BEGIN ${readOnly ? "READ ONLY" : "READ WRITE"}`,
      `SET LOCAL search_path TO ${quoted(address.schema)}`,
      limited("idle_in_transaction_session_timeout", silence),
      limited("lock_timeout", Duration.sum(silence, longer))
    ].join("; ")
    const connected = connecting(pool)
    const again = (limit: Duration.Duration) =>
      Schedule.exponential("50 millis").pipe(
        Schedule.union(Schedule.spaced("2 seconds")),
        Schedule.jittered,
        Schedule.upTo(limit)
      )
    const [first, later] = [again(Duration.min(patience, firstPatience)), again(patience)]
    // A server that never answered is rather a wrong address than an outage.
    let reached = false
    const patiently = <A>(self: Effect.Effect<A, ServerFailure>): Effect.Effect<A, ServerFailure> =>
      Effect.suspend(() =>
        Effect.tap(Effect.retry(self, { schedule: reached ? later : first, while: ({ passing }) => passing }), () => {
          reached = true
        })
      )
    const transaction: Connection["transaction"] = (body) =>
      patiently(
        connected((client) =>
          Effect.zipRight(
            simple(client, begin),
            Effect.flatMap(body(statements(client)), (result) => Effect.as(simple(client, "COMMIT"), result))
          )
        )
      )
    return {
      address,
      transaction,
      rows: (sql, values, read) => transaction(({ rows }) => rows(sql, values, read)),
      whole: (sql, values, read) => patiently(connected((client) => statements(client).rows(sql, values, read))),
      table: (name) => `${quoted(address.schema)}.${name}`
    }
  })

/** After a failure the connection is closed, not given back: that ends its transaction, whatever state it is in. */
const connecting =
  (pool: Pg.Pool) =>
  <A>(use: (client: Pg.PoolClient) => Effect.Effect<A, ServerFailure>): Effect.Effect<A, ServerFailure> =>
    Effect.acquireUseRelease(Effect.tryPromise({ try: () => pool.connect(), catch: failure }), use, (client, exit) =>
      Effect.sync(() => client.release(Exit.isFailure(exit)))
    )

const statements = (client: Pg.PoolClient): Transaction => {
  const query: Query = (sql, values = []) => statement(client, sql, values)
  return {
    query,
    rows: (sql, values, read) =>
      Effect.flatMap(query(sql, values), (all) => Effect.try({ try: () => all.map(read), catch: failure })),
    script: (script) => Effect.suspend(() => following(query, script()))
  }
}

/** Runs the statements of a script from the one that follows these rows. */
const following = <A>(
  query: Query,
  script: Script<A>,
  rows: ReadonlyArray<Row> = []
): Effect.Effect<A, ServerFailure> =>
  Effect.flatMap(Effect.try({ try: () => script.next(rows), catch: failure }), (next) =>
    next.done === true
      ? Effect.succeed(next.value)
      : Effect.flatMap(query(next.value.sql, next.value.values), (found) => following(query, script, found))
  )

const statement = (client: Pg.PoolClient, text: string, values: ReadonlyArray<Value>) =>
  Effect.map(
    Effect.tryPromise({
      try: () => client.query<Array<unknown>>({ text, values: [...values], rowMode: "array" }),
      catch: failure
    }),
    ({ rows }): ReadonlyArray<Row> => rows
  )

/** Statements without parameters, several of which make one trip. */
const simple = (client: Pg.PoolClient, text: string): Effect.Effect<void, ServerFailure> =>
  Effect.asVoid(Effect.tryPromise({ try: () => client.query(text), catch: failure }))
