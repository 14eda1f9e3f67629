import { SinkError } from "docsluice/ChunkSink"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type Pg from "pg"
import * as OptionalPackage from "../shared/OptionalPackage.ts"
import { failure } from "./Failure.ts"

/** Types of a parameter; bytes are sent in PostgreSQL's binary format. */
export type Value = string | number | null | Uint8Array | ReadonlyArray<string>

/** Rows by name of their columns. */
export type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

type Query = (sql: string, values?: ReadonlyArray<Value>) => Effect.Effect<Rows, SinkError>

/** One connection. A statement that is interrupted, or takes too long, is cancelled on the server too. */
export interface Connection {
  readonly query: Query
  /** Runs a statement without a time limit. */
  readonly patient: Query
}

export interface Pool extends Connection {
  /** All or nothing, on one connection. */
  readonly transaction: <A>(
    body: (connection: Connection) => Effect.Effect<A, SinkError>,
    mode?: "READ WRITE" | "READ ONLY"
  ) => Effect.Effect<A, SinkError>
}

export interface PoolOptions {
  readonly url: Redacted.Redacted
  readonly maxConnections: number
  readonly connectTimeout: Duration.Duration
  readonly statementTimeout: Duration.Duration
}

/** Time limit for the server to confirm that it cancelled a statement. */
const patience = "5 seconds"

/**
 * Longest silence within a transaction, which never waits for anything but the server: then the server ends it, and with it the locks of a
 * process that was stopped, or whose machine is gone. Unless the server has a shorter one.
 */
const silence = "10 s"

const own = "current_setting('idle_in_transaction_session_timeout')::interval"

const limited = `SELECT set_config('idle_in_transaction_session_timeout', '${silence}', true) WHERE ${own} = '0' OR ${own} > '${silence}'`

/** Opens connections when they are needed; all are closed with the scope. */
export const make = (sink: string, options: PoolOptions): Effect.Effect<Pool, SinkError, Scope.Scope> =>
  Effect.gen(function* () {
    const { default: pg } = yield* OptionalPackage.load(sink, ["pg"], () => import("pg"))
    const settings = {
      connectionString: Redacted.value(options.url),
      connectionTimeoutMillis: Duration.toMillis(options.connectTimeout),
      keepAlive: true,
      application_name: "docsluice"
    }
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const made = new pg.Pool({
          ...settings,
          max: options.maxConnections,
          allowExitOnIdle: true
        })
        // Without a listener, the error of an idle connection that dies would end the process.
        made.on("error", () => {})
        made.on("connect", (client) => void client.on("error", () => {}))
        return made
      }),
      (made) => Effect.ignore(Effect.tryPromise(() => made.end()))
    )
    const cancel = (backend: string): Effect.Effect<void> =>
      Effect.acquireUseRelease(
        Effect.sync(() => new pg.Client(settings).on("error", () => {})),
        (other) =>
          Effect.tryPromise(async () => {
            await other.connect()
            await other.query("SELECT pg_cancel_backend($1)", [backend])
          }),
        (other) => Effect.ignore(Effect.tryPromise(() => other.end()))
      ).pipe(Effect.timeout(patience), Effect.ignore)
    const connected = acquire(sink, pool, options.statementTimeout, cancel)
    return {
      query: (sql, values) => connected((connection) => connection.query(sql, values)),
      patient: (sql, values) => connected((connection) => connection.patient(sql, values)),
      transaction: (body, mode) =>
        connected((connection) =>
          connection
            .query(`BEGIN ${mode ?? ""}; ${limited}`)
            .pipe(Effect.zipRight(body(connection)), Effect.zipLeft(connection.query("COMMIT")))
        )
    } satisfies Pool
  })

/** The process of the server that serves a connection; the driver's types leave it out. */
const backendOf = (client: Pg.PoolClient): string => {
  const process: unknown = Reflect.get(client, "processID")
  return typeof process === "number" ? String(process) : ""
}

/** After a failure the connection is closed, not given back: that ends its transaction, whatever state it is in. */
const acquire =
  (
    sink: string,
    pool: Pg.Pool,
    statementTimeout: Duration.Duration,
    cancel: (backend: string) => Effect.Effect<void>
  ) =>
  <A>(use: (connection: Connection) => Effect.Effect<A, SinkError>): Effect.Effect<A, SinkError> =>
    Effect.acquireUseRelease(
      Effect.tryPromise({ try: () => pool.connect(), catch: failure(sink) }),
      (client) => {
        const patient = statementOf(sink, client, cancel(backendOf(client)))
        return use({ patient, query: (sql, values) => hurried(sink, statementTimeout, patient(sql, values)) })
      },
      (client, exit) => Effect.sync(() => client.release(Exit.isFailure(exit)))
    )

/** The time-out is the client's: a pooler refuses the server's as a parameter of a connection, and a dead network knows none. */
const hurried = <A>(sink: string, timeout: Duration.Duration, self: Effect.Effect<A, SinkError>) =>
  Effect.timeoutFail(self, {
    duration: timeout,
    onTimeout: () =>
      new SinkError({
        sink,
        reason: "Unavailable",
        problem: `a statement took longer than ${Duration.format(timeout)} and was cancelled`
      })
  })

const statementOf =
  (sink: string, client: Pg.PoolClient, cancel: Effect.Effect<void>): Query =>
  (sql, values = []) =>
    Effect.async<Rows, SinkError>((resume) => {
      const settled = client.query<Record<string, unknown>>(sql, [...values]).then(
        ({ rows }) => resume(Effect.succeed(rows)),
        (cause: unknown) => resume(Effect.fail(failure(sink)(cause)))
      )
      const ended = Effect.promise(() => settled)
      return Effect.zipRight(cancel, Effect.ignore(Effect.timeout(ended, patience)))
    })
