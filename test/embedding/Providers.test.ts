import { assert, describe, it } from "@effect/vitest"
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Config, ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { chunks, vectors, withEmbedder } from "./chunks.ts"
import * as Dialects from "./dialects.ts"
import * as Providers from "./providers.ts"
import * as server from "./server.ts"

const apiKey = Redacted.make(Providers.key)

const near = (left: ReadonlyArray<number> | undefined, right: ReadonlyArray<number>): boolean =>
  left !== undefined &&
  left.length === right.length &&
  left.every((component, at) => Math.abs(component - (right[at] ?? 0)) < 1e-6)

/** Numbered texts. */
const many = (count: number) => chunks(...Array.from({ length: count }, (_, at) => `text ${at}`))

describe("Cohere and Voyage", () => {
  const dialects = [
    { dialect: Dialects.cohere, react: Providers.cohere, document: "search_document", query: "search_query" },
    { dialect: Dialects.voyage, react: Providers.voyage, document: "document", query: "query" }
  ] as const
  for (const { dialect, document, query, react } of dialects) {
    it.scopedLive(`${dialect.name}: embeds chunks and queries as what they are, and caches them apart`, () =>
      Effect.gen(function* () {
        const running = yield* server.start(react)
        const cache = Layer.succeed(EmbeddingCache.EmbeddingCache, yield* EmbeddingCache.makeMemory())
        const options = { apiKey, dimensions: 256 }
        for (let run = 0; run < 2; run++) {
          yield* withEmbedder(dialect.live(running, options, cache), (embedder) =>
            Effect.gen(function* () {
              const [vector] = vectors(yield* embedder.embed(chunks("gauge")))
              assert.isTrue(near(vector, server.vectorOf(`${document}: gauge`, 256)))
              const asked = Option.getOrUndefined(yield* embedder.embedQuery("gauge"))
              assert.isTrue(near(asked, server.vectorOf(`${query}: gauge`, 256)))
            })
          )
        }
        assert.deepStrictEqual(
          running.asked.map(({ body }) => body["input_type"]),
          [document, query]
        )
      })
    )
  }

  it.scopedLive("OpenAI: a query that a chunk's text answers is not sent again", () =>
    Effect.gen(function* () {
      const running = yield* server.start(server.complete)
      yield* withEmbedder(Dialects.openAi.live(running), (embedder) =>
        Effect.zipRight(embedder.embed(chunks("gauge")), embedder.embedQuery("gauge"))
      )
      assert.lengthOf(running.asked, 1)
    })
  )

  it.scopedLive("are asked in their own words", () =>
    Effect.gen(function* () {
      const running = yield* server.start(server.complete)
      for (const overlong of ["cut", "refuse"] as const) {
        for (const { live } of [Dialects.cohere, Dialects.voyage]) {
          yield* withEmbedder(live(running, { overlong, dimensions: 8 }), (embedder) =>
            embedder.embed(chunks("a\ud800"))
          )
        }
      }
      const cohere = {
        model: "embed-v4.0",
        texts: ["a\ufffd"],
        input_type: "search_document",
        embedding_types: ["float"],
        output_dimension: 8
      }
      const voyage = {
        model: "voyage-3.5",
        input: ["a\ufffd"],
        input_type: "document",
        encoding_format: "base64",
        output_dimension: 8
      }
      assert.deepStrictEqual(
        running.asked.map(({ body }) => body),
        [
          { ...cohere, truncate: "END" },
          { ...voyage, truncation: true },
          { ...cohere, truncate: "NONE" },
          { ...voyage, truncation: false }
        ]
      )
    })
  )

  it.scopedLive("stamp their name before the model's, which tells the vectors from those of another dialect", () =>
    Effect.gen(function* () {
      const running = yield* server.start(server.complete)
      const stamps: Array<readonly [unknown, string]> = []
      for (const { live } of [Dialects.cohere, Dialects.voyage]) {
        yield* withEmbedder(live(running, { dimensions: 8 }), ({ digest, space }) =>
          Effect.map(space, (space) => stamps.push([space?.model, digest]))
        )
      }
      yield* withEmbedder(
        Embedder.layerOpenAi({ model: "voyage-3.5", baseUrl: running.base, dimensions: 8 }).pipe(
          Layer.provide([UndiciHttpClient.layer(), EmbeddingCache.layerMemory()]),
          Layer.orDie
        ),
        ({ digest, space }) => Effect.map(space, (space) => stamps.push([space?.model, digest]))
      )
      assert.deepStrictEqual(
        stamps.map(([model]) => model),
        ["cohere:embed-v4.0", "voyage:voyage-3.5", "voyage-3.5"]
      )
      assert.strictEqual(new Set(stamps.map(([, digest]) => digest)).size, 3)
      assert.lengthOf(running.asked, 0)
    })
  )

  it.scopedLive("are never sent more texts than they take, whatever the options say", () =>
    Effect.gen(function* () {
      for (const [dialect, react, counts] of [
        [Dialects.cohere, Providers.cohere, [96, 96, 8]],
        [Dialects.voyage, Providers.voyage, [1000, 200]]
      ] as const) {
        const running = yield* server.start(react)
        const total = counts.reduce((sum, count) => sum + count, 0)
        const options = { apiKey, dimensions: 4, batchSize: 5000, concurrency: 1 }
        yield* withEmbedder(dialect.live(running, options), (embedder) => embedder.embed(many(total)))
        assert.deepStrictEqual(
          running.asked.map(({ input }) => input.length),
          [...counts]
        )
      }
    })
  )

  it.scopedLive("take their options from the configuration", () =>
    Effect.gen(function* () {
      const running = yield* server.start(({ path, ...asked }) =>
        path === "/v2/embed" ? Providers.cohere({ path, ...asked }) : Providers.voyage({ path, ...asked })
      )
      const provider = ConfigProvider.fromMap(new Map([["KEY", Providers.key]]))
      const common = { apiKey: Config.redacted("KEY"), dimensions: Config.succeed(4) }
      for (const layer of [
        Embedder.layerCohereConfig({
          ...common,
          model: Config.succeed("embed-v4.0"),
          baseUrl: Config.succeed(`${running.origin}/v2/embed`)
        }),
        Embedder.layerVoyageConfig({
          ...common,
          model: Config.succeed("voyage-4"),
          baseUrl: Config.succeed(`${running.origin}/v1/embeddings/`)
        })
      ]) {
        const embedder = layer.pipe(
          Layer.provide([UndiciHttpClient.layer(), EmbeddingCache.layerMemory()]),
          Layer.provide(Layer.setConfigProvider(provider)),
          Layer.orDie
        )
        assert.lengthOf(vectors(yield* withEmbedder(embedder, ({ embed }) => embed(chunks("a")))), 1)
      }
    })
  )

  it.effect("need a key at their own address", () =>
    Effect.gen(function* () {
      for (const layer of [
        Embedder.layerCohere({ model: "embed-v4.0" }),
        Embedder.layerVoyage({ model: "voyage-4", baseUrl: "https://api.voyageai.com" })
      ]) {
        const error = yield* layer.pipe(
          Layer.provide([UndiciHttpClient.layer(), EmbeddingCache.layerMemory()]),
          Layer.build,
          Effect.scoped,
          Effect.flip
        )
        assert.strictEqual(error.reason, "KeyMissing")
      }
    })
  )
})

