/** libSQL and SQLite: the database, its schema, its rows and its searches. */
import { isUtf8 } from "node:buffer"
import { existsSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { SinkError } from "docsluice/ChunkSink"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type Libsql from "libsql"

/** Types of a parameter. Text must not hold U+0000: the binding cuts it there. Numbers are bound as 64-bit floats. */
export type Value = string | number | null | Uint8Array

/** One row, columns in the order of the statement; texts are checked, and what is not UTF-8 fails as damage. */
export type Row = ReadonlyArray<unknown>

/** A connection. Every call but `attempt` is synchronous and may throw. */
export interface Database {
  /** The sink's id. */
  readonly sink: string
  /** Runs calls of the database as one effect and turns thrown errors into the sink's error. */
  readonly attempt: <A>(body: () => A) => Effect.Effect<A, SinkError>
  readonly exec: (sql: string) => void
  /** Statements are prepared once a text. */
  readonly run: (sql: string, parameters?: ReadonlyArray<Value>) => void
  readonly rows: (sql: string, parameters?: ReadonlyArray<Value>) => ReadonlyArray<Row>
  /** As `rows`, but bytes that are not UTF-8 become U+FFFD. */
  readonly readable: (sql: string, parameters?: ReadonlyArray<Value>) => ReadonlyArray<Row>
  /** Numbers of rows by name, to be kept until the database changes: empty after any change, and always on a server. */
  readonly counts: () => Map<string, number>
  /** All or nothing; not to be nested. */
  readonly transaction: <A>(body: () => A) => A
  /** True for one on a server. */
  readonly remote: boolean
  /** Put after the name of every table of the sink; empty for the first generation. */
  readonly suffix: string
}

/** A database, and the tables in it. */
export interface Place {
  /** The sink's id. */
  readonly sink: string
  /** The file, or the address of a server. */
  readonly address: string
  /** See {@link Database.suffix}. */
  readonly suffix: string
}

interface Meaning {
  readonly prefix: string
  readonly reason: SinkError["reason"]
  readonly problem: string
}

const meanings: ReadonlyArray<Meaning> = [
  { prefix: "SQLITE_BUSY", reason: "Unavailable", problem: "another process writes to it" },
  { prefix: "SQLITE_LOCKED", reason: "Unavailable", problem: "another process writes to it" },
  { prefix: "SQLITE_FULL", reason: "Unavailable", problem: "the disk is full" },
  { prefix: "SQLITE_NOTADB", reason: "Mismatch", problem: "the file is not a database" },
  { prefix: "SQLITE_CORRUPT", reason: "Mismatch", problem: "the database is damaged" },
  { prefix: "SQLITE_READONLY", reason: "Rejected", problem: "it cannot be written to" },
  { prefix: "SQLITE_PERM", reason: "Rejected", problem: "permission denied" },
  { prefix: "SQLITE_CANTOPEN", reason: "Rejected", problem: "the file cannot be opened" },
  { prefix: "SQLITE_CONSTRAINT", reason: "Rejected", problem: "the database refused a row" },
  { prefix: "SQLITE_TOOBIG", reason: "Rejected", problem: "a text is too long for it" },
  { prefix: "SQLITE_IOERR", reason: "Unavailable", problem: "the file could not be read or written" },
  { prefix: "SQLITE_", reason: "Rejected", problem: "the database failed" },
  {
    prefix: "MODULE_NOT_FOUND",
    reason: "Unsupported",
    problem: "libsql is not installed for this program; if it was bundled, keep docsluice out of the bundle"
  }
]

/** Meanings of an error without a known code: the binding throws one when it opens a file; others do not come from the database. */
const codeless = {
  opening: { prefix: "", reason: "Rejected", problem: "the file cannot be opened" },
  call: { prefix: "", reason: "Rejected", problem: "it failed unexpectedly" }
} as const satisfies Record<string, Meaning>

/** Errors of a server, or of the way to it; the driver gives them no code. */
const remoteFailure = (sink: string, said: string): SinkError => {
  const status = Number(/status=(\d{3})/u.exec(said)?.[1])
  if (status === 401 || status === 403) {
    return new SinkError({
      sink,
      reason: "Rejected",
      problem: `the token is missing or not accepted (status ${status})`
    })
  }
  const code = /code: "(SQLITE_\w+)"/u.exec(said)?.[1] ?? ""
  const known = meanings.find(({ prefix }) => code.startsWith(prefix))
  if (known !== undefined) return new SinkError({ sink, reason: known.reason, problem: `${known.problem} (${said})` })
  const refused = status >= 400 && status < 500 && status !== 408 && status !== 429
  return refused
    ? new SinkError({ sink, reason: "Rejected", problem: `the server refused it (${said})` })
    : new SinkError({ sink, reason: "Unavailable", problem: `the server cannot be reached, or failed (${said})` })
}

const failure =
  (sink: string, during: keyof typeof codeless) =>
  (cause: unknown): SinkError => {
    if (cause instanceof Error && cause.message.startsWith("Hrana(")) return remoteFailure(sink, cause.message)
    const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
    const said = cause instanceof Error ? cause.message : String(cause)
    const { reason, problem } = meanings.find(({ prefix }) => code.startsWith(prefix)) ?? codeless[during]
    return new SinkError({ sink, reason, problem: `${problem} (${said})`, cause })
  }

/** Runs calls of the database as one effect and turns thrown errors into the sink's error. */
export const attempt = <A>(
  sink: string,
  body: () => A,
  during: keyof typeof codeless = "call"
): Effect.Effect<A, SinkError> => Effect.try({ try: body, catch: failure(sink, during) })

const isRow = (row: unknown): row is Row => Array.isArray(row)

type Statement = Libsql.Statement<Array<ReadonlyArray<Value>>>

/**
 * The same rows with every text as its bytes. The binding aborts the process on a text that is not UTF-8, and one flipped bit
 * of a file makes such a text of any column.
 */
const withoutTexts = (sql: string, columns: number): string => {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`)
  const values = names.map((name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END`)
  return `WITH row (${names.join()}) AS (${sql}) SELECT ${values.join()} FROM row`
}

