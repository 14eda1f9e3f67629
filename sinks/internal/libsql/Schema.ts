import type { EmbeddingSpace, Found, Opening, SinkError } from "docsluice/ChunkSink"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import { columns, listed } from "../shared/ChunkRow.ts"
import * as Tenant from "../shared/Tenant.ts"
import * as Words from "../shared/Words.ts"
import type { Database } from "./Database.ts"

/**
 * Our tables, and whether columns are theirs. `docsluice` has one row: the stamp (in the first version as three columns), and the last row of
 * `chunks` that the full-text index holds. Row ids are never given twice, so whatever is above it waits to be indexed, also
 * after a kill. A store with tenants has their stamps in `docsluice_tenants`, and none in `docsluice`, so that a version without tenants
 * refuses it.
 */
const tables = {
  docsluice: (there: ReadonlyArray<string>) =>
    ["stamp,indexed", "indexed", "format,store_id,space,indexed", "format,store_id,space,indexed,stamp"].includes(
      there.join()
    ),
  docsluice_tenants: (there: ReadonlyArray<string>) => there.join() === "tenant,stamp",
  chunks: (there: ReadonlyArray<string>) =>
    ["row", "embedding", ...columns.map(({ name }) => name)].every((name) => there.includes(name)),
  chunks_fts: (there: ReadonlyArray<string>) => /^(?:text|terms\d+),headings,source$/u.test(there.join())
} as const

const names = ["docsluice", "docsluice_tenants", "chunks", "chunks_fts"] as const

const types = { text: "TEXT", integer: "INTEGER", json: "TEXT" } as const

/** Columns of a full-text index; the first names the version of its terms. The first version of the index held texts, in a column `text`. */
export const searchMembers = (version: Terms.Version) => [Words.nameOf(version), "headings", "source"] as const

/** Columns and settings of an index of terms made by `Terms`, between blanks; to this tokenizer all characters beyond ASCII are letters. */
export const searchColumns = (version: Terms.Version): string =>
  `${searchMembers(version).join(", ")}, content='', contentless_delete=1, tokenize="ascii"`

const searchIndex = `
    CREATE VIRTUAL TABLE chunks_fts USING fts5(${searchColumns(Terms.version)});
    CREATE TRIGGER chunks_removed AFTER DELETE ON chunks WHEN old.row <= (SELECT indexed FROM docsluice) BEGIN
      DELETE FROM chunks_fts WHERE rowid = old.row;
    END;`

const members = (unique: boolean): string =>
  columns
    .map(({ member, name, kind, required }) =>
      [name, types[kind], required ? "NOT NULL" : "", unique && member === "id" ? "UNIQUE" : ""].join(" ")
    )
    .join(", ")

/** Each tenant has vectors of its own space, whose lengths only the sink knows. */
const definitionWithTenants = `
    CREATE TABLE docsluice (indexed INTEGER NOT NULL);
    INSERT INTO docsluice VALUES (0);
    CREATE TABLE docsluice_tenants (tenant TEXT PRIMARY KEY, stamp TEXT NOT NULL);
    CREATE TABLE chunks (
      row INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, ${members(false)}, embedding BLOB, UNIQUE (tenant, id)
    );
    CREATE INDEX chunks_document ON chunks (tenant, document_id);
    CREATE INDEX chunks_tenant ON chunks (tenant);
    ${searchIndex}`

const definition = (space: EmbeddingSpace | null): string => {
  const vector = space === null ? "embedding IS NULL" : `length(embedding) = ${4 * space.dimensions}`
  return `
    CREATE TABLE docsluice (stamp TEXT NOT NULL, indexed INTEGER NOT NULL);
    CREATE TABLE chunks (
      row INTEGER PRIMARY KEY AUTOINCREMENT, ${members(true)}, embedding BLOB CHECK (${vector})
    );
    CREATE INDEX chunks_document ON chunks (document_id);
    ${searchIndex}`
}

/** In lower case: on the way to a server, the client writes a name that is also a keyword in capitals. */
const columnsOf = (db: Database, table: string): ReadonlyArray<string> =>
  db
    .rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", [`${table}${db.suffix}`])
    .map(([name]) => String(name).toLowerCase())

const isOurs = (db: Database, table: keyof typeof tables): boolean => {
  const there = columnsOf(db, table)
  const [row] = db.rows("SELECT type, sql FROM sqlite_master WHERE name = ?", [`${table}${db.suffix}`])
  const isVirtual = /^CREATE VIRTUAL TABLE .*fts5/isu.test(String(row?.[1]))
  return row?.[0] === "table" && isVirtual === (table === "chunks_fts") && tables[table](there)
}

