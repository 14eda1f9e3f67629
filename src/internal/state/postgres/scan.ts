/** A scope's documents during a run: what the run found is kept on the server, so that nothing of the size of the corpus is in memory. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { bytes, flag, integer, nullable, text } from "../columns.ts"
import { type Settled, settledBy } from "../ledger/figures.ts"
import { paged } from "../ledger/paged.ts"
import type { Bound, Place } from "../ledger/places.ts"
import type { Claimed, Previewed, Running } from "../ledger/rowStore.ts"
import type { Expected, SeenFile, Standing, Vanished } from "../ledger/runLedger.ts"
import { isKnown } from "../ledger/script.ts"
import * as Sightings from "../ledger/sighting.ts"
import * as Changes from "../ledger/verdict.ts"
import type { Tables, Transaction, Value } from "./connection.ts"
import { dialect } from "./dialect.ts"
import { keyOf } from "./key.ts"
import { Numbers } from "./numbers.ts"

/** Files of one statement. */
const perStatement = 4096

/** What a statement tells of a known file. */
interface Known {
  /** Position among the files of the statement. */
  readonly at: number
  readonly id: number
  /** Present when the document is stored with the run's settings in all of the run's sinks, and has not failed since. */
  readonly sighting: { readonly print: Uint8Array; readonly etag: string | null } | null
}

/** Statement that joins files with their documents. $1: keys in the order of the files, $2 and $3: {@link Settled}. */
const join = `SELECT f.at::integer - 1 AS at, d.id,
    d.failure IS NULL AND d.setting = ANY($2::bigint[]) AND d.acks = ANY($3::bigint[]) AS settled, d.print, d.etag
  FROM unnest($1::uuid[]) WITH ORDINALITY AS f (key, at) JOIN document d ON d.key = f.key
  WHERE ${isKnown(dialect)}`

/** The same, which also records what was found. $4: the scan. */
const joinAndRecord = `WITH found AS MATERIALIZED (${join}), recorded AS (
    INSERT INTO sight (scan, documents) SELECT $4, array_agg(id) FROM found HAVING count(*) > 0
  ) SELECT * FROM found`

const isUnchanged = (known: Known, file: SeenFile, expected: Expected): boolean => {
  const { sighting } = known
  if (sighting === null || !Changes.trustsSightings(expected)) return false
  return Changes.untouched(Sightings.unpack(sighting.print, sighting.etag), file, expected.startedAt)
}

/** The root that is compared, by what, and where what was found is recorded. */
interface Comparison {
  readonly root: string
  readonly expected: Expected
  readonly settled: Settled
  /** Null for nowhere. */
  readonly scan: number | null
  /** Called with the number of each known document. */
  readonly found: (id: number) => void
}

/** Compares files with the ledger, a statement's worth at a time. */
const see =
  <E>({ rows }: Tables<E>, comparison: Comparison) =>
  (files: ReadonlyArray<SeenFile>): Effect.Effect<ReadonlyArray<Standing>, E> => {
    if (files.length === 0) return Effect.succeed([])
    const { expected, found, root, scan, settled } = comparison
    const compared = (part: ReadonlyArray<SeenFile>) => {
      const values: ReadonlyArray<Value> = [part.map(({ path }) => keyOf(root, path)), settled.settings, settled.acks]
      return Effect.map(
        rows(scan === null ? join : joinAndRecord, scan === null ? values : [...values, scan], (row): Known => ({
          at: integer(row, 0),
          id: integer(row, 1),
          sighting: flag(row, 2) ? { print: bytes(row, 3), etag: nullable(row, 4, text) } : null
        })),
        (known) => {
          const standings = part.map((): Standing => "new")
          for (const one of known) {
            const file = part[one.at]
            if (file === undefined) continue
            found(one.id)
            standings[one.at] = isUnchanged(one, file, expected) ? "unchanged" : "known"
          }
          return standings
        }
      )
    }
    if (files.length <= perStatement) return compared(files)
    const parts = Array.from({ length: Math.ceil(files.length / perStatement) }, (_, at) =>
      files.slice(at * perStatement, (at + 1) * perStatement)
    )
    return Effect.map(Effect.forEach(parts, compared), (all) => all.flat())
  }

/** A session and its scans. */
export interface Scanning {
  readonly session: number
  /** Scans that are over although their rows may still be there: the server did not say that it deleted them, or that it never began them. */
  readonly over: Set<number>
}

/** The scan of this run: its number, and that of its scope and root. */
interface Current extends Place, Scanning {
  readonly scan: number
}

/** Scans that are no other run's: this one, and those of the session that are over. */
const own = ({ over, scan }: Pick<Current, "over" | "scan">): ReadonlyArray<number> => [scan, ...over]

const alive = "EXISTS (SELECT 1 FROM session s WHERE s.id = n.session AND s.until >= clock_timestamp())"

