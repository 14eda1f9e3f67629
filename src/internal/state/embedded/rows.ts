/** Documents between the tables of libSQL and memory. */
import type { ChunkId } from "../../../DocumentChunk.ts"
import { rootOf } from "../../../SourceFile.ts"
import { bytes, integer, text } from "../columns.ts"
import { absent, type Document, isBare } from "../ledger/document.ts"
import {
  checksum,
  decodeAcks,
  decodeSetting,
  encodeAcks,
  encodeFailure,
  encodeReport,
  encodeSetting,
  type Setting
} from "../ledger/encoding.ts"
import type { Acknowledgement, Key } from "../ledger/entry.ts"
import * as ChunkIds from "../ledger/packedIds.ts"
import * as Shared from "../ledger/rows.ts"
import * as Sightings from "../ledger/sighting.ts"
import { corrupted, type Database, type Row, type Value } from "../libsql.ts"

/** A table of texts, each kept once; both directions are cached in memory. */
interface Interned<A> {
  readonly idOf: (value: A) => number
  readonly valueOf: (id: number) => A
  /** Clears the cached texts: after a rollback a number may refer to another text. */
  readonly reset: () => void
}

const interned = <A>(
  db: Database,
  table: "setting" | "acknowledgement",
  encode: (value: A) => string,
  decode: (source: string) => A
): Interned<A> => {
  const ids = new Map<string, number>()
  const values = new Map<number, A>()
  const find = (source: string): number | undefined => {
    const row = db.sql(`SELECT id FROM ${table} WHERE value = ?`).first(source)
    return row === undefined ? undefined : integer(row, 0)
  }
  const idOf = (value: A): number => {
    const source = encode(value)
    const known = ids.get(source)
    if (known !== undefined) return known
    const id = find(source) ?? db.sql(`INSERT INTO ${table} (value) VALUES (?)`).run(source).id
    ids.set(source, id)
    return id
  }
  const valueOf = (id: number): A => {
    const known = values.get(id)
    if (known !== undefined) return known
    const row = db.sql(`SELECT value FROM ${table} WHERE id = ?`).first(id)
    if (row === undefined) throw corrupted(`${table} ${id} is missing`)
    const value = decode(text(row, 0))
    values.set(id, value)
    return value
  }
  const reset = (): void => {
    ids.clear()
    values.clear()
  }
  return { idOf, valueOf, reset }
}

/** A document that was read, and what its tables hold of it besides. */
interface Loaded {
  readonly document: Document
  /** True when it has a row of a failure. */
  readonly failed: boolean
  /** How many of its claims are written. */
  readonly claimed: number
}

/** Documents kept in memory, the last ones: more than a run holds between the decision and the announcement. */
const mostLoaded = 1024

const columns = `d.id, r.name, d.path, d.generation, d.setting, d.acks, d.print, d.etag, d.hash, c.chunks, c.report, c.checksum,
  f.body, f.print, f.etag, q.digest, EXISTS (SELECT 1 FROM pending p WHERE p.document = d.id)`

const details =
  "LEFT JOIN content c ON c.document = d.id LEFT JOIN failure f ON f.document = d.id LEFT JOIN request q ON q.id = f.request"

/**
 * `CROSS` fixes the order of the join: the planner would read a root's documents by path and sort them by number, again for every page.
 */
const select = `SELECT ${columns} FROM document d CROSS JOIN root r ON r.id = d.root ${details} WHERE`

const selectByPath = `SELECT ${columns} FROM root r CROSS JOIN document d ON d.root = r.id ${details} WHERE r.name = ? AND d.path = ?`

/** The documents of a database. The lock of the state makes this process the only writer: what was read last stays true. */
export class Documents {
  private readonly db: Database
  private readonly settings: Interned<Setting>
  private readonly acks: Interned<ReadonlyArray<Acknowledgement>>
  private readonly shared: Shared.Shared
  /** By document id: a write need not read again what its decision or its announcement read and wrote. */
  private readonly loaded = new Map<string, Loaded>()
  /** Numbers of the roots by name. */
  private readonly roots = new Map<string, number>()

