import { integer } from "../columns.ts"
import { type Dialect, query, rows } from "../ledger/script.ts"

/** PostgreSQL's spelling of the ledger's scripts. */
export const dialect: Dialect = {
  isIn: (column, parameter, type) => `${column} = ANY(${parameter}::${type}[])`,
  locked: "FOR UPDATE",
  hasFailed: "d.failure IS NOT NULL",
  failedRequests: "SELECT request FROM document WHERE request IS NOT NULL",
  contents: { table: "document", document: "c.id" },
  idsInJson: "json_array_length(convert_from(substr(c.chunks, 2), 'UTF8')::json)",
  chunking: "to_jsonb(root) ->> 'chunking'",
  // A transaction that is run again, since its commit was not confirmed, finds its run by the token.
  addRun: function* (startedAt, digest, token) {
    yield* query(
      "INSERT INTO run (token, started, request) SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM run WHERE token = $1)",
      [token, startedAt, digest]
    )
    const [id = 0] = yield* rows("SELECT id FROM run WHERE token = $1", [token], (row) => integer(row, 0))
    return id
  },
  report: "report",
  setReport: (run, body) => query("UPDATE run SET report = $2 WHERE id = $1", [run, body]),
  dropReports: (last) => query("UPDATE run SET report = NULL WHERE report IS NOT NULL AND id <= $1", [last])
}
