import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Ledger from "docsluice/Ledger"
import { documentId } from "docsluice/SourceFile"
import { Effect } from "effect"
import { ofRun } from "../../src/internal/state/ledger/runLedger.ts"
import * as FaultServer from "../faultserver/server.ts"
import { runHere } from "./run.ts"

/** Two roots, each with a file that is empty and one that is not, a state, and a service that wants no key. */
const site = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "docsluice-retry-")))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
  const service = yield* FaultServer.start()
  const at = (...names: ReadonlyArray<string>) => join(folder, ...names)
  for (const root of ["one", "two"]) {
    mkdirSync(at(root))
    writeFileSync(at(root, "good.pdf"), `good of ${root}`)
    writeFileSync(at(root, "late.pdf"), "")
  }
  const ingestAt = (base: string, root: string, target: string, ...words: ReadonlyArray<string>) =>
    Effect.promise(() =>
      runHere([
        "ingest",
        "--json",
        `--root=${at(root)}`,
        `--to=jsonl:${at(target)}`,
        `--state=${at("state")}`,
        `--service=${base}`,
        ...words
      ])
    )
  const ingest = (root: string, target: string, ...words: ReadonlyArray<string>) =>
    ingestAt(service.base, root, target, ...words, ".")
  const command = (...words: ReadonlyArray<string>) =>
    Effect.promise(() => runHere([...words, "--state", at("state"), "--json"]))
  const letters = Effect.map(
    Effect.provide(DeadLetter.read(at("state", "dead-letter.jsonl")), NodeContext.layer),
    (all) => all.map(({ root, source }) => `${root}/${source}`).toSorted()
  )
  const documents = (target: string) =>
    existsSync(at(target))
      ? [...new Set(readFileSync(at(target), "utf8").match(/"documentId":"[^"]*"/g))]
          .map((one) => one.slice(14, -1))
          .toSorted()
      : []
  /** Puts bytes where there were none. */
  const mend = (...roots: ReadonlyArray<string>) =>
    Effect.zipRight(
      Effect.sync(() => {
        for (const root of roots) writeFileSync(at(root, "late.pdf"), `late of ${root}`)
      }),
      Effect.sleep("40 millis")
    )
  const ledger = <A, E>(use: (ledger: Ledger.Ledger.Service) => Effect.Effect<A, E>) =>
    Effect.scoped(Effect.flatMap(Ledger.make({ directory: at("state") }), use))
  return { at, command, documents, ingest, ingestAt, ledger, letters, mend, service }
})

const summary = ({ stdout }: { readonly stdout: string }): Record<string, unknown> => JSON.parse(stdout)

