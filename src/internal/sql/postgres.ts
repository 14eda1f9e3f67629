/** Rows of a database of PostgreSQL. */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type Pg from "pg"
import type { SourceUnavailable } from "../../Source.ts"
import { failure } from "../state/postgres/failure.ts"
import { failed as own, type ServerFailure, type ServerReason } from "../state/serverFailure.ts"
import { quoted, versionOf } from "./query.ts"
import type { Asked, Content, Failed, Listed, Rows } from "./rows.ts"

/** Rows of a page of the listing. */
const pageSize = 1000

const connectMillis = 10_000

/** Time after that of a statement until the connection is given up. */
const slack = Duration.seconds(10)

/** Reads that one statement answers, statements of reads at a time, and most bytes of a content that shares its statement with others. */
const reads = { together: 64, lanes: 2, bytes: 131_072 } as const

/** Waits between attempts while the server cannot be reached, for at most that long. */
const again = (limit: Duration.DurationInput) =>
  Schedule.exponential("200 millis").pipe(Schedule.jittered, Schedule.upTo(limit))

/** A server that never answered is rather a wrong address than one that restarts. */
const [first, later] = [again("2 seconds"), again("10 seconds")]

const meanings: Readonly<Record<ServerReason, readonly [reason: SourceUnavailable["reason"], problem: string]>> = {
  Denied: ["Denied", "the database refuses the user; check its name, its password and its rights"],
  Missing: ["Missing", "there is no such database, table or column; check the address and the query"],
  Unreachable: [
    "Unreachable",
    "the database cannot be reached, or the connection broke; check the address and the network"
  ],
  TimedOut: ["Timeout", "the database did not answer in time; run again later, or make the query faster"],
  ReadOnly: ["Invalid", "the query writes; give one that only reads"],
  Locked: ["Failed", "another transaction is in the way; run again later"],
  Full: ["Failed", "the disk of the database is full"],
  Corrupted: ["Damaged", "the database is damaged"],
  Unsupported: ["Invalid", "it needs a package that is not installed here; run: npm install pg"],
  Superseded: ["Invalid", "the query cannot be run"],
  Io: ["Invalid", "the query cannot be run; check it"]
}

/** Number of the type `bytea`. */
const bytea = 17

type Client = Pg.PoolClient

const pooled = (
  url: Redacted.Redacted,
  timeout: Duration.Duration
): Effect.Effect<Pg.Pool, ServerFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { default: pg } = yield* Effect.tryPromise({
      try: () => import("pg"),
      catch: () => own("Unsupported", "cannot find package 'pg'")
    })
    return yield* Effect.acquireRelease(
      Effect.sync(() => {
        const made = new pg.Pool({
          connectionString: Redacted.value(url),
          connectionTimeoutMillis: connectMillis,
          query_timeout: Duration.toMillis(Duration.sum(timeout, slack)),
          keepAlive: true,
          application_name: "docsluice",
          max: 2 + reads.lanes,
          allowExitOnIdle: true
        })
        // Without a listener, the error of a connection that dies would end the process.
        made.on("error", () => {})
        made.on("connect", (client) => void client.on("error", () => {}))
        return made
      }),
      (made) => Effect.ignore(Effect.tryPromise(() => made.end()))
    )
  })