/**
 * Scans of the scope whose findings count for a run: its own, and those of other runs at the same time, of whatever process. The first is the
 * oldest.
 */
const overlapping = ({ rows }: Pick<Transaction, "rows">, current: Current) =>
  rows(
    `SELECT n.id FROM scan n WHERE n.scope = $1 AND (n.id = $2 OR (NOT n.id = ANY($3::bigint[]) AND
       ((n.ended IS NULL AND ${alive}) OR n.ended >= (SELECT started FROM scan WHERE id = $2)))) ORDER BY n.id`,
    [current.scope, current.scan, own(current)],
    (row) => integer(row, 0)
  )

const unseen = (document: string, scans: string): string =>
  `NOT EXISTS (SELECT 1 FROM (SELECT unnest(documents) AS id FROM sight WHERE scan = ANY(${scans}::bigint[])) g WHERE g.id = ${document})`

/**
 * True when nobody else works on the scope, and this process did all the time: it was not stopped for longer than its lease. `where`: which
 * scans count.
 */
const isAlone = ({ rows }: Pick<Transaction, "rows">, current: Current, where: string) =>
  Effect.map(
    rows(
      `SELECT EXISTS (SELECT 1 FROM scan n JOIN session s ON s.id = n.session WHERE n.id = $1 AND s.lapses = n.lapses
           AND s.until >= clock_timestamp() AND n.ended IS NULL)
         AND NOT EXISTS (SELECT 1 FROM scan n WHERE NOT n.id = ANY($2::bigint[]) AND n.ended IS NULL AND ${alive} AND ${where})`,
      [current.scan, own(current)],
      (row) => flag(row, 0)
    ),
    ([alone]) => alone === true
  )

const ofScope = "n.scope = (SELECT scope FROM scan WHERE id = $1)"
const ofRoot =
  "n.scope IN (SELECT id FROM scope WHERE root = (SELECT root FROM scope c JOIN scan o ON o.scope = c.id WHERE o.id = $1))"

const vanishedRow = (row: ReadonlyArray<unknown>): Vanished & { readonly id: number } => ({
  id: integer(row, 0),
  path: text(row, 1),
  failed: flag(row, 2)
})

/** Statement over documents that the scope $1 claims, after the number $2. */
const vanishedSql = (condition: string, size: number): string =>
  `SELECT d.id, d.path, ${dialect.hasFailed} FROM claim c JOIN document d ON d.id = c.document
   WHERE c.scope = $1 AND d.id > $2 AND ${condition} ORDER BY d.id LIMIT ${size}`

const vanished = <E>({ transaction }: Tables<E>, current: Current): Stream.Stream<Vanished, E> =>
  Stream.map(
    paged(perStatement, (after, size) =>
      transaction((statements) =>
        Effect.flatMap(overlapping(statements, current), (scans) =>
          statements.rows(
            vanishedSql(`c.scan < $3 AND ${unseen("d.id", "$4")}`, size),
            [current.scope, after, scans[0] ?? current.scan, scans],
            vanishedRow
          )
        )
      )
    ),
    ({ failed, path }) => ({ path, failed })
  )

/** Statement over documents of the root $1 that scopes other than $2 claim, after the number $3. */
const claimedSql = (condition: string, size: number): string =>
  `SELECT d.id, d.path, array_agg(c.scope)::text[] FROM document d JOIN claim c ON c.document = d.id AND c.scope <> $2
   WHERE d.root = $1 AND d.id > $3 AND ${condition} GROUP BY d.id, d.path ORDER BY d.id LIMIT ${size}`

const claimedRow = (row: ReadonlyArray<unknown>): Claimed => {
  const scopes: unknown = row[2]
  return { id: integer(row, 0), path: text(row, 1), scopes: Array.isArray(scopes) ? scopes.map(Number) : [] }
}

const claimedElsewhere = <E>({ transaction }: Tables<E>, current: Current): Stream.Stream<Claimed, E> =>
  Stream.unwrap(
    Effect.map(
      transaction((statements) => isAlone(statements, current, ofRoot)),
      (alone) => {
        if (!alone) return Stream.empty
        return paged(perStatement, (after, size) =>
          transaction((statements) =>
            Effect.flatMap(overlapping(statements, current), (scans) =>
              statements.rows(
                claimedSql(unseen("d.id", "$4"), size),
                [current.root, current.scope, after, scans],
                claimedRow
              )
            )
          )
        )
      }
    )
  )

