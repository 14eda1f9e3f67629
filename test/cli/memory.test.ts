import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Summary } from "docsluice/Outcome"
import { Deferred, Effect, Ref, Schema } from "effect"
import { complete } from "../../src/cli/Argv.ts"
import { ExitStatus, type Status } from "../../src/cli/ExitStatus.ts"
import * as ingest from "../../src/cli/ingest.ts"
import { Invocation } from "../../src/cli/Invocation.ts"
import { Signals } from "../../src/cli/Signals.ts"
import { Terminal } from "../../src/cli/Terminal.ts"
import * as FaultServer from "../faultserver/server.ts"

const decode = Schema.decodeSync(Schema.parseJson(Summary))

/** A folder `docs` with three documents, a service, and the command line in this process. */
const workplace = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-cli-"))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
  const docs = join(folder, "docs")
  mkdirSync(docs)
  for (const name of ["a", "b", "c"]) writeFileSync(join(docs, `${name}.pdf`), `document ${name}`)
  yield* Effect.sleep("40 millis")
  const server = yield* FaultServer.start()
  const target = join(folder, "chunks.jsonl")
  const run = (...words: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const status = yield* Ref.make<Status>(0)
      const results: Array<string> = []
      const notes: Array<string> = []
      const given = [
        "--root",
        docs,
        "--state",
        join(folder, "state"),
        "--to",
        `jsonl:${target}`,
        "--service",
        server.base
      ]
      const none = { environment: {}, file: null }
      const line = yield* complete(["--json", ...given, ...words, "."], ingest.command.flags, none)
      yield* ingest.command.run(line).pipe(
        Effect.provideService(ExitStatus, status),
        Effect.provideService(Invocation, words),
        Effect.provideService(Terminal, {
          result: (text) =>
            Effect.sync(() => void results.push(typeof text === "string" ? text : JSON.stringify(text))),
          document: (text) => Effect.sync(() => void results.push(text)),
          lastWord: () => undefined,
          failure: (text) => Effect.sync(() => void notes.push(text)),
          note: (text) => Effect.sync(() => void notes.push(text)),
          draw: () => undefined,
          wipe: () => undefined,
          interactive: false,
          columns: 80,
          width: Infinity
        }),
        Effect.provideService(Signals, {
          first: yield* Deferred.make<void>(),
          handled: Effect.void,
          beforeEnd: () => undefined,
          isHandled: () => true
        }),
        Effect.provide(NodeContext.layer)
      )
      const summary = results[0] === undefined ? null : decode(results[0])
      return { status: yield* status, summary, notes }
    })
  return { docs, folder, target, server, run }
})

describe("docsluice ingest", () => {
  it.scopedLive("does nothing twice, and in mode sync removes documents that are gone", () =>
    Effect.gen(function* () {
      const { docs, run, server } = yield* workplace
      const first = yield* run()
      assert.deepInclude(first.summary, { stored: 3, requests: 3, exit: 0 })
      assert.deepInclude((yield* run()).summary, { unchanged: 3, requests: 0 })
      rmSync(join(docs, "a.pdf"))
      assert.deepInclude((yield* run()).summary, { unchanged: 2, removed: 0 })
      const synced = yield* run("--mode", "sync")
      assert.deepInclude(synced.summary, { unchanged: 2, removed: 1 })
      assert.strictEqual(synced.status, 0)
      assert.strictEqual(server.log.length, 3)
    })
  )

  it.scopedLive("a missing root: exit 64 and no files left when it is unknown, else exit 1 and the summary", () =>
    Effect.gen(function* () {
      const { docs, folder, run, target } = yield* workplace
      renameSync(docs, `${docs}-away`)
      const unknown = yield* run()
      assert.deepInclude(unknown, { status: 64, summary: null })
      assert.isFalse(existsSync(join(folder, "state")) || existsSync(target))
      renameSync(`${docs}-away`, docs)
      yield* run()
      const other = join(folder, "other.jsonl")
      const elsewhere = yield* run("--name", "other", "--to", `jsonl:${other}`, "--ignore", "**")
      assert.deepInclude(elsewhere, { status: 64, summary: null })
      assert.isFalse(existsSync(other) || existsSync(`${other}.docsluice.json`))
      renameSync(docs, `${docs}-away`)
      const known = yield* run("--mode", "sync")
      assert.strictEqual(known.status, 1)
      assert.deepInclude(known.summary, { discovered: 0, removed: 0, exit: 1 })
      assert.match(known.summary?.warnings[0]?.message ?? "", /nothing was removed/)
      mkdirSync(docs)
      assert.deepInclude(yield* Effect.map(run("--mode", "sync"), ({ status }) => ({ status })), { status: 1 })
    })
  )

  it.scopedLive("without a state every target must be empty, unless it is appended to", () =>
    Effect.gen(function* () {
      const { folder, run, server } = yield* workplace
      assert.deepInclude((yield* run("--no-state")).summary, { stored: 3, exit: 0 })
      const refused = yield* run("--no-state")
      assert.deepInclude(refused, { status: 64, summary: null })
      assert.match(refused.notes[0] ?? "", /must be absent or empty/)
      assert.strictEqual(server.log.length, 3)
      assert.deepInclude((yield* run("--no-state", "--mode", "append")).summary, { stored: 3, exit: 0 })
      assert.isFalse(existsSync(join(folder, "state")))
    })
  )

  it.scopedLive(
    "keeps the settings that the root was filled with, until --rechunk, from the cache, and plans the same",
    () =>
      Effect.gen(function* () {
        const { run } = yield* workplace
        yield* run("--max-tokens", "64")
        const kept = yield* run()
        assert.deepInclude(kept.summary, { unchanged: 3, stored: 0, requests: 0 })
        const anew = yield* run("--rechunk", "--overlap", "8")
        assert.deepInclude(anew.summary, { stored: 3, fromCache: 3, requests: 0 })
        assert.deepInclude((yield* run()).summary, { unchanged: 3, stored: 0, requests: 0 })
      })
  )

  it.scopedLive("rebuilds and re-chunks from the cache, refreshes past it, and stops at a budget", () =>
    Effect.gen(function* () {
      const { run } = yield* workplace
      yield* run()
      assert.deepInclude((yield* run("--rebuild")).summary, { stored: 3, fromCache: 3, requests: 0 })
      assert.deepInclude((yield* run("--max-tokens", "64")).summary, { stored: 3, fromCache: 3, requests: 0 })
      assert.deepInclude((yield* run("--max-tokens", "64", "--overlap", "8")).summary, {
        stored: 3,
        fromCache: 3,
        requests: 0
      })
      assert.deepInclude((yield* run("--max-tokens", "64", "--overlap", "8")).summary, { unchanged: 3, requests: 0 })
      assert.deepInclude((yield* run("--verify")).summary, { stored: 3, fromCache: 3, requests: 0 })
      assert.deepInclude((yield* run("--refresh")).summary, { stored: 3, fromCache: 0, requests: 3 })
      const stopped = yield* run("--refresh", "--budget-credits", "1")
      assert.strictEqual(stopped.status, 1)
      assert.strictEqual(stopped.summary?.stopped?.tag, "BudgetSpent")
    })
  )
})
