/**
 * Record of which documents are stored where, kept between runs.
 *
 * An embedded, durable database for one process at a time. A write is committed when its effect succeeds: it survives the death
 * of the process at any moment. A power cut loses at most the writes since the last `checkpoint`; the next run repeats them
 * (sinks are idempotent by chunk id). All times are milliseconds since the epoch.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import { loaded } from "./internal/base/loaded.ts"
import * as Message from "./internal/base/message.ts"
import { option, text } from "./internal/base/message.ts"
import * as StateDirectory from "./internal/state/directory.ts"
import { migrations } from "./internal/state/embedded/schema.ts"
import * as EmbeddedStore from "./internal/state/embedded/store.ts"
import type { Acknowledgement, Holding, Key, LedgerEntry } from "./internal/state/ledger/entry.ts"
import type { Stats } from "./internal/state/ledger/figures.ts"
import * as Ledgers from "./internal/state/ledger/ledger.ts"
import type { RowStore } from "./internal/state/ledger/rowStore.ts"
import type { Recorded } from "./internal/state/ledger/runReport.ts"
import type { Request, Run } from "./internal/state/ledger/runs.ts"
import { LedgerError } from "./internal/state/ledgerError.ts"
import * as Libsql from "./internal/state/libsql.ts"
import * as StateLock from "./internal/state/lock.ts"
import { look } from "./internal/state/looking.ts"
import * as Server from "./internal/state/postgres/open.ts"
import { problemOf } from "./internal/state/remedies.ts"
import { isAddress, type ServerFailure } from "./internal/state/serverFailure.ts"
import type { ScopeRequest } from "./Source.ts"

export type { Request, Run } from "./internal/state/ledger/runs.ts"

export type { Stats } from "./internal/state/ledger/figures.ts"

export {
  Acknowledgement,
  type Failure,
  type Generation,
  type Holding,
  type Key,
  type LedgerEntry,
  type Removal,
  Report,
  type Sighting
} from "./internal/state/ledger/entry.ts"
export { type Recorded, RunReport } from "./internal/state/ledger/runReport.ts"
export { LedgerError } from "./internal/state/ledgerError.ts"

const ledgerError = (directory: string, failed: Libsql.DatabaseFailure | ServerFailure): LedgerError =>
  new LedgerError({
    directory,
    reason: failed.reason,
    ...problemOf("LedgerError", failed),
    ...(failed._tag === "DatabaseFailure" && { cause: failed.cause })
  })

/**
 * What is stored where, to be read. Only a run writes to a ledger, and only to one of this package.
 *
 * @since 0.1.0
 * @category services
 */
export class Ledger extends Context.Tag("docsluice/Ledger")<Ledger, Ledger.Service>() {}

export declare namespace Ledger {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** The state directory; `:memory:` without one. The address of a server, without user and password. */
    readonly directory: string
    /** Number of documents that the scope claims; 0 for an unknown scope. Binds nothing. */
    readonly claims: (request: ScopeRequest) => Effect.Effect<number, LedgerError>
    readonly get: (key: Key) => Effect.Effect<Option.Option<LedgerEntry>, LedgerError>
    /**
     * Stored documents with these bytes and options, at most 100, in order of first sight. Finds the former row of a moved file.
     */
    readonly sameContent: (
      contentHash: string,
      optionsHash: string
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, LedgerError>
    /** Chunks of the document that any sink may hold. */
    readonly holding: (key: Key) => Effect.Effect<Option.Option<Holding>, LedgerError>
    /** Sinks that hold or may hold documents, each with its last recorded store; null where there is none. */
    readonly sinks: Effect.Effect<ReadonlyArray<Acknowledgement>, LedgerError>
    /** In order of first sight, `failed`: those whose last attempt failed. Pages of 256 are held. */
    readonly entries: (selection: "all" | "failed") => Stream.Stream<LedgerEntry, LedgerError>
    /**
     * Distinct requests of runs, that of the latest run first; empty ones are left out. Kept for the last hundred runs, and for
     * as long as a failure names them.
     */
    readonly requests: Effect.Effect<ReadonlyArray<Request>, LedgerError>
    readonly lastRun: Effect.Effect<Option.Option<Run>, LedgerError>
    /** The last twenty runs with their reports, the latest first. */
    readonly reports: Effect.Effect<ReadonlyArray<Recorded>, LedgerError>
    readonly stats: Effect.Effect<Stats, LedgerError>
    /** Moves the write-ahead log into the database and syncs both. */
    readonly checkpoint: Effect.Effect<void, LedgerError>
  }
}

const inMemory = ":memory:"

