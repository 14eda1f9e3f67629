/** A scope's documents during a run: what the run found is kept on the server, so that nothing of the size of the corpus is in memory. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ScopeRequest } from "../../../Source.ts"
import { decodeAcks, decodeSetting } from "../ledger/encoding.ts"
import { isBelow, isGone, isInside } from "../ledger/released.ts"
import type { Expected, Scan, SeenFile, Standing, Vanished } from "../ledger/runLedger.ts"
import type { Clash } from "../ledger/runs.ts"
import * as Sightings from "../ledger/sighting.ts"
import * as Changes from "../ledger/verdict.ts"
import type { ServerFailure } from "../serverFailure.ts"
import { bytes, flag, integer, nullable, text } from "./columns.ts"
import type { Connection, Transaction, Value } from "./connection.ts"
import { keyOf } from "./document.ts"
import { type Bound, bind } from "./places.ts"
import { isKnown, paged } from "./reading.ts"
import type { Session } from "./session.ts"

/** Files of one statement. */
const perStatement = 4096

/** What a statement tells of a known file. */
export interface Known {
  /** Position among the files of the statement. */
  readonly at: number
  readonly id: number
  /** Present when the document is stored with the run's settings in all of the run's sinks, and has not failed since. */
  readonly sighting: { readonly print: Uint8Array; readonly etag: string | null } | null
}

/** Numbers of the settings and of the acknowledgements that make a document settled. */
export interface Settled {
  readonly settings: ReadonlyArray<number>
  readonly acks: ReadonlyArray<number>
}

export const settledBy = (
  { rows }: Pick<Transaction, "rows">,
  expected: Expected
): Effect.Effect<Settled, ServerFailure> =>
  Effect.gen(function* () {
    const settings = yield* rows("SELECT id, value FROM setting", [], (row) => ({
      id: integer(row, 0),
      value: decodeSetting(text(row, 1))
    }))
    const acks = yield* rows("SELECT id, value FROM acknowledgement", [], (row) => ({
      id: integer(row, 0),
      value: decodeAcks(text(row, 1))
    }))
    return {
      settings: settings.filter(({ value }) => Changes.isSettled(value, expected)).map(({ id }) => id),
      acks: acks.filter(({ value }) => Changes.acknowledged(value, expected.sinks)).map(({ id }) => id)
    }
  })

/** Statement that joins files with their documents. $1: keys in the order of the files, $2 and $3: {@link Settled}. */
const join = `SELECT f.at::integer - 1 AS at, d.id,
    d.failure IS NULL AND d.setting = ANY($2::bigint[]) AND d.acks = ANY($3::bigint[]) AS settled, d.print, d.etag
  FROM unnest($1::uuid[]) WITH ORDINALITY AS f (key, at) JOIN document d ON d.key = f.key
  WHERE ${isKnown}`

/** The same, which also records what was found. $4: the scan. */
const joinAndRecord = `WITH found AS MATERIALIZED (${join}), recorded AS (
    INSERT INTO sight (scan, documents) SELECT $4, array_agg(id) FROM found HAVING count(*) > 0
  ) SELECT * FROM found`

const isUnchanged = (known: Known, file: SeenFile, expected: Expected): boolean => {
  const { sighting } = known
  if (sighting === null || expected.verify || expected.redo === "writes" || expected.redo === "parses") return false
  return Changes.untouched(Sightings.unpack(sighting.print, sighting.etag), file, expected.startedAt)
}

/** Compares a batch with the ledger; `scan`: where to record it, null for nowhere. */
export const compare = (
  { transaction }: Connection,
  root: string,
  settled: Settled,
  scan: number | null,
  files: ReadonlyArray<SeenFile>,
  expected: Expected,
  found: (id: number) => void
): Effect.Effect<ReadonlyArray<Standing>, ServerFailure> => {
  const keys = files.map(({ path }) => keyOf(root, path))
  const values: ReadonlyArray<Value> = [keys, settled.settings, settled.acks]
  return Effect.map(
    transaction(({ rows }) =>
      rows(scan === null ? join : joinAndRecord, scan === null ? values : [...values, scan], (row): Known => ({
        at: integer(row, 0),
        id: integer(row, 1),
        sighting: flag(row, 2) ? { print: bytes(row, 3), etag: nullable(row, 4, text) } : null
      }))
    ),
    (known) => {
      const standings = files.map((): Standing => "new")
      for (const one of known) {
        const file = files[one.at]
        if (file === undefined) continue
        found(one.id)
        standings[one.at] = isUnchanged(one, file, expected) ? "unchanged" : "known"
      }
      return standings
    }
  )
}

