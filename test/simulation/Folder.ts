/** A state in a folder of a disk, as somebody sees it who looks into its files. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import Libsql from "libsql"
import type { Standing, StateTables } from "./Database.ts"
import type { Disk } from "./Disk.ts"

export class Folder implements StateTables {
  readonly place: string
  private readonly disk: Disk

  constructor(disk: Disk) {
    this.disk = disk
    this.place = join(disk.place, "state")
  }

  standing(): Standing {
    const document = "SELECT r.name || '/' || d.path FROM document d JOIN root r ON r.id = d.root WHERE"
    const files = Layer.merge(Layer.succeed(FileSystem.FileSystem, this.disk.fileSystem(null)), Path.layer)
    const letters = DeadLetter.DeadLetter.pipe(
      Effect.flatMap(({ entries }) => entries),
      Effect.provide(Layer.provide(DeadLetter.layer(join(this.place, "dead-letter.jsonl")), files))
    )
    return {
      failures: this.ids(`${document} d.failed = 1`, []).toSorted(),
      letters: Effect.runSync(letters)
        .map(({ root, source }) => `${root}/${source}`)
        .toSorted(),
      pending: this.ids(`${document} d.id IN (SELECT document FROM pending)`, []).toSorted()
    }
  }

  isStored(sink: string, documentId: string): boolean {
    const sql =
      "SELECT 1 FROM document d JOIN root r ON r.id = d.root JOIN acknowledgement a ON a.id = d.acks WHERE r.name || '/' || d.path = ? AND a.value LIKE ?"
    return this.ids(sql, [documentId, `%${sink}%`]).length > 0
  }

  change(sql: string): void {
    this.opened((db) => void db.prepare(sql).run())
  }

  private ids(sql: string, values: ReadonlyArray<string>): ReadonlyArray<string> {
    const rows = this.opened((db): ReadonlyArray<unknown> =>
      db
        .prepare(sql)
        .raw(true)
        .all([...values])
    )
    return (rows ?? []).map((row) => String(Array.isArray(row) ? row[0] : row))
  }

  private opened<A>(use: (db: Libsql.Database) => A): A | undefined {
    const file = join(this.place, "ledger.db")
    if (!existsSync(file)) return undefined
    const db = new Libsql(file)
    try {
      return use(db)
    } finally {
      db.close()
    }
  }
}
