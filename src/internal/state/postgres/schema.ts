/** The tables of a state, version by version. */
import { firstFilled } from "../ledger/filled.ts"

/**
 * The tables of a state. One text for each version, the oldest first; a released one is never changed.
 *
 * `document`: `key` is the beginning of the SHA-256 of root and path, since an index has no room for long paths. `holder` is the session
 * that works on the document, `fence` the number of times that one began to. The list of chunk ids is packed as in the embedded ledger.
 * `claim.scan` is the last scan that wrote the claim, `sight` the documents that a scan found, a list for each batch. Times without a
 * type of their own are milliseconds since the epoch.
 */
const initial = `
  CREATE TABLE root (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, path text);
  CREATE TABLE scope (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, root bigint NOT NULL, digest text NOT NULL, completed bigint, parts text,
    UNIQUE (root, digest)
  );
  CREATE TABLE setting (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, digest text NOT NULL UNIQUE, value text NOT NULL
  );
  CREATE TABLE acknowledgement (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, digest text NOT NULL UNIQUE, value text NOT NULL
  );
  CREATE TABLE document (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, root bigint NOT NULL, generation bigint NOT NULL DEFAULT 0,
    setting bigint, acks bigint, holder bigint, fence bigint NOT NULL DEFAULT 0, request bigint, checksum bigint,
    key uuid NOT NULL UNIQUE, path text NOT NULL, print bytea, etag text, hash bytea, chunks bytea, report text,
    failure text, failure_print bytea, failure_etag text
  ) WITH (fillfactor = 85);
  CREATE INDEX document_root ON document (root, id);
  CREATE INDEX document_hash ON document (hash) WHERE hash IS NOT NULL;
  CREATE INDEX document_failed ON document (id) WHERE failure IS NOT NULL;
  CREATE TABLE pending (
    document bigint NOT NULL, sink text NOT NULL, chunks bytea NOT NULL, PRIMARY KEY (document, sink)
  );
  CREATE TABLE claim (scope bigint NOT NULL, document bigint NOT NULL, scan bigint NOT NULL, PRIMARY KEY (scope, document));
  CREATE INDEX claim_document ON claim (document);
  CREATE TABLE session (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, until timestamptz NOT NULL,
    lapses integer NOT NULL DEFAULT 0
  );
  CREATE TABLE scan (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, scope bigint NOT NULL, session bigint NOT NULL,
    lapses integer NOT NULL, started timestamptz NOT NULL DEFAULT clock_timestamp(), ended timestamptz
  );
  CREATE INDEX scan_scope ON scan (scope);
  CREATE TABLE sight (scan bigint NOT NULL, documents bigint[] NOT NULL);
  CREATE INDEX sight_scan ON sight (scan);
  CREATE TABLE request (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, digest text NOT NULL UNIQUE, value text NOT NULL
  );
  CREATE TABLE run (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, token uuid NOT NULL UNIQUE, started bigint NOT NULL,
    request text NOT NULL, finished bigint, summary text, report text
  );
  CREATE TABLE answer (
    key text COLLATE "C" PRIMARY KEY, created bigint NOT NULL, used bigint NOT NULL, bytes bigint NOT NULL,
    packed bytea NOT NULL
  );
  ALTER TABLE answer ALTER COLUMN packed SET STORAGE EXTERNAL;
  CREATE INDEX answer_used ON answer (used, bytes);
  CREATE TABLE vector (
    key bytea PRIMARY KEY, created bigint NOT NULL, used bigint NOT NULL, bytes bigint NOT NULL, sum bigint NOT NULL,
    packed bytea NOT NULL
  );
  ALTER TABLE vector ALTER COLUMN packed SET STORAGE EXTERNAL;
  CREATE INDEX vector_used ON vector (used, bytes);
  CREATE TABLE letter (key uuid PRIMARY KEY, root text, source text NOT NULL, at text NOT NULL, line text NOT NULL);
`

/** `chunking`: the chunk settings that the root was filled with, as JSON; null until a run has recorded some. */
const filled = `
  ALTER TABLE root ADD COLUMN chunking text;
  UPDATE root SET chunking = '${firstFilled}' WHERE EXISTS (SELECT 1 FROM document d WHERE d.root = root.id);
`

export const migrations: ReadonlyArray<string> = [initial, filled]
