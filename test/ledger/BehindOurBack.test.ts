import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Lance from "@lancedb/lancedb"
import { ChromaClient } from "chromadb"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as Embedder from "docsluice/Embedder"
import * as Chroma from "docsluice/sinks/Chroma"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as LanceDb from "docsluice/sinks/LanceDb"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import * as Qdrant from "docsluice/sinks/Qdrant"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Chunk, Effect, Layer, Option, type Scope, Stream } from "effect"
import Libsql from "libsql"
import { Client } from "pg"
import * as Servers from "../fixtures/servers.ts"
import { chromaServer, unavailable } from "../sinks/chromaServer.ts"
import * as Postgres from "../sinks/postgres.ts"
import { qdrantDouble } from "../sinks/qdrantDouble.ts"
import * as Workspace from "./workspace.ts"

const missing = Postgres.missing()
const server = missing === null ? await Servers.postgres() : null
afterAll(() => server?.stop())

type Open = Effect.Effect<ChunkSink.Service, never, Scope.Scope>

const vectors: NonNullable<Workspace.Given["change"]> = (options) => ({ ...options, embedder: Embedder.hash })

const stored = (open: Open) =>
  Effect.gen(function* () {
    const sink = yield* open
    yield* sink.prepare(yield* Embedder.hash.space)
    const all = yield* Stream.runCollect(sink.list ?? Stream.empty)
    return Chunk.toReadonlyArray(all).map(({ id }): string => id)
  }).pipe(Effect.scoped, Effect.orDie)

/** Changes a target between two runs, and checks that the next one makes it whole again, without a request. */
const madeWhole = (
  ws: Workspace.Workspace,
  open: Open,
  change: Effect.Effect<unknown, unknown>,
  lost: number | "all"
) =>
  Effect.gen(function* () {
    const given = { sinks: [open], change: vectors }
    yield* Workspace.run(ws, given)
    assert.deepInclude(yield* Workspace.run(ws, given), { unchanged: 4, stored: 0 })
    yield* change
    const summary = yield* Workspace.run(ws, given)
    assert.deepInclude(summary, { requests: 0, exit: 0, stored: lost === "all" ? 4 : lost })
    assert.deepEqual((yield* stored(open)).toSorted(), yield* Workspace.wanted(ws))
    assert.deepInclude(yield* Workspace.run(ws, given), { unchanged: 4, stored: 0 })
  })

const sync = (change: () => void) => Effect.sync(change)

describe("a JSONL file that changed behind our back", () => {
  const changes: Readonly<Record<string, readonly [(file: string) => void, number | "all"]>> = {
    "was emptied": [(file) => writeFileSync(file, ""), "all"],
    "was cut in the middle of its last line": [(file) => truncateSync(file, readFileSync(file).length - 20), 1],
    "lost a line": [(file) => writeFileSync(file, readFileSync(file, "utf8").replace(/^.*\n/u, "")), 1],
    "lost its stamp and a line": [
      (file) => {
        rmSync(`${file}.docsluice.json`)
        writeFileSync(file, readFileSync(file, "utf8").replace(/^.*\n/u, ""))
      },
      1
    ]
  }
  for (const [what, [change, lost]] of Object.entries(changes)) {
    it.scopedLive(`${what}: what is missing is written again`, () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4)
        yield* madeWhole(
          ws,
          Workspace.jsonl(ws),
          sync(() => change(Workspace.target(ws))),
          lost
        )
      })
    )
  }
})

describe("a folder of chunks that changed behind our back", () => {
  const changes: Readonly<Record<string, readonly [(folder: string, chunk: string) => void, number | "all"]>> = {
    "lost a chunk's file": [(_, chunk) => rmSync(chunk), 1],
    "has a chunk's file that was emptied": [(_, chunk) => writeFileSync(chunk, ""), 1],
    "lost its manifest and a file": [
      (folder, chunk) => {
        rmSync(join(folder, "manifest.json"))
        rmSync(chunk)
      },
      1
    ],
    "lost everything but its manifest": [(folder) => rmSync(join(folder, "docs"), { recursive: true }), "all"]
  }
  for (const [what, [change, lost]] of Object.entries(changes)) {
    it.scopedLive(`${what}: what is missing is written again`, () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4)
        const folder = join(ws.directory, "chunks")
        const first = () =>
          readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => /[0-9]\.md$/u.test(name)) ?? ""
        const open = Effect.provide(Filesystem.make({ directory: folder }), NodeContext.layer)
        yield* madeWhole(
          ws,
          open,
          sync(() => change(folder, join(folder, first()))),
          lost
        )
      })
    )
  }
})

