import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { type ChunkSink, mapPrepared } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Ledger from "docsluice/Ledger"
import * as Pipeline from "docsluice/Pipeline"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import { Chunk, Effect, Option, type Scope, Stream } from "effect"
import Libsql from "libsql"
import { Client } from "pg"
import * as Servers from "../fixtures/servers.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as Workspace from "./workspace.ts"

const missing = Postgres.missing()
const server = missing === null ? await Servers.postgres() : null
afterAll(() => server?.stop())

type Open = Effect.Effect<ChunkSink.Service, never, Scope.Scope>

let tables = 0

const sql = (text: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: server?.url ?? "" })
    await client.connect()
    await client.query(text)
    await client.end()
  })

/** Takes the owner out of a stamp that is a JSON file. */
const ownerless = (file: string) =>
  Effect.sync(() => {
    const { owner: _, roots: __, shared: ___, ...first } = JSON.parse(readFileSync(file, "utf8"))
    writeFileSync(file, JSON.stringify({ ...first, format: 1 }))
  })

/** Makes a target what an earlier version left, which knew no owners. */
const older: Readonly<Record<string, (folder: string, id: string) => Effect.Effect<void>>> = {
  jsonl: (folder) => ownerless(join(folder, "out.jsonl.docsluice.json")),
  fs: (folder) => ownerless(join(folder, "out", "manifest.json")),
  libsql: (folder) =>
    Effect.sync(() => {
      const db = new Libsql(join(folder, "out.db"))
      db.exec(
        `CREATE TABLE older (format INTEGER NOT NULL, store_id TEXT NOT NULL, space TEXT, indexed INTEGER NOT NULL);
         INSERT INTO older SELECT 1, stamp ->> 'storeId', NULL, indexed FROM docsluice;
         DROP TRIGGER chunks_removed; DROP TABLE docsluice; ALTER TABLE older RENAME TO docsluice;
         CREATE TRIGGER chunks_removed AFTER DELETE ON chunks WHEN old.row <= (SELECT indexed FROM docsluice) BEGIN
           DELETE FROM chunks_fts WHERE rowid = old.row;
         END`
      )
      db.close()
    }),
  pgvector: () => sql("UPDATE docsluice_stores SET format = 1; ALTER TABLE docsluice_stores DROP COLUMN stamp")
}

const kinds: Readonly<Record<string, (folder: string) => Open>> = {
  jsonl: (folder) => Effect.provide(Jsonl.make({ file: join(folder, "out.jsonl") }), NodeContext.layer),
  fs: (folder) => Effect.provide(Filesystem.make({ directory: join(folder, "out") }), NodeContext.layer),
  libsql: (folder) => Effect.provide(LibSql.make({ file: join(folder, "out.db") }), NodeContext.layer),
  ...(server !== null && {
    pgvector: () => {
      const table = `owned_${(tables += 1)}`
      return Effect.orDie(PgVector.make({ url: server.url, table }))
    }
  })
}

/** Ids by the first part of their documents' ids. */
const stored = (open: Open) =>
  Effect.gen(function* () {
    const sink = yield* open
    yield* sink.prepare(null)
    const all = Chunk.toReadonlyArray(yield* Stream.runCollect(sink.list ?? Stream.empty))
    const roots = new Map<string, ReadonlyArray<string>>()
    for (const { documentId, id } of all) {
      const root = documentId.split("/", 1)[0] ?? ""
      roots.set(root, [...(roots.get(root) ?? []), id].toSorted())
    }
    return Object.fromEntries(roots)
  }).pipe(Effect.scoped, Effect.orDie)

const doctor = (ws: Workspace.Workspace, open: Open, fix: boolean) =>
  Effect.flatMap(open, (sink) => Pipeline.examine({ sinks: [sink], fix })).pipe(
    Effect.scoped,
    Effect.provide(Ledger.layer({ directory: join(ws.directory, "state") }))
  )

const refusal = (run: Effect.Effect<unknown, unknown>) =>
  Effect.map(Effect.flip(run), (error) => {
    assert.isTrue(error instanceof Error && "_tag" in error && error._tag === "SinkError", String(error))
    assert.strictEqual(error instanceof Error && "reason" in error ? error.reason : "", "Mismatch")
    return String(error)
  })

