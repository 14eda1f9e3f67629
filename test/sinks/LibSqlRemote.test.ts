import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "@effect/vitest"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as LibSql from "docsluice/sinks/LibSql"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Redacted } from "effect"
import Libsql from "libsql"
import { library, space } from "../fixtures/vectorChunks.ts"
import { vectorStoreTests } from "./vectorStore.ts"

const program = fileURLToPath(new URL("../fixtures/hranaServer.ts", import.meta.url))

const token = "t0ken-s3cret"

const folder = mkdtempSync(join(tmpdir(), "docsluice-hrana-"))
const child = spawn(process.execPath, ["--import=tsx", program, token, folder], {
  stdio: ["ignore", "pipe", "inherit"]
})
const port = new Promise<string>((resolve) =>
  child.stdout.once("data", (line: Buffer) => resolve(line.toString().trim()))
)
afterAll(() => {
  child.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Address of a new database, whose file is `fileOf` it. */
const server = Effect.promise(async () => `http://127.0.0.1:${await port}/${randomUUID()}`)

const fileOf = (url: string) => join(folder, `${basename(url)}.db`)

const open = (url: string, authToken = token) => LibSql.makeRemote({ url, authToken: Redacted.make(authToken) })

SinkConformance.suite(
  "libsql on a double of its server",
  Effect.map(server, (url) => ({
    layer: LibSql.layerRemote({ url, authToken: Redacted.make(token) }),
    space
  })),
  { describe, it },
  { timeout: 300_000 }
)

describe("libsql on a server", () => {
  vectorStoreTests(Effect.flatMap(server, (url) => open(url)))

  it.scopedLive("searches without having opened it for writing, in what is indexed", () =>
    Effect.gen(function* () {
      const url = yield* server
      const sink = yield* open(url)
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(library)
      yield* prepared.finish
      const reader = yield* open(url)
      const hits = yield* reader.search?.({ text: "brew coffee", limit: 1 }) ?? Effect.succeed([])
      assert.deepEqual(
        hits.map((hit) => hit.chunk.source),
        ["coffee.md"]
      )
    })
  )

  it.scopedLive(
    "searches a store of an earlier version as before until the next ingest, which brings it up without parsing",
    () =>
      Effect.gen(function* () {
        const url = yield* server
        const ingested = (chunks: ReadonlyArray<DocumentChunk>) =>
          Effect.scoped(
            Effect.gen(function* () {
              const sink = yield* open(url)
              const prepared = yield* sink.prepare(space)
              yield* prepared.write(chunks)
              yield* prepared.finish
            })
          )
        const found = (text: string) =>
          Effect.scoped(
            Effect.gen(function* () {
              const sink = yield* open(url)
              const hits = yield* sink.search?.({ text, limit: 5 }) ?? Effect.succeed([])
              return hits.map((hit) => hit.chunk.source)
            })
          )
        yield* ingested(library)
        const db = new Libsql(fileOf(url))
        db.exec(`DROP TABLE chunks_fts; DROP TRIGGER IF EXISTS chunks_removed;
        CREATE VIRTUAL TABLE chunks_fts USING fts5(text, headings, source, content='', contentless_delete=1, tokenize="unicode61");
        INSERT INTO chunks_fts (rowid, text, headings, source) SELECT row, text, '', source FROM chunks`)
        db.close()
        assert.include(yield* found("coffee"), "coffee.md")
        assert.deepEqual(yield* found("coffees"), [])
        yield* ingested([])
        assert.include(yield* found("coffees"), "coffee.md")
      })
  )

  it.scopedLive("never repeats its token: refused, unreachable or in the address", () =>
    Effect.gen(function* () {
      const url = yield* server
      const wrong = yield* Effect.flip((yield* open(url, "wr0ng-s3cret")).prepare(space))
      assert.strictEqual(wrong.reason, "Rejected")
      const away = yield* Effect.flip((yield* open("http://127.0.0.1:1")).prepare(space))
      assert.strictEqual(away.reason, "Unavailable")
      const within = yield* Effect.flip(open(`libsql://h?authToken=${token}`))
      assert.strictEqual(within.reason, "Rejected")
      for (const error of [wrong, away, within]) assert.notInclude(JSON.stringify(error) + error.message, "s3cret")
    })
  )
})
