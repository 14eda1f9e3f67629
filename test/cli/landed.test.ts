/**
 * A folder as version 0.1 of 23 November 2026 (59ea750) left it, `landed.tgz`: documents, a config file, a state, and a store of each
 * kind that is a file, written by `ingest docs`, by `Async.ingest({ root: "notes" })` and by a handle (`ingest("notes")`, `add`); in
 * `server`, a state and chunks on PostgreSQL as dumps. States hold absolute paths, so that it is unpacked where it was made.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Corpus from "docsluice/Corpus"
import { Summary } from "docsluice/Outcome"
import { Effect, Schema } from "effect"
import { server, sql } from "../ledger/places.ts"
import * as Postgres from "../sinks/postgres.ts"
import { run, start } from "./run.ts"

const folder = "/tmp/docsluice-landed"
const archive = fileURLToPath(new URL("../fixtures/landed.tgz", import.meta.url))

/** The folder, unpacked. Another process that tests with it is waited for; one that was killed leaves it, and is not waited for long. */
const landed = Effect.acquireRelease(
  Effect.promise(async () => {
    const unpacked = () => {
      mkdirSync(folder)
      execFileSync("tar", ["xzf", archive, "-C", folder])
      return true
    }
    for (;;) {
      try {
        if (unpacked()) return
      } catch {
        const since = statSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? Date.now()
        if (Date.now() - since > 120_000) rmSync(folder, { recursive: true, force: true })
        await sleep(200)
      }
    }
  }),
  () => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Names and bytes of the stores. The stamp of the JSONL file says where that file is; a database's pages differ though its rows do not, so that its chunks are counted elsewhere. */
const stores = (): ReadonlyArray<readonly [string, string]> =>
  [
    "chunks.jsonl",
    ...readdirSync(join(folder, "chunks"), { recursive: true, encoding: "utf8" })
      .toSorted()
      .map((name) => join("chunks", name))
  ]
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => [name, readFileSync(join(folder, name), "latin1")])

const summaryOf = Schema.decodeUnknownSync(Schema.parseJson(Summary))

const planned = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Struct({
      new: Schema.Int,
      changed: Schema.Int,
      unchanged: Schema.Int,
      removed: Schema.Int,
      credits: Schema.Number,
      tokens: Schema.Int
    })
  )
)

const doctored = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Array(Schema.Struct({ documents: Schema.Int, missing: Schema.Int, extra: Schema.Int, stale: Schema.Int }))
  )
)

const nothing = {
  stored: 0,
  removed: 0,
  parsed: 0,
  fromCache: 0,
  requests: 0,
  credits: 0,
  chunks: { added: 0, deleted: 0, unchanged: 0 }
}

// One document was refused by the engine of the version before: an engine of another revision is asked again, once.
const commandLine = (...words: ReadonlyArray<string>) => Effect.promise(() => run(folder, words))

const to = [`jsonl:${folder}/chunks.jsonl`, `fs:${folder}/chunks`, `libsql:${folder}/store.db`] as const
const state = `${folder}/.docsluice`

/** Programs take relative paths from the working directory, which tests share; the names of roots are the same without. */
const programs = {
  "Async.ingest": () => Async.ingest({ root: join(folder, "notes"), sinks: [...to], embedder: "hash", state }),
  "a handle": async () => {
    const docs = await Async.open({ to: [...to], embedder: "hash", state, uploads: "inbox" })
    const summary = await docs.ingest({ root: folder, patterns: ["notes"] })
    const added = await docs.add({ path: "boats.md", content: "# Boats\n\nBoats are lifted out in October.\n" })
    assert.strictEqual(added._tag, "Unchanged")
    await docs.close()
    return summary
  },
  "a corpus": () =>
    Effect.flatMap(Corpus.make({ to: [...to], embedder: "hash", state, uploads: "inbox" }), (docs) =>
      docs.ingest({ root: join(folder, "notes") })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), Effect.runPromise)
}

