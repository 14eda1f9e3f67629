import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import { Effect, Either } from "effect"
import * as EmbedderTarget from "../../src/internal/target/embedderTarget.ts"
import * as Provider from "../../src/internal/target/provider.ts"
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
        { _tag: "Served", provider: Provider.openAi, model: "text-embedding-3-small", baseUrl: undefined, settings: {} }
      ],
      [
        "openai:m@http://localhost:11434/v1",
        { _tag: "Served", provider: Provider.openAi, model: "m", baseUrl: "http://localhost:11434/v1", settings: {} }
      ],
      [
        "openai:@cf/m@https://u:p@h/v1",
        { _tag: "Served", provider: Provider.openAi, model: "@cf/m", baseUrl: "https://u:p@h/v1", settings: {} }
      ],
      [
        "openai:BAAI/bge-m3:q8@HTTP://h",
        { _tag: "Served", provider: Provider.openAi, model: "BAAI/bge-m3:q8", baseUrl: "HTTP://h", settings: {} }
      ]
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
          _tag: "Served",
          provider: Provider.openAi,
          model: "text-embedding-3-small",
          baseUrl: undefined,
          settings: { dimensions: 512, batchSize: 64 }
        }
      ],
      [
        "openai:e5@https://u:p@h/v1?api-version=2&documentPrefix=passage:%20&queryPrefix=query:+",
        {
          _tag: "Served",
          provider: Provider.openAi,
          model: "e5",
          baseUrl: "https://u:p@h/v1?api-version=2",
          settings: { documentPrefix: "passage: ", queryPrefix: "query: " }
        },
        "openai:e5@https://h/v1?api-version=2&documentPrefix=passage%3A+&queryPrefix=query%3A+"
      ],
      [
        "cohere:embed-v4.0?dimensions=512",
        {
          _tag: "Served",
          provider: Provider.cohere,
          model: "embed-v4.0",
          baseUrl: undefined,
          settings: { dimensions: 512 }
        }
      ],
      [
        "voyage:voyage-3.5@https://u:p@h/v1",
        { _tag: "Served", provider: Provider.voyage, model: "voyage-3.5", baseUrl: "https://u:p@h/v1", settings: {} },
        "voyage:voyage-3.5@https://h/v1"
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

  it.effect("needs a key for a provider itself, and says which variables it may come from", () =>
    Effect.gen(function* () {
      for (const [spelling, variable] of [
        ["openai:m", "OPENAI_API_KEY"],
        ["cohere:m", "COHERE_API_KEY"],
        ["voyage:m@https://api.voyageai.com", "VOYAGE_API_KEY"]
      ] as const) {
        const error = yield* Effect.flip(used(spelling, { environment: {} }))
        assert.include(error.message, "DOCSLUICE_EMBEDDER_API_KEY")
        assert.include(error.message, variable)
      }
    })
  )

  it.scopedLive("sends its own key to any address, and those of providers to these only", () =>
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
        [{ OPENAI_API_KEY: "sk-openai", COHERE_API_KEY: "co-1", VOYAGE_API_KEY: "pa-1" }, undefined],
        [{ OPENAI_API_KEY: "sk-openai", DOCSLUICE_EMBEDDER_API_KEY: key }, `Bearer ${key}`],
        [{ DOCSLUICE_EMBEDDER_API_KEY: `@${file}` }, `Bearer ${key}`]
      ]
      for (const [environment, authorization] of environments) {
        for (const spelling of [`openai:m@${running.base}`, `voyage:m@${running.base}`, `cohere:m@${running.origin}`]) {
          yield* used(spelling, { environment })
          assert.strictEqual(running.asked.at(-1)?.authorization, authorization)
        }
      }
      assert.lengthOf(running.asked, 3 * environments.length)
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

  it.effect(
    "finds the model of a store's vectors by the name of its stamp, where the key of that provider is set",
    () =>
      Effect.gen(function* () {
        const keys = { OPENAI_API_KEY: "sk-1", COHERE_API_KEY: "co-1", VOYAGE_API_KEY: "pa-1" }
        const found: ReadonlyArray<readonly [model: string, spelling: string | null, Environment?]> = [
          ["text-embedding-3-small", "openai:text-embedding-3-small?dimensions=8"],
          ["text-embedding-ada-002", "openai:text-embedding-ada-002"],
          ["cohere:embed-v4.0", "cohere:embed-v4.0?dimensions=8"],
          ["cohere:embed-english-v3.0", "cohere:embed-english-v3.0"],
          ["voyage:voyage-4-large", "voyage:voyage-4-large?dimensions=8"],
          ["voyage:voyage-3.5-lite", "voyage:voyage-3.5-lite?dimensions=8"],
          ["voyage:voyage-law-2", "voyage:voyage-law-2"],
          // Made without the kinds of texts, or by a server that the name does not tell.
          ["embed-v4.0", null],
          ["voyage-3.5", null],
          ["cohere:BAAI/bge-m3", null],
          ["nomic-embed-text", null],
          ["cohere:embed-v4.0", null, { VOYAGE_API_KEY: "pa-1" }],
          // This key may be another server's.
          ["text-embedding-3-small", null, { DOCSLUICE_EMBEDDER_API_KEY: key }],
          ["voyage:voyage-3.5", null, { DOCSLUICE_EMBEDDER_API_KEY: key }]
        ]
        for (const [model, spelling, environment = keys] of found) {
          const space = { model, dimensions: 8, normalized: true, metric: "cosine" } as const
          const target = yield* EmbedderTarget.ofSpace(space, environment)
          const kept = target === null ? null : EmbedderTarget.keep(target, environment)
          assert.deepStrictEqual(kept, spelling === null ? null : { address: spelling, credential: true }, model)
        }
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
