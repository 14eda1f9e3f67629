import { sha256 } from "../../base/sha256.ts"
import type { Migration } from "../directory.ts"
import { firstFilled } from "../ledger/filled.ts"
import { text } from "../libsql.ts"

/**
 * The ledger's tables.
 *
 * `document` has the columns that a re-run reads of every document, a hundred bytes per row; `content` has the rest. Long texts
 * shared by a whole run are kept once (`setting`, `acknowledgement`).
 */
const initial: Migration = (db) => {
  db.exec(`
    CREATE TABLE root (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path TEXT);
    CREATE TABLE scope (
      id INTEGER PRIMARY KEY, root INTEGER NOT NULL, digest TEXT NOT NULL, completed INTEGER, UNIQUE (root, digest)
    );
    CREATE TABLE setting (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
    CREATE TABLE acknowledgement (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
    CREATE TABLE document (
      id INTEGER PRIMARY KEY, root INTEGER NOT NULL, path TEXT NOT NULL, print BLOB, etag TEXT, hash BLOB,
      setting INTEGER, acks INTEGER, generation INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
      UNIQUE (root, path)
    );
    CREATE INDEX document_hash ON document (substr(hash, 1, 8)) WHERE hash IS NOT NULL;
    CREATE INDEX document_failed ON document (id) WHERE failed = 1;
    CREATE TABLE content (document INTEGER PRIMARY KEY, chunks BLOB NOT NULL, report TEXT NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE failure (document INTEGER PRIMARY KEY, print BLOB NOT NULL, etag TEXT, body TEXT NOT NULL);
    CREATE TABLE pending (
      document INTEGER NOT NULL, sink TEXT NOT NULL, chunks BLOB NOT NULL, PRIMARY KEY (document, sink)
    ) WITHOUT ROWID;
    CREATE TABLE claim (scope INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (scope, document)) WITHOUT ROWID;
    CREATE INDEX claim_document ON claim (document);
    CREATE TABLE run (id INTEGER PRIMARY KEY, started INTEGER NOT NULL, request TEXT NOT NULL, finished INTEGER, summary TEXT);
  `)
}

/** One row: the id by which stores recognise the state. Random, made once. */
const identified: Migration = (db) => {
  db.exec("CREATE TABLE state (id TEXT NOT NULL); INSERT INTO state VALUES (lower(hex(randomblob(8))))")
}

/**
 * Keeps requests once, by their digest, so that a failure can refer to its run's request for as long as it stands; `run.request`
 * is the digest from here on. `scope.parts` lists the parts of the root that the scope covers (JSON; null when unknown).
 */
const requests: Migration = (db) => {
  db.exec(`
    CREATE TABLE request (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
    ALTER TABLE failure ADD COLUMN request INTEGER;
    ALTER TABLE scope ADD COLUMN parts TEXT;
  `)
  for (const row of db.sql("SELECT DISTINCT request FROM run WHERE request <> ''").all()) {
    const value = text(row, 0)
    const digest = sha256(value)
    db.sql("INSERT OR IGNORE INTO request (digest, value) VALUES (?, ?)").run(digest, value)
    db.sql("UPDATE run SET request = ? WHERE request = ?").run(digest, value)
  }
}

/** `body`: the report of a run as JSON, at most 100 KB. */
const reports: Migration = (db) => {
  db.exec("CREATE TABLE run_report (run INTEGER PRIMARY KEY, body TEXT NOT NULL)")
}

/** `chunking`: the chunk settings that the root was filled with, as JSON; null until a run has recorded some. */
const filled: Migration = (db) => {
  db.exec("ALTER TABLE root ADD COLUMN chunking TEXT")
  db.sql("UPDATE root SET chunking = ? WHERE EXISTS (SELECT 1 FROM document d WHERE d.root = root.id)").run(firstFilled)
}

/** One step per version, the oldest first; a released step is never changed. */
export const migrations: ReadonlyArray<Migration> = [initial, identified, requests, reports, filled]
