import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as RunRoot from "../../src/internal/target/runRoot.ts"
import { runHere } from "./run.ts"

/** Two folders with a document each, next to each other, and a folder to work in. */
const site = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "docsluice-roots-")))
    for (const name of ["work/own", "data/a", "data/b", "data/ab"]) mkdirSync(join(folder, name), { recursive: true })
    for (const name of ["work/own", "data/a", "data/b"]) {
      writeFileSync(join(folder, name, "x.html"), `<h1>${name}</h1><p>The text of ${name}.</p>`)
    }
    return { at: (...names: ReadonlyArray<string>) => join(folder, ...names) }
  }),
  ({ at }) => Effect.sync(() => rmSync(at(), { recursive: true, force: true }))
)

const chosen = (paths: ReadonlyArray<string>, cwd: string, known: ReadonlyArray<RunRoot.Known> = []) =>
  Either.getOrThrow(RunRoot.choose(paths, cwd, known))

describe("the root of a run", () => {
  it.scoped("is the folder of an absolute path, and the deepest folder of several", () =>
    Effect.map(site, ({ at }) => {
      const cwd = at("work")
      const rootOf = (...paths: ReadonlyArray<string>) => chosen(paths, cwd).root
      assert.strictEqual(rootOf(at("data", "a")), at("data", "a"))
      assert.strictEqual(rootOf(at("data", "a", "x.html")), at("data", "a"))
      assert.strictEqual(rootOf(`${at("data", "a")}/**/*.html`), at("data", "a"))
      assert.strictEqual(rootOf(at("data", "a"), at("data", "ab")), at("data"))
      assert.strictEqual(rootOf(at("data", "a"), at("data")), at("data"))
      assert.strictEqual(rootOf(at("data", "a"), "!*.tmp"), at("data", "a"))
      assert.deepStrictEqual(chosen([at("data", "a"), "own"], cwd).patterns, [at("data", "a"), at("work", "own")])
    })
  )

  it.scoped("stays the working directory for paths in it, for links to it, and for relative paths out of it", () =>
    Effect.map(site, ({ at }) => {
      const cwd = at("work")
      for (const paths of [["own"], [at("work", "own")], ["."], ["../data"], ["https://example.com/a.pdf"], ["!own"]]) {
        assert.isFalse(RunRoot.leaves(paths, cwd), paths.join())
      }
      symlinkSync(cwd, at("link"))
      assert.isTrue(RunRoot.leaves([at("link", "own")], cwd))
      assert.deepStrictEqual(chosen([at("link", "own")], cwd), { root: cwd, name: undefined, patterns: ["own"] })
    })
  )

  it.scoped("is a known root that holds all paths, and never one that would store known documents twice", () =>
    Effect.map(site, ({ at }) => {
      const data = { name: "library", path: at("data"), documents: 2 }
      assert.deepInclude(chosen([at("data", "a")], at("work"), [data]), { root: at("data"), name: "library" })
      rmSync(at("data", "ab"), { recursive: true })
      const gone = { name: "ab", path: at("data", "ab"), documents: 1 }
      assert.deepInclude(chosen([at("data", "ab")], at("work"), [gone]), { root: at("data", "ab"), name: "ab" })
      const unknown = RunRoot.choose([at("data", "ab")], at("work"), [])
      assert.match(String(Either.flip(unknown)), /data\/ab: there is no such file or folder/)
      const a = { name: "a", path: at("data", "a"), documents: 1 }
      const refused = RunRoot.choose([at("data", "a"), at("data", "b")], at("work"), [a])
      assert.match(String(Either.flip(refused)), /would be stored a second time below .*data; give `root` .*data\/a /)
      assert.match(String(Either.flip(RunRoot.choose([at("data"), "/proc"], at("work"), []))), /no folder but \/ holds/)
    })
  )

  it.scopedLive("stores a document under one id, whatever the paths of later runs", () =>
    Effect.gen(function* () {
      const { at } = yield* site
      const given = ["--state", at("state"), "--to", `jsonl:${at("chunks.jsonl")}`, "--json"]
      const run = (...words: ReadonlyArray<string>) => Effect.promise(() => runHere(words))
      const first = yield* run("ingest", at("data", "a"), at("data", "b"), ...given)
      assert.strictEqual(first.status, 0, first.stderr)
      assert.include(first.stderr, `root: ${at("data")}, so documents are named data/…`)
      const again = yield* run("ingest", at("data", "b"), ...given)
      assert.match(again.stdout, /"discovered":1,"unchanged":[01],/)
      assert.strictEqual((yield* run("ingest", "--root", at("data"), ...given)).status, 0)
      const ids = readFileSync(at("chunks.jsonl"), "utf8").match(/"documentId":"[^"]*"/gu)
      assert.deepStrictEqual([...new Set(ids)].toSorted(), [
        '"documentId":"data/a/x.html"',
        '"documentId":"data/b/x.html"'
      ])
      const planned = yield* run("plan", "--root", at("data"), ...given)
      assert.strictEqual(planned.status, 0, planned.stderr)
    })
  )
})
