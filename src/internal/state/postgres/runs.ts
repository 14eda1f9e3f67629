import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Summary } from "../../../Outcome.ts"
import { type Recorded, RunReport } from "../../../RunReport.ts"
import { sha256 } from "../../base/sha256.ts"
import type { Request, Run } from "../ledger/runs.ts"
import * as Summaries from "../ledger/summary.ts"
import type { ServerFailure } from "../serverFailure.ts"
import { integer, nullable, text } from "./columns.ts"
import type { Connection } from "./connection.ts"

/** Runs that are kept, and those of them whose reports are. */
const kept = { runs: 100, reports: 20 } as const

const reportJson = Schema.parseJson(RunReport)
const decodeReport = Schema.decodeUnknownEither(reportJson)
const encodeReport = Schema.encodeSync(reportJson)

/** Adds a run and keeps the last hundred; keeps a request as long as one of those or a failure names it. */
export const startRun = (
  connection: Connection,
  startedAt: number,
  request: string
): Effect.Effect<number, ServerFailure> =>
  Effect.suspend(() => {
    // A transaction that is run again, since its commit was not confirmed, finds its run by this.
    const token = randomUUID()
    const digest = request === "" ? "" : sha256(request)
    return connection.transaction(({ query, rows }) =>
      Effect.gen(function* () {
        if (digest !== "") {
          yield* query(
            "INSERT INTO request (digest, value) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM request WHERE digest = $1) ON CONFLICT DO NOTHING",
            [digest, request]
          )
        }
        yield* query(
          "INSERT INTO run (token, started, request) SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM run WHERE token = $1)",
          [token, startedAt, digest]
        )
        const [id = 0] = yield* rows("SELECT id FROM run WHERE token = $1", [token], (row) => integer(row, 0))
        const old = yield* rows(
          `DELETE FROM run WHERE id <= (SELECT id FROM run ORDER BY id DESC OFFSET ${kept.runs} LIMIT 1) RETURNING id`,
          [],
          (row) => integer(row, 0)
        )
        if (old.length > 0) {
          yield* query(
            `DELETE FROM request q WHERE NOT EXISTS (SELECT 1 FROM run WHERE run.request = q.digest)
             AND NOT EXISTS (SELECT 1 FROM document d WHERE d.request = q.id)`
          )
        }
        return id
      })
    )
  })

/** Records the summary and the report, and drops the reports of all but the last twenty runs. */
export const finishRun = (
  connection: Connection,
  run: number,
  finishedAt: number,
  summary: Summary,
  report: RunReport
): Effect.Effect<void, ServerFailure> =>
  connection.transaction(({ query }) =>
    Effect.zipRight(
      query("UPDATE run SET finished = $2, summary = $3, report = $4 WHERE id = $1", [
        run,
        finishedAt,
        Summaries.encode(summary),
        encodeReport(report)
      ]),
      query(
        `UPDATE run SET report = NULL WHERE report IS NOT NULL AND id <= (SELECT id FROM run ORDER BY id DESC OFFSET ${kept.reports} LIMIT 1)`
      )
    )
  )

const requestText = "coalesce((SELECT value FROM request q WHERE q.digest = run.request), '')"

export const lastRun = (connection: Connection): Effect.Effect<Run | null, ServerFailure> =>
  Effect.map(
    connection.rows(
      `SELECT started, ${requestText}, finished, summary FROM run ORDER BY id DESC LIMIT 1`,
      [],
      (row): Run => ({
        startedAt: integer(row, 0),
        request: text(row, 1),
        finishedAt: nullable(row, 2, integer),
        summary: Summaries.read(nullable(row, 3, text))
      })
    ),
    ([run]) => run ?? null
  )

/** The last twenty runs, the latest first. A report that cannot be read counts as none: it is of a later version. */
export const reports = (connection: Connection): Effect.Effect<ReadonlyArray<Recorded>, ServerFailure> =>
  connection.rows(
    `SELECT id, started, finished, ${requestText}, report FROM run ORDER BY id DESC LIMIT ${kept.reports}`,
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
export const requests = (connection: Connection): Effect.Effect<ReadonlyArray<Request>, ServerFailure> =>
  connection.rows(
    "SELECT q.digest, q.value FROM request q ORDER BY (SELECT max(id) FROM run WHERE run.request = q.digest) DESC NULLS LAST, q.id DESC",
    [],
    (row) => ({ digest: text(row, 0), text: text(row, 1) })
  )
