/**
 * Record of which documents are stored where, kept between runs.
 *
 * An embedded, durable database for one process at a time. A write is committed when its effect succeeds: it survives the death
 * of the process at any moment. A power cut loses at most the writes since the last `checkpoint`; the next run repeats them
 * (sinks are idempotent by chunk id). All times are milliseconds since the epoch.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Message from "./internal/base/message.ts"
import { option, text } from "./internal/base/message.ts"
import * as StateDirectory from "./internal/state/directory.ts"
import * as GroupCommit from "./internal/state/groupCommit.ts"
import * as Beliefs from "./internal/state/ledger/belief.ts"
import * as Previews from "./internal/state/ledger/preview.ts"
import * as Released from "./internal/state/ledger/released.ts"
import * as Renames from "./internal/state/ledger/renamed.ts"
import * as Reports from "./internal/state/ledger/reports.ts"
import * as Rows from "./internal/state/ledger/rows.ts"
import { type Expected, type RunLedger, runLedger, type SeenFile } from "./internal/state/ledger/runLedger.ts"
import * as Runs from "./internal/state/ledger/runs.ts"
import * as Scans from "./internal/state/ledger/scan.ts"
import { migrations } from "./internal/state/ledger/schema.ts"
import * as Writes from "./internal/state/ledger/writes.ts"
import * as Libsql from "./internal/state/libsql.ts"
import * as StateLock from "./internal/state/lock.ts"
import { look } from "./internal/state/looking.ts"
import * as Server from "./internal/state/postgres/service.ts"
import { problemOf } from "./internal/state/remedies.ts"
import { isAddress, type ServerFailure } from "./internal/state/serverFailure.ts"
import type { Acknowledgement, Holding, Key, LedgerEntry } from "./LedgerEntry.ts"
import type { Recorded } from "./RunReport.ts"
import type { ScopeRequest } from "./Source.ts"

/**
 * The ledger cannot be used.
 *
 * `Locked`: another process uses the state directory. `Corrupted`: the database is damaged. `Newer`: written by a later version.
 * `ReadOnly`, `Full`: the directory cannot be written. `NameClash`: one name for two existing roots. `RootRenamed`: a new name
 * for the files of a root whose folder is gone. `Io`: anything else that the file system or the database refused.
 *
 * Of a ledger on a server also: `Unreachable`, `TimedOut`: no answer, or none in time. `Denied`: wrong credentials, or no permission.
 * `Missing`: there is no such database, or its tables are gone. `Unsupported`: the package `pg` is not there. `Superseded`: another process
 * took a document over.
 *
 * @since 0.1.0
 * @category errors
 */
export class LedgerError extends Schema.TaggedError<LedgerError>("docsluice/LedgerError")("LedgerError", {
  /** The state directory; `:memory:` without one. The address of a server, without user and password. */
  directory: Schema.String,
  reason: Schema.Literal(
    "Locked",
    "Corrupted",
    "Newer",
    "ReadOnly",
    "Full",
    "NameClash",
    "RootRenamed",
    "Unreachable",
    "TimedOut",
    "Denied",
    "Missing",
    "Unsupported",
    "Superseded",
    "Io"
  ),
  ...Message.problemFields,
  /** `Locked`: the other process, where it is known. */
  pid: Schema.optional(Schema.Int),
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return `${this.directory}: ${this.problem}`
  }

  /** The message with the options that it names as data; undefined where it names none. */
  get parts(): Message.Parts | undefined {
    return Message.partsAfter(`${this.directory}: `, this.template)
  }
}

const ledgerError = (directory: string, failed: Libsql.DatabaseFailure | ServerFailure): LedgerError =>
  new LedgerError({
    directory,
    reason: failed.reason,
    ...problemOf("LedgerError", failed),
    ...(failed._tag === "DatabaseFailure" && { cause: failed.cause })
  })

/**
 * A run's request and its digest.
 *
 * @since 0.1.0
 * @category models
 */
export type Request = Runs.Request

/**
 * A recorded run.
 *
 * @since 0.1.0
 * @category models
 */
export type Run = Runs.Run

/**
 * @since 0.1.0
 * @category models
 */
export type Stats = Runs.Stats