/** Errors that are about the request rather than the database. */
const refusals = (directory: string): Ledgers.Refusals<LedgerError> => ({
  clash: (request, owner) =>
    new LedgerError({
      directory,
      reason: "NameClash",
      ...Message.problem(
        text`the name "${request.root}" belongs to ${owner ?? "a source that is not a folder"}, not to ${request.path ?? "this source"}; give this root another name (${option("name")})`
      )
    }),
  renamed: (request, { found, name, path }) =>
    new LedgerError({
      directory,
      reason: "RootRenamed",
      ...Message.problem(
        text`${request.path ?? "this source"} looks like the root "${name}" under a new name: ${path} is gone, and at least ${found} of its files are here; name it "${name}" (${option("name")} ${name}) to go on with what is stored, or say that it is a root of its own (${option("newRoot")}), and everything is stored a second time`
      )
    })
})

const overRows = (directory: string, store: RowStore<LedgerError>): Ledger.Service => ({
  directory,
  ...Ledgers.make(store, refusals(directory))
})

const attempt = <A>(directory: string, body: () => A): Effect.Effect<A, LedgerError> =>
  Effect.try({ try: body, catch: (thrown) => ledgerError(directory, Libsql.failure(thrown)) })

const lock = (directory: string): Effect.Effect<void, LedgerError, Scope.Scope> =>
  Effect.mapError(StateDirectory.locked(directory), (refused) =>
    refused._tag === "Held"
      ? new LedgerError({
          directory,
          reason: "Locked",
          problem: `${StateLock.nameOf(refused.holder)} uses this state; wait for it or name another state directory`,
          pid: refused.holder?.pid
        })
      : ledgerError(directory, refused)
  )

const newer = (directory: string, { found, known }: StateDirectory.NewerSchema): LedgerError =>
  new LedgerError({
    directory,
    reason: "Newer",
    problem: `the ledger was written by a later version of docsluice (schema ${found}, known here: ${known}); use that version or name another state`
  })

const known = (directory: string, db: Libsql.Database | StateDirectory.NewerSchema) =>
  db instanceof StateDirectory.NewerSchema ? newer(directory, db) : Effect.succeed(db)

const name = "ledger.db"

const opened = (directory: string): Effect.Effect<Libsql.Database, LedgerError> =>
  Effect.flatMap(
    attempt(directory, () => StateDirectory.openDatabase(directory, name, migrations)),
    (db) => known(directory, db)
  )

const emptyDatabase: Effect.Effect<Libsql.Database, LedgerError> = attempt(inMemory, () => {
  const db = Libsql.open(inMemory)
  StateDirectory.migrate(db, migrations)
  return db
})

const using = (
  directory: string,
  open: Effect.Effect<Libsql.Database, LedgerError>,
  close: (db: Libsql.Database) => void
): Effect.Effect<Ledger.Service, LedgerError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.map(open, (db) => ({
        db,
        ...EmbeddedStore.make(db, directory !== inMemory, (failed) => ledgerError(directory, failed))
      })),
      ({ db, flush }) =>
        StateDirectory.closing(directory, () => {
          flush()
          close(db)
        })
    ),
    ({ store }) => overRows(directory, store)
  )

/**
 * The ledger of a state directory, which is created when missing and locked while the scope is open.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  /** Path of the state directory. */
  readonly directory: string
}): Effect.Effect<Ledger.Service, LedgerError, Scope.Scope> =>
  Effect.zipRight(lock(options.directory), using(options.directory, opened(options.directory), Libsql.close))

/**
 * As {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: { readonly directory: string }): Layer.Layer<Ledger, LedgerError> =>
  Layer.scoped(Ledger, make(options))

/**
 * The ledger of a state directory, read-only; an empty one where there is none. Takes no lock and changes nothing in the
 * directory, so it opens during a run and in a directory that cannot be written. A run's commits are visible at once; methods
 * that would write fail with `ReadOnly`. A ledger of an earlier version, or one that a killed run left in a directory that cannot
 * be written, is read from a snapshot copied to the system's temporary files.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeReadOnly = (options: {
  /** Path of the state directory. */
  readonly directory: string
}): Effect.Effect<Ledger.Service, LedgerError, Scope.Scope> => {
  const { directory } = options
  const looked = Effect.flatMap(
    attempt(directory, () => look(directory, name, migrations)),
    (db) => (db === null ? emptyDatabase : known(directory, db))
  )
  return using(directory, looked, (db) => db.close())
}

/**
 * As {@link makeReadOnly}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerReadOnly = (options: { readonly directory: string }): Layer.Layer<Ledger, LedgerError> =>
  Layer.scoped(Ledger, makeReadOnly(options))

/**
 * Where a ledger lies on a server.
 *
 * @since 0.1.0
 * @category models
 */
