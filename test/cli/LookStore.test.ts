import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as LibSql from "docsluice/sinks/LibSql"
import { Effect, Option } from "effect"
import * as Failure from "../../src/cli/Failure.ts"
import * as LookStore from "../../src/cli/LookStore.ts"
import { chunk } from "../fixtures/sinkChunks.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "docsluice-look-")))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const read = (given: Partial<Omit<LookStore.Given, "embedder" | "state">> & { embedder?: string; state?: string }) =>
  LookStore.read({
    to: [],
    roots: [],
    rerank: "none",
    environment: {},
    ...given,
    embedder: Option.fromNullable(given.embedder),
    state: Option.fromNullable(given.state)
  }).pipe(Effect.mapError(Failure.asUsage), Effect.provide(NodeContext.layer))

/** A folder with a store of one chunk, and a folder of documents. */
const place = Effect.gen(function* () {
  const directory = yield* folder
  const [file, docs] = [join(directory, "store.db"), join(directory, "docs")]
  mkdirSync(docs)
  yield* Effect.gen(function* () {
    const sink = yield* LibSql.make({ file })
    const prepared = yield* sink.prepare(null)
    yield* prepared.write([chunk("a.pdf", 0)])
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  return { directory, docs, to: [`libsql:${file}`] }
})

describe("the store of look", () => {
  it.scopedLive("is none without --to, and --root and --embedder are refused then", () =>
    Effect.gen(function* () {
      assert.isNull(yield* read({}))
      const root = yield* Effect.flip(read({ roots: ["docs=."] }))
      assert.strictEqual(root._tag, "UsageError")
      assert.match(root.message, /--root: .*--to libsql:FILE/)
      assert.match((yield* Effect.flip(read({ embedder: "hash" }))).message, /--embedder: .*--to libsql:FILE/)
    })
  )

  it.scopedLive("is there, can be searched, and is one", () =>
    Effect.gen(function* () {
      const { directory, to } = yield* place
      const nowhere = `libsql:${join(directory, "nowhere.db")}`
      const missing = yield* Effect.flip(read({ to: [nowhere] }))
      assert.strictEqual(missing._tag, "StoreMissing")
      assert.match(missing.message, /nowhere\.db: there is no store; ingest makes it/)
      assert.isFalse(existsSync(join(directory, "nowhere.db")))
      assert.match((yield* Effect.flip(read({ to: [...to, nowhere] }))).message, /one store at a time/)
      assert.match((yield* Effect.flip(read({ to: ["jsonl:x.jsonl"] }))).message, /cannot be searched/)
      const other = yield* Effect.flip(read({ to: ["qdrant:http://127.0.0.1:1"] }))
      assert.strictEqual(other._tag, "SinkError")
    })
  )

  it.scopedLive("has roots with a name and a folder that is there, each once", () =>
    Effect.gen(function* () {
      const { directory, docs, to } = yield* place
      writeFileSync(join(directory, "file"), "")
      const cases = [
        [["docs"], /--root docs: expected NAME=DIR/],
        [["=x"], /expected NAME=DIR/],
        [["docs="], /expected NAME=DIR/],
        [["../docs=."], /expected NAME=DIR/],
        [["..=."], /expected NAME=DIR/],
        [[`docs=${join(directory, "nowhere")}`], /there is no such folder/],
        [[`docs=${join(directory, "file")}`], /there is no such folder/],
        [[`docs=${docs}`, `docs=${directory}`], /the root docs was given already/]
      ] as const
      for (const [roots, word] of cases) {
        const error = yield* Effect.flip(read({ to, roots }))
        assert.strictEqual(error._tag, "UsageError")
        assert.match(error.message, word)
      }
      const odd = join(directory, "a=b")
      mkdirSync(odd)
      const found = yield* read({ to, roots: [`docs=${docs}`, `odd=${odd}`] })
      assert.deepStrictEqual(
        found?.roots,
        new Map([
          ["docs", docs],
          ["odd", odd]
        ])
      )
    })
  )

  it.scopedLive("has an embedder that can be used, and the state that is named", () =>
    Effect.gen(function* () {
      const { directory, to } = yield* place
      const embedder = yield* Effect.flip(read({ to, embedder: "openai" }))
      assert.strictEqual(embedder._tag, "UsageError")
      assert.match(embedder.message, /--embedder/)
      const keyless = yield* Effect.flip(read({ to, embedder: "openai:text-embedding-3-small" }))
      assert.match(keyless.message, /DOCSLUICE_EMBEDDER_API_KEY|OPENAI_API_KEY/)
      const state = yield* Effect.flip(read({ to, state: join(directory, "nowhere") }))
      assert.strictEqual(state._tag, "StateMissing")
      assert.match(state.message, /there is no ledger; name the state/)
      assert.isFalse(existsSync(join(directory, "nowhere")))
      mkdirSync(join(directory, "state"))
      writeFileSync(join(directory, "state", "ledger.db"), "")
      const found = yield* read({ to, state: join(directory, "state"), embedder: "hash" })
      assert.deepInclude(found ?? {}, { state: join(directory, "state"), embedder: Option.some("hash") })
    })
  )
})
