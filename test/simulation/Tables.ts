/** The tables of a state in SQLite. Those of a simulation that ended are emptied for the next one. */
import Libsql from "libsql"
import { migrations } from "../../src/internal/state/postgres/schema.ts"
import * as Sql from "./Sql.ts"

export type Rows = ReadonlyArray<ReadonlyArray<unknown>>

interface Prepared {
  readonly statement: Libsql.Statement
  readonly reads: boolean
}

const rowOf = (row: unknown): ReadonlyArray<unknown> => (Array.isArray(row) ? row : [])

const free: Array<Tables> = []

export class Tables {
  private readonly db = new Libsql(":memory:")
  private readonly statements = new Map<string, Prepared>()
  private readonly names: ReadonlyArray<string>

  static taken(): Tables {
    return free.pop() ?? new Tables()
  }

  private constructor() {
    for (const migration of migrations) this.db.exec(Sql.schema(migration))
    this.names = this.rows("SELECT name FROM sqlite_master WHERE type = 'table'", []).map(([name]) => String(name))
    this.db.exec(`CREATE TABLE state (version integer NOT NULL, id text NOT NULL);
      INSERT INTO state VALUES (${migrations.length}, '0123456789abcdef');
      CREATE TABLE machine (now real NOT NULL); INSERT INTO machine VALUES (0)`)
    // A default of the original.
    this.db.exec(
      "CREATE TRIGGER began AFTER INSERT ON scan BEGIN UPDATE scan SET started = (SELECT now FROM machine) WHERE id = new.id; END"
    )
  }

  rows(sql: string, values: ReadonlyArray<Sql.Scalar>): Rows {
    const { reads, statement } = this.statements.get(sql) ?? this.prepared(sql)
    if (reads) return statement.all([...values]).map(rowOf)
    statement.run([...values])
    return []
  }

  private prepared(sql: string): Prepared {
    const statement = this.db.prepare(sql)
    const made = { statement, reads: statement.reader }
    if (made.reads) statement.raw(true)
    this.statements.set(sql, made)
    return made
  }

  giveBack(): void {
    if (this.db.inTransaction) this.db.exec("ROLLBACK")
    for (const name of this.names) this.rows(`DELETE FROM ${name}`, [])
    free.push(this)
  }
}
