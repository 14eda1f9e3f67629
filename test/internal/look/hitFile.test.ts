import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { NodeContext } from "@effect/platform-node"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { ChunkId } from "docsluice/DocumentChunk"
import * as LibSql from "docsluice/sinks/LibSql"
import { DocumentId } from "docsluice/SourceFile"
import { Effect, ManagedRuntime, type Scope } from "effect"
import { chunk } from "../../fixtures/sinkChunks.ts"
import * as Asked from "./askedStore.ts"

const { caller } = Asked

const ingested = ManagedRuntime.make(Asked.ingested)

afterAll(() => ingested.dispose())

/** A test that may use the documents that were ingested once. */
const live = (title: string, body: () => Effect.Effect<void, unknown, Asked.Ingested | Scope.Scope>) =>
  it.scopedLive(title, () => Effect.provide(body(), ingested))

/** Reason that a hit has no pictures: at the search, and after its file was read. */
const reasons = (asking: Effect.Effect.Success<ReturnType<typeof Asked.ask>>, query = "calibrate") =>
  Effect.gen(function* () {
    const hit = yield* asking.one(query)
    const view = yield* Effect.orDie(asking.view(hit.id, caller))
    const picture = yield* Effect.either(asking.picture(hit.id, 1, 400, caller))
    // No bytes are drawn for a hit whose view has none.
    assert.strictEqual(picture._tag, "Left")
    for (const missing of [hit.missing, view.missing]) {
      if (missing === null) continue
      assert.match(missing.message, /\.$/)
      assert.notInclude(missing.message + missing.remedy, "/tmp/")
    }
    return {
      search: hit.missing?.reason ?? null,
      view: view.missing?.reason ?? null,
      remedy: view.missing?.remedy ?? null,
      pages: view.pages
    }
  })

/** The same for chunks that somebody wrote into a store. */
const written = (chunks: ReadonlyArray<{ readonly documentId: string; readonly source: string }>) =>
  Effect.gen(function* () {
    const world = yield* Asked.copy
    const file = path.join(world.folder, "hostile.db")
    yield* Effect.gen(function* () {
      const sink = yield* LibSql.make({ file })
      const prepared = yield* sink.prepare(null)
      yield* prepared.write(
        chunks.map(({ documentId, source }, at) =>
          chunk(`${at}.pdf`, 0, {
            id: ChunkId.make(`c${at}`),
            documentId: DocumentId.make(documentId),
            source,
            text: `passage number${at}`,
            pages: [1],
            boxes: [{ page: 1, bbox: [0.1, 0.1, 0.5, 0.2] }]
          })
        )
      )
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), Effect.orDie)
    return { world, store: `libsql:${file}` as const }
  })

