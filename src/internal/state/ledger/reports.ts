/** Reports of the last runs. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Recorded, RunReport } from "../../../RunReport.ts"
import { type Database, integer, nullable, text } from "../libsql.ts"

/** Runs whose reports are kept. */
const kept = 20

const json = Schema.parseJson(RunReport)
const encode = Schema.encodeSync(json)
const decode = Schema.decodeUnknownEither(json)

/** Records the report of a run and drops those of all but the last twenty runs. */
export const keep = (db: Database, run: number, report: RunReport): void => {
  db.sql("INSERT OR REPLACE INTO run_report (run, body) VALUES (?, ?)").run(run, encode(report))
  db.sql("DELETE FROM run_report WHERE run <= ?").run(run - kept)
}

/** The last twenty runs, the latest first. A report that cannot be read counts as none: it is of a later version. */
export const last = (db: Database): ReadonlyArray<Recorded> =>
  db
    .sql(
      `SELECT run.id, started, finished, ifnull((SELECT value FROM request WHERE digest = run.request), ''), body
       FROM run LEFT JOIN run_report ON run_report.run = run.id ORDER BY run.id DESC LIMIT ${kept}`
    )
    .all()
    .map((row) => {
      const body = nullable(row, 4, text)
      const report = body === null ? null : Either.getOrElse(decode(body), () => null)
      return {
        run: integer(row, 0),
        startedAt: integer(row, 1),
        finishedAt: nullable(row, 2, integer),
        request: text(row, 3),
        report
      }
    })
