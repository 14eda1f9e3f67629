import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as ChunkSink from "docsluice/ChunkSink"
import type * as Discovery from "docsluice/Discovery"
import * as Source from "docsluice/Source"
import { FileUnreadable } from "docsluice/SourceFile"
import { Effect, Stream } from "effect"
import { runPlaces } from "./places.ts"
import * as Workspace from "./workspace.ts"

const stored = (ws: Workspace.Workspace) => Workspace.sources(Workspace.lines(Workspace.target(ws)))

const facts = (place: ReturnType<typeof runPlaces>[number]): void => {
  describe.skipIf(place.missing !== null)(`modes, ${place.title}`, () => {
    it.scopedLive("upsert takes a changed document's old chunks out and leaves those of files that are gone", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(5, yield* place.state)
        yield* Workspace.run(ws)
        ws.write("0/0.pdf", "another text")
        ws.remove("1/1.pdf")
        yield* Workspace.settle
        const gone = Workspace.lines(Workspace.target(ws)).filter((chunk) => chunk.source === "1/1.pdf")
        const summary = yield* Workspace.run(ws)
        assert.deepInclude(summary, { discovered: 4, stored: 1, unchanged: 3, removed: 0, requests: 1, exit: 0 })
        assert.isAbove(summary.chunks.deleted, 0)
        const wanted = [...(yield* Workspace.wanted(ws)), ...gone.map((chunk) => chunk.id)]
        assert.deepStrictEqual(Workspace.inFile(ws), wanted.toSorted())
      })
    )

    it.scopedLive("sync also takes out what is gone, even from before an upsert, and asks nothing for it", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(8, yield* place.state)
        yield* Workspace.run(ws)
        ws.remove("1/1.pdf")
        yield* Workspace.run(ws)
        ws.remove("2/2.pdf")
        const summary = yield* Workspace.run(ws, { mode: "sync" })
        assert.deepInclude(summary, { discovered: 6, unchanged: 6, removed: 2, requests: 0, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
        assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { unchanged: 6, removed: 0, exit: 0 })
      })
    )

    it.scopedLive("append deletes nothing: each generation that was written stays", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(3, yield* place.state)
        const append = () => Workspace.run(ws, { mode: "append", sinks: [Workspace.jsonl(ws, { mode: "append" })] })
        yield* append()
        const before = Workspace.inFile(ws)
        ws.write("0/0.pdf", "another text")
        ws.remove("1/1.pdf")
        yield* Workspace.settle
        const summary = yield* append()
        assert.deepInclude(summary, { stored: 1, unchanged: 1, requests: 1, exit: 0 })
        assert.strictEqual(summary.chunks.deleted, 0)
        const both = new Set([...before, ...(yield* Workspace.wanted(ws))])
        assert.deepStrictEqual(Workspace.inFile(ws), [...both].toSorted())
        assert.deepInclude(yield* append(), { unchanged: 2, stored: 0, requests: 0 })
      })
    )

    it.scopedLive("upsert takes out the generations that append left, of unchanged documents too", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(3, yield* place.state)
        const append = () => Workspace.run(ws, { mode: "append", sinks: [Workspace.jsonl(ws, { mode: "append" })] })
        yield* append()
        for (const text of ["another text", "a third text"]) {
          ws.write("0/0.pdf", text)
          yield* Workspace.settle
          yield* append()
        }
        const wanted = yield* Workspace.wanted(ws)
        const former = Workspace.inFile(ws).length - wanted.length
        assert.isAbove(former, 0)
        const summary = yield* Workspace.run(ws)
        assert.deepInclude(summary, { unchanged: 3, stored: 0, requests: 0, exit: 0 })
        assert.strictEqual(summary.chunks.deleted, former)
        assert.deepStrictEqual(Workspace.inFile(ws), wanted)
        assert.strictEqual((yield* Workspace.run(ws)).chunks.deleted, 0)
      })
    )

    it.scopedLive("upsert leaves what append put into another target, until it is given that one", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(1, yield* place.state)
        const appending = { mode: "append", sinks: [Workspace.jsonl(ws, { mode: "append" })] } as const
        yield* Workspace.run(ws, appending)
        ws.write("0/0.pdf", "another text")
        yield* Workspace.settle
        yield* Workspace.run(ws, appending)
        const both = Workspace.inFile(ws)
        const other = Workspace.jsonl(ws, { file: join(ws.directory, "out", "other.jsonl") })
        assert.strictEqual((yield* Workspace.run(ws, { sinks: [other] })).chunks.deleted, 0)
        assert.deepStrictEqual(Workspace.inFile(ws), both)
        yield* Workspace.run(ws)
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
    )

    it.scopedLive("refuses a sink that cannot remove, before anything is parsed, unless the mode is append", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(2, yield* place.state)
        const sinks = [Workspace.jsonl(ws, { mode: "append" })]
        for (const mode of ["upsert", "sync"] as const) {
          const error = yield* Effect.flip(Workspace.run(ws, { mode, sinks }))
          assert.deepInclude(error, { _tag: "SinkError", reason: "Unsupported" })
        }
        assert.deepStrictEqual(ws.reads, [])
        assert.deepInclude(yield* Workspace.run(ws, { mode: "append", sinks }), { stored: 2, exit: 0 })
      })
    )

    it.scopedLive("moves a renamed document without a request", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(6, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync" })
        renameSync(join(Workspace.docs(ws), "0/0.pdf"), join(Workspace.docs(ws), "renamed.pdf"))
        yield* Workspace.settle
        const summary = yield* Workspace.run(ws, { mode: "sync" })
        assert.deepInclude(summary, { stored: 1, unchanged: 5, removed: 1, requests: 0, fromCache: 1, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
    )

    it.scopedLive("a file that became a folder is gone, and what is in the folder is new", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(6, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync" })
        ws.remove("0/0.pdf")
        ws.write("0/0.pdf/inside.pdf", "in a folder")
        yield* Workspace.settle
        const summary = yield* Workspace.run(ws, { mode: "sync" })
        assert.deepInclude(summary, { stored: 1, unchanged: 5, removed: 1, requests: 1, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
    )
  })

  describe.skipIf(place.missing !== null)(`sync is careful, ${place.title}`, () => {
    it.scopedLive("removes nothing when nothing is found, and says why", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync" })
        const before = Workspace.inFile(ws)
        const nothing = yield* Workspace.run(ws, {
          mode: "sync",
          change: (options) => ({ ...options, source: Source.within(options.source.scope, Stream.empty) })
        })
        assert.deepInclude(nothing, { discovered: 0, removed: 0, exit: 1 })
        assert.match(nothing.warnings[0]?.message ?? "", /nothing was found where 4 documents are known/)
        renameSync(Workspace.docs(ws), `${Workspace.docs(ws)}-away`)
        const missing = yield* Workspace.run(ws, { mode: "sync" })
        assert.deepInclude(missing, { discovered: 0, removed: 0, exit: 1 })
        assert.match(missing.warnings[0]?.message ?? "", /nothing was found where 4 documents are known/)
        const other = Workspace.jsonl(ws, { file: join(ws.directory, "other.jsonl") })
        const unknown = yield* Effect.flip(Workspace.run(ws, { mode: "sync", state: "new", sinks: [other] }))
        assert.deepInclude(unknown, { _tag: "DiscoveryError", reason: "RootMissing" })
        const part = ({ source }: { readonly source: Source.Source<Discovery.DiscoveryError> }) =>
          Source.part(source, Stream.take(2))
        const narrowed = yield* Effect.flip(
          Workspace.run(ws, { mode: "sync", change: (options) => ({ ...options, source: part(options) }) })
        )
        assert.deepInclude(narrowed, { _tag: "DiscoveryError", reason: "RootMissing" })
        assert.deepStrictEqual(Workspace.inFile(ws), before)
      })
    )

    it.scopedLive("removes nothing when a folder could not be read, and says why", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync" })
        const before = Workspace.inFile(ws)
        ws.remove("1")
        const folder = {
          _tag: "Unusable",
          path: "1",
          folder: true,
          error: new FileUnreadable({ path: "1", reason: "PermissionDenied" })
        } as const
        const summary = yield* Workspace.run(ws, {
          mode: "sync",
          change: (options) => ({
            ...options,
            source: Source.within(options.source.scope, Stream.concat(options.source.files, Stream.make(folder)))
          })
        })
        assert.deepInclude(summary, { unchanged: 3, failed: 1, removed: 0, exit: 1 })
        assert.match(summary.warnings[0]?.message ?? "", /not everything could be looked at: 1: permission/)
        assert.deepStrictEqual(Workspace.inFile(ws), before)
        assert.strictEqual(yield* Workspace.letters(ws), "", "a folder has no dead letter")
        assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { removed: 1, exit: 0 })
      })
    )

    it.scopedLive("removes more than half of more than 10 documents only when it is allowed", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(12, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync" })
        const before = Workspace.inFile(ws)
        ws.remove("0")
        ws.remove("1")
        for (const _ of [1, 2]) {
          const refused = yield* Workspace.run(ws, { mode: "sync" })
          assert.deepInclude(refused, { unchanged: 4, removed: 0, exit: 1 })
          assert.match(refused.warnings[0]?.message ?? "", /8 of 12 documents are gone/)
          assert.deepStrictEqual(Workspace.inFile(ws), before)
        }
        const allowed = yield* Workspace.run(ws, { mode: "sync", allowRemovals: true })
        assert.deepInclude(allowed, { unchanged: 4, removed: 8, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
    )

    it.scopedLive("removes half of 12 documents, and any number of 10", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(12, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync" })
        for (const path of ["0/0.pdf", "0/3.pdf", "0/6.pdf", "0/9.pdf", "1/1.pdf", "1/4.pdf"]) ws.remove(path)
        assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { removed: 6, exit: 0 })
        for (const path of ["1/7.pdf", "1/10.pdf", "2/2.pdf", "2/5.pdf", "2/8.pdf"]) ws.remove(path)
        assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { unchanged: 1, removed: 5, exit: 0 })
      })
    )

    it.scopedLive("never takes a file that failed for gone", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync" })
        const before = Workspace.inFile(ws)
        writeFileSync(join(Workspace.docs(ws), "0/0.pdf"), "")
        yield* Workspace.settle
        const summary = yield* Workspace.run(ws, { mode: "sync" })
        assert.deepInclude(summary, { unchanged: 3, failed: 1, removed: 0, exit: 1 })
        assert.deepStrictEqual(Workspace.inFile(ws), before)
        assert.match(yield* Workspace.letters(ws), /0\/0\.pdf/)
      })
    )

    it.scopedLive("leaves what another scope claims, and takes it once none does", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(6, yield* place.state)
        const zero = { mode: "sync", discovery: { patterns: ["0"] } } as const
        const all = { mode: "sync" } as const
        yield* Workspace.run(ws, all)
        assert.deepInclude(yield* Workspace.run(ws, zero), { unchanged: 2, removed: 0, exit: 0 })
        ws.remove("0/0.pdf")
        ws.remove("1/1.pdf")
        assert.deepInclude(yield* Workspace.run(ws, zero), { unchanged: 1, removed: 0, exit: 0 })
        assert.include(stored(ws), "0/0.pdf")
        assert.deepInclude(yield* Workspace.run(ws, all), { unchanged: 4, removed: 2, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
    )

    for (const [title, patterns, whole] of [
      ["a file, when the sync is of its root", ["0/0.pdf"], ["."]],
      ["a file, when the sync is of its folder", ["0/0.pdf"], ["0"]],
      ["several files", ["1/1.pdf", "0/0.pdf", "0/3.pdf"], ["."]],
      ["a glob", ["0/*.pdf"], ["0", "1"]],
      ["a folder inside of it", ["0"], ["."]]
    ] as const) {
      it.scopedLive(`takes a file that is gone from a run that asked for ${title}`, () =>
        Effect.gen(function* () {
          const ws = yield* Workspace.make(6, yield* place.state)
          yield* Workspace.run(ws, { mode: "sync", discovery: { patterns } })
          yield* Workspace.run(ws, { mode: "sync", discovery: { patterns: whole } })
          ws.remove("0/0.pdf")
          const summary = yield* Workspace.run(ws, { mode: "sync", discovery: { patterns: whole } })
          assert.deepInclude(summary, { removed: 1, failed: 0, exit: 0 })
          assert.notInclude(stored(ws), "0/0.pdf")
        })
      )
    }

    it.scopedLive("takes a file that a list named and that is gone, but not one that is there and was left out", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(6, yield* place.state)
        ws.write(".hidden/kept.pdf", "kept")
        yield* Workspace.settle
        yield* Workspace.run(ws, { mode: "sync", discovery: { filesFrom: [".hidden/kept.pdf", "0/0.pdf"] } })
        yield* Workspace.run(ws, { mode: "sync" })
        ws.remove("0/0.pdf")
        assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { unchanged: 5, removed: 1, exit: 0 })
        assert.include(stored(ws), ".hidden/kept.pdf")
        assert.deepInclude(yield* Workspace.run(ws, { mode: "sync", discovery: { ignore: ["1"] } }), { removed: 2 })
        assert.include(stored(ws), ".hidden/kept.pdf")
      })
    )

    it.scopedLive("takes nothing from another scope where a folder could not be read, or in mode upsert", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(6, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync", discovery: { patterns: ["0/0.pdf"] } })
        yield* Workspace.run(ws, { mode: "sync" })
        ws.remove("0/0.pdf")
        const error = new FileUnreadable({ path: "1", reason: "PermissionDenied" })
        const folder = { _tag: "Unusable", path: "1", folder: true, error } as const
        const partly = yield* Workspace.run(ws, {
          mode: "sync",
          change: (options) => ({
            ...options,
            source: Source.within(options.source.scope, Stream.concat(options.source.files, Stream.make(folder)))
          })
        })
        assert.deepInclude(partly, { removed: 0, exit: 1 })
        assert.deepInclude(yield* Workspace.run(ws), { removed: 0, exit: 0 })
        assert.include(stored(ws), "0/0.pdf")
        assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { removed: 1, exit: 0 })
      })
    )

    it.scopedLive(
      "takes what comes to be left out for gone, and a spelling of the same pattern for the same scope",
      () =>
        Effect.gen(function* () {
          const ws = yield* Workspace.make(6, yield* place.state)
          yield* Workspace.run(ws, { mode: "sync", discovery: { patterns: ["."] } })
          const patterns = [`${Workspace.docs(ws)}/`]
          const ignoring = { mode: "sync", discovery: { patterns, ignore: ["0"] } } as const
          assert.deepInclude(yield* Workspace.run(ws, ignoring), { unchanged: 4, removed: 2, requests: 0, exit: 0 })
          assert.deepStrictEqual(stored(ws), ["1/1.pdf", "1/4.pdf", "2/2.pdf", "2/5.pdf"])
        })
    )

    it.scopedLive("removes nothing in a run that was stopped", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(6, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync" })
        ws.remove("0/0.pdf")
        const summary = yield* Workspace.run(ws, {
          mode: "sync",
          change: (options) => ({ ...options, stop: Effect.void })
        })
        assert.deepInclude(summary, { removed: 0, exit: 130 })
        assert.include(stored(ws), "0/0.pdf")
      })
    )

    it.scopedLive("forgets what never was stored and is not there any more", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(2, yield* place.state)
        ws.write("empty.pdf", "")
        yield* Workspace.settle
        assert.deepInclude(yield* Workspace.run(ws), { stored: 2, failed: 1, exit: 1 })
        assert.match(yield* Workspace.letters(ws), /empty\.pdf/)
        ws.remove("empty.pdf")
        assert.deepInclude(yield* Workspace.run(ws), { unchanged: 2, failed: 0, exit: 0 })
        assert.strictEqual(yield* Workspace.letters(ws), "")
      })
    )
  })

  describe.skipIf(place.missing !== null)(`sinks are not believed blindly, ${place.title}`, () => {
    it.scopedLive("writes everything again, without a request, after the target was deleted by hand", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(5, yield* place.state)
        yield* Workspace.run(ws)
        const before = Workspace.inFile(ws)
        mkdirSync(join(ws.directory, "elsewhere"))
        renameSync(Workspace.target(ws), join(ws.directory, "elsewhere", "chunks.jsonl"))
        const summary = yield* Workspace.run(ws)
        assert.deepInclude(summary, { stored: 5, unchanged: 0, requests: 0, fromCache: 5, credits: 0, exit: 0 })
        assert.strictEqual(summary.chunks.added, before.length)
        assert.deepStrictEqual(Workspace.inFile(ws), before)
        assert.deepInclude(yield* Workspace.run(ws), { unchanged: 5, requests: 0 })
      })
    )

    it.scopedLive("takes the ledger's word where a sink has no stamp", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(3, yield* place.state)
        let written = 0
        const unstamped = ChunkSink.make({
          id: "plain:",
          name: "plain",
          open: () => Effect.succeed(null),
          write: (_, batch) => Effect.sync(() => void (written += batch.length)),
          remove: () => Effect.void
        })
        yield* Workspace.run(ws, { sinks: [unstamped] })
        const once = written
        assert.deepInclude(yield* Workspace.run(ws, { sinks: [unstamped] }), { unchanged: 3, requests: 0 })
        assert.strictEqual(written, once)
      })
    )

    it.scopedLive("empties the targets with rebuild and writes everything again, without a request", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(3, yield* place.state)
        yield* Workspace.run(ws)
        ws.remove("0/0.pdf")
        const summary = yield* Workspace.run(ws, { rebuild: true })
        assert.deepInclude(summary, { stored: 2, requests: 0, fromCache: 2, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
    )

    it.scopedLive("replaces what a target that it adopts holds of a document that a new state knows nothing of", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(3, yield* place.state)
        yield* Workspace.run(ws)
        ws.write("0/0.pdf", "another text")
        yield* Workspace.settle
        const summary = yield* Workspace.run(ws, { state: "another", claim: "adopt" })
        assert.deepInclude(summary, { stored: 3, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
    )
  })
}

for (const place of runPlaces()) {
  facts(place)
}