/** Compares any number of files, a statement's worth at a time. */
export const inBatches = (
  files: ReadonlyArray<SeenFile>,
  compareBatch: (files: ReadonlyArray<SeenFile>) => Effect.Effect<ReadonlyArray<Standing>, ServerFailure>
): Effect.Effect<ReadonlyArray<Standing>, ServerFailure> => {
  if (files.length === 0) return Effect.succeed([])
  if (files.length <= perStatement) return compareBatch(files)
  const parts = Array.from({ length: Math.ceil(files.length / perStatement) }, (_, at) =>
    files.slice(at * perStatement, (at + 1) * perStatement)
  )
  return Effect.map(Effect.forEach(parts, compareBatch), (all) => all.flat())
}

/** The scan of this run: its number, that of its scope and root, and the session. */
interface Running extends Bound {
  readonly scan: number
  readonly session: number
}

const alive = "EXISTS (SELECT 1 FROM session s WHERE s.id = n.session AND s.until >= clock_timestamp())"

/**
 * Scans of the scope whose findings count for a run: its own, and those of other processes that ran while it did. The first is the oldest.
 */
const overlapping = ({ rows }: Pick<Transaction, "rows">, { scan, scope, session }: Running) =>
  rows(
    `SELECT n.id FROM scan n WHERE n.scope = $1 AND (n.id = $2 OR (n.session <> $3 AND
       ((n.ended IS NULL AND ${alive}) OR n.ended >= (SELECT started FROM scan WHERE id = $2)))) ORDER BY n.id`,
    [scope, scan, session],
    (row) => integer(row, 0)
  )

const unseen = (document: string, scans: string): string =>
  `NOT EXISTS (SELECT 1 FROM (SELECT unnest(documents) AS id FROM sight WHERE scan = ANY(${scans}::bigint[])) g WHERE g.id = ${document})`

/**
 * True when nobody else works on the scope, and this process did all the time: it was not stopped for longer than its lease. `where`: which
 * scans count.
 */
const isAlone = ({ rows }: Pick<Transaction, "rows">, { scan, session }: Running, where: string) =>
  Effect.map(
    rows(
      `SELECT EXISTS (SELECT 1 FROM scan n JOIN session s ON s.id = n.session WHERE n.id = $1 AND s.lapses = n.lapses
           AND s.until >= clock_timestamp() AND n.ended IS NULL)
         AND NOT EXISTS (SELECT 1 FROM scan n WHERE n.session <> $2 AND n.ended IS NULL AND ${alive} AND ${where})`,
      [scan, session],
      (row) => flag(row, 0)
    ),
    ([alone]) => alone === true
  )

const ofScope = "n.scope = (SELECT scope FROM scan WHERE id = $1)"
const ofRoot =
  "n.scope IN (SELECT id FROM scope WHERE root = (SELECT root FROM scope c JOIN scan o ON o.scope = c.id WHERE o.id = $1))"

const vanished = (connection: Connection, running: Running): Stream.Stream<Vanished, ServerFailure> =>
  Stream.map(
    paged(
      (after) =>
        connection.transaction((transaction) =>
          Effect.flatMap(overlapping(transaction, running), (scans) =>
            transaction.rows(
              `SELECT d.id, d.path, d.failure IS NOT NULL FROM claim c JOIN document d ON d.id = c.document
               WHERE c.scope = $1 AND c.scan < $2 AND d.id > $4 AND ${unseen("d.id", "$3")} ORDER BY d.id LIMIT ${perStatement}`,
              [running.scope, scans[0] ?? running.scan, scans, after],
              (row) => ({ id: integer(row, 0), path: text(row, 1), failed: flag(row, 2) })
            )
          )
        ),
      ({ id }) => id,
      perStatement
    ),
    ({ failed, path }) => ({ path, failed })
  )

