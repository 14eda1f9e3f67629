import * as fs from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Pipeline from "docsluice/Pipeline"
import { documentId } from "docsluice/SourceFile"
import { Effect, Option } from "effect"
import { collect } from "./fixtures/ledger.ts"
import { opened, scratch, store, type World, write } from "./fixtures/state.ts"

const filled = (directory: string) =>
  opened(directory, (world) =>
    Effect.gen(function* () {
      yield* write(directory, "a.html", "one\ntwo")
      yield* write(directory, "b.html", "three")
      yield* store(world, "a.html", [world.jsonl, world.folder])
      yield* store(world, "b.html", [world.jsonl, world.folder])
    })
  )

const stray = (document: string, index: number) =>
  DocumentChunk.make({
    id: ChunkId.make(`stray ${document} ${index}`),
    documentId: documentId("docs", document),
    source: document,
    index,
    text: "stray",
    embedText: "stray",
    tokens: 1,
    start: 0,
    end: 5,
    pages: [],
    boxes: [],
    headingPath: [],
    kinds: [],
    blockIds: [],
    notes: [],
    metadata: {}
  })

const examine = (directory: string, options: Omit<Pipeline.ExamineOptions, "sinks"> = {}) =>
  opened(directory, ({ folder, jsonl }) => Pipeline.examine({ ...options, sinks: [jsonl, folder] }))

const agreeing = { documents: 2, missing: 0, extra: 0, stale: 0, fixed: 0 }

const figures = ({ documents, extra, fixed, missing, stale }: Pipeline.Finding) => ({
  documents,
  missing,
  extra,
  stale,
  fixed
})

const addStrays = ({ jsonl }: World) =>
  Effect.flatMap(jsonl.prepare(null), ({ write }) =>
    write([stray("a.html", 9), stray("ghost.html", 0), stray("ghost.html", 1)])
  )

describe("Doctor", () => {
  it.scoped("finds that ledger and sinks agree after a run", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* filled(directory)
      const findings = yield* examine(directory)
      assert.deepStrictEqual(findings.map(figures), [agreeing, agreeing])
      assert.deepStrictEqual(
        findings.map(({ sink }) => sink),
        [`jsonl:${join(directory, "chunks.jsonl")}`, `fs:${join(directory, "chunks")}`]
      )
    })
  )

  it.scoped(
    "distinguishes chunks of no document from chunks of no present generation, and removes both when asked",
    () =>
      Effect.gen(function* () {
        const directory = yield* scratch
        yield* filled(directory)
        yield* opened(directory, addStrays)
        const found = yield* examine(directory)
        assert.deepStrictEqual(found.map(figures), [{ ...agreeing, extra: 2, stale: 1 }, agreeing])
        const fixed = yield* examine(directory, { fix: true })
        assert.deepStrictEqual(fixed.map(figures), [{ ...agreeing, extra: 2, stale: 1, fixed: 3 }, agreeing])
        assert.deepStrictEqual((yield* examine(directory)).map(figures), [agreeing, agreeing])
        assert.notInclude(fs.readFileSync(join(directory, "chunks.jsonl"), "utf8"), "stray")
      })
  )

  it.scoped("treats former generations as wanted in mode append", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* filled(directory)
      yield* opened(directory, addStrays)
      const [finding] = yield* examine(directory, { former: "keep" })
      assert.deepStrictEqual(finding && figures(finding), { ...agreeing, extra: 2 })
    })
  )

  it.scoped("stops counting a document that lacks a chunk as acknowledged, so that it is written again", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* filled(directory)
      const file = join(directory, "chunks.jsonl")
      const lines = fs.readFileSync(file, "utf8").split("\n")
      fs.writeFileSync(file, lines.slice(1).join("\n"))
      const findings = yield* examine(directory, { fix: true })
      assert.deepStrictEqual(findings.map(figures), [{ ...agreeing, missing: 1, fixed: 0 }, agreeing])
      // What was taken back is missing until it is written.
      const again = yield* examine(directory)
      assert.deepStrictEqual(again.map(figures), [{ ...agreeing, missing: 1 }, agreeing])
      yield* opened(directory, (world) =>
        Effect.gen(function* () {
          const { folder, jsonl, ledger } = world
          const entries = yield* collect(ledger.entries("all"))
          assert.deepStrictEqual(
            entries.map((entry) => entry.stored?.acknowledged.map(({ sink }) => sink)),
            [[folder.id], [folder.id, jsonl.id].toSorted()]
          )
          const holding = yield* Effect.flatMap(Effect.fromNullable(entries[0]), ledger.holding)
          assert.strictEqual(Option.getOrThrow(holding).held.length, 2)
          yield* store(world, "a.html", [jsonl])
        })
      )
      assert.deepStrictEqual((yield* examine(directory)).map(figures), [agreeing, agreeing])
    })
  )

  it.scoped("leaves the former generation where the current one was not written, until it is", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* filled(directory)
      yield* opened(directory, (world) =>
        Effect.zipRight(write(directory, "a.html", "four"), store(world, "a.html", [world.jsonl]))
      )
      const [, folder] = yield* examine(directory, { fix: true })
      // "one" and "two" are of the former generation.
      assert.deepStrictEqual(folder && figures(folder), { ...agreeing, missing: 1, stale: 2 })
      yield* opened(directory, (world) => store(world, "a.html", [world.folder]))
      const [, whole] = yield* examine(directory, { fix: true })
      assert.deepStrictEqual(whole && figures(whole), { ...agreeing, stale: 2, fixed: 2 })
      assert.deepStrictEqual((yield* examine(directory)).map(figures), [agreeing, agreeing])
    })
  )

  it.scoped("removes what else there is of a document whose current chunks are all there, written or not", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* filled(directory)
      yield* opened(directory, (world) =>
        Effect.zipRight(write(directory, "a.html", "one"), store(world, "a.html", [world.jsonl]))
      )
      const [, folder] = yield* examine(directory, { fix: true })
      assert.deepStrictEqual(folder && figures(folder), { ...agreeing, missing: 1, stale: 1, fixed: 1 })
    })
  )

  it.scoped("finds everything missing in a target that was deleted", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* filled(directory)
      fs.rmSync(join(directory, "chunks"), { recursive: true })
      const findings = yield* examine(directory)
      assert.deepStrictEqual(findings.map(figures), [agreeing, { ...agreeing, missing: 2 }])
    })
  )
})
