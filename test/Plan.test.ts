import * as fs from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as BlockChunker from "docsluice/BlockChunker"
import type { Chunker } from "docsluice/Chunker"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Ledger from "docsluice/Ledger"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Plan from "docsluice/Plan"
import * as Embedded from "docsluice/service/Embedded"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as Source from "docsluice/Source"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Effect, Layer, Stream } from "effect"
import { text, write as writePdf } from "./engine/pdf/writePdf.ts"
import { paid } from "./fixtures/paid.ts"
import { scratch, write } from "./fixtures/state.ts"
import { characters } from "./pipeline/fakes.ts"

const pdf = (name: string, pages: number) =>
  writePdf({ pages: Array.from({ length: pages }, (_, index) => ({ marks: [text(72, 72, `${name} ${index}`)] })) })

const options = { parsers: [{ type: "pdf", pages: true, blocks: true }] } as const

const blocks = BlockChunker.make({ maxTokens: 200 })

interface Asked {
  readonly parse?: ParseOptions
  readonly chunker?: Chunker
  readonly mode?: "append" | "upsert" | "sync"
  /** Every file is found twice; default false. */
  readonly twice?: boolean
}

/** Runs as one process: a plan, or a plan and then a run. */
const session = (directory: string, run: boolean, asked: Asked = {}) =>
  Effect.gen(function* () {
    const sink = yield* Jsonl.make({ file: join(directory, "chunks.jsonl") })
    const { files, scope } = Discovery.folder({ root: join(directory, "docs") })
    const common = {
      source: Source.within(scope, asked.twice === true ? Stream.concat(files, files) : files),
      chunker: asked.chunker ?? blocks,
      mode: asked.mode
    }
    const plan = yield* Plan.make({ ...common, sinks: [{ sink: sink.id, store: undefined }] })
    if (!run) return { plan, summary: null }
    const summary = yield* Pipeline.run({ ...common, sinks: [sink], state: { mode: asked.mode } })
    return { plan, summary }
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(
        Layer.provide(Parser.layer({ ...options, ...asked.parse }), paid(Embedded.layerEngine())),
        characters,
        Plan.layerPageCounter,
        DeadLetter.layerMemory
      )
    ),
    Effect.provide(
      Layer.mergeAll(
        Ledger.layer({ directory: join(directory, "state") }),
        ParseCache.layer({ directory: join(directory, "state", "cache") }),
        ScriptedEngine.layer({ pages: 3 })
      )
    ),
    Effect.provide(NodeContext.layer)
  )

const corpus = (directory: string) =>
  Effect.gen(function* () {
    yield* write(directory, "page.html", "<p>one</p>")
    yield* write(directory, "notes.psd", "not taken")
    for (const name of ["a", "b"]) {
      fs.writeFileSync(join(directory, "docs", `${name}.pdf`), pdf(name, 3))
    }
    fs.copyFileSync(join(directory, "docs", "a.pdf"), join(directory, "docs", "copy.pdf"))
    // Files that are older than any run, so that their fingerprints count.
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 60)))
  })

const actions = (plan: Plan.Plan) => plan.files.map(({ action, source }) => `${source} ${action}`)

