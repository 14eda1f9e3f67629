/** Runs, their requests and their reports. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Summary } from "../../../Outcome.ts"
import { sha256 } from "../../base/sha256.ts"
import { integer, nullable, text } from "../columns.ts"
import { corrupted } from "../libsql.ts"
import { type Recorded, RunReport } from "./runReport.ts"
import { type Dialect, query, rows, type Script } from "./script.ts"

/**
 * A recorded run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Run {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** The run's request, as the caller wrote it. */
  readonly request: string
  /** Null while it runs, and permanently when it was killed. */
  readonly finishedAt: number | null
  readonly summary: Summary | null
}

/**
 * A run's request and its digest.
 *
 * @since 0.1.0
 * @category models
 */
export interface Request {
  /** SHA-256 of `text`, lower-case hexadecimal. */
  readonly digest: string
  readonly text: string
}

/** Runs that are kept, and those of them whose reports are. */
const kept = { runs: 100, reports: 20 } as const

const summaryJson = Schema.parseJson(Summary)
const encodeSummary = Schema.encodeSync(summaryJson)
const decodeSummary = Schema.decodeUnknownEither(summaryJson)
const reportJson = Schema.parseJson(RunReport)
const encodeReport = Schema.encodeSync(reportJson)
const decodeReport = Schema.decodeUnknownEither(reportJson)

const summaryOf = (source: string | null): Summary | null => {
  if (source === null) return null
  const decoded = decodeSummary(source)
  if (Either.isRight(decoded)) return decoded.right
  throw corrupted("the summary of a run is not readable")
}

/** Number of the last run that is not one of the latest; undefined when there are no more. */
function* lastBefore(latest: number): Script<number | undefined> {
  const [last] = yield* rows(`SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ${latest}`, [], (row) =>
    integer(row, 0)
  )
  return last
}

/**
 * Adds a run and keeps the last hundred; keeps a request as long as one of those or a failure names it. `token`: the same for each
 * repetition of the script.
 */
export function* startRun(dialect: Dialect, startedAt: number, request: string, token: string): Script<number> {
  const digest = request === "" ? "" : sha256(request)
  if (digest !== "") {
    yield* query(
      "INSERT INTO request (digest, value) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM request WHERE digest = $1) ON CONFLICT DO NOTHING",
      [digest, request]
    )
  }
  const id = yield* dialect.addRun(startedAt, digest, token)
  const last = yield* lastBefore(kept.runs)
  if (last !== undefined) {
    yield* query("DELETE FROM run WHERE id <= $1", [last])
    yield* query(
      `DELETE FROM request WHERE digest NOT IN (SELECT request FROM run) AND id NOT IN (${dialect.failedRequests})`
    )
  }
  return id
}

/** Records the summary and the report, and drops the reports of all but the last twenty runs. */
export function* finishRun(
  dialect: Dialect,
  run: number,
  finishedAt: number,
  told: { readonly summary: Summary; readonly report: RunReport }
): Script<void> {
  yield* query("UPDATE run SET finished = $2, summary = $3 WHERE id = $1", [
    run,
    finishedAt,
    encodeSummary(told.summary)
  ])
  yield* dialect.setReport(run, encodeReport(told.report))
  const last = yield* lastBefore(kept.reports)
  if (last !== undefined) yield* dialect.dropReports(last)
}

const requestText = "coalesce((SELECT value FROM request q WHERE q.digest = run.request), '')"

export function* lastRun(): Script<Run | null> {
  const [run] = yield* rows(
    `SELECT started, ${requestText}, finished, summary FROM run ORDER BY id DESC LIMIT 1`,
    [],
    (row) => ({
      startedAt: integer(row, 0),
      request: text(row, 1),
      finishedAt: nullable(row, 2, integer),
      summary: summaryOf(nullable(row, 3, text))
    })
  )
  return run ?? null
}

/** The last twenty runs, the latest first. A report that cannot be read counts as missing: a later version wrote it. */
export const reports = ({ report }: Dialect): Script<ReadonlyArray<Recorded>> =>
  rows(
    `SELECT id, started, finished, ${requestText}, ${report} FROM run ORDER BY id DESC LIMIT ${kept.reports}`,
    [],
    (row) => {
      const body = nullable(row, 4, text)
      return {
        run: integer(row, 0),
        startedAt: integer(row, 1),
        finishedAt: nullable(row, 2, integer),
        request: text(row, 3),
        report: body === null ? null : Either.getOrElse(decodeReport(body), () => null)
      }
    }
  )

/** Distinct requests, that of the latest run first. */
export const requests = (): Script<ReadonlyArray<Request>> =>
  rows(
    "SELECT q.digest, q.value FROM request q ORDER BY (SELECT max(id) FROM run WHERE run.request = q.digest) DESC NULLS LAST, q.id DESC",
    [],
    (row) => ({ digest: text(row, 0), text: text(row, 1) })
  )
