import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import { Effect, Either } from "effect"
import * as EmbedderTarget from "../../src/internal/target/embedderTarget.ts"
import type { Environment } from "../../src/internal/target/secret.ts"
import { chunks } from "../embedding/chunks.ts"
import * as server from "../embedding/server.ts"

const key = "sk-embedder"

const used = (spelling: string, surroundings: EmbedderTarget.Surroundings) =>
  Effect.flatMap(EmbedderTarget.parse(spelling), (target) =>
    Effect.provide(
      Effect.flatMap(Embedder.Embedder, (embedder) => embedder.embed(chunks("a"))),
      EmbedderTarget.layer(target, surroundings)
    )
  ).pipe(Effect.provide(NodeFileSystem.layer))

describe("EmbedderTarget", () => {
  it("reads none, hash, and a model with or without a base address", () => {
    const read: ReadonlyArray<readonly [string, EmbedderTarget.EmbedderTarget]> = [
      ["none", { _tag: "None" }],
      ["hash", { _tag: "Hash" }],
      [
        "openai:text-embedding-3-small",
        { _tag: "OpenAi", model: "text-embedding-3-small", baseUrl: undefined, settings: {} }
      ],
      [
        "openai:m@http://localhost:11434/v1",
        { _tag: "OpenAi", model: "m", baseUrl: "http://localhost:11434/v1", settings: {} }
      ],
      ["openai:@cf/m@https://u:p@h/v1", { _tag: "OpenAi", model: "@cf/m", baseUrl: "https://u:p@h/v1", settings: {} }],
      ["openai:BAAI/bge-m3:q8@HTTP://h", { _tag: "OpenAi", model: "BAAI/bge-m3:q8", baseUrl: "HTTP://h", settings: {} }]
    ]
    for (const [spelling, target] of read) {
      assert.deepStrictEqual(EmbedderTarget.parse(spelling), Either.right(target), spelling)
    }
  })

  it("reads settings after a ?, leaves other parameters to the address, and writes the same for the next run", () => {
    const read: ReadonlyArray<readonly [string, EmbedderTarget.EmbedderTarget, string?]> = [
      [
        "openai:text-embedding-3-small?dimensions=512&batchSize=64",
        {
          _tag: "OpenAi",
          model: "text-embedding-3-small",
          baseUrl: undefined,
          settings: { dimensions: 512, batchSize: 64 }
        }
      ],
      [
        "openai:e5@https://u:p@h/v1?api-version=2&documentPrefix=passage:%20&queryPrefix=query:+",
        {
          _tag: "OpenAi",
          model: "e5",
          baseUrl: "https://u:p@h/v1?api-version=2",
          settings: { documentPrefix: "passage: ", queryPrefix: "query: " }
        },
        "openai:e5@https://h/v1?api-version=2&documentPrefix=passage%3A+&queryPrefix=query%3A+"
      ],
      [
        "ollama:nomic-embed-text",
        { _tag: "Ollama", model: "nomic-embed-text", baseUrl: "http://127.0.0.1:11434/v1", settings: {} },
        "ollama:nomic-embed-text@http://127.0.0.1:11434/v1"
      ],
      [
        "ollama:bge-m3:567m@http://gpu:11434/v1?batchSize=8",
        { _tag: "Ollama", model: "bge-m3:567m", baseUrl: "http://gpu:11434/v1", settings: { batchSize: 8 } }
      ],
      [
        "transformers:Xenova/all-MiniLM-L6-v2?batchSize=16",
        { _tag: "Transformers", model: "Xenova/all-MiniLM-L6-v2", settings: { batchSize: 16 } }
      ]
    ]
    for (const [spelling, target, kept = spelling] of read) {
      assert.deepStrictEqual(EmbedderTarget.parse(spelling), Either.right(target), spelling)
      assert.strictEqual(EmbedderTarget.keep(target, {}).address, kept)
      const again = EmbedderTarget.parse(kept)
      assert.deepStrictEqual(
        Either.map(again, (one) => EmbedderTarget.keep(one, {}).address),
        Either.right(kept)
      )
    }
  })

  it("refuses settings that are no counts, are given twice, or are not its own", () => {
    for (const [spelling, part] of [
      ["openai:m?dimensions=0", "dimensions"],
      ["openai:m?dimensions=3.5", "dimensions"],
      ["openai:m?batchSize=8&batchSize=9", "batchSize"],
      ["openai:m?queryPrefix=a&queryPrefix=b", "queryPrefix"],
      ["openai:m?dimension=3", "dimensions, batchSize, documentPrefix, queryPrefix"],
      ["transformers:", "expected none"],
      ["ollama:", "expected none"]
    ] as const) {
      assert.include(JSON.stringify(Either.getLeft(EmbedderTarget.parse(spelling))), part)
    }
  })

  it.scopedLive(
    "asks Ollama without a key, for the given dimensions, with the prefixes, in batches of the given size",
    () =>
      Effect.gen(function* () {
        const running = yield* server.start(server.complete)
        const target = yield* EmbedderTarget.parse(
          `ollama:m@${running.base}?batchSize=2&dimensions=8&documentPrefix=passage:%20&queryPrefix=query:%20`
        )
        const environment = { DOCSLUICE_EMBEDDER_API_KEY: key, OPENAI_API_KEY: key }
        yield* Effect.gen(function* () {
          const embedder = yield* Embedder.Embedder
          yield* embedder.embed(chunks("a", "b", "c"))
          yield* embedder.embedQuery("a")
        }).pipe(Effect.provide(EmbedderTarget.layer(target, { environment })), Effect.provide(NodeFileSystem.layer))
        assert.deepStrictEqual(
          running.asked.map(({ body }) => [body["input"], body["dimensions"]]),
          [
            [["passage: a", "passage: b"], 8],
            [["passage: c"], 8],
            [["query: a"], 8]
          ]
        )
        for (const { authorization } of running.asked) assert.isUndefined(authorization)
      })
  )

  it("refuses everything else, and repeats nothing that may be a password", () => {
    for (const spelling of [
      "",
      "None",
      "openai",
      "openai:",
      "openai:@https://u:secret@h",
      "openai:m@ftp://u:secret@h"
    ]) {
      const result = EmbedderTarget.parse(spelling)
      assert.isTrue(Either.isLeft(result), spelling)
      assert.notInclude(JSON.stringify(result), "secret")
    }
    // A server of one's own without a scheme must not become a model of OpenAI's.
    assert.isTrue(Either.isLeft(EmbedderTarget.parse("openai:m@localhost:8080/v1")))
  })

  it.effect("needs a key for OpenAI itself, and says which variables it may come from", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(used("openai:m", { environment: {} }))
      assert.include(error.message, "DOCSLUICE_EMBEDDER_API_KEY")
      assert.include(error.message, "OPENAI_API_KEY")
    })
  )

  it.scopedLive("sends its own key to any address, and OpenAI's to OpenAI only", () =>
    Effect.gen(function* () {
      const running = yield* server.start(server.complete)
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-embedder-"))),
        (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
      )
      const file = join(folder, "key")
      writeFileSync(file, `${key}\n`)
      const environments: ReadonlyArray<readonly [Environment, string | undefined]> = [
        [{}, undefined],
        [{ OPENAI_API_KEY: "sk-openai" }, undefined],
        [{ OPENAI_API_KEY: "sk-openai", DOCSLUICE_EMBEDDER_API_KEY: key }, `Bearer ${key}`],
        [{ DOCSLUICE_EMBEDDER_API_KEY: `@${file}` }, `Bearer ${key}`]
      ]
      for (const [environment, authorization] of environments) {
        yield* used(`openai:m@${running.base}`, { environment })
        assert.strictEqual(running.asked.at(-1)?.authorization, authorization)
      }
      assert.lengthOf(running.asked, environments.length)
      const error = yield* Effect.flip(
        used(`openai:m@${running.base}`, { environment: { DOCSLUICE_EMBEDDER_API_KEY: "@nowhere" } })
      )
      assert.strictEqual(error.message, "DOCSLUICE_EMBEDDER_API_KEY: the file nowhere cannot be read")
    })
  )

  it.scopedLive("keeps vectors in the folder it is given", () =>
    Effect.gen(function* () {
      const running = yield* server.start(server.complete)
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-embedder-"))),
        (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
      )
      for (let run = 0; run < 2; run++) {
        yield* used(`openai:m@${running.base}`, {
          environment: {},
          cache: EmbeddingCache.layer({ directory: join(folder, "embeddings") })
        })
      }
      assert.lengthOf(running.asked, 1)
    })
  )

  it.effect("embeds by hashing, or not at all, without anything around it", () =>
    Effect.gen(function* () {
      const [hashed] = yield* used("hash", { environment: {} })
      assert.strictEqual(hashed?.embedding?.length, 1024)
      const [plain] = yield* used("none", { environment: {} })
      assert.isUndefined(plain?.embedding)
    })
  )
})
