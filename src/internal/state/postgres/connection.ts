import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Script } from "../ledger/script.ts"
import type { Row } from "../libsql.ts"
import type { ServerFailure } from "../serverFailure.ts"
import type { Address } from "./address.ts"
import * as Driver from "./driver.ts"
import type { Query, Value } from "./driver.ts"
import { failure } from "./failure.ts"

export type { Query, Value } from "./driver.ts"

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

/** Longest time in which a server is tried again that has not answered yet. */
const firstPatience = Duration.seconds(3)

/** Shortest silence that ends a transaction: a process may be busy for a moment. */
const shortestSilence = Duration.seconds(1)

/** Time that a wait for a lock lasts longer than a silent transaction, which may hold it. */
const longer = Duration.seconds(1)

/** For how long a setting holds. A pooler between us and the server gives connections to others, so that only a transaction is ours. */
type Span = "connection" | "transaction"

/** Sets a limit, in milliseconds, unless the server has a shorter one. */
const limited = (setting: string, limit: Duration.Duration, span: Span): string => {
  const millis = Math.ceil(Duration.toMillis(limit))
  const own = `current_setting('${setting}')::interval`
  return `SELECT set_config('${setting}', '${millis}', ${span === "transaction"}) WHERE ${own} = '0' OR ${own} > '${millis} ms'`
}

/** As an identifier of SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Opens connections when they are needed; all are closed with the scope. */
export const make = (options: Options): Effect.Effect<Connection, ServerFailure, Scope.Scope> =>
  Effect.map(Driver.make(options), (driver) => over(driver, options))

/** The connections of a driver, used as the options say. */
export const over = (driver: Driver.Driver, options: Omit<Options, "maxConnections">): Connection => {
  const { address, lease, patience, readOnly } = options
  const silence = Duration.max(lease, shortestSilence)
  const begin = `BEGIN ${readOnly ? "READ ONLY" : "READ WRITE"}`
  const settings = (span: Span): string =>
    [
      `SET ${span === "transaction" ? "LOCAL" : "SESSION"} search_path TO ${quoted(address.schema)}`,
      limited("idle_in_transaction_session_timeout", silence, span),
      limited("lock_timeout", Duration.sum(silence, longer), span)
    ].join("; ")
  const once = `${settings("connection")}; ${begin}`
  const always = `${begin}; ${settings("transaction")}`
  const begun = ({ kept, simple }: Driver.Client): Effect.Effect<void, ServerFailure> => {
    if (kept === null) return simple(always)
    if (kept.set) return simple(begin)
    // After a failure the connection is closed, and with it what is set.
    return Effect.tap(simple(once), () => {
      kept.set = true
    })
  }
  const connected = connecting(driver)
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
          begun(client),
          Effect.flatMap(body(statements(client)), (result) => Effect.as(client.simple("COMMIT"), result))
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
}

/** After a failure the connection is closed, not given back: that ends its transaction, whatever state it is in. */
const connecting =
  ({ connect }: Driver.Driver) =>
  <A>(use: (client: Driver.Client) => Effect.Effect<A, ServerFailure>): Effect.Effect<A, ServerFailure> =>
    Effect.acquireUseRelease(connect, use, (client, exit) => Effect.sync(() => client.release(Exit.isFailure(exit))))

const statements = ({ query }: Driver.Client): Transaction => ({
  query,
  rows: (sql, values, read) =>
    Effect.flatMap(query(sql, values), (all) => Effect.try({ try: () => all.map(read), catch: failure })),
  script: (script) => Effect.suspend(() => following(query, script()))
})

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