describe("Plan", () => {
  it.scopedLive("predicts the actions, parses and costs of the first run", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* corpus(directory)
      const { plan, summary } = yield* session(directory, true)
      assert.deepStrictEqual(actions(plan), [
        "a.pdf new",
        "b.pdf new",
        "copy.pdf new",
        "notes.psd unsupported",
        "page.html new"
      ])
      assert.deepStrictEqual(plan.estimated, ["credits", "tokens"])
      assert.strictEqual(plan.pages, 10)
      assert.strictEqual(plan.credits, 7)
      assert.strictEqual(summary?.stored, plan.new)
      assert.strictEqual(summary?.credits, plan.credits)
      assert.strictEqual(summary?.fromCache, plan.fromCache)
      assert.strictEqual(summary?.unsupported, plan.unsupported)
    })
  )

  it.scopedLive("warns of documents that may take longer than their time", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* corpus(directory)
      const reasons = (timeout: number) =>
        Effect.map(session(directory, false, { parse: { timeout } }), ({ plan }) =>
          plan.files.map(({ reason, source }) => [source, reason])
        )
      const slow = "3 pages may take longer than the `timeout` of 100 ms"
      assert.deepStrictEqual(yield* reasons(100), [
        ["a.pdf", slow],
        ["b.pdf", slow],
        ["copy.pdf", slow],
        ["notes.psd", "files of type .psd"],
        ["page.html", undefined]
      ])
      assert.notInclude(JSON.stringify(yield* reasons(200)), "longer")
    })
  )

  it.scopedLive("predicts that the second of two files of one name fails, at no cost", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* corpus(directory)
      const { plan, summary } = yield* session(directory, true, { twice: true })
      assert.deepStrictEqual([plan.new, plan.pages, plan.credits], [4, 10, 7])
      const failed = plan.files.filter(({ action }) => action === "failed")
      assert.deepStrictEqual(
        failed.map(({ reason, source }) => [source, reason?.includes("the same name")]),
        ["a.pdf", "b.pdf", "copy.pdf", "page.html"].map((source) => [source, true])
      )
      assert.deepInclude(summary, { stored: plan.new, failed: failed.length })
    })
  )

  it.scopedLive("writes nothing", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* corpus(directory)
      yield* session(directory, false)
      assert.isFalse(fs.existsSync(join(directory, "chunks.jsonl")))
      const { plan } = yield* session(directory, false)
      assert.strictEqual(plan.new, 4)
    })
  )

  it.scopedLive("lists after a run the files that are unchanged, changed and gone", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* corpus(directory)
      yield* session(directory, true)
      const { plan: same } = yield* session(directory, false)
      assert.deepStrictEqual([same.unchanged, same.credits, same.tokens, same.estimated], [4, 0, 0, []])
      fs.writeFileSync(join(directory, "docs", "b.pdf"), pdf("other", 2))
      fs.rmSync(join(directory, "docs", "page.html"))
      const { plan: kept } = yield* session(directory, false)
      assert.deepStrictEqual([kept.changed, kept.unchanged, kept.removed], [1, 2, 0])
      const { plan, summary } = yield* session(directory, true, { mode: "sync" })
      assert.deepStrictEqual(actions(plan), [
        "a.pdf unchanged",
        "b.pdf changed",
        "copy.pdf unchanged",
        "notes.psd unsupported",
        "page.html removed"
      ])
      assert.deepStrictEqual([plan.pages, plan.credits, plan.removed], [2, 2, 1])
      assert.strictEqual(summary?.removed, 1)
    })
  )

  it.scopedLive("counts tokens exactly and no credits when everything is chunked again from the cache", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* corpus(directory)
      yield* session(directory, true)
      const { plan, summary } = yield* session(directory, true, { chunker: MarkdownChunker.make({ maxTokens: 90 }) })
      assert.deepStrictEqual([plan.changed, plan.fromCache, plan.credits, plan.estimated], [4, 4, 0, []])
      assert.strictEqual(plan.tokens, summary?.tokens)
      assert.strictEqual(plan.pages, 10)
      assert.strictEqual(summary?.requests, 0)
      assert.isTrue(plan.files.every(({ action, reason }) => action !== "changed" || reason === "the chunker changed"))
    })
  )

  it.scopedLive("refuses to remove more than half, as the run does", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      for (let index = 0; index < 12; index++) yield* write(directory, `${index}.html`, `<p>${index}</p>`)
      yield* session(directory, true, { mode: "sync" })
      for (let index = 1; index < 12; index++) fs.rmSync(join(directory, "docs", `${index}.html`))
      const { plan, summary } = yield* session(directory, true, { mode: "sync" })
      assert.strictEqual(plan.removed, 0)
      assert.strictEqual(plan.files.filter(({ action }) => action === "kept").length, 11)
      assert.strictEqual(summary?.removed, 0)
    })
  )
})