const complete = <E>(tables: Tables<E>, current: Current, at: number): Effect.Effect<void, E> =>
  tables.transaction((transaction) =>
    Effect.gen(function* () {
      const { query, rows } = transaction
      const { root, scan, scope } = current
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
      const alone = yield* isAlone(transaction, current, ofScope)
      if (alone) {
        const scans = yield* overlapping(transaction, current)
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
        yield* Effect.logInfo("another run works on the same documents: what is gone is removed by the last one")
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
    // A session that only lapsed may wake up: what it records belongs to its scan.
    query("DELETE FROM scan n WHERE n.scope = $1 AND NOT EXISTS (SELECT 1 FROM session s WHERE s.id = n.session)", [
      scope
    ])
  )

/** Ends a scan that did not come to its end, and those that are over. */
const end = <E>({ transaction }: Tables<E>, { over, scan }: Current) =>
  Effect.suspend(() => {
    const all = [...over.add(scan)]
    return Effect.map(
      transaction(({ query }) => {
        const which = "(SELECT id FROM scan WHERE id = ANY($1::bigint[]) AND ended IS NULL)"
        return Effect.zipRight(
          query(`DELETE FROM sight WHERE scan IN ${which}`, [all]),
          query(`DELETE FROM scan WHERE id IN ${which}`, [all])
        )
      }),
      () => {
        for (const one of all) over.delete(one)
      }
    )
  })

/** True when no other run works on the root. */
export const isRootFree = <E>({ rows }: Tables<E>, { over }: Scanning, root: string): Effect.Effect<boolean, E> =>
  Effect.suspend(() =>
    Effect.map(
      rows(
        `SELECT NOT EXISTS (SELECT 1 FROM scan n JOIN scope c ON c.id = n.scope JOIN root r ON r.id = c.root
           WHERE r.name = $2 AND NOT n.id = ANY($1::bigint[]) AND n.ended IS NULL AND ${alive})`,
        [[...over], root],
        (row) => flag(row, 0)
      ),
      ([free]) => free === true
    )
  )

/** Begins a scan of a session. */
export const begin = <E>(
  tables: Tables<E>,
  scanning: Scanning,
  bound: Bound,
  compared: Pick<Comparison, "expected" | "root">
): Effect.Effect<Running<E>, E> =>
  Effect.gen(function* () {
    const { over, session } = scanning
    /** The scan of an attempt, which may have begun although the server did not say so. */
    let attempted: number | null = null
    const given = Effect.sync(() => {
      if (attempted !== null) over.add(attempted)
    })
    const { counts, scan, settled } = yield* Effect.onError(
      tables.transaction(({ rows, script }) =>
        Effect.gen(function* () {
          yield* given
          const [scan = 0] = yield* rows(
            "INSERT INTO scan (scope, session, lapses) SELECT $1, id, lapses FROM session WHERE id = $2 RETURNING id",
            [bound.scope, session],
            (row) => integer(row, 0)
          )
          attempted = scan
          const [counts = { documents: 0, claimed: 0 }] = yield* rows(
            "SELECT (SELECT count(*) FROM document WHERE root = $1), (SELECT count(*) FROM claim WHERE scope = $2)",
            [bound.root, bound.scope],
            (row) => ({ documents: integer(row, 0), claimed: integer(row, 1) })
          )
          return { scan, counts, settled: yield* script(() => settledBy(compared.expected)) }
        })
      ),
      () => given
    )
    const current: Current = { root: bound.root, scope: bound.scope, scan, session, over }
    return {
      scope: bound.scope,
      ...counts,
      see: see(tables, { ...compared, settled, scan, found: () => {} }),
      vanished: vanished(tables, current),
      claimedElsewhere: () => claimedElsewhere(tables, current),
      complete: (at) => complete(tables, current, at),
      end: end(tables, current)
    }
  })

/** The findings of a scan without its writes: a preview keeps in memory what it found. */
export const preview = <E>(
  tables: Tables<E>,
  { root, scope }: Place,
  compared: Pick<Comparison, "expected" | "root">
): Effect.Effect<Previewed<E>, E> =>
  Effect.gen(function* () {
    const settled = yield* tables.transaction(({ script }) => script(() => settledBy(compared.expected)))
    const [claimed = 0] = yield* tables.rows("SELECT count(*) FROM claim WHERE scope = $1", [scope], (row) =>
      integer(row, 0)
    )
    const seen = new Numbers()
    const isUnseen = ({ id }: { readonly id: number }): boolean => !seen.has(id)
    return {
      claimed,
      see: see(tables, { ...compared, settled, scan: null, found: seen.add }),
      isSeen: ({ id }) => seen.has(id),
      vanished: paged(perStatement, (after, size) =>
        tables.rows(vanishedSql("true", size), [scope, after], vanishedRow)
      ).pipe(
        Stream.filter(isUnseen),
        Stream.map(({ failed, path }) => ({ path, failed }))
      ),
      claimedElsewhere: () =>
        Stream.filter(
          paged(perStatement, (after, size) => tables.rows(claimedSql("true", size), [root, scope, after], claimedRow)),
          isUnseen
        )
    }
  })