describe("the file of a hit", () => {
  const pdf = (docs: string) => path.join(docs, "deep", "gauges.pdf")
  const bytes = (name: string) => Asked.pdf(`A text of ${name}.`, "Another page.")

  live("is found in the folder that the state knows, and in the one that was named", () =>
    Effect.gen(function* () {
      const world = yield* Asked.copy
      // What draws refuses every document: a file that was read and verified is not readable.
      const known = yield* reasons(yield* Asked.ask(world))
      assert.deepInclude(known, { search: null, view: "not-readable" })
      const named = yield* reasons(yield* Asked.ask(world, { roots: { docs: world.docs } }))
      assert.deepInclude(named, { search: null, view: "not-readable" })
    })
  )

  live("that was written, removed or replaced after its ingestion is not read", () =>
    Effect.gen(function* () {
      const { docs, ...world } = yield* Asked.copy
      const ask = yield* Asked.ask(world, { roots: { docs } })
      const file = pdf(docs)
      const original = fs.readFileSync(file)
      assert.deepInclude(yield* reasons(ask), { search: null, view: "not-readable" })

      fs.appendFileSync(file, "\n% more")
      assert.deepInclude(yield* reasons(ask), { search: "changed", view: "changed" })

      const { atime, mtime } = fs.statSync(file)
      const same = Buffer.from(original)
      same.write("%PDF-1.3", 0)
      fs.writeFileSync(file, same)
      fs.utimesSync(file, atime, mtime)
      assert.deepInclude(yield* reasons(ask), { search: null, view: "changed" })

      fs.writeFileSync(file, original)
      assert.deepInclude(yield* reasons(ask), { search: null, view: "not-readable" })

      fs.rmSync(file)
      assert.deepInclude(yield* reasons(ask), { search: "gone", view: "gone" })

      fs.mkdirSync(file)
      assert.deepInclude(yield* reasons(ask), { search: "not-readable", view: "not-readable" })
      fs.rmdirSync(file)

      execFileSync("mkfifo", [file])
      assert.deepInclude(yield* reasons(ask), { search: "not-readable", view: "not-readable" })
    })
  )

  live("stays inside the root, whatever links there are", () =>
    Effect.gen(function* () {
      const { docs, folder, ...world } = yield* Asked.copy
      const ask = yield* Asked.ask(world, { roots: { docs } })
      const [deep, outside] = [path.join(docs, "deep"), path.join(folder, "outside")]
      fs.renameSync(deep, outside)

      // The very bytes, out of the root.
      fs.symlinkSync(outside, deep)
      assert.deepInclude(yield* reasons(ask), { search: "outside", view: "outside" })
      fs.rmSync(deep)
      fs.mkdirSync(deep)
      fs.symlinkSync(path.join(outside, "gauges.pdf"), pdf(docs))
      assert.deepInclude(yield* reasons(ask), { search: "outside", view: "outside" })
      fs.rmSync(pdf(docs))
      fs.symlinkSync("gauges.pdf", pdf(docs))
      assert.deepInclude(yield* reasons(ask), { search: "outside", view: "outside" })
      fs.rmSync(deep, { recursive: true })

      fs.renameSync(outside, path.join(docs, "elsewhere"))
      fs.symlinkSync("elsewhere", deep)
      assert.deepInclude(yield* reasons(ask), { search: null, view: "not-readable" })

      // A root whose name begins with that of another.
      fs.renameSync(path.join(docs, "elsewhere"), `${docs}2`)
      fs.rmSync(deep)
      fs.symlinkSync(`${docs}2`, deep)
      assert.deepInclude(yield* reasons(ask), { search: "outside", view: "outside" })

      // The root itself may be a link.
      fs.rmSync(deep)
      fs.renameSync(`${docs}2`, deep)
      fs.symlinkSync(docs, path.join(folder, "link"))
      const linked = yield* Asked.ask(world, { roots: { docs: path.join(folder, "link") } })
      assert.deepInclude(yield* reasons(linked), { search: null, view: "not-readable" })
    })
  )

  live("is never read for a chunk with a path that leads out of its root", () =>
    Effect.gen(function* () {
      const named = (source: string, root = "docs") => ({ documentId: `${root}/${source}`, source })
      const hostile = [
        named("../../etc/passwd"),
        named("../docs/deep/gauges.pdf"),
        named("deep/../deep/gauges.pdf"),
        named("./deep/gauges.pdf"),
        named("/etc/passwd"),
        named("deep//gauges.pdf"),
        named("deep/gauges.pdf/"),
        named("deep/gauges.pdf\0.txt"),
        named("\0"),
        named("deep/\uFFFD.pdf"),
        named("deep/gauges.pdf", ""),
        { documentId: "docs/deep/gauges.pdf", source: "../../etc/passwd" },
        { documentId: "docs/deep/gauges.pdf", source: "ep/gauges.pdf" },
        { documentId: "docs/deep/gauges.pdf", source: "xdeep/gauges.pdf" },
        { documentId: "x", source: "a/much/longer/path" }
      ]
      const { store, world } = yield* written(hostile)
      const asking = yield* Asked.ask({ ...world, store }, { roots: { docs: world.docs } })
      for (const at of hostile.keys()) {
        const found = yield* reasons(asking, `number${at}`)
        assert.deepInclude({ at, ...found }, { at, search: "outside", view: "outside" })
      }
    })
  )

  live("is no other file for separators of other systems, and names of folders", () =>
    Effect.gen(function* () {
      const { store, world } = yield* written([
        { documentId: String.raw`docs/..\..\etc\passwd`, source: String.raw`..\..\etc\passwd` },
        { documentId: "docs/deep", source: "deep" },
        { documentId: "docs/%2e%2e/%2e%2e/etc/passwd", source: "%2e%2e/%2e%2e/etc/passwd" },
        { documentId: "docs/notes.txt/deeper.pdf", source: "notes.txt/deeper.pdf" },
        { documentId: `docs/${"x".repeat(5000)}`, source: "x".repeat(5000) }
      ])
      const asking = yield* Asked.ask({ ...world, store }, { roots: { docs: world.docs } })
      assert.strictEqual((yield* reasons(asking, "number0")).view, "gone")
      assert.strictEqual((yield* reasons(asking, "number1")).view, "not-readable")
      for (const at of [2, 3, 4]) assert.strictEqual((yield* reasons(asking, `number${at}`)).view, "gone")
    })
  )

  live("of a root that was renamed is found under its new folder once that is named", () =>
    Effect.gen(function* () {
      const world = yield* Asked.world()
      yield* world.ingest()
      const moved = path.join(world.folder, "papers")
      fs.renameSync(world.docs, moved)
      const lost = yield* reasons(yield* Asked.ask(world))
      assert.deepInclude(lost, { search: "no-root", view: "no-root" })
      assert.match(lost.remedy ?? "", /--root docs=FOLDER/)
      const other = yield* Asked.ask(world, { roots: { papers: moved } })
      assert.strictEqual((yield* reasons(other)).view, "no-root")
      const found = yield* Asked.ask(world, { roots: { docs: moved } })
      assert.deepInclude(yield* reasons(found), { search: null, view: "not-readable" })
    })
  )

  live("of one of two roots with one name is never taken from the other", () =>
    Effect.gen(function* () {
      const world = yield* Asked.copy
      const other = path.join(world.folder, "other", "docs")
      fs.mkdirSync(path.join(other, "deep"), { recursive: true })
      const asking = yield* Asked.ask(world, { roots: { docs: other } })
      assert.strictEqual((yield* reasons(asking)).view, "gone")
      fs.writeFileSync(pdf(other), bytes("another root"))
      assert.strictEqual((yield* reasons(asking)).view, "changed")
      fs.copyFileSync(pdf(world.docs), pdf(other))
      assert.deepInclude(yield* reasons(asking), { search: null, view: "not-readable" })
    })
  )

  live("is not read when nothing tells the bytes that it had", () =>
    Effect.gen(function* () {
      const world = yield* Asked.copy
      const roots = { docs: world.docs }
      const stateless = yield* reasons(yield* Asked.ask(world, { roots, state: null }))
      assert.deepInclude(stateless, { search: "unverified", view: "unverified" })
      assert.match(stateless.remedy ?? "", /--state DIR/)
      const elsewhere = yield* reasons(yield* Asked.ask(world, { roots, state: path.join(world.folder, "none") }))
      assert.strictEqual(elsewhere.view, "unverified")
      assert.isFalse(fs.existsSync(path.join(world.folder, "none")))
      const rootless = yield* reasons(yield* Asked.ask(world, { state: null }))
      assert.strictEqual(rootless.view, "no-root")
      fs.writeFileSync(
        path.join(world.state, "ledger.db"),
        "no database, and longer than a header of one. ".repeat(200)
      )
      const damaged = yield* reasons(yield* Asked.ask(world, { roots }))
      assert.deepInclude(damaged, { search: "unverified", view: "unverified" })
    })
  )

  live("is not read for a passage of another version than the state knows", () =>
    Effect.gen(function* () {
      const world = yield* Asked.world()
      yield* world.ingest()
      const old = path.join(world.folder, "old.db")
      fs.copyFileSync(path.join(world.folder, "store.db"), old)
      fs.writeFileSync(pdf(world.docs), bytes("a new edition"))
      yield* world.ingest()
      const ask = yield* Asked.ask({ ...world, store: `libsql:${old}` })
      const hit = yield* reasons(ask)
      assert.deepInclude(hit, { search: "changed", view: "changed" })
      assert.match(hit.remedy ?? "", /Ingest again/)
    })
  )

  live("that is missing leaves sheets of A4 with the numbers of the pages", () =>
    Effect.gen(function* () {
      const world = yield* Asked.copy
      fs.rmSync(pdf(world.docs))
      const { pages } = yield* reasons(yield* Asked.ask(world, { roots: { docs: world.docs } }))
      assert.deepStrictEqual(pages, [
        { number: 1, width: 595.28, height: 841.89 },
        { number: 2, width: 595.28, height: 841.89 }
      ])
    })
  )
})
