import { APICallError, type EmbeddingModelV3 } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import { Embeddings } from "@langchain/core/embeddings"
import { AsyncCaller } from "@langchain/core/utils/async_caller"
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import { Effect, Fiber, Option } from "effect"
import { chunks, vectors, withEmbedder } from "./chunks.ts"
import { vectorOf } from "./server.ts"

const impatient = { retry: { base: "1 millis" }, delay: "1 millis" } as const

const near = (left: ReadonlyArray<number> | undefined, right: ReadonlyArray<number>): void =>
  right.forEach((component, at) => assert.closeTo(left?.[at] ?? Number.NaN, component, 1e-6))

/** A model of the AI SDK that remembers what it was asked, and answers as it is told. */
const aiSdk = (
  answer: (values: ReadonlyArray<string>, call: number, signal?: AbortSignal) => Promise<Array<Array<number>>>,
  more: Partial<EmbeddingModelV3> = {}
) => {
  const asked: Array<ReadonlyArray<string>> = []
  const model: EmbeddingModelV3 = {
    specificationVersion: "v3",
    provider: "test.embedding",
    modelId: "of-the-sdk",
    maxEmbeddingsPerCall: 100,
    supportsParallelCalls: true,
    doEmbed: async ({ abortSignal, values }) => {
      asked.push(values)
      return { embeddings: await answer(values, asked.length - 1, abortSignal), warnings: [] }
    },
    ...more
  }
  return { asked, model }
}

const right = async (values: ReadonlyArray<string>) => values.map((text) => vectorOf(text))

const apiCall = (parts: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
  new APICallError({ message: "refused", url: "https://models.test/v1", requestBodyValues: {}, ...parts })

describe("Embedder.layerFrom of a model of the AI SDK", () => {
  it.scopedLive("gives chunks and queries their vectors, named after the model", () =>
    Effect.gen(function* () {
      const { asked, model } = aiSdk(right)
      yield* withEmbedder(Embedder.layerFrom(model, impatient), (embedder) =>
        Effect.gen(function* () {
          const embedded = vectors(yield* embedder.embed(chunks("a", "b")))
          near(embedded[1], vectorOf("b"))
          near(Option.getOrUndefined(yield* embedder.embedQuery("c")), vectorOf("c"))
          // Its vectors of chunks and queries are the same.
          yield* embedder.embedQuery("a")
          assert.deepInclude(yield* embedder.space, { model: "of-the-sdk", dimensions: 8 })
        })
      )
      assert.deepStrictEqual(asked, [["a", "b"], ["c"]])
    })
  )

  it.scopedLive("is asked for as many texts at a time as it takes, one request at a time where it says so", () =>
    Effect.gen(function* () {
      let now = 0
      let most = 0
      const { asked, model } = aiSdk(
        async (values) => {
          now += 1
          most = Math.max(most, now)
          await new Promise((resolve) => setTimeout(resolve, 5))
          now -= 1
          return right(values)
        },
        { maxEmbeddingsPerCall: Promise.resolve(2), supportsParallelCalls: Promise.resolve(false) }
      )
      const texts = ["a", "b", "c", "d", "e"]
      yield* withEmbedder(Embedder.layerFrom(model, impatient), (embedder) => embedder.embed(chunks(...texts)))
      assert.deepStrictEqual(asked, [["a", "b"], ["c", "d"], ["e"]])
      assert.strictEqual(most, 1)
    })
  )

  it.scopedLive("which says nothing of its limits, or fails to, is asked as any other", () =>
    Effect.gen(function* () {
      const failing = Promise.reject(new Error("not now"))
      failing.catch(() => undefined)
      for (const maxEmbeddingsPerCall of [undefined, Infinity, failing]) {
        const { asked, model } = aiSdk(right, { maxEmbeddingsPerCall })
        yield* withEmbedder(Embedder.layerFrom(model, impatient), (embedder) => embedder.embed(chunks("a", "b", "c")))
        assert.deepStrictEqual(asked, [["a", "b", "c"]])
      }
    })
  )

  it.scopedLive("is asked again where its error says that this helps", () =>
    Effect.gen(function* () {
      for (const error of [
        apiCall({ statusCode: 429, responseHeaders: { "retry-after": "0" } }),
        apiCall({ statusCode: 503 }),
        apiCall({ message: "Cannot connect to API", cause: { code: "ECONNREFUSED" }, isRetryable: true }),
        apiCall({ message: "Cannot connect to API", isRetryable: true })
      ]) {
        const { asked, model } = aiSdk((values, call) => (call === 0 ? Promise.reject(error) : right(values)))
        yield* withEmbedder(Embedder.layerFrom(model, impatient), (embedder) => embedder.embed(chunks("a")))
        assert.lengthOf(asked, 2)
      }
    })
  )

  it.scopedLive("waits as long as the headers of its error say", () =>
    Effect.gen(function* () {
      const limited = apiCall({ statusCode: 429, responseHeaders: { "Retry-After": "1" } })
      const { model } = aiSdk((values, call) => (call === 0 ? Promise.reject(limited) : right(values)))
      const started = performance.now()
      yield* withEmbedder(Embedder.layerFrom(model, impatient), (embedder) => embedder.embed(chunks("a")))
      assert.isAtLeast(performance.now() - started, 990)
    })
  )

  it.scopedLive("is not asked again where its error says that this does not help", () =>
    Effect.gen(function* () {
      const quota = { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }
      for (const [error, reason, severity] of [
        [apiCall({ statusCode: 401 }), "Refused", "run"],
        [apiCall({ statusCode: 429, responseBody: JSON.stringify(quota) }), "Refused", "run"],
        [apiCall({ statusCode: 500, isRetryable: false }), "Failed", "document"],
        [apiCall({ statusCode: 400 }), "Rejected", "document"],
        [apiCall({ message: "Invalid JSON response", statusCode: 200 }), "Failed", "document"],
        [new Error("a bug"), "Failed", "document"]
      ] as const) {
        const { asked, model } = aiSdk(() => Promise.reject(error))
        const failed = yield* withEmbedder(Embedder.layerFrom(model, impatient), (embedder) =>
          Effect.flip(embedder.embed(chunks("a")))
        )
        assert.deepInclude(failed, { reason, severity })
        assert.lengthOf(asked, 1)
      }
    })
  )

  it.scopedLive("whose answer is not what the specification says fails the texts", () =>
    Effect.gen(function* () {
      for (const answer of ["null", "{}", '{"embeddings":null}', '{"embeddings":[]}', '{"embeddings":[["a"]]}']) {
        const { model } = aiSdk(right, { doEmbed: async () => JSON.parse(answer) })
        const failed = yield* withEmbedder(Embedder.layerFrom(model, impatient), (embedder) =>
          Effect.flip(embedder.embed(chunks("a")))
        )
        assert.include(["BadAnswer", "Failed"], failed.reason, answer)
        assert.deepStrictEqual(failed.chunks.map(String), ["a.md-0"])
      }
    })
  )

  it.scopedLive("is told when nobody waits for its answer any more", () =>
    Effect.gen(function* () {
      let aborted = false
      const { asked, model } = aiSdk(
        (_, __, signal) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener("abort", () => {
              aborted = true
              reject(new Error("aborted"))
            })
          })
      )
      yield* withEmbedder(Embedder.layerFrom(model, impatient), (embedder) =>
        Effect.gen(function* () {
          const waiting = yield* Effect.fork(embedder.embed(chunks("a")))
          yield* Effect.repeat(Effect.sleep("2 millis"), { until: () => asked.length === 1 })
          yield* Fiber.interrupt(waiting)
          yield* Effect.repeat(Effect.sleep("2 millis"), { until: () => aborted })
        })
      )
    })
  )
})