/** Names of tables, views, indexes and triggers that are this sink's, or that take its names. */
const present = (db: Database): ReadonlyArray<string> =>
  db
    .rows(
      `SELECT name FROM sqlite_master
       WHERE name COLLATE NOCASE IN ('docsluice', 'docsluice_tenants', 'chunks', 'chunks_fts', 'chunks_document', 'chunks_tenant', 'chunks_removed')`
    )
    .map(([name]) => String(name).slice(0, -db.suffix.length || undefined))

const hasTenants = (db: Database): boolean => columnsOf(db, "chunks").includes("tenant")

const stampOf = (db: Database, tenant: string | null): string | null => {
  if (tenant !== null) {
    const [own] = db.rows("SELECT stamp FROM docsluice_tenants WHERE tenant = ?", [tenant])
    return typeof own?.[0] === "string" ? own[0] : null
  }
  const text = columnsOf(db, "docsluice").includes("stamp") ? "stamp" : "NULL"
  const members = columnsOf(db, "docsluice").includes("store_id")
    ? "json_object('format', format, 'storeId', store_id, 'space', json(space))"
    : "NULL"
  const [row] = db.rows(`SELECT coalesce(${text}, ${members}) FROM docsluice`)
  return typeof row?.[0] === "string" ? row[0] : null
}

const chunksOf = (db: Database, tenant: string | null, most: number) =>
  db
    .rows(`SELECT document_id, id FROM chunks WHERE TRUE${Tenant.condition(tenant)} LIMIT ?`, [most])
    .map(([documentId, id]) => listed(documentId, id))

const look = (db: Database, tenant: string | null): Found => {
  const there = present(db)
  if (there.length === 0) return { _tag: "Absent" }
  const stranger = names.find((name) => there.includes(name) && !isOurs(db, name))
  const taken = stranger ?? (there.includes("chunks") || there.includes("docsluice") ? undefined : there[0])
  if (taken !== undefined) {
    return {
      _tag: "Foreign",
      problem: `the database has \`${taken}\`, which this sink did not make; nothing was changed, use another file`
    }
  }
  if (there.includes("chunks") && hasTenants(db) !== (tenant !== null)) {
    return tenant === null
      ? { _tag: "Foreign", problem: Tenant.needed, tenants: true }
      : { _tag: "Foreign", problem: Tenant.lacking("the database") }
  }
  const stamp = there.includes(tenant === null ? "docsluice" : "docsluice_tenants") ? stampOf(db, tenant) : null
  const chunks = there.includes("chunks") ? chunksOf(db, tenant, stamp === null ? 100 : 1) : null
  if (stamp === null) {
    if (tenant !== null && (chunks ?? []).length === 0) return { _tag: "Absent" }
    const embedded = `SELECT 1 FROM chunks WHERE embedding IS NOT NULL${Tenant.condition(tenant)} LIMIT 1`
    return { _tag: "Unstamped", chunks: chunks ?? [], vectors: chunks !== null && db.rows(embedded).length > 0 }
  }
  return chunks === null ? { _tag: "Absent" } : { _tag: "Stamped", stamp, empty: chunks.length === 0, changed: false }
}

export const inspect = (db: Database, tenant: string | null): Effect.Effect<Found, SinkError> =>
  db.attempt(() => look(db, tenant))

/** Drops this sink's tables; only to be called when every table of these names is its own. */
const drop = (db: Database): void => {
  for (const table of names) db.exec(`DROP TABLE IF EXISTS ${table}`)
}

const create = (db: Database, space: EmbeddingSpace | null, stamp: string): void => {
  drop(db)
  db.exec(definition(space))
  db.run("INSERT INTO docsluice VALUES (?, 0)", [stamp])
}

/** Writes the stamp of a tenant, with the tables of a store that has none. */
const stampTenant = (db: Database, tenant: string, stamp: string): void => {
  const there = present(db)
  if (!there.includes("chunks")) {
    drop(db)
    db.exec(definitionWithTenants)
  } else if (!there.includes("docsluice")) {
    db.exec("CREATE TABLE docsluice (indexed INTEGER NOT NULL); INSERT INTO docsluice VALUES (0)")
    renewIndex(db)
  }
  db.exec("CREATE TABLE IF NOT EXISTS docsluice_tenants (tenant TEXT PRIMARY KEY, stamp TEXT NOT NULL)")
  if (!present(db).includes("chunks_fts")) renewIndex(db)
  db.run("INSERT OR REPLACE INTO docsluice_tenants VALUES (?, ?)", [tenant, stamp])
}