/**
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
    /** Writes of runs, which keep what is stored and what is known of it in step: for this package only. */
    readonly [runLedger]: RunLedger<LedgerError>
  }
}

const inMemory = ":memory:"

/** Most writes of one transaction: 64 occupy the event loop for about 4 ms. */
const batchLimit = 64

const rowsPerPage = 256

const claimsPerBatch = 2048

const batches = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

const clash = (directory: string, request: ScopeRequest, owner: string | null) =>
  new LedgerError({
    directory,
    reason: "NameClash",
    ...Message.problem(
      text`the name "${request.root}" belongs to ${owner ?? "a source that is not a folder"}, not to ${request.path ?? "this source"}; give this root another name (${option("name")})`
    )
  })

const renamed = (directory: string, request: ScopeRequest, { found, name, path }: Renames.Renamed) =>
  new LedgerError({
    directory,
    reason: "RootRenamed",
    ...Message.problem(
      text`${request.path ?? "this source"} looks like the root "${name}" under a new name: ${path} is gone, and at least ${found} of its files are here; name it "${name}" (${option("name")} ${name}) to go on with what is stored, or say that it is a root of its own (${option("newRoot")}), and everything is stored a second time`
    )
  })

const service = (
  directory: string,
  db: Libsql.Database
): { readonly ledger: Ledger.Service; readonly flush: () => void } => {
  const rows = Rows.make(db)
  const group = GroupCommit.make(db, batchLimit, rows.reset)
  /** Documents whose chunks are being written; their pending chunks are not yet to be removed. */
  const writing = new Set<string>()

  const read = <A>(body: () => A): Effect.Effect<A, LedgerError> =>
    Effect.try({ try: body, catch: (thrown) => ledgerError(directory, Libsql.failure(thrown)) })

  const write = <A>(body: () => A): Effect.Effect<A, LedgerError> =>
    Effect.mapError(group.write(body), (failed) => ledgerError(directory, failed))

  const pages = (selection: Runs.Selection, root: string | null): Stream.Stream<Rows.NumberedEntry, LedgerError> =>
    Stream.paginateChunkEffect(0, (after) =>
      Effect.map(
        read(() => Runs.page(rows, selection, root, after, rowsPerPage)),
        (page) =>
          [
            Chunk.unsafeFromArray(page),
            page.length < rowsPerPage ? Option.none<number>() : Option.fromNullable(page.at(-1)?.id)
          ] as const
      )
    )

  const admit = Effect.fnUntraced(function* (request: ScopeRequest, newRoot: boolean = false) {
    const place = yield* read(() => Previews.place(db, request))
    if ("_tag" in place) return yield* clash(directory, request, place.path)
    const next = newRoot || request.path === null ? () => null : Renames.search(db, request.root, request.path)
    let result = yield* read(next)
    while (result === undefined) {
      yield* Effect.yieldNow()
      result = yield* read(next)
    }
    return yield* result === null ? Effect.void : renamed(directory, request, result)
  })

  const bound = (request: ScopeRequest) =>
    Effect.flatMap(
      write(() => {
        const root = Runs.bind(db, request.root, request.path)
        if (typeof root !== "number") return root
        const scope = Runs.scopeOf(db, root, request.patterns)
        if (request.parts !== undefined) Released.setParts(db, scope, request.parts)
        return { root, scope }
      }),
      (result) => ("root" in result ? Effect.succeed(result) : clash(directory, request, result.path))
    )

  /** Documents whose files are gone although other scopes claim them. */
  const goneOf = (
    table: Scans.Table,
    request: ScopeRequest,
    place: { readonly root: number; readonly scope: number }
  ) =>
    Effect.gen(function* () {
      const subject = { ...place, path: request.path, parts: request.parts ?? [] }
      const { gone, next } = yield* read(() => Released.search(db, table, subject))
      while (yield* read(next)) yield* Effect.yieldNow()
      return gone
    })

  const complete = (scope: number, table: Scans.Table, at: number) =>
    Effect.gen(function* () {
      const { gained, lost } = Scans.claims(table)
      for (const part of batches(gained, claimsPerBatch)) yield* write(() => Runs.gainClaims(db, scope, part))
      for (const part of batches(lost, claimsPerBatch)) yield* write(() => Runs.loseClaims(db, scope, part))
      yield* write(() => Runs.setCompleted(db, scope, at))
    })

  const scan = Effect.fnUntraced(function* (request: ScopeRequest, expected: Expected) {
    const { root, scope } = yield* bound(request)
    const completedAt = yield* read(() => Runs.completedAt(db, scope))
    const table = Scans.emptyTable()
    const next = yield* read(() => Scans.reader(rows, table, { root, scope, expected }))
    while (yield* read(next)) yield* Effect.yieldNow()
    return {
      scope,
      documents: table.ids.length,
      claimed: claimedOf(table),
      completedAt,
      ...inTable(table, expected),
      release: Stream.unwrap(
        Effect.gen(function* () {
          const { kept, released } = yield* goneOf(table, request, { root, scope })
          const documents = released.map(({ id }) => id)
          for (const part of batches(documents, claimsPerBatch)) yield* write(() => Released.release(db, part))
          return Stream.fromIterable(kept)
        })
      ),
      complete: (at: number) => complete(scope, table, at),
      end: Effect.void
    }
  })

  const preview = Effect.fnUntraced(function* (request: ScopeRequest, expected: Expected) {
    const place = yield* read(() => Previews.place(db, request))
    if ("_tag" in place) return yield* clash(directory, request, place.path)
    const table = Scans.emptyTable()
    const next = yield* read(() => Scans.reader(rows, table, { ...place, expected }))
    while (yield* read(next)) yield* Effect.yieldNow()
    return {
      claimed: claimedOf(table),
      ...inTable(table, expected),
      gone: Effect.gen(function* () {
        const { kept, released } = yield* goneOf(table, request, place)
        const unclaimed = yield* read(() => Previews.unclaimed(rows, table, place, released))
        return {
          unclaimed: Stream.fromIterable(unclaimed).pipe(
            Stream.mapEffect((named) => read(() => Previews.holdingOf(rows, place, named))),
            Stream.filter((holding) => holding !== null)
          ),
          kept: Stream.fromIterable(kept)
        }
      })
    }
  })

  const run: RunLedger<LedgerError> = {
    admit,
    state: directory === inMemory ? Effect.succeed(null) : read(() => Beliefs.stateId(db)),
    belief: (sink) => read(() => Beliefs.of(rows, sink)),
    scan,
    preview,
    // The lock of the state makes this process the only one.
    hold: () => Effect.succeed({ standing: "alone", entry: null }),
    letGo: () => Effect.void,
    stray: () => Effect.succeed([]),
    announce: (key, chunkIds, sinks, scope, how = "beside") =>
      write(() => {
        writing.add(key.documentId)
        Writes.announce(rows, key, chunkIds, sinks, scope, how)
      }),
    commit: (entry) =>
      Effect.tap(
        write(() => Writes.commit(rows, entry)),
        () => writing.delete(entry.documentId)
      ),
    touch: (key, sighting, scope) => write(() => Writes.touch(rows, key, sighting, scope)),
    fail: (key, failure, scope) =>
      Effect.tap(
        write(() => Writes.fail(rows, key, failure, scope)),
        () => writing.delete(key.documentId)
      ),
    forgive: (key) => write(() => Writes.forgive(rows, key)),
    removals: (sinks) =>
      pages("pending", null).pipe(
        Stream.filter(({ entry }) => !writing.has(entry.documentId)),
        Stream.mapEffect(({ entry }) => read(() => Writes.dueOf(rows, entry))),
        Stream.mapConcat((due) => due.filter((removal) => sinks.includes(removal.sink)))
      ),
    removed: (removal) => write(() => Writes.removed(rows, removal)),
    unclaimed: (root, sinks) =>
      pages("unclaimed", root).pipe(
        Stream.mapEffect((found) => read(() => Runs.holding(rows, found))),
        Stream.filter(({ held }) => held.some(({ sink }) => sinks.includes(sink)))
      ),
    forget: (key, sinks) => write(() => Writes.forget(rows, key, sinks)),
    disown: (key, sinks) => write(() => Writes.disown(rows, key, sinks)),
    startRun: (startedAt, request) => write(() => Runs.startRun(db, startedAt, request)),
    finishRun: (run, finishedAt, summary, report) =>
      Effect.zipRight(
        write(() => {
          Runs.finishRun(db, run, finishedAt, summary)
          Reports.keep(db, run, report)
        }),
        read(() => Libsql.checkpoint(db))
      )
  }

  const ledger: Ledger.Service = {
    directory,
    claims: (request) => read(() => Runs.claimsOf(db, request.root, request.patterns)),
    get: (key) => read(() => Option.fromNullable(Rows.read(rows, key))),
    sameContent: (contentHash, optionsHash) =>
      read(() => Runs.sameContent(rows, contentHash, optionsHash).map(({ entry }) => entry)),
    holding: (key) =>
      read(() => {
        const found = Rows.find(rows, key)
        return found === null ? Option.none() : Option.some(Runs.holding(rows, found))
      }),
    sinks: read(() => Previews.sinksInUse(rows)),
    entries: (selection) => Stream.map(pages(selection, null), ({ entry }) => entry),
    requests: read(() => Runs.requests(db)),
    lastRun: read(() => Option.fromNullable(Runs.lastRun(db))),
    reports: read(() => Reports.last(db)),
    stats: read(() => Runs.stats(db)),
    checkpoint: read(() => Libsql.checkpoint(db)),
    [runLedger]: run
  }
  return { ledger, flush: group.flush }
}