for (const [kind, target] of Object.entries(kinds)) {
  describe(`owners of one target: ${kind}`, () => {
    it.scopedLive("refuses another state's target, with rebuild too, and changes nothing of it", () =>
      Effect.gen(function* () {
        const [ours, theirs] = [yield* Workspace.make(2), yield* Workspace.make(3)]
        const sinks = [target(ours.directory)]
        yield* Workspace.run(ours, { sinks })
        const before = yield* stored(sinks[0] ?? target(""))
        for (const more of [{}, { rebuild: true }, { claim: "shared" }] as const) {
          const message = yield* refusal(Workspace.run(theirs, { sinks, ...more }))
          assert.include(message, '`claim: "adopt"`')
          assert.include(message, '`claim: "shared"`')
        }
        const examined = doctor(theirs, sinks[0] ?? target(""), true)
        assert.strictEqual((yield* Effect.flip(examined))._tag, "SinkError")
        assert.deepEqual(yield* stored(sinks[0] ?? target("")), before)
        assert.deepInclude(yield* Workspace.run(ours, { sinks }), { unchanged: 2, exit: 0 })
      })
    )

    it.scopedLive("adopts the target of a state that was lost: writes nothing twice, and leaves no orphan unseen", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4)
        const sink = target(ws.directory)
        yield* Workspace.run(ws, { sinks: [sink] })
        rmSync(join(ws.directory, "state"), { recursive: true })
        ws.remove("0/0.pdf")
        ws.write("1/1.pdf", "another text")
        yield* Workspace.settle
        yield* refusal(Workspace.run(ws, { sinks: [sink] }))
        const writes: Array<string> = []
        const seen = (chunks: ReadonlyArray<DocumentChunk>) =>
          Effect.sync(() => void writes.push(...chunks.map(({ source }) => source)))
        const watched = Effect.map(sink, (own) =>
          mapPrepared(own, (prepared): ChunkSink.Prepared => {
            const { replace, replaceAll } = prepared
            return {
              ...prepared,
              write: (batch) => Effect.zipRight(seen(batch), prepared.write(batch)),
              ...(replaceAll && {
                replaceAll: (documents) =>
                  Effect.zipRight(seen(documents.flatMap(({ chunks }) => chunks)), replaceAll(documents))
              }),
              ...(replace && { replace: (id, chunks) => Effect.zipRight(seen(chunks), replace(id, chunks)) })
            }
          })
        )
        assert.deepInclude(yield* Workspace.run(ws, { sinks: [watched], claim: "adopt" }), { stored: 3, exit: 0 })
        assert.deepEqual([...new Set(writes)], ["1/1.pdf"])
        const [finding] = yield* doctor(ws, sink, true)
        assert.deepInclude(finding, { documents: 3, missing: 0, stale: 0, others: 0 })
        assert.isAbove(finding?.extra ?? 0, 0)
        assert.strictEqual(finding?.fixed, finding?.extra)
        const now = yield* stored(sink)
        assert.deepEqual(Object.values(now).flat().toSorted(), yield* Workspace.wanted(ws))
        assert.deepInclude(yield* Workspace.run(ws, { sinks: [sink] }), { unchanged: 3, exit: 0 })
      })
    )

    it.scopedLive(
      "takes a target of an earlier version for the state's that knows its store, and for nobody else's",
      () =>
        Effect.gen(function* () {
          const [ours, theirs] = [yield* Workspace.make(2), yield* Workspace.make(2)]
          const sink = target(ours.directory)
          yield* Workspace.run(ours, { sinks: [sink] })
          const id = yield* Effect.scoped(Effect.map(sink, (own) => own.id))
          yield* older[kind]?.(ours.directory, id) ?? Effect.void
          assert.include(yield* refusal(Workspace.run(theirs, { sinks: [sink] })), '`claim: "adopt"`')
          assert.deepInclude(yield* Workspace.run(ours, { sinks: [sink] }), { unchanged: 2, stored: 0 })
          const stamp = yield* Effect.scoped(Effect.flatMap(sink, (own) => own.stamp ?? Effect.succeedNone))
          assert.isString(Option.getOrThrow(stamp).owner)
          ours.write("0/0.pdf", "another text")
          yield* Workspace.settle
          assert.deepInclude(yield* Workspace.run(ours, { sinks: [sink] }), { unchanged: 1, stored: 1 })
          assert.deepEqual(
            Object.values(yield* stored(sink))
              .flat()
              .toSorted(),
            yield* Workspace.wanted(ours)
          )
        })
    )

    it.scopedLive("lets several states write where all say so, and nobody touches what is another's", () =>
      Effect.gen(function* () {
        const [ours, theirs] = [yield* Workspace.make(3), yield* Workspace.make(3)]
        const sink = target(ours.directory)
        const [own, shared] = [{ sinks: [sink] }, { sinks: [sink], claim: "shared" } as const]
        yield* Workspace.run(ours, own)
        yield* refusal(Workspace.run(theirs, shared))
        yield* Workspace.run(ours, shared)
        const before = yield* stored(sink)
        assert.include(
          yield* refusal(Workspace.run(theirs, { ...own, discovery: { name: "notes" } })),
          '`claim: "shared"`'
        )
        // One name for two roots: the state that claimed it first has it.
        assert.include(yield* refusal(Workspace.run(theirs, shared)), "`name`")
        const notes = { ...shared, discovery: { name: "notes" } }
        assert.deepInclude(yield* Workspace.run(theirs, notes), { stored: 3, exit: 0 })
        const both = yield* stored(sink)
        assert.deepEqual(Object.keys(both).toSorted(), ["docs", "notes"])
        assert.deepEqual(both["docs"], before["docs"])

        const [ourFinding] = yield* doctor(ours, sink, true)
        assert.deepInclude(ourFinding, { documents: 3, missing: 0, extra: 0, stale: 0, fixed: 0, others: 3 })
        const [theirFinding] = yield* doctor(theirs, sink, true)
        assert.deepInclude(theirFinding, { documents: 3, missing: 0, extra: 0, stale: 0, fixed: 0, others: 3 })

        ours.remove("0/0.pdf")
        const rebuilt = yield* Workspace.run(ours, { ...own, rebuild: true, mode: "sync" })
        assert.deepInclude(rebuilt, { stored: 2, exit: 0 })
        const after = yield* stored(sink)
        assert.deepEqual(after["notes"], both["notes"])
        assert.deepEqual(after["docs"], yield* Workspace.wanted(ours))
        const unchanged = yield* Workspace.run(theirs, { sinks: [sink], discovery: { name: "notes" } })
        assert.deepInclude(unchanged, { unchanged: 3, exit: 0 })
      })
    )
  })
}