const prepare = (connection: Libsql.Database, sql: string): Statement => {
  const statement: Statement = connection.prepare(sql)
  if (!statement.reader) return statement
  const selects = /^\s*(?:SELECT|WITH)\b/i.test(sql)
  const safe: Statement = selects ? connection.prepare(withoutTexts(sql, statement.columns().length)) : statement
  return safe.raw(true)
}

class DamagedText extends Error {
  readonly code = "SQLITE_CORRUPT"
  constructor() {
    super("a text is not UTF-8")
  }
}

/** No statement here reads a blob. */
const readable = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString() : value

const decoded = (value: unknown): unknown => {
  if (value instanceof Uint8Array && !isUtf8(value)) throw new DamagedText()
  return readable(value)
}

/** Made here, so that nobody else can read it at any moment: SQLite gives log and index the mode of the file. */
const createIfMissing = (file: string): void => {
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 })
  } catch (thrown) {
    if (!(Predicate.hasProperty(thrown, "code") && thrown.code === "EEXIST")) throw thrown
  }
}

/** The native package, loaded with the first database. A bundler leaves it alone; in CommonJS its code has no `import.meta.url`. */
const binding = (importer: string | undefined = import.meta.url): typeof Libsql =>
  createRequire(importer ?? join(process.cwd(), "bundle.js"))("libsql")

/** Statements that are kept prepared; filters make any number of texts. */
const mostStatements = 256

/** Numbers of rows that are kept at a time. */
const mostCounts = 50_000

/** Names of the sink's tables, indexes and triggers in a statement. */
const ownNames = /\b(docsluice(?:_tenants)?|chunks(?:_[a-z0-9_]+)?)\b/gu

/** Parameters always go as one array: the binding aborts the process on a bare `Buffer`. */
const connect = (
  { address, sink, suffix }: Place,
  token: Redacted.Redacted | null
): { readonly database: Database; readonly close: () => void } => {
  const placed = (sql: string): string => (suffix === "" ? sql : sql.replaceAll(ownNames, `$1${suffix}`))
  // The binding's types leave out the token.
  const options = { timeout: 0, authToken: token === null ? "" : Redacted.value(token) }
  const Connection = binding()
  const connection = token === null ? new Connection(address) : new Connection(address, options)
  const statements = new Map<string, Statement>()
  const prepared = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = prepare(connection, placed(sql))
    if (statements.size === mostStatements) statements.clear()
    statements.set(sql, statement)
    return statement
  }
  const exec = (sql: string): void => void connection.exec(placed(sql))
  const all = (sql: string, parameters: ReadonlyArray<Value>, value: (read: unknown) => unknown) =>
    prepared(sql)
      .all(parameters)
      .filter(isRow)
      .map((row) => row.map(value))
  let known = { at: "", counts: new Map<string, number>() }
  const database: Database = {
    sink,
    attempt: (body) => attempt(sink, body),
    exec,
    run: (sql, parameters = []) => void prepared(sql).run(parameters),
    rows: (sql, parameters = []) => all(sql, parameters, decoded),
    readable: (sql, parameters = []) => all(sql, parameters, readable),
    counts: () => {
      if (token !== null) return new Map()
      // Changes of other connections, then those of this one.
      const at = database.rows("SELECT data_version, total_changes() FROM pragma_data_version").join()
      if (known.at !== at || known.counts.size > mostCounts) known = { at, counts: new Map() }
      return known.counts
    },
    transaction: (body) => {
      exec("BEGIN IMMEDIATE")
      try {
        const result = body()
        exec("COMMIT")
        return result
      } finally {
        if (connection.inTransaction) exec("ROLLBACK")
      }
    },
    remote: token !== null,
    suffix
  }
  return {
    database,
    close: () => {
      statements.clear()
      connection.close()
    }
  }
}

