import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import { runHere } from "./run.ts"

/** A folder `docs` with four documents, a state and a service. */
const site = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "docsluice-roots-")))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
  const service = yield* FaultServer.start()
  const at = (...names: ReadonlyArray<string>) => join(folder, ...names)
  mkdirSync(at("docs"))
  for (const name of ["a", "b", "c", "d"]) writeFileSync(at("docs", `${name}.pdf`), `document ${name}`)
  yield* Effect.sleep("40 millis")
  const run = (command: string, root: string, ...words: ReadonlyArray<string>) =>
    Effect.promise(() =>
      runHere([
        command,
        "--json",
        `--root=${at(root)}`,
        `--state=${at("state")}`,
        `--to=jsonl:${at(`${root}.jsonl`)}`,
        `--service=${service.base}`,
        ...words
      ])
    )
  return { at, run, service }
})

const json = ({ stdout }: { readonly stdout: string }): Record<string, unknown> => JSON.parse(stdout)

describe("roots on the command line", () => {
  it.scopedLive("ingest, plan and watch refuse a renamed root before anything is written, and say what to give", () =>
    Effect.gen(function* () {
      const { at, run, service } = yield* site
      yield* run("ingest", "docs", ".")
      renameSync(at("docs"), at("papers"))
      const before = readdirSync(at(".")).toSorted()
      for (const command of ["ingest", "plan", "watch"]) {
        const refused = yield* run(command, "papers", ".")
        assert.deepInclude(refused, { status: 64, stdout: "" })
        assert.match(refused.stderr, /LedgerError: .*papers.*"docs".*--name docs.*--new-root/s)
      }
      assert.deepStrictEqual(readdirSync(at(".")).toSorted(), before)
      assert.strictEqual(service.log.length, 4)
      assert.deepInclude(json(yield* run("plan", "papers", "--new-root", ".")), { new: 4 })
      const meant = yield* run("ingest", "papers", "--new-root", ".")
      assert.deepInclude(json(meant), { stored: 4, fromCache: 4, exit: 0 })
      assert.deepInclude(json(yield* run("ingest", "papers", ".")), { unchanged: 4, exit: 0 })
    })
  )

  it.scopedLive("a name that another folder has is refused before a new target is made", () =>
    Effect.gen(function* () {
      const { at, run } = yield* site
      yield* run("ingest", "docs", ".")
      mkdirSync(at("others"))
      writeFileSync(at("others", "x.pdf"), "x")
      const refused = yield* run("ingest", "others", "--name", "docs", ".")
      assert.deepInclude(refused, { status: 64, stdout: "" })
      assert.isFalse(existsSync(at("others.jsonl")) || existsSync(at("others.jsonl.docsluice.json")))
    })
  )

  it.scopedLive("a sync of a folder takes a gone file that an earlier run had named, and plan says so before", () =>
    Effect.gen(function* () {
      const { at, run } = yield* site
      yield* run("ingest", "docs", "a.pdf")
      yield* run("ingest", "docs", "--mode", "sync", ".")
      rmSync(at("docs", "a.pdf"))
      const planned = json(yield* run("plan", "docs", "--mode", "sync", "."))
      assert.deepInclude(planned, { removed: 1, unchanged: 3 })
      const reason = "an earlier run asked for it by other patterns, and its file is gone"
      assert.deepInclude(planned["files"], { source: "a.pdf", action: "removed", reason })
      assert.deepInclude(json(yield* run("ingest", "docs", "--mode", "sync", ".")), { removed: 1, exit: 0 })
      assert.notInclude(readFileSync(at("docs.jsonl"), "utf8"), '"a.pdf"')
    })
  )

  it.scopedLive("a sync of a folder leaves a gone file that a run over more found too, and says so", () =>
    Effect.gen(function* () {
      const { at, run } = yield* site
      mkdirSync(at("docs", "in"))
      writeFileSync(at("docs", "in", "e.pdf"), "e")
      yield* Effect.sleep("40 millis")
      yield* run("ingest", "docs", ".")
      yield* run("ingest", "docs", "in")
      writeFileSync(at("docs", "in", "f.pdf"), "f")
      rmSync(at("docs", "in", "e.pdf"))
      const planned = json(yield* run("plan", "docs", "--mode", "sync", "in"))
      assert.deepInclude(planned["files"], {
        source: "in/e.pdf",
        action: "kept",
        reason: "a run that looked further found it too; sync what that run looked at"
      })
      const synced = yield* run("ingest", "docs", "--mode", "sync", "in")
      assert.deepInclude(json(synced), { stored: 1, removed: 0, exit: 0 })
      assert.match(synced.stderr, /gone, but kept, .*: in\/e\.pdf/)
      assert.deepInclude(json(yield* run("ingest", "docs", "--mode", "sync", ".")), { removed: 1, exit: 0 })
    })
  )

  it.scopedLive("an upsert takes out what append left", () =>
    Effect.gen(function* () {
      const { at, run } = yield* site
      yield* run("ingest", "docs", "--mode", "append", ".")
      const lines = () => readFileSync(at("docs.jsonl"), "utf8").trim().split("\n")
      const once = lines().length
      yield* run("ingest", "docs", "--mode", "append", "--max-tokens", "8", ".")
      const fresh = lines().length - once
      assert.isAbove(fresh, 0)
      const status = yield* Effect.promise(() => runHere(["status", "--state", at("state")]))
      assert.match(status.stdout, /4 documents with chunks of earlier versions/)
      const upsert = json(yield* run("ingest", "docs", "--max-tokens", "8", "."))
      assert.deepInclude(upsert, { unchanged: 4, exit: 0 })
      assert.deepInclude(upsert["chunks"], { deleted: once })
      assert.strictEqual(lines().length, fresh)
    })
  )
})