/** Documents whose files are gone although other scopes claim them. */
const release = (
  connection: Connection,
  running: Running,
  request: ScopeRequest
): Stream.Stream<string, ServerFailure> => {
  const { path: folder } = request
  const whole = (request.parts ?? []).flatMap((part) => (part.whole ? [part.path] : []))
  if (folder === null || whole.length === 0) return Stream.empty
  return Stream.unwrap(
    connection.transaction((transaction) =>
      Effect.gen(function* () {
        if (!(yield* isAlone(transaction, running, ofRoot))) return Stream.empty
        const inside = yield* insideOf(transaction, running, whole)
        const claimed = paged(
          (after) => claimedByOthers(connection, running, after),
          ({ id }) => id,
          perStatement
        )
        return claimed.pipe(
          Stream.filter(({ path }) => whole.some((part) => isBelow(path, part)) && isGone(`${folder}/${path}`)),
          Stream.mapEffect(({ id, path, scopes }) =>
            scopes.every((scope) => inside.has(scope))
              ? Effect.as(
                  connection.transaction(({ query }) => query("DELETE FROM claim WHERE document = $1", [id])),
                  null
                )
              : Effect.succeed(path)
          ),
          Stream.filter((path) => path !== null)
        )
      })
    )
  )
}

/** Scopes of the root whose parts all lie below folders that this one covers whole. */
export const insideOf = (
  { rows }: Pick<Transaction, "rows">,
  { root, scope }: Pick<Bound, "root" | "scope">,
  whole: ReadonlyArray<string>
): Effect.Effect<ReadonlySet<number>, ServerFailure> =>
  Effect.map(
    rows("SELECT id, parts FROM scope WHERE root = $1 AND id <> $2", [root, scope], (row) => ({
      id: integer(row, 0),
      inside: isInside(nullable(row, 1, text), whole)
    })),
    (all) => new Set(all.filter(({ inside }) => inside).map(({ id }) => id))
  )

/** A document that other scopes claim. */
export interface Claimed {
  readonly id: number
  readonly path: string
  readonly scopes: ReadonlyArray<number>
}

/** Statement over documents of the root $1 that scopes other than $2 claim, after the number $3. */
export const claimedSql = (condition: string): string =>
  `SELECT d.id, d.path, array_agg(c.scope)::text[] FROM document d JOIN claim c ON c.document = d.id AND c.scope <> $2
   WHERE d.root = $1 AND d.id > $3 AND ${condition} GROUP BY d.id, d.path ORDER BY d.id LIMIT ${perStatement}`

export const claimedRow = (row: ReadonlyArray<unknown>): Claimed => {
  const scopes: unknown = row[2]
  return { id: integer(row, 0), path: text(row, 1), scopes: Array.isArray(scopes) ? scopes.map(Number) : [] }
}

const claimedByOthers = (connection: Connection, running: Running, after: number) =>
  connection.transaction((transaction) =>
    Effect.flatMap(overlapping(transaction, running), (scans) =>
      transaction.rows(claimedSql(unseen("d.id", "$4")), [running.root, running.scope, after, scans], claimedRow)
    )
  )

const complete = (connection: Connection, running: Running, at: number): Effect.Effect<void, ServerFailure> =>
  connection.transaction((transaction) =>
    Effect.gen(function* () {
      const { query, rows } = transaction
      const { root, scan, scope } = running
      // Of two processes that come to their end at once, the second sees that the first has.
      yield* query("SELECT 1 FROM scope WHERE id = $1 FOR UPDATE", [scope])
      const [open] = yield* rows("SELECT ended IS NULL FROM scan WHERE id = $1", [scan], (row) => flag(row, 0))
      if (open !== true) return
      yield* query(
        `INSERT INTO claim (scope, document, scan) SELECT DISTINCT $1::bigint, d.id, $2::bigint
         FROM sight g CROSS JOIN LATERAL unnest(g.documents) AS u (id) JOIN document d ON d.id = u.id
         WHERE g.scan = $2 AND NOT EXISTS (SELECT 1 FROM claim c WHERE c.scope = $1 AND c.document = d.id) ON CONFLICT DO NOTHING`,
        [scope, scan]
      )
      const alone = yield* isAlone(transaction, running, ofScope)
      if (alone) {
        const scans = yield* overlapping(transaction, running)
        yield* query(`DELETE FROM claim c WHERE c.scope = $1 AND c.scan < $2 AND ${unseen("c.document", "$3")}`, [
          scope,
          scans[0] ?? scan,
          scans
        ])
        // Rows of processes that died before they stored anything.
        yield* query(
          `DELETE FROM document d WHERE d.root = $1 AND d.setting IS NULL AND d.failure IS NULL AND d.generation = 0
             AND NOT EXISTS (SELECT 1 FROM pending p WHERE p.document = d.id) AND NOT EXISTS (SELECT 1 FROM claim c WHERE c.document = d.id)
             AND NOT EXISTS (SELECT 1 FROM session s WHERE s.id = d.holder AND s.until >= clock_timestamp())`,
          [root]
        )
      } else {
        yield* Effect.logInfo("another process works on the same documents: what is gone is removed by the last one")
      }
      yield* query("UPDATE scan SET ended = clock_timestamp() WHERE id = $1", [scan])
      yield* query("UPDATE scope SET completed = greatest(completed, $2) WHERE id = $1", [scope, at])
      if (alone) yield* tidy(transaction, scope)
    })
  )