/** Embeddings of LangChain.js; the vectors of documents and queries differ. */
class Gauges extends Embeddings {
  readonly model = "gauges"
  readonly asked: Array<string> = []
  private readonly failures: Array<unknown>

  constructor(...failures: ReadonlyArray<unknown>) {
    super({ maxRetries: 0 })
    this.failures = [...failures]
  }

  private answer<A>(asked: string, answer: A): Promise<A> {
    this.asked.push(asked)
    return this.caller.call(() => {
      const failure = this.failures.shift()
      return failure === undefined ? Promise.resolve(answer) : Promise.reject(failure)
    })
  }

  override embedDocuments(documents: Array<string>) {
    return this.answer(
      `documents ${documents.join()}`,
      documents.map((text) => vectorOf(text))
    )
  }

  override embedQuery(query: string) {
    return this.answer(`query ${query}`, vectorOf(`query: ${query}`))
  }
}

describe("Embedder.layerFrom of embeddings of LangChain", () => {
  it.scopedLive("embeds queries as queries, and caches them apart from chunks", () =>
    Effect.gen(function* () {
      const gauges = new Gauges()
      const cache = yield* EmbeddingCache.makeMemory()
      for (let run = 0; run < 2; run++) {
        yield* withEmbedder(Embedder.layerFrom(gauges, { ...impatient, cache }), (embedder) =>
          Effect.gen(function* () {
            near(vectors(yield* embedder.embed(chunks("a", "b")))[0], vectorOf("a"))
            near(Option.getOrUndefined(yield* embedder.embedQuery("a")), vectorOf("query: a"))
            assert.strictEqual((yield* embedder.space)?.model, "gauges")
          })
        )
      }
      assert.deepStrictEqual(gauges.asked, ["documents a,b", "query a"])
    })
  )

  it.scopedLive("tries again by the status of an error, wherever a client of LangChain keeps it", () =>
    Effect.gen(function* () {
      assert.instanceOf(new Gauges().caller, AsyncCaller)
      for (const failure of [
        Object.assign(new Error("slow down"), { status: 429, headers: new Headers({ "retry-after": "0" }) }),
        Object.assign(new Error("slow down"), { response: { status: 503 } })
      ]) {
        const gauges = new Gauges(failure)
        yield* withEmbedder(Embedder.layerFrom(gauges, impatient), (embedder) => embedder.embed(chunks("a")))
        assert.lengthOf(gauges.asked, 2)
      }
      const keyless = new Gauges(Object.assign(new Error("no"), { response: { status: 401 } }))
      const failed = yield* withEmbedder(Embedder.layerFrom(keyless, impatient), (embedder) =>
        Effect.flip(embedder.embed(chunks("a")))
      )
      assert.deepInclude(failed, { reason: "Refused", severity: "run" })
    })
  )

  it.scopedLive("takes the name of the options before that of the embeddings", () =>
    Effect.gen(function* () {
      const named = Embedder.layerFrom(new Gauges(), { ...impatient, model: "mine", dimensions: 8 })
      assert.strictEqual((yield* withEmbedder(named, ({ space }) => space))?.model, "mine")
    })
  )
})