describe("Google, Mistral and Azure over OpenAI's protocol", () => {
  const at = (baseUrl: string, options: Partial<Parameters<typeof Embedder.layerOpenAi>[0]> = {}) =>
    Embedder.layerOpenAi({
      model: "m",
      baseUrl,
      apiKey,
      retry: { base: "1 millis" },
      delay: "1 millis",
      ...options
    }).pipe(Layer.provide([UndiciHttpClient.layer(), EmbeddingCache.layerMemory()]), Layer.orDie)

  it.scopedLive("Google: halves a batch that is too large, and brings shorter vectors to length 1", () =>
    Effect.gen(function* () {
      const running = yield* server.start(Providers.google)
      const base = `${running.origin}/v1beta/openai/`
      const embedded = yield* withEmbedder(at(base, { dimensions: 8 }), (embedder) => embedder.embed(many(120)))
      assert.isTrue(near(vectors(embedded)[119], server.vectorOf("text 119")))
      assert.deepStrictEqual(
        running.asked.map(({ input }) => input.length),
        [120, 60, 60]
      )
    })
  )

  it.scopedLive("a wrong key stops the run after one request, in the words of each provider", () =>
    Effect.gen(function* () {
      for (const [react, path, words] of [
        [Providers.google, "/v1beta/openai", /API key not valid/u],
        [Providers.mistral, "/v1", /Unauthorized/u],
        [Providers.azure, "/openai/v1", /invalid subscription key/u]
      ] as const) {
        const running = yield* server.start(react)
        const options = { apiKey: Redacted.make("another") }
        const error = yield* withEmbedder(at(`${running.origin}${path}`, options), (embedder) =>
          Effect.flip(embedder.embed(many(4)))
        )
        assert.deepInclude(error, { reason: "Refused", severity: "run" })
        assert.match(error.problem, words)
        assert.lengthOf(running.asked, 1)
      }
    })
  )

  it.scopedLive("Mistral: takes lists in place of base64, and asks for dimensions by the name that it knows", () =>
    Effect.gen(function* () {
      const running = yield* server.start(Providers.mistral)
      const options = { model: "codestral-embed", dimensions: 8 }
      yield* withEmbedder(at(running.base, options), (embedder) =>
        Effect.gen(function* () {
          assert.isTrue(near(vectors(yield* embedder.embed(chunks("a")))[0], server.vectorOf("a")))
          yield* embedder.embed(chunks("b"))
        })
      )
      assert.deepStrictEqual(
        running.asked.map(({ body }) => [body["dimensions"], body["output_dimension"]]),
        [
          [8, undefined],
          [undefined, 8],
          [undefined, 8]
        ]
      )
      const error = yield* withEmbedder(at(running.base, { model: "mistral-embed", dimensions: 8 }), (embedder) =>
        Effect.flip(embedder.embed(chunks("a")))
      )
      assert.match(error.problem, /does not support output_dimension/u)
    })
  )

  it.scopedLive("Azure: asks a deployment by its name, with the key as a bearer token", () =>
    Effect.gen(function* () {
      const running = yield* server.start(Providers.azure)
      const base = `${running.origin}/openai/v1/`
      const options = { model: "my-deployment", dimensions: 8 }
      const embedded = yield* withEmbedder(at(base, options), (embedder) => embedder.embed(chunks("a")))
      assert.isTrue(near(vectors(embedded)[0], server.vectorOf("a")))
      const error = yield* withEmbedder(at(base), (embedder) => Effect.flip(embedder.embed(chunks("a"))))
      assert.deepInclude(error, { reason: "Refused", severity: "run" })
      assert.match(error.problem, /deployment for this resource does not exist/u)
    })
  )
})
