import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import * as Source from "docsluice/Source"
import { Effect, Either } from "effect"
import { runPlaces } from "./places.ts"
import * as Workspace from "./workspace.ts"

const at = (ws: Workspace.Workspace, name: string) => join(ws.directory, name)

/** A run over another folder of the workspace, into another target. */
const over = (ws: Workspace.Workspace, folder: string, given: Workspace.Given = {}) =>
  Workspace.run(ws, {
    ...given,
    sinks: [Workspace.jsonl(ws, { file: at(ws, `fresh/${given.state ?? "chunks"}.jsonl`) })],
    discovery: { root: at(ws, folder), ...given.discovery }
  })

const refused = (ws: Workspace.Workspace, folder: string) =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(over(ws, folder))
    assert.instanceOf(error, Ledger.LedgerError)
    assert.strictEqual(error.reason, "RootRenamed")
    assert.include(error.message, at(ws, "docs"))
    assert.match(error.message, /"docs".*`name` docs.*`newRoot`/)
    assert.isFalse(existsSync(at(ws, "fresh")), "nothing is written before")
    const { roots } = yield* Effect.scoped(
      Effect.flatMap(Ledger.openReadOnly(ws.state ?? at(ws, "state")), (ledger) => ledger.stats)
    )
    assert.deepStrictEqual(
      roots.map(({ name }) => name),
      ["docs"]
    )
  })

const accepted = (ws: Workspace.Workspace, folder: string, given: Workspace.Given = {}) =>
  Effect.map(Effect.either(over(ws, folder, given)), (result) =>
    assert.isTrue(Either.isRight(result), JSON.stringify(result))
  )

const facts = (place: ReturnType<typeof runPlaces>[number]): void => {
  const stored = Effect.flatMap(place.state, (state) => Effect.tap(Workspace.make(6, state), (ws) => Workspace.run(ws)))

  describe.skipIf(place.missing !== null)(`a root under a new name, ${place.title}`, () => {
    it.scopedLive("is refused before anything is written, and goes on under its old name", () =>
      Effect.gen(function* () {
        const ws = yield* stored
        renameSync(at(ws, "docs"), at(ws, "documents"))
        yield* refused(ws, "documents")
        const kept = yield* Workspace.run(ws, { discovery: { root: at(ws, "documents"), name: "docs" } })
        assert.deepInclude(kept, { unchanged: 6, stored: 0, exit: 0 })
      })
    )

    it.scopedLive("is taken when it is said to be a new one, and not asked about again", () =>
      Effect.gen(function* () {
        const ws = yield* stored
        renameSync(at(ws, "docs"), at(ws, "documents"))
        assert.deepInclude(yield* over(ws, "documents", { newRoot: true }), { stored: 6, exit: 0 })
        assert.deepInclude(yield* over(ws, "documents"), { unchanged: 6, exit: 0 })
      })
    )

    it.scopedLive("is seen from half of the files on", () =>
      Effect.gen(function* () {
        const ws = yield* stored
        renameSync(at(ws, "docs"), at(ws, "documents"))
        for (const name of ["0/0.pdf", "1/1.pdf", "2/2.pdf"]) rmSync(at(ws, join("documents", name)))
        yield* refused(ws, "documents")
        rmSync(at(ws, "documents/0/3.pdf"))
        yield* accepted(ws, "documents")
      })
    )

    it.scopedLive("is seen when its folder came into another one", () =>
      Effect.gen(function* () {
        const ws = yield* stored
        mkdirSync(at(ws, "archive"))
        renameSync(at(ws, "docs"), at(ws, "archive/docs"))
        yield* refused(ws, "archive")
      })
    )

    it.scopedLive("is seen when one of its folders with half of its files is what is left of it", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(6, yield* place.state)
        ws.write("0/deep/7.pdf", "seven")
        ws.write("0/deep/8.pdf", "eight")
        yield* Workspace.settle
        yield* Workspace.run(ws)
        renameSync(at(ws, "docs/0"), at(ws, "zero"))
        rmSync(at(ws, "docs"), { recursive: true })
        yield* refused(ws, "zero")
      })
    )

    it.scopedLive("is another one when it is a copy, another folder or a root that is still there", () =>
      Effect.gen(function* () {
        const ws = yield* stored
        cpSync(at(ws, "docs"), at(ws, "copy"), { recursive: true, preserveTimestamps: true })
        renameSync(at(ws, "docs"), at(ws, "away"))
        yield* accepted(ws, "copy")
        mkdirSync(at(ws, "else"))
        writeFileSync(at(ws, "else/0.pdf"), "else")
        yield* accepted(ws, "else")
        mkdirSync(at(ws, "docs"))
        yield* accepted(ws, "away")
      })
    )

    it.scopedLive("takes its name along when only the folders above it changed", () =>
      Effect.gen(function* () {
        const ws = yield* stored
        mkdirSync(at(ws, "elsewhere"))
        renameSync(at(ws, "docs"), at(ws, "elsewhere/docs"))
        const moved = yield* Workspace.run(ws, { mode: "sync", discovery: { root: at(ws, "elsewhere/docs") } })
        assert.deepInclude(moved, { unchanged: 6, removed: 0, exit: 0 })
      })
    )

    it.scopedLive("is another one when the files were written since", () =>
      Effect.gen(function* () {
        const ws = yield* stored
        renameSync(at(ws, "docs"), at(ws, "documents"))
        for (const folder of ["0", "1", "2"]) {
          for (const name of readdirSync(at(ws, `documents/${folder}`))) {
            utimesSync(at(ws, `documents/${folder}/${name}`), new Date(), new Date())
          }
        }
        yield* accepted(ws, "documents")
      })
    )

    it.scopedLive("is not asked about in a run that remembers nothing, nor of files that are no folder's", () =>
      Effect.gen(function* () {
        const ws = yield* stored
        renameSync(at(ws, "docs"), at(ws, "documents"))
        yield* accepted(ws, "documents", { state: "another" })
        yield* accepted(ws, "documents", {
          change: (options) => ({
            ...options,
            source: Source.within({ root: "documents", path: null, patterns: "own" }, options.source.files)
          })
        })
      })
    )
  })
}

for (const place of runPlaces()) {
  facts(place)
}
