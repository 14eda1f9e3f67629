/**
 * Rows of a query on PostgreSQL, libSQL or SQLite: each row is a document.
 *
 * The query gives a column `key`, the document's path; `content`, its text or bytes; and `version`, which changes when the content does,
 * such as a time of the last change. The query is run once for keys, versions and sizes, in a transaction that only reads; the content of a
 * row whose version the ledger knows is not read. Others are read by their keys, up to 64 at a time, by the query with a condition on
 * `key`: an index on what `key` is makes that cheap. Without a version, PostgreSQL hashes the contents; of a file they are read and
 * compared.
 *
 * A row without a key, or two with one key, end the listing. A content that is NULL is empty. A row that changed after it was listed fails
 * as a document, and is taken by the next run.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { loaded } from "../internal/base/loaded.ts"
import { environment } from "../internal/objects/environment.ts"
import * as ObjectRoot from "../internal/objects/objectRoot.ts"
import * as Place from "../internal/sql/place.ts"
import * as Source from "../Source.ts"

const stores = loaded(() => import("../internal/sql/sqlStore.ts"))

/**
 * Options of both constructors.
 *
 * @since 0.1.0
 * @category models
 */
export interface RowOptions extends Source.Selection {
  /**
   * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the driver's parameters, or `libsql:FILE`, which has to be there. Default
   * `DOCSLUICE_SQL_DATABASE`. User and password are part of no message and no state.
   */
  readonly database?: string | Redacted.Redacted | undefined
  /** Names of the columns; default `key`, `content` and, if the query has it, `version`. */
  readonly columns?:
    | {
        readonly key?: string | undefined
        readonly version?: string | undefined
        readonly content?: string | undefined
      }
    | undefined
  /** Extension that is put after a key without one that can be read, lower case, without the dot; default `md`. */
  readonly type?: string | undefined
  /** Longest time of one statement on a server; default 5 minutes. A query over a file is not stopped. */
  readonly timeout?: Duration.DurationInput | undefined
}

/**
 * Options of {@link make}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends RowOptions {
  /** One statement that gives rows and writes nothing. */
  readonly query: string
  /** First part of every document id. */
  readonly name: string
}

/**
 * Options of {@link file}.
 *
 * @since 0.1.0
 * @category models
 */
export interface FileOptions extends RowOptions {
  /** `sql:FILE`, a file that holds the query, relative to the working directory or absolute. */
  readonly root: string
  /** First part of every document id; default the file's base name without `.sql`. */
  readonly name?: string | undefined
}

const defaults = { key: "key", content: "content", type: "md", timeout: "5 minutes" } as const

const variable = "DOCSLUICE_SQL_DATABASE"

const databaseOf = ({ database = environment()[variable] }: RowOptions): Either.Either<Place.Database, string> =>
  database === undefined || database === ""
    ? Either.left(`no database is named; set ${variable}, or give the option \`database\``)
    : Place.database(database)

const opened = (address: string, options: RowOptions, query: Place.Query) =>
  Effect.gen(function* () {
    const { columns, timeout = defaults.timeout, type = defaults.type } = options
    const database = yield* Either.mapLeft(
      databaseOf(options),
      (problem) => new Source.SourceUnavailable({ source: address, reason: "Invalid", problem })
    )
    const { open } = yield* stores
    return yield* open({
      address,
      database,
      query,
      columns: {
        key: columns?.key ?? defaults.key,
        version: columns?.version ?? null,
        content: columns?.content ?? defaults.content
      },
      type,
      timeout: Duration.decode(timeout)
    })
  })

/**
 * The rows of a query, as a run takes them. Fails when the query cannot be run; one row that cannot be read fails as a document. The
 * connections are closed with the scope, which has to last as long as the run.
 *
 * @example
 * import * as Sql from "docsluice/source/Sql"
 *
 * const articles = Sql.make({
 *   name: "articles",
 *   database: "libsql:site.db",
 *   query: "SELECT slug AS key, updated_at AS version, body AS content FROM article WHERE published",
 *   type: "html"
 * })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Source.Source<Source.SourceUnavailable, Scope.Scope> => {
  const { name, query } = options
  const shown = Either.match(databaseOf(options), { onLeft: () => "", onRight: ({ shown }) => `@${shown}` })
  const address = `sql:${name}${shown}`
  return ObjectRoot.source(
    { ...options, root: address },
    Either.right({ name, address, prefix: "", open: opened(address, options, { _tag: "Text", text: query }) })
  )
}

/**
 * The same for a query in a file, which is read when the files are asked for. The root is the file: another database in its place is taken
 * for the same one with other rows.
 *
 * @example
 * import * as Sql from "docsluice/source/Sql"
 *
 * const articles = Sql.file({ root: "sql:articles.sql" })
 *
 * @since 0.1.0
 * @category constructors
 */
export const file = (options: FileOptions): Source.Source<Source.SourceUnavailable, Scope.Scope> =>
  ObjectRoot.source(
    options,
    Either.map(Place.parse(options.root), ({ name, path }) => {
      const address = Place.addressOf({ path })
      return { name, address, prefix: "", open: opened(address, options, { _tag: "InFile", path }) }
    })
  )