export type PostgresOptions = Server.Options

/** What only a state on a server needs. */
const server = loaded(async () => {
  const [Session, Store, Writer] = await Promise.all([
    import("./internal/state/postgres/session.ts"),
    import("./internal/state/postgres/store.ts"),
    import("./internal/state/postgres/writer.ts")
  ])
  return { Session, Store, Writer }
})

const failedOn = (options: PostgresOptions) => (failed: ServerFailure) => ledgerError(Server.shownOf(options), failed)

/** The connection of an opened state. */
const connected = <A>(
  options: PostgresOptions,
  opened: Effect.Effect<A | StateDirectory.NewerSchema, ServerFailure, Scope.Scope>
): Effect.Effect<A, LedgerError, Scope.Scope> =>
  Effect.flatMap(Effect.mapError(opened, failedOn(options)), (connection) =>
    connection instanceof StateDirectory.NewerSchema
      ? newer(Server.shownOf(options), connection)
      : Effect.succeed(connection)
  )

/**
 * Connections to a state on a server, its tables created or migrated, as options that its parts share; for `State.layerPostgres`.
 *
 * @internal
 * @since 0.1.0
 * @category constructors
 */
export const connect = (options: PostgresOptions): Effect.Effect<Server.Connected, LedgerError, Scope.Scope> =>
  Effect.map(connected(options, Server.writing(options)), (connection) => ({ [Server.shared]: connection }))

/**
 * A ledger in a schema of a PostgreSQL database, 13 or later, which is created when missing. Any number of processes may use it at a time,
 * also on one root: each document is one process's at a time. Needs the package `pg`.
 *
 * Nothing of the size of the corpus is in memory. A connection that breaks is opened again, and what was under way is repeated.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePostgres = (options: PostgresOptions): Effect.Effect<Ledger.Service, LedgerError, Scope.Scope> =>
  Effect.gen(function* () {
    const failed = failedOn(options)
    const { Session, Store, Writer } = yield* server
    const connection = yield* connected(options, Server.writing(options))
    const session = yield* Effect.mapError(Session.make(connection, Server.leaseOf(options)), failed)
    const writer = yield* Writer.make(connection, session)
    const { letGoAgain, store } = Store.writing(connection, { session, writer }, failed)
    yield* Session.withRenewals(session, letGoAgain)
    return overRows(Server.shownOf(options), store)
  })

/**
 * As {@link makePostgres}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgres = (options: PostgresOptions): Layer.Layer<Ledger, LedgerError> =>
  Layer.scoped(Ledger, makePostgres(options))

/**
 * {@link layerPostgres} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgresConfig = (
  options: Config.Config.Wrap<PostgresOptions>
): Layer.Layer<Ledger, LedgerError | ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layerPostgres))

/**
 * A ledger on a server, read-only; an empty one where there is none. Creates, locks and changes nothing; methods that would write fail with
 * `ReadOnly`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePostgresReadOnly = (
  options: PostgresOptions
): Effect.Effect<Ledger.Service, LedgerError, Scope.Scope> => {
  const directory = Server.shownOf(options)
  return Effect.flatMap(connected(options, Server.reading(options)), (connection) =>
    connection === null
      ? using(directory, emptyDatabase, (db) => db.close())
      : Effect.map(server, ({ Store }) => overRows(directory, Store.looking(connection, failedOn(options))))
  )
}

/**
 * The ledger of a state as `--state` spells it, read-only: see {@link makeReadOnly} for a folder, {@link makePostgresReadOnly} for an address.
 *
 * @since 0.1.0
 * @category constructors
 */
export const openReadOnly = (
  state: string | Redacted.Redacted
): Effect.Effect<Ledger.Service, LedgerError, Scope.Scope> => {
  const spelled = Redacted.isRedacted(state) ? Redacted.value(state) : state
  return isAddress(spelled) ? makePostgresReadOnly({ url: state }) : makeReadOnly({ directory: spelled })
}

/**
 * True when there is a ledger in the schema. Creates nothing.
 *
 * @since 0.1.0
 * @category accessors
 */
export const existsPostgres = (options: PostgresOptions): Effect.Effect<boolean, LedgerError> =>
  Effect.scoped(Effect.map(connected(options, Server.reading(options)), (connection) => connection !== null))

/**
 * A ledger in memory, empty at first and gone with its scope: for `--no-state` and tests.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<Ledger, LedgerError> = Layer.scoped(
  Ledger,
  using(inMemory, emptyDatabase, (db) => db.close())
)
