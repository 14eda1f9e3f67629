import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as LibSql from "docsluice/sinks/LibSql"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Redacted } from "effect"
import { library, space } from "../fixtures/vectorChunks.ts"
import { vectorStoreTests } from "./vectorStore.ts"

const program = fileURLToPath(new URL("../fixtures/hranaServer.ts", import.meta.url))

const token = "t0ken-s3cret"

/** Address of a server with an empty database, which ends with the scope. */
const server = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "docsluice-hrana-"))
      const child = spawn(process.execPath, ["--import=tsx", program, token, join(folder, "store.db")], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const port = await new Promise<string>((resolve) =>
        child.stdout.once("data", (line: Buffer) => resolve(line.toString().trim()))
      )
      return { child, folder, url: `http://127.0.0.1:${port}` }
    }),
    ({ child, folder }) =>
      Effect.sync(() => {
        child.kill()
        rmSync(folder, { recursive: true, force: true })
      })
  ),
  ({ url }) => url
)

const open = (url: string, authToken = token) => LibSql.makeRemote({ url, authToken: Redacted.make(authToken) })

SinkConformance.suite(
  "libsql on a double of its server",
  Effect.map(server, (url) => ({
    layer: LibSql.layerRemote({ url, authToken: Redacted.make(token) }),
    space
  })),
  { describe, it },
  { timeout: 60_000 }
)

describe("libsql on a server", () => {
  vectorStoreTests(Effect.flatMap(server, (url) => open(url)))

  it.scopedLive("searches without having opened it for writing, in what is indexed", () =>
    Effect.gen(function* () {
      const url = yield* server
      const sink = yield* open(url)
      yield* sink.prepare(space)
      yield* sink.write(library)
      yield* sink.finish ?? Effect.void
      const reader = yield* open(url)
      const hits = yield* reader.search?.({ text: "brew coffee", limit: 1 }) ?? Effect.succeed([])
      assert.deepEqual(
        hits.map((hit) => hit.chunk.source),
        ["coffee.md"]
      )
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