  constructor(db: Database) {
    this.db = db
    this.settings = interned(db, "setting", encodeSetting, decodeSetting)
    this.acks = interned(db, "acknowledgement", encodeAcks, decodeAcks)
    this.shared = {
      setting: (row, column) => this.settings.valueOf(integer(row, column)),
      acks: (row, column) => this.acks.valueOf(integer(row, column))
    }
  }

  /** Forgets everything in memory, which a rollback makes untrue. */
  readonly reset = (): void => {
    this.settings.reset()
    this.acks.reset()
    this.forget()
    this.roots.clear()
  }

  /** To be called by writes to the tables of documents other than {@link change}. */
  readonly forget = (): void => this.loaded.clear()

  /** Documents with a condition; `pending`: with their pending chunks. */
  readonly select = (condition: string, values: ReadonlyArray<Value>, pending: boolean): ReadonlyArray<Document> =>
    this.db
      .sql(`${select} ${condition}`)
      .all(...values)
      .map((row) => this.documentOf(row, pending))

  /** Reads a document, and keeps it for a write. */
  readonly find = (key: Key): Document | null => {
    const document = this.read(key)
    if (document !== null) this.keep(key, { document, failed: document.failure !== null, claimed: 0 })
    return document
  }

  /** Runs a rule over a document and writes what it changed. `creates`: a document without a row gets one. */
  readonly change = <A>(key: Key, creates: boolean, apply: (document: Document) => A): A => {
    const loaded = this.loaded.get(key.documentId) ?? this.load(key, creates)
    const { document } = loaded
    const result = apply(document)
    if (isBare(document)) document.change = "dropped"
    if (document.id !== 0) this.save(loaded)
    // Only a document between its announcement and its commit is written again soon.
    if (document.pending.size > 0 && (document.change === "none" || document.change === "light")) {
      document.change = "none"
      document.sinks.length = 0
      this.keep(key, { document, failed: document.failure !== null, claimed: document.claims.length })
    } else this.loaded.delete(key.documentId)
    return result
  }

  private keep(key: Key, loaded: Loaded): void {
    if (this.loaded.size >= mostLoaded) {
      for (const oldest of this.loaded.keys()) {
        this.loaded.delete(oldest)
        break
      }
    }
    this.loaded.set(key.documentId, loaded)
  }

  private read(key: Key): Document | null {
    const row = this.db.sql(selectByPath).first(rootOf(key), key.path)
    return row === undefined ? null : this.documentOf(row, true)
  }

  private load(key: Key, creates: boolean): Loaded {
    const added = creates ? this.add(key) : null
    const document = added === null ? this.read(key) : absent(key, added)
    if (document === null && creates) throw corrupted(`the row of ${key.documentId} cannot be found`)
    const known = document ?? absent(key)
    return { document: known, failed: known.failure !== null, claimed: 0 }
  }

  /** Number of a document that had no row; null when it has one. */
  private add(key: Key): number | null {
    const added = this.db
      .sql("INSERT OR IGNORE INTO document (root, path) VALUES (?, ?)")
      .run(this.rootRow(rootOf(key)), key.path)
    return added.changes === 1 ? added.id : null
  }

  private rootRow(name: string): number {
    const cached = this.roots.get(name)
    if (cached !== undefined) return cached
    const known = this.db.sql("SELECT id FROM root WHERE name = ?").first(name)
    const id = known === undefined ? this.db.sql("INSERT INTO root (name) VALUES (?)").run(name).id : integer(known, 0)
    this.roots.set(name, id)
    return id
  }

  private documentOf(row: Row, pending: boolean): Document {
    const isPending = pending && integer(row, Shared.width) === 1
    return Shared.documentOf(row, this.shared, {
      pending: isPending ? this.pendingOf(integer(row, 0)) : new Map(),
      holder: null,
      fence: 0,
      busy: false
    })
  }

