import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Pool } from "pg"
import { runHere, start } from "../cli/run.ts"
import * as Servers from "../fixtures/servers.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as Redis from "./redis.ts"

const missing = Redis.missing() ?? Postgres.missing()
const fact = missing === null ? it.live : it.live.skip

/** A parsing service that takes a while for each document. */
const service = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly address: string; readonly stop: () => void; readonly served: Map<string, number> }>(
        (resolve) => {
          const served = new Map<string, number>()
          const server = createServer((request, response) => {
            let body = ""
            request.on("data", (part: Buffer) => (body += part.toString("latin1")))
            request.on("end", () => {
              const name = /filename="([^"]*)"/u.exec(body)?.[1] ?? ""
              setTimeout(() => {
                served.set(name, (served.get(name) ?? 0) + 1)
                const data = { markdown: `# ${name}\n\nIts quays.`, metadata: { numPages: 1, creditsUsed: 1 } }
                response
                  .writeHead(200, { "content-type": "application/json" })
                  .end(JSON.stringify({ success: true, data }))
              }, 150)
            })
          })
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            resolve({
              address: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
              served,
              stop: () => {
                server.closeAllConnections()
                server.close()
              }
            })
          })
        }
      )
  ),
  ({ stop }) => Effect.sync(stop)
)

const servers = Effect.all([
  Effect.acquireRelease(
    Effect.promise(() => Servers.redis()),
    ({ stop }) => Effect.promise(stop)
  ),
  Effect.acquireRelease(
    Effect.promise(() => Servers.postgres()),
    ({ stop }) => Effect.promise(stop)
  ),
  service,
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-processes-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
])

const until = (claim: () => boolean, said: () => string, most = 200_000): Effect.Effect<void> =>
  Effect.gen(function* () {
    const began = Date.now()
    while (!claim()) {
      if (Date.now() - began > most) throw new Error(`it did not happen: ${said()}`)
      yield* Effect.sleep("50 millis")
    }
  })

describe(`processes of the command line${missing === null ? "" : ` (skipped: ${missing})`}`, () => {
  fact("store every document once though a worker is killed; another, told to stop, finishes what it has in hand", () =>
    Effect.gen(function* () {
      const [redis, postgres, { address, served }, folder] = yield* servers
      const count = 40
      mkdirSync(join(folder, "docs"))
      for (let index = 0; index < count; index += 1)
        writeFileSync(join(folder, "docs", `${index}.pdf`), `document ${index}`)
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new Pool({ connectionString: postgres.url })),
        (pool) => Effect.promise(() => pool.end())
      )
      yield* Effect.promise(() => pool.query("CREATE EXTENSION vector"))
      const to = `pgvector:${postgres.url}`
      const common = ["--queue", redis.url, "--state", postgres.url, "--api-key", "none"]
      const allowed = ["--allow", join(folder, "docs"), "--allow", to, "--allow", address]
      const work = () => start(folder, ["worker", ...common, ...allowed, "--concurrency", "2"])
      const [first, second, stranger] = [
        work(),
        work(),
        start(folder, ["worker", ...common, "--allow", join(folder, "docs")])
      ]
      const ingest = start(folder, [
        "ingest",
        "docs",
        ...common,
        "--service",
        address,
        "--to",
        to,
        "--embedder",
        "hash",
        "--mode",
        "sync",
        "--json"
      ])
      yield* until(
        () => served.size >= 6 && first.stderr().includes("joined"),
        () => first.stderr() + ingest.stderr()
      )
      first.child.kill("SIGKILL")
      const ended = yield* Effect.promise(() => ingest.ended)
      assert.strictEqual(ended.status, 0, ended.stderr)
      const summary: Record<string, unknown> = JSON.parse(ended.stdout)
      assert.deepInclude(summary, { discovered: count, failed: 0, notAttempted: 0, exit: 0 })
      // What the killed worker had stored, and not yet told, is unchanged for the next one.
      assert.strictEqual(Number(summary["stored"]) + Number(summary["unchanged"]), count)
      assert.isAtMost(Number(summary["unchanged"]), 2)
      const { rows } = yield* Effect.promise(() =>
        pool.query<{ source: string; ids: number; rows: number }>(
          "SELECT source, count(DISTINCT id)::int AS ids, count(*)::int AS rows FROM chunks GROUP BY source"
        )
      )
      assert.strictEqual(rows.length, count)
      assert.isTrue(rows.every(({ ids, rows }) => ids === 1 && rows === 1))
      for (const { child } of [second, stranger]) child.kill("SIGTERM")
      const [drained, refused] = yield* Effect.promise(() => Promise.all([second.ended, stranger.ended]))
      assert.strictEqual(drained.status, 0, drained.stderr)
      assert.match(drained.stderr, /told to stop: finishing/u)
      assert.match(refused.stderr, /cannot join .* not allowed here: .*; give --allow for each/u)
      for (const text of [drained.stderr, refused.stderr, ended.stderr, ended.stdout])
        assert.notInclude(text, "s3cret-pass")
    }).pipe(Effect.scoped)
  )

  it.live("refuse a queue with a state in a folder, a target of one machine, or a budget, before any work", () =>
    Effect.gen(function* () {
      const queue = ["--queue", "redis://:s3cret@127.0.0.1:1"]
      const server = ["--to", "qdrant:http://127.0.0.1:1", "--embedder", "hash"]
      const state = ["--state", "postgres://127.0.0.1:1/x"]
      const cases = [
        [["ingest", "a.md", ...queue, ...server], /a folder is for one process; give --state postgres/u],
        [["ingest", "a.md", ...queue, ...state, "--to", "jsonl:a.jsonl"], /written by one process/u],
        [["ingest", "a.md", ...queue, ...server, ...state, "--budget-pages", "9"], /leave out --budget-pages/u],
        [["ingest", "a.md", ...queue, ...server, "--no-state"], /leave out --no-state/u],
        [
          ["ingest", "a.md", "--queue", "amqp://:s3cret@host", ...server, ...state],
          /a queue is on Redis or PostgreSQL/u
        ],
        [["worker", ...queue], /a folder is for one process/u],
        [["worker"], /name the queue/u]
      ] as const
      for (const [words, wanted] of cases) {
        const { status, stderr } = yield* Effect.promise(() => runHere(words))
        assert.strictEqual(status, 64, stderr)
        assert.match(stderr, wanted)
        assert.notInclude(stderr, "s3cret")
      }
    })
  )
})