describe.skipIf(process.platform !== "linux")("what the version before wrote", () => {
  it.scopedLive("is unchanged for the command line, which takes its config file", () =>
    Effect.gen(function* () {
      yield* landed
      const before = stores()
      const plan = yield* commandLine("plan", "docs", "--json")
      assert.deepInclude(planned(plan.stdout), { new: 1, changed: 0, unchanged: 3, removed: 0 })
      const again = yield* commandLine("ingest", "docs", "--json")
      assert.deepInclude(summaryOf(again.stdout), { ...nothing, requests: 1, discovered: 4, unchanged: 3, failed: 1 })
      const watching = start(folder, ["watch", "docs", "--json"])
      yield* Effect.promise(async () => {
        while (!watching.stdout().includes("\n")) await sleep(50)
        watching.child.kill("SIGINT")
        await watching.ended
      })
      assert.deepInclude(summaryOf(watching.stdout().split("\n")[0]), { ...nothing, unchanged: 3 })
      const doctor = yield* commandLine("doctor", "--json")
      assert.deepStrictEqual(
        doctored(doctor.stdout).map(({ documents, extra, missing, stale }) => [documents, missing, extra, stale]),
        to.map(() => [8, 0, 0, 0])
      )
      assert.deepStrictEqual(stores(), before)
    })
  )

  it.scopedLive("is unchanged for programs", () =>
    Effect.gen(function* () {
      yield* landed
      const before = stores()
      for (const [face, ingest] of Object.entries(programs)) {
        const summary = yield* Effect.promise(ingest)
        assert.deepInclude(summary, { ...nothing, discovered: 2, unchanged: 2, exit: 0 }, face)
      }
      assert.deepStrictEqual(stores(), before)
    })
  )

  it.scopedLive("is searched, and its failures are sent again with the request of their run", () =>
    Effect.gen(function* () {
      yield* landed
      const found = yield* commandLine("search", "gauge calibration", "--to", "libsql:store.db", "--json")
      assert.match(found.stdout, /docs\/alpha\.md/u, found.stderr)
      writeFileSync(join(folder, "docs", "broken.pdf"), "%PDF-1.4\nstill broken")
      const retried = yield* commandLine("retry", "--json")
      assert.deepInclude(summaryOf(retried.stdout), { stored: 0, failed: 1, discovered: 1 })
      yield* Effect.sync(() => rmSync(join(folder, "docs", "broken.pdf")))
      const swept = yield* commandLine("ingest", "docs", "--json")
      assert.deepInclude(summaryOf(swept.stdout), { ...nothing, discovered: 3, unchanged: 3, exit: 0 })
    })
  )
})

describe.skipIf(process.platform !== "linux" || Postgres.missing() !== null)(
  "what the version before wrote there",
  () => {
    const postgres = server()
    it.scopedLive("is unchanged, and found, on PostgreSQL", () =>
      Effect.gen(function* () {
        yield* landed
        const { url } = yield* postgres
        yield* sql(url, "CREATE EXTENSION vector")
        yield* sql(url, readFileSync(join(folder, "server", "vectors.sql"), "utf8"))
        // A table that was restored is another one to the stamp, which names it by its number.
        yield* sql(url, "UPDATE docsluice_stores SET relation = 'chunks'::regclass")
        yield* sql(url, "CREATE SCHEMA landed")
        const dump = readFileSync(join(folder, "server", "state.sql"), "utf8")
        yield* sql(`${url}?options=-c%20search_path%3Dlanded`, dump)
        const place = join(folder, "server")
        const words = ["ingest", "docs", "--state", `${url}?schema=landed`, "--to", "jsonl:chunks.jsonl"]
        const modes = ["--embedder", "hash", "--mode", "sync", "--json"]
        const again = yield* Effect.promise(() => run(place, [...words, ...modes]))
        assert.deepInclude(summaryOf(again.stdout), { ...nothing, requests: 1, discovered: 4, unchanged: 3, failed: 1 })
        const asked = ["search", "gauge calibration", "--to", `pgvector:${url}`, "--json"]
        const found = yield* Effect.promise(() => run(place, asked))
        assert.match(found.stdout, /docs\/alpha\.md/u, found.stderr)
      })
    )
  }
)