/** Drops the full-text index, and lets all rows wait for a new one. */
const renewIndex = (db: Database): void =>
  db.exec(
    `DROP TABLE IF EXISTS chunks_fts; DROP TRIGGER IF EXISTS chunks_removed; UPDATE docsluice SET indexed = 0; ${searchIndex}`
  )

/** Version of the terms in the full-text index; null where it holds texts, as the first version indexed them. */
export const termsOf = (db: Database): Terms.Version | null => Words.versionOf(columnsOf(db, "chunks_fts"))

/** Writes the stamp and keeps the content; without a full-text index all rows wait to be indexed. */
const restamp = (db: Database, space: EmbeddingSpace | null, stamp: string): void => {
  const there = present(db)
  if (!there.includes("chunks")) return create(db, space, stamp)
  if (!there.includes("docsluice")) {
    db.exec("DROP TABLE IF EXISTS chunks_fts; DROP TRIGGER IF EXISTS chunks_removed")
    db.exec("CREATE TABLE docsluice (stamp TEXT NOT NULL, indexed INTEGER NOT NULL)")
  } else if (!columnsOf(db, "docsluice").includes("stamp")) {
    db.exec("ALTER TABLE docsluice ADD COLUMN stamp TEXT")
  }
  if (db.rows("SELECT 1 FROM docsluice").length === 0) {
    const columns = columnsOf(db, "docsluice").includes("format")
      ? "(format, store_id, indexed, stamp) VALUES (1, '', 0, ?)"
      : "(indexed, stamp) VALUES (0, ?)"
    db.exec("DROP TABLE IF EXISTS chunks_fts; DROP TRIGGER IF EXISTS chunks_removed")
    db.run(`INSERT INTO docsluice ${columns}`, [stamp])
  } else {
    db.run("UPDATE docsluice SET stamp = ?", [stamp])
  }
  if (!present(db).includes("chunks_fts")) renewIndex(db)
}

/** Creates the tables, or takes those that are there, in one transaction; an index of texts, of the first version, is emptied. */
export const prepare =
  ({ decide, space }: Opening, tenant: string | null) =>
  (db: Database): Effect.Effect<void, SinkError> =>
    inTransaction(
      db,
      Effect.gen(function* () {
        const { action, stamp } = yield* decide(yield* inspect(db, tenant))
        yield* db.attempt(() => {
          if (tenant !== null) {
            if (action !== "open") stampTenant(db, tenant, stamp)
          } else if (action === "create") create(db, space, stamp)
          else if (action === "stamp") restamp(db, space, stamp)
          // The texts are in the store, so that an index of texts is built again without parsing; one of terms serves as it is.
          if (termsOf(db) === null) renewIndex(db)
        })
      })
    )

/** Removes the chunks and the stamp of a tenant; true when no other tenant is left. */
const removeTenant = (db: Database, tenant: string): boolean => {
  db.run("DELETE FROM chunks WHERE tenant = ?", [tenant])
  db.run("DELETE FROM docsluice_tenants WHERE tenant = ?", [tenant])
  return db.rows("SELECT 1 FROM docsluice_tenants UNION ALL SELECT 1 FROM chunks LIMIT 1").length === 0
}

/**
 * Drops the tables if all of them are this sink's, and returns their space to the file system; a server does that itself. Of a tenant, only
 * its part; the tables go with the last one.
 */
export const clear = (db: Database, tenant: string | null): Effect.Effect<void, SinkError> =>
  db.attempt(() => {
    const dropped = db.transaction(() => {
      const { _tag } = look(db, tenant)
      if (_tag === "Foreign" || _tag === "Absent") return false
      if (tenant === null || removeTenant(db, tenant)) drop(db)
      return true
    })
    if (dropped && !db.remote) db.exec("VACUUM")
  })

const inTransaction = <A>(db: Database, body: Effect.Effect<A, SinkError>): Effect.Effect<A, SinkError> =>
  Effect.acquireUseRelease(
    db.attempt(() => db.exec("BEGIN IMMEDIATE")),
    () =>
      Effect.zipLeft(
        body,
        db.attempt(() => db.exec("COMMIT"))
      ),
    (_, exit) => (exit._tag === "Success" ? Effect.void : Effect.ignore(db.attempt(() => db.exec("ROLLBACK"))))
  )