const rowsOf = async (
  client: Client,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<ReadonlyArray<ReadonlyArray<unknown>>> =>
  (await client.query<Array<unknown>>({ text, values: [...values], rowMode: "array" })).rows

/** Statements of the query, once its columns are known. */
interface Statements {
  readonly listing: string
  readonly reading: string
}

/** Ends the transaction of a result. */
const ending =
  (client: Client) =>
  async <A>(result: A): Promise<A> => {
    await client.query("COMMIT")
    return result
  }

const from = (query: string) => `FROM (${query}\n) AS docsluice_rows`

/** The statements, or the problem of the query in words. */
const statementsOf = async (client: Client, { columns, query }: Asked): Promise<Statements | string> => {
  // With a parameter it is one statement, or refused.
  const { fields } = await client.query({ text: `SELECT * ${from(query)} LIMIT $1`, values: [0] })
  const found = versionOf(
    columns,
    fields.map(({ name }) => name)
  )
  if (typeof found === "string") return found
  const [[encoding] = []] = await rowsOf(client, "SELECT getdatabaseencoding()")
  const [key, content] = [quoted(columns.key), quoted(columns.content)]
  const isBinary = fields.find(({ name }) => name === columns.content)?.dataTypeID === bytea
  const value = isBinary ? content : `${content}::text`
  const bytes = isBinary ? content : `convert_to(${value}, 'UTF8')`
  // What is measured is not read: a size of a long text is kept beside it.
  const size = isBinary || encoding === "UTF8" ? `octet_length(${value})` : `octet_length(${bytes})`
  const hash = `'h' || encode(sha256(coalesce(${bytes}, '')), 'hex')`
  const version = found.version === null ? hash : `coalesce('v' || ${quoted(found.version)}::text, ${hash})`
  return {
    listing: `SELECT ${key}::text, ${version}, coalesce(${size}, 0) ${from(query)}`,
    reading: `SELECT ${key}::text, ${version}, coalesce(${value}, '') ${from(query)} WHERE ${key} = ANY($1)`
  }
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

const listedOf = ([key, version, size]: ReadonlyArray<unknown>): Listed => ({
  key: textOf(key),
  id: textOf(key) ?? "",
  version: textOf(version),
  size: Number(size)
})

/** A read that waits for its statement. */
interface Waiting {
  readonly id: string
  readonly done: Deferred.Deferred<ReadonlyArray<Content>, ServerFailure>
}

/** The contents of the rows by their keys. */
const contentsOf = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyMap<string, ReadonlyArray<Content>> => {
  const found = new Map<string, Array<Content>>()
  for (const [key, version, content] of rows) {
    const bytes = content instanceof Uint8Array ? content : Buffer.from(textOf(content) ?? "")
    const id = textOf(key) ?? ""
    found.set(id, [...(found.get(id) ?? []), { version: textOf(version), bytes }])
  }
  return found
}

/** Reads of keys, as many together as wait for a statement: a query may cost as much for one row as for all. */
const reading = (
  load: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<Content>>, ServerFailure>
) =>
  Effect.gen(function* () {
    const waiting = yield* Queue.unbounded<Waiting>()
    const answered = (all: ReadonlyArray<Waiting>): Effect.Effect<void> =>
      Effect.matchEffect(load(all.map(({ id }) => id)), {
        onSuccess: (found) =>
          Effect.forEach(all, ({ done, id }) => Deferred.succeed(done, found.get(id) ?? []), { discard: true }),
        // A row whose content cannot be computed fails alone.
        onFailure: (error) =>
          all.length === 1 || error.passing
            ? Effect.forEach(all, ({ done }) => Deferred.fail(done, error), { discard: true })
            : Effect.forEach(all, (one) => answered([one]), { discard: true })
      })
    const lane = Effect.flatMap(Queue.takeBetween(waiting, 1, reads.together), (all) => answered([...all]))
    yield* Effect.forkScoped(Effect.forever(lane)).pipe(Effect.repeatN(reads.lanes - 1))
    return (row: Listed) => {
      const id = String(row.id)
      if (row.size > reads.bytes) return Effect.map(load([id]), (found) => found.get(id) ?? [])
      return Effect.flatMap(Deferred.make<ReadonlyArray<Content>, ServerFailure>(), (done) =>
        Effect.zipRight(Queue.offer(waiting, { id, done }), Deferred.await(done))
      )
    }
  })

/**
 * The rows of a database. The listing is one run of the query, in a transaction that lasts until its last page was read or the scope is
 * closed, on a connection of its own.
 */
export const open = (
  url: Redacted.Redacted,
  asked: Asked,
  failed: Failed
): Effect.Effect<Rows, SourceUnavailable, Scope.Scope> => {
  const millis = Math.ceil(Duration.toMillis(asked.timeout))
  const begin = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${millis}; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL TIME ZONE 'UTC'; SET LOCAL DateStyle = ISO; SET LOCAL IntervalStyle = postgres; SET LOCAL bytea_output = hex; SET LOCAL extra_float_digits = 1`
  const meant = ({ reason, said }: ServerFailure): SourceUnavailable => {
    const [meaning, problem] = meanings[reason]
    return failed(meaning, `${problem} (${said})`)
  }
  return Effect.gen(function* () {
    const pool = yield* pooled(url, asked.timeout)
    const connect = Effect.tryPromise({ try: () => pool.connect(), catch: failure })
    const within = <A>(client: Client, body: (client: Client) => Promise<A>) =>
      Effect.tryPromise({
        try: async () => {
          await client.query(begin)
          return body(client)
        },
        catch: failure
      })
    let reached = false
    const patiently = <A>(self: Effect.Effect<A, ServerFailure>) =>
      Effect.suspend(() =>
        Effect.retry(self, {
          schedule: reached ? later : first,
          while: ({ passing, reason }) => passing && reason !== "TimedOut"
        })
      )
    // After a failure a connection is closed, not given back: that ends its transaction, whatever state it is in.
    const use = <A>(body: (client: Client) => Promise<A>) =>
      patiently(
        Effect.acquireUseRelease(
          connect,
          (client) => within(client, (transaction) => body(transaction).then(ending(transaction))),
          (client, exit) => Effect.sync(() => client.release(Exit.isFailure(exit)))
        )
      )
    const statements = yield* use((client) => statementsOf(client, asked))
    reached = true
    if (typeof statements === "string") return yield* Effect.fail(failed("Invalid", statements))
    const read = yield* reading((ids) =>
      Effect.map(
        use((client) => rowsOf(client, statements.reading, [ids])),
        contentsOf
      )
    )
    const declare = `DECLARE docsluice_listing NO SCROLL CURSOR FOR ${statements.listing}`
    // The transaction of the listing ends with its connection.
    const held = Effect.flatMap(Effect.scope, (scope) =>
      patiently(
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(connect, (client) => {
            const release = Effect.sync(() => client.release(true))
            return restore(within(client, (transaction) => transaction.query(declare))).pipe(
              Effect.onError(() => release),
              Effect.zipRight(Scope.addFinalizer(scope, release)),
              Effect.as(client)
            )
          })
        )
      )
    )
    const pages = (client: Client) =>
      Stream.paginateEffect(undefined, () =>
        Effect.map(
          Effect.tryPromise({ try: () => rowsOf(client, `FETCH ${pageSize} FROM docsluice_listing`), catch: failure }),
          (rows) => [rows.map(listedOf), rows.length < pageSize ? Option.none() : Option.some(undefined)]
        )
      )
    return {
      list: Stream.mapError(Stream.unwrapScoped(Effect.map(held, pages)), meant),
      read: (row: Listed) => Effect.mapError(read(row), meant)
    }
  }).pipe(Effect.mapError((error) => (error._tag === "ServerFailure" ? meant(error) : error)))
}
