import * as fs from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { BlockChunker, Discovery, Embedded, Embedder, Parser, Pipeline, State, Tokenizer } from "docsluice"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Effect, Layer } from "effect"
import { scratch, write } from "./fixtures/state.ts"

const engine = Layer.provide(Embedded.layerEngine(), ScriptedEngine.layer({ pages: 1, blocksPerPage: 2 }))

/** One process: a run with the state next to the parser in one layer. */
const session = (directory: string, maxTokens = 200) =>
  Effect.gen(function* () {
    return yield* Pipeline.run({
      source: Discovery.folder({ root: join(directory, "docs") }),
      chunker: BlockChunker.make({ maxTokens }),
      sinks: [yield* Jsonl.make({ file: join(directory, "chunks.jsonl") })],
      embedder: yield* Embedder.Embedder,
      state: { mode: "sync" }
    })
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(
        Layer.provide(Parser.layer(), engine),
        Tokenizer.layer("chars"),
        Embedder.layerHash,
        State.layer(join(directory, "state"))
      )
    ),
    Effect.provide(NodeContext.layer)
  )

describe("a state", () => {
  it.scopedLive("is one folder and one layer: answers are kept though the parser stands next to it", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      for (const name of ["a.pdf", "b.pdf"]) yield* write(directory, name, name)
      yield* Effect.sleep("40 millis")
      assert.deepInclude(yield* session(directory), { stored: 2, requests: 2, exit: 0 })
      assert.includeMembers(fs.readdirSync(join(directory, "state")), ["ledger.db", "cache", "embeddings"])
      assert.deepInclude(yield* session(directory), { unchanged: 2, requests: 0 })
      assert.deepInclude(yield* session(directory, 100), { stored: 2, fromCache: 2, requests: 0 })
      fs.rmSync(join(directory, "docs", "a.pdf"))
      assert.deepInclude(yield* session(directory, 100), { unchanged: 1, removed: 1 })
    })
  )

  it.scopedLive("that another has open is refused", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      const open = Layer.build(State.layer(directory)).pipe(Effect.provide(NodeContext.layer))
      yield* open
      assert.deepInclude(yield* Effect.flip(open), { reason: "Locked" })
    })
  )

  it.effect("lies where the command line looks for it", () =>
    Effect.map(State.places("memory"), (places) =>
      assert.deepStrictEqual(places, {
        ledger: "memory",
        cache: join("memory", "cache"),
        deadLetters: join("memory", "dead-letter.jsonl"),
        embeddings: join("memory", "embeddings")
      })
    ).pipe(Effect.provide(NodeContext.layer))
  )
})