describe("a store whose rows went, and whose stamp stayed", () => {
  for (const [what, sql, lost] of [
    ["all rows", "DELETE FROM chunks", "all"],
    ["a row", "DELETE FROM chunks WHERE row = (SELECT min(row) FROM chunks)", 1]
  ] as const) {
    it.scopedLive(`libsql, ${what}`, () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4)
        const file = join(ws.directory, "chunks.db")
        const open = Effect.provide(LibSql.make({ file }), NodeContext.layer)
        const change = sync(() => {
          const db = new Libsql(file)
          db.exec(sql)
          db.close()
        })
        yield* madeWhole(ws, open, change, lost)
      })
    )
  }

  it.scopedLive("libsql, the table of the stamp", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(4)
      const file = join(ws.directory, "chunks.db")
      const open = Effect.provide(LibSql.make({ file }), NodeContext.layer)
      const change = sync(() => {
        const db = new Libsql(file)
        db.exec("DELETE FROM chunks WHERE row = (SELECT min(row) FROM chunks); DROP TABLE docsluice")
        db.close()
      })
      yield* madeWhole(ws, open, change, 1)
    })
  )

  for (const [what, sql, lost] of [
    ["all rows", "TRUNCATE behind_1", "all"],
    ["a row", "DELETE FROM behind_2 WHERE id = (SELECT min(id) FROM behind_2)", 1],
    ["the stamp", "DELETE FROM docsluice_stores WHERE table_name = 'behind_3'", 0]
  ] as const) {
    it.scopedLive.skipIf(server === null)(`pgvector, ${what}`, () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4)
        const url = server?.url ?? ""
        const table = /behind_\d/u.exec(sql)?.[0] ?? ""
        const change = Effect.promise(async () => {
          const client = new Client({ connectionString: url })
          await client.connect()
          await client.query(sql)
          await client.end()
        })
        yield* madeWhole(ws, Effect.orDie(PgVector.make({ url, table })), change, lost)
      })
    )
  }

  it.scopedLive("lancedb, all rows", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(4)
      const directory = join(ws.directory, "lance")
      const open = Effect.provide(LanceDb.make({ directory }), NodeContext.layer)
      const change = Effect.promise(async () => {
        const connection = await Lance.connect(directory)
        await (await connection.openTable("chunks")).delete("true")
        connection.close()
      })
      yield* madeWhole(ws, open, change, "all")
    })
  )

  it.scopedLive("qdrant, a point", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(4)
      const double = yield* qdrantDouble()
      const open = Effect.flatMap(Layer.build(Layer.orDie(UndiciHttpClient.layer())), (client) =>
        Effect.provide(Qdrant.make({ url: double.url }), client)
      )
      const change = sync(() => {
        const points = double.collections.get("chunks")?.points
        const id = [...(points?.keys() ?? [])].find((one) => !one.startsWith("0000"))
        if (id !== undefined) points?.delete(id)
      })
      yield* madeWhole(ws, open, change, 1)
    })
  )

  it.scopedLive.skipIf(unavailable !== null)("chroma, a record", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(4)
      const url = yield* chromaServer
      const name = "behind-our-back"
      const change = Effect.promise(async () => {
        const { hostname, port } = new URL(url)
        const client = new ChromaClient({ host: hostname, port: Number(port), ssl: false })
        const collection = await client.getCollection({ name })
        const [first] = (await collection.get({ limit: 1 })).ids
        if (first !== undefined) await collection.delete({ ids: [first] })
      })
      yield* madeWhole(ws, Chroma.make({ url, collection: name }), change, 1)
    })
  )
})

describe("a store that another state adopts", () => {
  const adopted = (ws: Workspace.Workspace, open: Open) =>
    Effect.gen(function* () {
      const given = { sinks: [open], change: vectors }
      yield* Workspace.run(ws, given)
      const owner = Effect.scoped(
        Effect.flatMap(open, (sink) =>
          Effect.map(sink.stamp ?? Effect.succeedNone, (stamp) => Option.getOrNull(stamp)?.owner ?? null)
        )
      )
      const before = yield* owner
      rmSync(join(ws.directory, "state"), { recursive: true })
      assert.include(String(yield* Effect.flip(Workspace.run(ws, given))), before ?? "no owner")
      assert.deepInclude(yield* Workspace.run(ws, { ...given, claim: "adopt" }), { stored: 3, exit: 0 })
      assert.notInclude([null, before], yield* owner)
      assert.deepEqual((yield* stored(open)).toSorted(), yield* Workspace.wanted(ws))
      assert.deepInclude(yield* Workspace.run(ws, given), { unchanged: 3, stored: 0 })
    })

  it.scopedLive("lancedb", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(3)
      yield* adopted(ws, Effect.provide(LanceDb.make({ directory: join(ws.directory, "lance") }), NodeContext.layer))
    })
  )

  it.scopedLive("qdrant", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(3)
      const { url } = yield* qdrantDouble()
      yield* adopted(
        ws,
        Effect.flatMap(Layer.build(Layer.orDie(UndiciHttpClient.layer())), (client) =>
          Effect.provide(Qdrant.make({ url }), client)
        )
      )
    })
  )

  it.scopedLive.skipIf(unavailable !== null)("chroma", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(3)
      yield* adopted(ws, Chroma.make({ url: yield* chromaServer, collection: "adopted" }))
    })
  )
})
