import { assert, it } from "@effect/vitest"
import { type ChunkSink, mapChunks } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as Pipeline from "docsluice/Pipeline"
import * as Chroma from "docsluice/sinks/Chroma"
import * as PgVector from "docsluice/sinks/PgVector"
import { Effect, Fiber, Redacted, Schedule, Stream } from "effect"
import { Pool } from "pg"
import * as Servers from "../fixtures/servers.ts"
import { space } from "../fixtures/vectorChunks.ts"
import { around, byLine, numbered, parsed, parser } from "../pipeline/fakes.ts"
import * as ChromaServer from "../sinks/chromaServer.ts"
import * as Postgres from "../sinks/postgres.ts"

const count = 30

const vector = Array.from({ length: space.dimensions }, (_, at) => (at === 0 ? 1 : 0))

/** A run of `count` documents of one chunk each; `before` is done before a document is parsed, with its number. */
const run = (sink: ChunkSink.Service, before: (index: number) => Effect.Effect<void> = () => Effect.void) =>
  Pipeline.run({
    source: Stream.fromIterable(numbered(count)),
    chunker: byLine,
    sinks: [mapChunks(sink, (chunk) => new DocumentChunk({ ...chunk, embedding: vector }))],
    space,
    concurrency: 1,
    // A server that is restarted may take longer than a user would wait.
    sinkRetry: { maxElapsed: "4 minutes" }
  }).pipe(
    Effect.provide(around(parser((source) => Effect.as(before(Number.parseInt(source.path, 10)), parsed(source)))))
  )

const connected = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Pool({ connectionString: url, max: 2 }).on("error", () => {})),
    (pool) => Effect.promise(() => pool.end())
  )

const withPostgres = Postgres.missing() === null ? it.scopedLive : it.scopedLive.skip
withPostgres("a run stores everything though its connection to PostgreSQL is ended three times in one write", () =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(Effect.promise(Servers.postgres), ({ stop }) => Effect.promise(stop))
    const admin = yield* connected(server.url)
    const sql = (text: string) => Effect.promise(() => admin.query(text))
    const sink = yield* PgVector.make({ url: Redacted.make(server.url), table: "chunks" })
    const holder = yield* Effect.acquireRelease(
      Effect.promise(() => admin.connect()),
      (client) => Effect.sync(() => client.release(true))
    )
    const locked = Effect.asVoid(Effect.promise(() => holder.query("BEGIN; LOCK TABLE chunks")))
    const fiber = yield* Effect.fork(run(sink, (index) => (index === 5 ? locked : Effect.void)))
    const ended = Effect.filterOrFail(
      sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'docsluice' AND wait_event_type = 'Lock'`
      ),
      ({ rowCount }) => (rowCount ?? 0) > 0
    ).pipe(Effect.retry(Schedule.spaced("10 millis")))
    for (let round = 0; round < 3; round++) yield* ended
    yield* Effect.promise(() => holder.query("ROLLBACK"))
    assert.deepInclude(yield* Fiber.join(fiber), { stored: count, failed: 0, exit: 0 })
    const { rows } = yield* sql("SELECT count(*)::int AS stored FROM chunks")
    assert.deepStrictEqual(rows, [{ stored: count }])
  })
)

const withChroma = ChromaServer.unavailable === null ? it.scopedLive : it.scopedLive.skip
withChroma("a run stores everything though Chroma is restarted in its middle", () =>
  Effect.gen(function* () {
    const { start, stop, url } = yield* ChromaServer.chromaEngine
    const outer = yield* Effect.scope
    const sink = yield* Chroma.make({ url, collection: "restarted" })
    const restarted = stop.pipe(
      Effect.zipRight(Effect.forkIn(Effect.zipRight(Effect.sleep("500 millis"), start), outer)),
      Effect.asVoid
    )
    const summary = yield* run(sink, (index) => (index === 10 ? Effect.orDie(restarted) : Effect.void))
    assert.deepInclude(summary, { stored: count, failed: 0, exit: 0 })
    const listed = yield* Stream.runCount(sink.list ?? Stream.empty)
    assert.strictEqual(listed, count)
  })
)