  private pendingOf(document: number): Map<string, ReadonlyArray<ChunkId>> {
    const rows = this.db.sql("SELECT sink, chunks FROM pending WHERE document = ? ORDER BY sink").all(document)
    return new Map(rows.map((row) => [text(row, 0), ChunkIds.unpack(bytes(row, 1))]))
  }

  private save(loaded: Loaded): void {
    const { claimed, document } = loaded
    if (document.change === "dropped") return this.drop(document.id)
    if (document.change !== "none") this.saveFailure(loaded)
    if (document.change === "whole") this.saveWhole(document)
    if (document.change === "light") this.saveLight(document)
    for (const sink of document.sinks) this.savePending(document.id, sink, document.pending.get(sink) ?? [])
    for (const scope of document.claims.slice(claimed)) {
      this.db.sql("INSERT OR IGNORE INTO claim (scope, document) VALUES (?, ?)").run(scope, document.id)
    }
  }

  /** A generation that was committed clears the failure. */
  private saveWhole(document: Document): void {
    const { generation, id, stored } = document
    if (stored === null) return
    const hash = Buffer.from(stored.contentHash, "hex")
    const chunks = ChunkIds.pack(stored.chunkIds)
    const report = encodeReport(stored.report)
    const { configuration, embedder, identity, lacked, optionsHash } = stored
    this.db
      .sql(
        "UPDATE document SET print = ?, etag = ?, hash = ?, setting = ?, acks = ?, failed = 0, generation = ? WHERE id = ?"
      )
      .run(
        Sightings.pack(stored),
        Sightings.etagOf(stored.fingerprint),
        hash,
        this.settings.idOf({ optionsHash, identity, configuration, embedder, lacked }),
        this.acks.idOf(stored.acknowledged),
        generation,
        id
      )
    this.db
      .sql("INSERT OR REPLACE INTO content (document, chunks, report, checksum) VALUES (?, ?, ?, ?)")
      .run(id, chunks, report, checksum(hash, chunks, report))
  }

  private saveLight({ failure, id, stored }: Document): void {
    const failed = failure === null ? 0 : 1
    if (stored === null) this.db.sql("UPDATE document SET failed = ? WHERE id = ?").run(failed, id)
    else {
      const changed = this.db
        .sql("UPDATE document SET print = ?, etag = ?, acks = ?, failed = ? WHERE id = ?")
        .run(
          Sightings.pack(stored),
          Sightings.etagOf(stored.fingerprint),
          this.acks.idOf(stored.acknowledged),
          failed,
          id
        )
      if (changed.changes !== 1) throw corrupted(`the row of document ${id} cannot be updated`)
    }
  }

  private saveFailure({ document, failed }: Loaded): void {
    const { failure, id } = document
    if (failure === null) {
      if (failed) this.db.sql("DELETE FROM failure WHERE document = ?").run(id)
      return
    }
    this.db
      .sql(
        "INSERT OR REPLACE INTO failure (document, print, etag, body, request) VALUES (?, ?, ?, ?, (SELECT id FROM request WHERE digest = ?))"
      )
      .run(id, Sightings.pack(failure), Sightings.etagOf(failure.fingerprint), encodeFailure(failure), failure.request)
  }

  private savePending(document: number, sink: string, ids: ReadonlyArray<ChunkId>): void {
    if (ids.length === 0) this.db.sql("DELETE FROM pending WHERE document = ? AND sink = ?").run(document, sink)
    else {
      this.db
        .sql("INSERT OR REPLACE INTO pending (document, sink, chunks) VALUES (?, ?, ?)")
        .run(document, sink, ChunkIds.pack(ids))
    }
  }

  private drop(id: number): void {
    for (const table of ["content", "failure", "pending", "claim"]) {
      this.db.sql(`DELETE FROM ${table} WHERE document = ?`).run(id)
    }
    this.db.sql("DELETE FROM document WHERE id = ?").run(id)
  }
}
