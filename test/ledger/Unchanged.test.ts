import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Embedded from "docsluice/service/Embedded"
import { type Ability, Engine } from "docsluice/service/Engine"
import { Effect, Layer, TestContext } from "effect"
import { runPlaces } from "./places.ts"
import * as Workspace from "./workspace.ts"

const facts = (place: ReturnType<typeof runPlaces>[number]): void => {
  describe.skipIf(place.missing !== null)(`a run with a ledger, ${place.title}`, () => {
    it.scopedLive("stores everything once, and a second run asks nothing, reads nothing and writes nothing", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(20, yield* place.state)
        const first = yield* Workspace.run(ws)
        assert.deepInclude(first, { discovered: 20, stored: 20, parsed: 20, requests: 20, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
        const written = readFileSync(Workspace.target(ws), "utf8")
        ws.reads.length = 0
        const second = yield* Workspace.run(ws)
        assert.deepInclude(second, { discovered: 20, unchanged: 20, stored: 0, requests: 0, parsed: 0, exit: 0 })
        assert.deepStrictEqual(ws.reads, [])
        assert.strictEqual(readFileSync(Workspace.target(ws), "utf8"), written)
      })
    )

    it.scopedLive("parses what lacked OCR once there is OCR, and exactly that, past the cache", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4, yield* place.state)
        const asked: Array<string> = []
        /** Reads nothing of the scan, and says so, unless it can. */
        const client = (abilities: ReadonlyArray<Ability>) =>
          Layer.provide(
            Embedded.layerEngine(),
            Layer.succeed(Engine, {
              version: "1",
              abilities,
              parse: ({ filename }) => {
                asked.push(filename)
                const scan = filename === "1.pdf" && !abilities.includes("ocr")
                const metadata = scan ? { numPages: 1, lacked: ["ocr"] } : { numPages: 1 }
                return Effect.succeed({
                  success: true,
                  data: { markdown: scan ? "" : `text of ${filename}`, metadata }
                })
              }
            })
          )
        const without = client([])
        assert.deepInclude(yield* Workspace.run(ws, { client: without }), { stored: 3, empty: 1, requests: 4 })
        assert.deepInclude(yield* Workspace.run(ws, { client: without }), { unchanged: 4, requests: 0 })
        asked.length = 0
        const able = client(["ocr"])
        const read = yield* Workspace.run(ws, { client: able })
        assert.deepInclude(read, { unchanged: 3, stored: 1, empty: 0, requests: 1, exit: 0 })
        assert.deepStrictEqual(asked, ["1.pdf"])
        assert.deepInclude(yield* Workspace.run(ws, { client: able }), { unchanged: 4, requests: 0 })
        assert.deepInclude(yield* Workspace.run(ws, { client: without }), { unchanged: 4, requests: 0 })
      })
    )

    it.scopedLive("hashes everything with verify, and asks nothing", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(5, yield* place.state)
        yield* Workspace.run(ws)
        ws.reads.length = 0
        const again = yield* Workspace.run(ws, { verify: true })
        assert.deepInclude(again, { unchanged: 5, requests: 0, exit: 0 })
        assert.strictEqual(ws.reads.length, 5)
      })
    )

    it.scopedLive("parses the same bytes under several paths once, also at the same time", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(1, yield* place.state)
        for (let copy = 0; copy < 7; copy++) ws.write(`copy-${copy}.pdf`, "document 0")
        yield* Workspace.settle
        const summary = yield* Workspace.run(ws)
        assert.deepInclude(summary, { stored: 8, requests: 1, parsed: 1, fromCache: 7, credits: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
    )

    it.scopedLive("asks nothing and stores nothing twice after the checkout has moved", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(6, yield* place.state)
        yield* Workspace.run(ws, { mode: "sync" })
        const before = Workspace.inFile(ws)
        mkdirSync(join(ws.directory, "moved"))
        renameSync(Workspace.docs(ws), join(ws.directory, "moved", "docs"))
        const moved = { root: join(ws.directory, "moved", "docs") }
        const summary = yield* Workspace.run(ws, { mode: "sync", discovery: moved })
        assert.deepInclude(summary, { unchanged: 6, requests: 0, removed: 0, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), before)
        cpSync(join(ws.directory, "moved", "docs"), Workspace.docs(ws), { recursive: true })
        rmSync(join(ws.directory, "moved"), { recursive: true })
        const copied = yield* Workspace.run(ws, { mode: "sync" })
        assert.deepInclude(copied, { unchanged: 6, requests: 0, removed: 0, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), before)
      })
    )

    it.scopedLive("refuses one name for two roots that are both there", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(2, yield* place.state)
        yield* Workspace.run(ws)
        mkdirSync(join(ws.directory, "other", "docs"), { recursive: true })
        copyFileSync(join(Workspace.docs(ws), "0/0.pdf"), join(ws.directory, "other", "docs", "a.pdf"))
        const error = yield* Effect.flip(
          Workspace.run(ws, { discovery: { root: join(ws.directory, "other", "docs") } })
        )
        assert.deepInclude(error, { _tag: "LedgerError", reason: "NameClash" })
        const named = yield* Workspace.run(ws, {
          discovery: { root: join(ws.directory, "other", "docs"), name: "others" }
        })
        assert.deepInclude(named, { stored: 1, requests: 0, fromCache: 1 })
      })
    )

    it.scopedLive("takes a file of the same size with other bytes and an older date for changed (cp -p)", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(3, yield* place.state)
        yield* Workspace.run(ws)
        const file = join(Workspace.docs(ws), "0/0.pdf")
        const { atime, mtime } = statSync(file)
        ws.write("0/0.pdf", "document X")
        utimesSync(file, atime, mtime)
        yield* Workspace.settle
        const summary = yield* Workspace.run(ws)
        assert.deepInclude(summary, { unchanged: 2, stored: 1, requests: 1 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
    )

    it.scopedLive("believes no date after the clock was set back, and asks nothing for it", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4, yield* place.state)
        yield* Workspace.run(ws)
        ws.reads.length = 0
        const past = yield* Effect.provide(Workspace.run(ws), TestContext.TestContext)
        assert.deepInclude(past, { unchanged: 4, requests: 0, exit: 0 })
      })
    )

    it.scopedLive("chunks again from the cache when the chunker is another, and asks nothing", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(5, yield* place.state)
        yield* Workspace.run(ws)
        const chunker = MarkdownChunker.make({ maxTokens: 90 })
        const again = yield* Workspace.run(ws, { chunker })
        assert.deepInclude(again, { stored: 5, unchanged: 0, requests: 0, fromCache: 5, credits: 0, exit: 0 })
        assert.isAbove(again.chunks.deleted, 0)
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws, { chunker }))
      })
    )

    it.scopedLive("parses again when the options would change the answer, and past the cache when asked to", () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(3, yield* place.state)
        yield* Workspace.run(ws)
        const markers = { parsers: [{ type: "pdf", pageMarkers: true }] } as const
        assert.deepInclude(yield* Workspace.run(ws, { parse: markers }), { stored: 3, requests: 3 })
        assert.deepInclude(yield* Workspace.run(ws, { parse: { ...markers, timeout: 90_000 } }), { unchanged: 3 })
        const refreshed = yield* Workspace.run(ws, { parse: markers, redo: "parses" })
        assert.deepInclude(refreshed, { stored: 3, requests: 3, fromCache: 0 })
      })
    )
  })
}

for (const place of runPlaces()) {
  facts(place)
}
