import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Failure from "../../../src/cli/Failure.ts"
import type { Environment } from "../../../src/internal/target/secret.ts"
import * as SinkTarget from "../../../src/internal/target/sinkTarget.ts"

const read = (spelling: string, environment: Environment = {}) =>
  Effect.mapError(SinkTarget.parse(spelling, environment), Failure.asUsage).pipe(Effect.provide(NodeFileSystem.layer))

const cwd = process.cwd()

describe("SinkTarget", () => {
  it.effect("keeps paths absolute and addresses without what is secret in them", () =>
    Effect.gen(function* () {
      const kept: ReadonlyArray<readonly [string, string, boolean]> = [
        ["jsonl:out.jsonl", `jsonl:${cwd}/out.jsonl`, false],
        ["libsql:./x/../chunks.db", `libsql:${cwd}/chunks.db`, false],
        ["lancedb:a#b/c", `lancedb:${cwd}/a#b/c#chunks`, false],
        ["lancedb:a#b#parts", `lancedb:${cwd}/a#b#parts`, false],
        ["pgvector:postgres://h/db", "pgvector:postgres://h/db", false],
        ["pgvector:postgresql://me@h:5/db?table=t", "pgvector:postgresql://me@h:5/db?table=t", false],
        ["pgvector:postgres://me:secret@h/db?table=t", "pgvector:postgres://h/db?table=t", true],
        ["pgvector:postgres://me:secret@/db?host=/run", "pgvector:postgres://localhost/db?host=/run", true],
        ["pgvector:postgres://h/db?password=secret&a=1", "pgvector:postgres://h/db?a=1", true],
        ["chroma:http://h:8000/", "chroma:http://h:8000#chunks", false],
        ["chroma:HTTPS://h?tenant=t#parts", "chroma:https://h?tenant=t#parts", false],
        ["qdrant:http://h?tenant=acme#parts", "qdrant:http://h?tenant=acme#parts", false],
        ["libsql:libsql://store-me.turso.io/", "libsql:libsql://store-me.turso.io", false],
        ["opensearch:http://h:9200/es/#parts", "opensearch:http://h:9200/es#parts", false],
        ["qdrant:http://h:6333/store/#parts", "qdrant:http://h:6333/store#parts", false]
      ]
      for (const [spelling, address, credential] of kept) {
        const target = yield* read(spelling)
        assert.deepStrictEqual(target.kept, { address, credential }, spelling)
        assert.notInclude(target.shown, "secret")
        assert.deepStrictEqual((yield* read(address)).kept.address, address)
      }
    })
  )

  it.effect("takes what belongs to a server from the environment", () =>
    Effect.gen(function* () {
      const environment = { CHROMA_TOKEN: "secret", CHROMA_TENANT: "t", CHROMA_DATABASE: "d", QDRANT_API_KEY: "secret" }
      const chroma = yield* read("chroma:http://h", environment)
      assert.deepStrictEqual(chroma.kept, { address: "chroma:http://h?tenant=t&database=d#chunks", credential: true })
      assert.strictEqual(chroma.variable, "CHROMA_TOKEN")
      const own = yield* read("chroma:http://h?tenant=mine&database=d", environment)
      assert.strictEqual(own.kept.address, "chroma:http://h?tenant=mine&database=d#chunks")
      const qdrant = yield* read("qdrant:http://h", environment)
      assert.deepStrictEqual(qdrant.kept, { address: "qdrant:http://h#chunks", credential: true })
      assert.deepStrictEqual((yield* read("chroma:http://h", { CHROMA_TENANT: "" })).kept.credential, false)
    })
  )

  it.scoped("reads an address from a file, so that no process list shows it", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-target-"))),
        (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
      )
      const file = join(folder, "address")
      writeFileSync(file, "postgres://me:secret@h/db\n")
      const target = yield* read(`pgvector:@${file}`)
      assert.strictEqual(target.spelling, "pgvector:postgres://me:secret@h/db")
      assert.deepStrictEqual(target.kept, { address: "pgvector:postgres://h/db", credential: true })
      const error = yield* Effect.flip(read("pgvector:@nowhere"))
      assert.strictEqual(error.message, "--to: the file nowhere cannot be read")
    })
  )

  it.effect("leaves out of discovery what the store writes", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* read("libsql:c.db")).outputs, ["c.db", "c.db-wal", "c.db-shm", "c.db-journal"])
      assert.deepStrictEqual((yield* read("lancedb:lance#parts")).outputs, ["lance"])
      assert.deepStrictEqual((yield* read("qdrant:http://h")).outputs, [])
    })
  )

  it.effect("finds the spelling of a local sink by its id", () =>
    Effect.sync(() => {
      assert.strictEqual(SinkTarget.spellingOf("libsql:/data/c.db"), "libsql:/data/c.db")
      assert.strictEqual(SinkTarget.spellingOf("lancedb:/data/lance/parts"), "lancedb:/data/lance#parts")
      assert.isNull(SinkTarget.spellingOf("pgvector:h:5432/db/public.chunks"))
      assert.isNull(SinkTarget.spellingOf("memory:x"))
    })
  )

  it.effect("refuses everything else, names what is expected, and repeats nothing that may be secret", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [string, RegExp, Environment?]> = [
        ["out.jsonl", /jsonl:FILE, fs:DIR, libsql:FILE.*got "out\.jsonl"/],
        ["postgres://me:secret@h/db", /got "postgres:…"/],
        ["constructor:secret", /got "constructor:…"/],
        ["libsql:", /got "libsql:"/],
        ["libsql:libsql://me:secret@h", /--to libsql: expected FILE or libsql:\/\/HOST.*LIBSQL_AUTH_TOKEN/],
        ["libsql:libsql://h?authToken=secret", /--to libsql: .*LIBSQL_AUTH_TOKEN/],
        ["libsql:s3://secret", /--to libsql: expected FILE/],
        ["lancedb:s3://secret/x", /--to lancedb: .* a path of this machine/],
        ["lancedb:x#a b", /--to lancedb: the table's name/],
        ["lancedb:#chunks", /the folder is missing/],
        ["pgvector:me:secret@h/db", /--to pgvector: expected postgres:\/\/user/],
        ["pgvector:postgres://me:secret@h", /--to pgvector: expected postgres:\/\/user/],
        ["pgvector:postgres://me:secret@h:x/db", /--to pgvector: expected postgres:\/\/user/],
        ["chroma:localhost:8000", /--to chroma: expected http/],
        ["chroma:http://me:secret@h", /--to chroma: .*CHROMA_TOKEN/],
        ["chroma:http://h?token=secret", /--to chroma: .*CHROMA_TOKEN/],
        ["chroma:http://h#a", /--to chroma: the collection's name/],
        ["chroma:http://h", /CHROMA_TOKEN holds a character/, { CHROMA_TOKEN: "sec\nret-secret" }],
        ["opensearch:http://me:secret@h", /--to opensearch: .*OPENSEARCH_AUTHORIZATION/],
        ["opensearch:http://h#Upper", /--to opensearch: the index's name/],
        ["libsql:libsql://h", /LIBSQL_AUTH_TOKEN holds a character/, { LIBSQL_AUTH_TOKEN: "sec ret" }],
        ["opensearch:http://h", /must be `ApiKey …`/, { OPENSEARCH_AUTHORIZATION: "secret" }],
        ["qdrant:http://me:secret@h", /--to qdrant: .*QDRANT_API_KEY/],
        ["qdrant:http://h?api-key=secret", /--to qdrant: .*QDRANT_API_KEY/]
      ]
      for (const [spelling, said, environment] of wrong) {
        const error = yield* Effect.flip(read(spelling, environment))
        assert.match(error.message, said)
        assert.notInclude(error.message, "secret")
      }
    })
  )
})