/** Forgets what scans of the scope found that are over. */
const tidy = ({ query }: Transaction, scope: number) =>
  Effect.zipRight(
    query(
      `DELETE FROM sight g USING scan n WHERE n.id = g.scan AND n.scope = $1 AND (n.ended IS NOT NULL OR NOT ${alive})`,
      [scope]
    ),
    query(`DELETE FROM scan n WHERE n.scope = $1 AND NOT ${alive}`, [scope])
  )

/** Ends a scan that did not come to its end. */
const end = (connection: Connection, { scan, scope, session }: Running) =>
  connection.transaction(({ query }) => {
    const which = "(SELECT id FROM scan WHERE scope = $1 AND session = $2 AND id <= $3 AND ended IS NULL)"
    return Effect.asVoid(
      Effect.zipRight(
        query(`DELETE FROM sight WHERE scan IN ${which}`, [scope, session, scan]),
        query(`DELETE FROM scan WHERE id IN ${which}`, [scope, session, scan])
      )
    )
  })

/** True when nobody else works on the root. */
export const isRootFree = (
  { rows }: Pick<Transaction, "rows">,
  session: number,
  root: string
): Effect.Effect<boolean, ServerFailure> =>
  Effect.map(
    rows(
      `SELECT NOT EXISTS (SELECT 1 FROM scan n JOIN scope c ON c.id = n.scope JOIN root r ON r.id = c.root
         WHERE r.name = $2 AND n.session <> $1 AND n.ended IS NULL AND ${alive})`,
      [session, root],
      (row) => flag(row, 0)
    ),
    ([free]) => free === true
  )

/** Binds the root's name and begins a scan. */
export const begin = (
  connection: Connection,
  session: Session,
  request: ScopeRequest,
  expected: Expected
): Effect.Effect<Scan<ServerFailure> | Clash, ServerFailure> =>
  Effect.gen(function* () {
    const begun = yield* connection.transaction((transaction) =>
      Effect.gen(function* () {
        const bound = yield* bind(transaction, request)
        if ("_tag" in bound) return bound
        const { rows } = transaction
        const [scan = 0] = yield* rows(
          "INSERT INTO scan (scope, session, lapses) SELECT $1, id, lapses FROM session WHERE id = $2 RETURNING id",
          [bound.scope, session.id],
          (row) => integer(row, 0)
        )
        const [counts = { documents: 0, claimed: 0 }] = yield* rows(
          "SELECT (SELECT count(*) FROM document WHERE root = $1), (SELECT count(*) FROM claim WHERE scope = $2)",
          [bound.root, bound.scope],
          (row) => ({ documents: integer(row, 0), claimed: integer(row, 1) })
        )
        return {
          running: { ...bound, scan, session: session.id },
          counts,
          settled: yield* settledBy(transaction, expected)
        }
      })
    )
    if ("_tag" in begun) return begun
    const { counts, running, settled } = begun
    return {
      // The number of the scan, by which a claim is known to be of this run.
      scope: running.scan,
      ...counts,
      completedAt: running.completedAt,
      see: (files) =>
        inBatches(files, (part) => compare(connection, request.root, settled, running.scan, part, expected, () => {})),
      vanished: vanished(connection, running),
      release: release(connection, running, request),
      complete: (at) => complete(connection, running, at),
      end: end(connection, running)
    }
  })