/** The part of a scan that the table in memory answers: about 0.5 µs a file. */
const inTable = (table: Scans.Table, expected: Expected) => ({
  see: (files: ReadonlyArray<SeenFile>) => Effect.sync(() => files.map((file) => Scans.see(table, file, expected))),
  vanished: Stream.suspend(() => Stream.fromIterable(Scans.vanished(table)))
})

const claimedOf = (table: Scans.Table): number =>
  table.flags.reduce((count, flags) => count + ((flags & Scans.flag.claimed) === 0 ? 0 : 1), 0)

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
      Effect.map(open, (db) => ({ db, ...service(directory, db) })),
      ({ db, flush }) =>
        StateDirectory.closing(directory, () => {
          flush()
          close(db)
        })
    ),
    ({ ledger }) => ledger
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

const onServer = (options: PostgresOptions): Server.Errors<LedgerError> => {
  const directory = Server.shownOf(options)
  return {
    directory,
    failed: (failed) => ledgerError(directory, failed),
    newer: (found) => newer(directory, found),
    clash: (request, path) => clash(directory, request, path),
    renamed: (request, found) => renamed(directory, request, found)
  }
}

/**
 * Connections to a state on a server, its tables created or migrated, as options that its parts share; for `State.postgres`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const connect = (options: PostgresOptions): Effect.Effect<Server.Connected, LedgerError, Scope.Scope> =>
  Server.connect(options, onServer(options))

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
  Server.make(options, onServer(options))

/**
 * As {@link makePostgres}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgres = (options: PostgresOptions): Layer.Layer<Ledger, LedgerError> =>
  Layer.scoped(Ledger, makePostgres(options))

/**
 * A ledger on a server, read-only; an empty one where there is none. Creates, locks and changes nothing; methods that would write fail with
 * `ReadOnly`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePostgresReadOnly = (
  options: PostgresOptions
): Effect.Effect<Ledger.Service, LedgerError, Scope.Scope> =>
  Effect.flatMap(Server.makeReadOnly(options, onServer(options)), (ledger) =>
    ledger === null ? using(Server.shownOf(options), emptyDatabase, (db) => db.close()) : Effect.succeed(ledger)
  )

/**
 * The ledger of a state as `--state` spells it, read-only: see {@link makeReadOnly} for a folder, {@link makePostgresReadOnly} for an address.
 *
 * @since 0.1.0
 * @category constructors
 */
export const openReadOnly = (state: string): Effect.Effect<Ledger.Service, LedgerError, Scope.Scope> =>
  isAddress(state) ? makePostgresReadOnly({ url: state }) : makeReadOnly({ directory: state })

/**
 * True when there is a ledger in the schema. Creates nothing.
 *
 * @since 0.1.0
 * @category accessors
 */
export const existsPostgres = (options: PostgresOptions): Effect.Effect<boolean, LedgerError> =>
  Effect.scoped(Effect.map(Server.makeReadOnly(options, onServer(options)), (ledger) => ledger !== null))

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