/** Longest wait for another process's transaction, in milliseconds; blocks the event loop. */
const busyTimeout = 1000

const connected = (place: Place, token: Redacted.Redacted | null = null) =>
  Effect.map(
    Effect.acquireRelease(
      attempt(place.sink, () => connect(place, token), "opening"),
      ({ close }) => Effect.ignore(attempt(place.sink, close))
    ),
    ({ database }) => database
  )

const connectedToFile = (place: Place) =>
  Effect.tap(connected(place), (db) =>
    db.attempt(() => {
      // Before any other statement: the binding aborts the process on the type of a column that is not UTF-8.
      db.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
      db.rows(`PRAGMA busy_timeout=${busyTimeout}`)
      db.exec("PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384")
    })
  )

/**
 * Opens or creates a database file; `prepare` decides on it, and only then is anything about it changed. A commit is on the disk
 * when it returns (WAL, `synchronous=FULL`). The log goes back into the file when the scope closes; what is left of it, the next
 * process that opens the file takes in.
 */
export const open = Effect.fnUntraced(function* (
  place: Place,
  prepare: (database: Database) => Effect.Effect<void, SinkError>
): Effect.fn.Return<Database, SinkError, Scope.Scope> {
  yield* attempt(place.sink, () => createIfMissing(place.address), "opening")
  const db = yield* connectedToFile(place)
  // Affects new files only. A row with a vector fills most of a usual page of 4 KB: a third of each write would be gaps.
  yield* db.attempt(() => db.exec("PRAGMA page_size=8192"))
  yield* prepare(db)
  yield* db.attempt(() => {
    db.rows("PRAGMA journal_mode=WAL")
    db.exec("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=2000")
  })
  yield* Effect.addFinalizer(() => Effect.ignore(db.attempt(() => db.rows("PRAGMA wal_checkpoint(TRUNCATE)"))))
  return db
})

/**
 * Opens a file that is there, for reading only, also while another process writes to it. In a folder that cannot be written,
 * SQLite has no place for its log's index: without a log the file is then read as one that nobody changes.
 */
export const openToRead = (place: Place): Effect.Effect<Database, SinkError, Scope.Scope> => {
  const file = place.address
  const opened = (how: string) =>
    Effect.tap(connectedToFile({ ...place, address: `${pathToFileURL(file).href}?${how}` }), (db) =>
      db.attempt(() => db.rows("SELECT 1 FROM sqlite_master LIMIT 1"))
    )
  return Effect.catchIf(
    opened("mode=ro"),
    ({ reason }) => reason === "Rejected" && !existsSync(`${file}-wal`),
    () => opened("immutable=1")
  )
}

/** Age in milliseconds from which a time stamp tells any later change: longer than the grain of time stamps of a disk. */
const settled = 2000

/**
 * The state of a file and its log by their numbers in the file system, sizes and times of the last write; null where these do not tell: shortly
 * after a write, and without a file.
 */
export const stateOf = (file: string): Effect.Effect<string | null> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.orElseSucceed(
      Effect.try(() => {
        const [database, log] = [file, `${file}-wal`].map((path) =>
          statSync(path, { bigint: true, throwIfNoEntry: false })
        )
        const parts = [database, log].map((part) => [part?.ino, part?.size, part?.mtimeNs].join())
        const changed = Math.max(Number(database?.mtimeMs ?? now), Number(log?.mtimeMs ?? 0))
        return changed > now - settled ? null : parts.join(";")
      }),
      () => null
    )
  )

/**
 * Opens a database on a server of libSQL (`libsql://`, `https://`, `http://`), with an empty token where it asks for none. Nothing is sent yet.
 * Every call blocks the event loop until the server has answered.
 */
export const openRemote: (place: Place, token: Redacted.Redacted) => Effect.Effect<Database, SinkError, Scope.Scope> =
  connected