describe("docsluice retry", () => {
  it.scopedLive("keeps the letters of two roots apart, and writes each to the targets of its own run", () =>
    Effect.gen(function* () {
      const { command, documents, ingest, letters, mend } = yield* site
      yield* ingest("one", "one.jsonl", "--max-tokens", "64")
      yield* ingest("two", "two.jsonl")
      assert.deepStrictEqual(yield* letters, ["one/late.pdf", "two/late.pdf"])
      yield* mend("one", "two")
      const retried = yield* command("retry")
      assert.strictEqual(retried.status, 0, retried.stderr)
      assert.deepInclude(summary(retried), { discovered: 2, stored: 2, failed: 0, exit: 0 })
      assert.deepStrictEqual(documents("one.jsonl"), ["one/good.pdf", "one/late.pdf"])
      assert.deepStrictEqual(documents("two.jsonl"), ["two/good.pdf", "two/late.pdf"])
      assert.deepStrictEqual(yield* letters, [])
      assert.deepInclude(summary(yield* ingest("one", "one.jsonl", "--max-tokens", "64")), { unchanged: 2 })
    })
  )

  it.scopedLive("a success under one root leaves the letter of the other", () =>
    Effect.gen(function* () {
      const { command, ingest, letters, mend } = yield* site
      yield* ingest("one", "one.jsonl")
      yield* mend("two")
      yield* ingest("two", "two.jsonl")
      assert.deepStrictEqual(yield* letters, ["one/late.pdf"])
      const again = yield* command("retry")
      assert.deepInclude(summary(again), { discovered: 1, failed: 1, exit: 1 })
      assert.deepStrictEqual(yield* letters, ["one/late.pdf"])
      assert.deepInclude(summary(yield* command("status")), { failed: 1, deadLetters: 1 })
    })
  )

  it.scopedLive("names the letters of a root that is gone, and sends the others", () =>
    Effect.gen(function* () {
      const { at, command, documents, ingest, letters, mend } = yield* site
      yield* ingest("one", "one.jsonl")
      yield* ingest("two", "two.jsonl")
      yield* mend("two")
      renameSync(at("one"), at("one-away"))
      const retried = yield* command("retry")
      assert.strictEqual(retried.status, 1)
      assert.deepInclude(summary(retried), { discovered: 1, stored: 1, exit: 1 })
      assert.match(retried.stdout, /"source":"one\/late\.pdf","message":"its root [^"]*one is gone/)
      assert.deepStrictEqual(documents("two.jsonl"), ["two/good.pdf", "two/late.pdf"])
      assert.deepStrictEqual(yield* letters, ["one/late.pdf"])
    })
  )

  it.scopedLive("follows a root that has moved and was found there since", () =>
    Effect.gen(function* () {
      const { at, command, documents, ingest, ingestAt, letters, mend, service } = yield* site
      yield* ingest("one", "one.jsonl")
      renameSync(at("one"), at("moved"))
      yield* ingestAt(service.base, "moved", "other.jsonl", "--name", "one", "good.pdf")
      yield* mend("moved")
      const retried = yield* command("retry")
      assert.strictEqual(retried.status, 0, retried.stderr)
      assert.deepStrictEqual(documents("one.jsonl"), ["one/good.pdf", "one/late.pdf"])
      assert.deepStrictEqual(yield* letters, [])
    })
  )

  it.scopedLive("drops the letter of a file that is gone with a word, and keeps what is stored of it", () =>
    Effect.gen(function* () {
      const { at, command, documents, ingest, ledger, letters } = yield* site
      yield* ingest("one", "one.jsonl")
      writeFileSync(at("one", "good.pdf"), "")
      yield* Effect.sleep("40 millis")
      yield* ingest("one", "one.jsonl")
      assert.deepStrictEqual(yield* letters, ["one/good.pdf", "one/late.pdf"])
      for (const name of ["good.pdf", "late.pdf"]) rmSync(at("one", name))
      const retried = yield* command("retry")
      assert.strictEqual(retried.status, 0)
      assert.match(retried.stderr, /dropped, since the files are gone: one\/[a-z]+\.pdf, one\/[a-z]+\.pdf/)
      assert.deepInclude(summary(retried), { discovered: 0, exit: 0 })
      assert.deepStrictEqual(yield* letters, [])
      assert.deepStrictEqual(documents("one.jsonl"), ["one/good.pdf"])
      assert.deepInclude(yield* ledger((own) => own.stats), { documents: 1, stored: 1, failed: 0 })
    })
  )

  it.scopedLive("says before any work which credentials of which run are to be given again", () =>
    Effect.gen(function* () {
      const { command, ingest, letters, mend, service } = yield* site
      yield* ingest("one", "one.jsonl", "--api-key", "hunter2")
      yield* ingest("two", "two.jsonl")
      yield* mend("one", "two")
      const before = service.log.length
      const refused = yield* command("retry")
      assert.deepInclude(refused, { status: 64, stdout: "" })
      assert.include(refused.stderr, `--api-key of ${service.base}`)
      assert.strictEqual(service.log.length, before)
      assert.deepStrictEqual(yield* letters, ["one/late.pdf", "two/late.pdf"])
      const retried = yield* command("retry", "--api-key", "hunter3")
      assert.deepInclude(summary(retried), { stored: 2, exit: 0 })
    })
  )

  it.scopedLive("gives a key to no service but the one that had one", () =>
    Effect.gen(function* () {
      const { command, ingest, ingestAt, mend } = yield* site
      const other = yield* FaultServer.start({ key: "of-another" })
      yield* ingest("one", "one.jsonl", "--api-key", "hunter2")
      yield* ingestAt(other.base, "two", "two.jsonl", "--api-key", "of-another", ".")
      yield* mend("one", "two")
      const refused = yield* command("retry", "--api-key", "of-another")
      assert.deepInclude(refused, { status: 64, stdout: "" })
      assert.match(refused.stderr, /several services that need a key/)
    })
  )

  it.scopedLive("sends what the ledger says failed, whatever the file of the letters has after a kill", () =>
    Effect.gen(function* () {
      const { at, command, documents, ingest, letters, mend } = yield* site
      yield* ingest("one", "one.jsonl")
      yield* ingest("two", "two.jsonl")
      const [line] = readFileSync(at("state", "dead-letter.jsonl"), "utf8").split("\n")
      const stale = line?.replace("late.pdf", "good.pdf") ?? ""
      writeFileSync(at("state", "dead-letter.jsonl"), `${stale}\n`)
      assert.deepInclude(summary(yield* command("status")), { deadLetters: 2 })
      yield* mend("one", "two")
      assert.deepInclude(summary(yield* command("retry")), { discovered: 2, stored: 2, exit: 0 })
      assert.deepStrictEqual(documents("one.jsonl"), ["one/good.pdf", "one/late.pdf"])
      assert.deepStrictEqual(yield* letters, [])
    })
  )

  it.scopedLive("takes a failure of an earlier version for one of the latest run over its root", () =>
    Effect.gen(function* () {
      const { command, documents, ingest, ledger, mend } = yield* site
      yield* ingest("one", "one.jsonl")
      yield* ingest("two", "two.jsonl")
      const key = { documentId: documentId("one", "late.pdf"), path: "late.pdf" }
      yield* ledger((own) =>
        Effect.gen(function* () {
          const entry = yield* Effect.flatten(own.get(key))
          if (entry.failure === null) return
          yield* ofRun(own).fail(key, { ...entry.failure, targets: [], request: null }, null)
        })
      )
      yield* mend("one")
      assert.deepInclude(summary(yield* command("retry")), { discovered: 2, stored: 1, failed: 1 })
      assert.deepStrictEqual(documents("one.jsonl"), ["one/good.pdf", "one/late.pdf"])
    })
  )

  it.scopedLive("leaves what a program of one's own met, and says so", () =>
    Effect.gen(function* () {
      const { command, documents, ingest, ledger } = yield* site
      yield* ingest("one", "one.jsonl")
      const key = { documentId: documentId("one", "late.pdf"), path: "late.pdf" }
      yield* ledger((own) =>
        Effect.gen(function* () {
          const entry = yield* Effect.flatten(own.get(key))
          if (entry.failure === null) return
          yield* ofRun(own).fail(key, { ...entry.failure, targets: ["own:sink"], request: null }, null)
        })
      )
      const retried = yield* command("retry")
      assert.strictEqual(retried.status, 1)
      assert.match(retried.stdout, /was not one of the command line/)
      assert.deepStrictEqual(documents("one.jsonl"), ["one/good.pdf"])
    })
  )

  it.scopedLive("with --empty parses what is stored without text again, whatever is cached, and nothing else", () =>
    Effect.gen(function* () {
      const { at, command, documents, ingest, service } = yield* site
      writeFileSync(at("one", "scan@empty-markdown.pdf"), "a scan")
      yield* ingest("one", "one.jsonl")
      assert.deepStrictEqual(documents("one.jsonl"), ["one/good.pdf"])
      const before = service.log.length
      const { status, stdout } = yield* command("retry", "--empty")
      assert.deepInclude(JSON.parse(stdout), { discovered: 1, empty: 1, fromCache: 0, requests: 1 })
      assert.strictEqual(status, 0)
      assert.strictEqual(service.log.length, before + 1)
    })
  )

  it.scopedLive("without a letter opens no target, and without a run says what to do", () =>
    Effect.gen(function* () {
      const { at, command, ingest, mend } = yield* site
      assert.strictEqual((yield* command("retry")).status, 64)
      yield* mend("one")
      yield* ingest("one", "one.jsonl")
      rmSync(at("one.jsonl"))
      const retried = yield* command("retry")
      assert.deepInclude(summary(retried), { discovered: 0, exit: 0 })
      assert.isFalse(existsSync(at("one.jsonl")))
    })
  )
})
