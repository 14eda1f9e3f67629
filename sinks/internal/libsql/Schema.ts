import { checkSpace, EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { columns } from "../shared/ChunkRow.ts"
import { Stamp, storeId } from "../shared/Stamp.ts"
import { attempt, type Database } from "./Database.ts"

/**
 * `docsluice` has one row: the stamp, and the last row of `chunks` that the full-text index holds. Row ids are never given
 * twice, so whatever is above it waits to be indexed, also after a kill.
 */
const tables = ["docsluice", "chunks", "chunks_fts"] as const

const types = { text: "TEXT", integer: "INTEGER", json: "TEXT" } as const

const definition = (space: EmbeddingSpace | null): string => {
  const members = columns.map(({ member, name, kind, required }) =>
    [name, types[kind], required ? "NOT NULL" : "", member === "id" ? "UNIQUE" : ""].join(" ")
  )
  const vector = space === null ? "embedding IS NULL" : `length(embedding) = ${4 * space.dimensions}`
  return `
    CREATE TABLE docsluice (format INTEGER NOT NULL, store_id TEXT NOT NULL, space TEXT, indexed INTEGER NOT NULL);
    CREATE TABLE chunks (
      row INTEGER PRIMARY KEY AUTOINCREMENT, ${members.join(", ")}, embedding BLOB CHECK (${vector})
    );
    CREATE INDEX chunks_document ON chunks (document_id);
    CREATE VIRTUAL TABLE chunks_fts USING fts5(
      text, headings, source, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2"
    );
    CREATE TRIGGER chunks_removed AFTER DELETE ON chunks WHEN old.row <= (SELECT indexed FROM docsluice) BEGIN
      DELETE FROM chunks_fts WHERE rowid = old.row;
    END;`
}

const drop = (db: Database): void => {
  for (const table of tables) db.exec(`DROP TABLE IF EXISTS ${table}`)
}

const MetaRow = Schema.Tuple(Schema.Number, Schema.String, Schema.NullOr(Schema.parseJson(EmbeddingSpace)))

/** The stamp; null where there is none, and `Mismatch` where the tables are somebody else's. */
export const read = (sink: string, db: Database): Effect.Effect<Stamp | null, SinkError> =>
  Effect.gen(function* () {
    const there = yield* attempt(sink, () =>
      db
        .rows(`SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('docsluice', 'chunks')`)
        .map(([name]) => name)
    )
    if (there.length === 0) return null
    if (!there.includes("docsluice")) {
      return yield* new SinkError({
        sink,
        reason: "Mismatch",
        problem: "the database has a table `chunks` that this sink did not make; use another file"
      })
    }
    if (!there.includes("chunks")) return null
    const [row] = yield* attempt(sink, () => db.rows("SELECT format, store_id, space FROM docsluice"))
    return yield* Schema.decodeUnknown(MetaRow)(row).pipe(
      Effect.flatMap(([format, id, space]) => Schema.decodeUnknown(Stamp)({ format, storeId: id, space })),
      Effect.mapError(
        () =>
          new SinkError({
            sink,
            reason: "Mismatch",
            problem: "its stamp is not one that this version reads; use another file, or --rebuild to empty this one"
          })
      )
    )
  })

/** Creates the tables, or checks them, in one transaction; gives the store id. */
export const prepare = (sink: string, db: Database, space: EmbeddingSpace | null): Effect.Effect<string, SinkError> =>
  inTransaction(
    sink,
    db,
    Effect.gen(function* () {
      const stamp = yield* read(sink, db)
      const empty = stamp === null || (yield* attempt(sink, () => db.rows("SELECT 1 FROM chunks LIMIT 1"))).length === 0
      yield* checkSpace({ sink, stamped: stamp?.space ?? null, asked: space, empty })
      if (!empty) return stamp.storeId
      const id = stamp?.storeId ?? (yield* storeId)
      yield* attempt(sink, () => {
        drop(db)
        db.exec(definition(space))
        db.run("INSERT INTO docsluice VALUES (1, ?, ?, 0)", [id, space === null ? null : JSON.stringify(space)])
      })
      return id
    })
  )

/** Drops the tables, when they are ours, and gives their room back. */
export const clear = (sink: string, db: Database): Effect.Effect<void, SinkError> =>
  attempt(sink, () => {
    if (db.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'docsluice'").length === 0) return
    db.transaction(() => drop(db))
    db.exec("VACUUM")
  })

const inTransaction = <A>(sink: string, db: Database, body: Effect.Effect<A, SinkError>): Effect.Effect<A, SinkError> =>
  Effect.acquireUseRelease(
    attempt(sink, () => db.exec("BEGIN IMMEDIATE")),
    () =>
      Effect.zipLeft(
        body,
        attempt(sink, () => db.exec("COMMIT"))
      ),
    (_, exit) => (exit._tag === "Success" ? Effect.void : Effect.ignore(attempt(sink, () => db.exec("ROLLBACK"))))
  )
