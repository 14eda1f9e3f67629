import { EmbeddingModel } from "@effect/ai"
import * as AiError from "@effect/ai/AiError"
import { assert, describe, it } from "@effect/vitest"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import { DocumentId } from "docsluice/SourceFile"
import * as Tokenizer from "docsluice/Tokenizer"
import { Duration, Effect, Fiber, Layer, Option, Stream, TestClock } from "effect"
import { chunk, chunks, withEmbedder } from "./embedding/chunks.ts"
import { recorded, right } from "./embedding/functions.ts"
import { vectorOf } from "./embedding/server.ts"

const assertRight = (embedded: ReadonlyArray<DocumentChunk>): void =>
  embedded.forEach(({ embedText, embedding }) =>
    vectorOf(embedText).forEach((component, at) => assert.closeTo(embedding?.[at] ?? Number.NaN, component, 1e-6))
  )

/** Lets promises and fibers continue without advancing the clock. */
const settle = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 10)))

const rejection = (status: number, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`status ${status}`), { status, headers })

describe("Embedder.layerFunction", () => {
  it.effect("returns chunks in order with the function's vectors", () => {
    const { asked, embed } = recorded(right)
    return withEmbedder(Embedder.layerFunction("mine", embed), (embedder) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(embedder.embed(chunks("a", "b", "c")))
        yield* TestClock.adjust("10 millis")
        const embedded = yield* Fiber.join(fiber)
        assertRight(embedded)
        assert.deepStrictEqual(asked, [["a", "b", "c"]])
        assert.deepStrictEqual(yield* embedder.space, {
          model: "mine",
          dimensions: 8,
          normalized: true,
          metric: "cosine"
        })
      })
    )
  })

  it.effect("sends no request for no chunks", () => {
    const { asked, embed } = recorded(right)
    return withEmbedder(Embedder.layerFunction("mine", embed), (embedder) =>
      Effect.map(embedder.embed([]), (embedded) => {
        assert.lengthOf(embedded, 0)
        assert.lengthOf(asked, 0)
      })
    )
  })

  it.effect("names the chunks that have no text, and sends none of the document", () => {
    const { asked, embed } = recorded(right)
    return withEmbedder(Embedder.layerFunction("mine", embed), (embedder) =>
      Effect.map(Effect.flip(embedder.embed(chunks("a", "", " \n\t\u00a0"))), (error) => {
        assert.strictEqual(error.reason, "Empty")
        assert.deepStrictEqual(error.chunks.map(String), ["a.md-1", "a.md-2"])
        assert.lengthOf(asked, 0)
      })
    )
  })

  it.effect("waits as long as Retry-After says before the next request", () => {
    let failures = 1
    const { asked, embed } = recorded((texts) => {
      failures -= 1
      return failures >= 0 ? Promise.reject(rejection(429, { "Retry-After": "7" })) : right(texts)
    })
    return withEmbedder(Embedder.layerFunction("mine", embed), (embedder) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(embedder.embed(chunks("a")))
        yield* TestClock.adjust("10 millis")
        yield* settle
        yield* TestClock.adjust("6999 millis")
        yield* settle
        assert.lengthOf(asked, 1)
        yield* TestClock.adjust("1 millis")
        assertRight(yield* Fiber.join(fiber))
        assert.lengthOf(asked, 2)
      })
    )
  })

  it.effect("does not retry an error without a status, and reports its message", () => {
    const { asked, embed } = recorded(() => Promise.reject(new Error("the model is\n not loaded")))
    return withEmbedder(Embedder.layerFunction("mine", embed, { delay: 0 }), (embedder) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.flip(embedder.embed(chunks("a"))))
        yield* TestClock.adjust("1 millis")
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(error.reason, "Failed")
        assert.strictEqual(error.message, "mine: the model is not loaded (chunks a.md-0)")
        assert.lengthOf(asked, 1)
      })
    )
  })

  it.live("a function that returns no list, or a list of other values than lists, fails the texts", () =>
    Effect.gen(function* () {
      const answers: ReadonlyArray<string> = ["null", "{}", "[null]", '["abc"]', '[["1"]]', "[{}]"]
      for (const answer of answers) {
        const error = yield* withEmbedder(
          Embedder.layerFunction("mine", async () => JSON.parse(answer), { retry: { base: 0 } }),
          (embedder) => Effect.flip(embedder.embed(chunks("a")))
        )
        assert.strictEqual(error.reason, "BadAnswer", answer)
        assert.deepStrictEqual(error.chunks.map(String), ["a.md-0"])
      }
    })
  )

  it.effect("a function that throws at once fails the texts, not the program", () =>
    withEmbedder(
      Embedder.layerFunction("mine", () => {
        throw new Error("at once")
      }),
      (embedder) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(Effect.flip(embedder.embed(chunks("a"))))
          yield* TestClock.adjust("10 millis")
          assert.strictEqual((yield* Fiber.join(fiber)).reason, "Failed")
        })
    )
  )
})

describe("Embedder", () => {
  it.effect("sends the texts of concurrent documents in one request, after a short delay", () => {
    const { asked, embed } = recorded(right)
    return withEmbedder(Embedder.layerFunction("mine", embed, { delay: "50 millis" }), (embedder) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(
          Effect.forEach(["a", "b", "c"], (text) => embedder.embed(chunks(text, `${text}${text}`)), { concurrency: 3 })
        )
        yield* TestClock.adjust("49 millis")
        yield* settle
        assert.lengthOf(asked, 0)
        yield* TestClock.adjust("1 millis")
        const documents = yield* Fiber.join(fiber)
        documents.forEach(assertRight)
        assert.deepStrictEqual(asked, [["a", "aa", "b", "bb", "c", "cc"]])
      })
    )
  })

  it.live("does not wait when a request is full, by count or by tokens", () => {
    const { asked, embed } = recorded(right)
    const options = { delay: "1 minute", batchSize: 4, batchTokens: 10, concurrency: 1 } as const
    return withEmbedder(Embedder.layerFunction("mine", embed, options), (embedder) =>
      Effect.gen(function* () {
        assertRight(yield* embedder.embed(chunks("a", "b", "c", "d")))
        assertRight(yield* embedder.embed(chunks("e".repeat(24), "f".repeat(16))))
        assert.deepStrictEqual(
          asked.map((texts) => texts.length),
          [4, 2]
        )
      })
    )
  })

  it.live("embeds equal texts once: in one document, in concurrent documents, and later", () => {
    const { asked, embed } = recorded(async (texts) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return right(texts)
    })
    return withEmbedder(Embedder.layerFunction("mine", embed), (embedder) =>
      Effect.gen(function* () {
        const together = yield* Effect.all(
          [
            embedder.embed(chunks("same", "same", "one")),
            Effect.delay(embedder.embed(chunks("same", "two")), "15 millis")
          ],
          { concurrency: 2 }
        )
        together.forEach(assertRight)
        assertRight(yield* embedder.embed(chunks("two", "same")))
        assert.deepStrictEqual(asked.flat().toSorted(), ["one", "same", "two"])
      })
    )
  })

  it.live("completes the second document when the first is interrupted", () => {
    const { asked, embed } = recorded(async (texts) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return right(texts)
    })
    return withEmbedder(Embedder.layerFunction("mine", embed, { delay: 0 }), (embedder) =>
      Effect.gen(function* () {
        const first = yield* Effect.fork(embedder.embed(chunks("a", "b")))
        yield* Effect.sleep("15 millis")
        const second = yield* Effect.fork(embedder.embed(chunks("b", "a")))
        yield* Effect.sleep("5 millis")
        yield* Fiber.interrupt(first)
        assertRight(yield* Fiber.join(second))
        assert.lengthOf(asked, 1)
      })
    )
  })

  it.live("does not send texts that nobody waits for any more", () => {
    const { asked, embed } = recorded(right)
    return withEmbedder(Embedder.layerFunction("mine", embed, { delay: "50 millis" }), (embedder) =>
      Effect.gen(function* () {
        const first = yield* Effect.fork(embedder.embed(chunks("a")))
        const second = yield* Effect.fork(embedder.embed(chunks("b")))
        yield* Effect.sleep("10 millis")
        yield* Fiber.interrupt(first)
        assertRight(yield* Fiber.join(second))
        assert.deepStrictEqual(asked, [["b"]])
        assertRight(yield* embedder.embed(chunks("a")))
      })
    )
  })

  it.live("does not fail a document for another one's failure in the same request", () => {
    const embed: Embedder.EmbedTexts = async (texts) =>
      texts.map((text) => (text === "bad" ? [Number.NaN, 1] : [text.length, 1]))
    return withEmbedder(Embedder.layerFunction("mine", embed), (embedder) =>
      Effect.gen(function* () {
        const results = yield* Effect.all(
          [embedder.embed(chunks("good")), Effect.flip(embedder.embed([chunk("x"), chunk("bad", 1)]))],
          { concurrency: 2 }
        )
        assert.lengthOf(results[0], 1)
        assert.deepStrictEqual(results[1].chunks.map(String), ["a.md-1"])
      })
    )
  })

  it.live("interrupts waiting callers when its scope closes", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* Layer.build(
            Embedder.layerFunction("mine", () => new Promise<never>(() => undefined), { delay: 0 })
          )
          return yield* Effect.provide(Effect.forkDaemon(Embedder.embed(chunks("a"))), context).pipe(
            Effect.tap(() => Effect.sleep("10 millis"))
          )
        })
      )
      assert.strictEqual((yield* Fiber.await(exit))._tag, "Failure")
    })
  )

  it.live("embeds a stream of documents in order", () =>
    Effect.gen(function* () {
      const documents = Stream.fromIterable(
        ["a", "b", "c"].map((text) => ({ documentId: DocumentId.make(text), chunks: chunks(text) }))
      )
      const embedded = yield* Stream.runCollect(Embedder.embedAll({ concurrency: 3 })(documents))
      assert.deepStrictEqual(
        Array.from(embedded, ({ chunks: [first] }) => first?.embedText),
        ["a", "b", "c"]
      )
      Array.from(embedded, (document) => document.chunks).forEach(assertRight)
    }).pipe(Effect.provide(Embedder.layerFunction("mine", right)))
  )
})

describe("Embedder over an EmbeddingModel", () => {
  const over = (embedMany: Parameters<typeof EmbeddingModel.make>[0]["embedMany"]) =>
    Embedder.layer({ model: "theirs", retry: { base: "1 millis" } }).pipe(
      Layer.provide([
        Layer.effect(EmbeddingModel.EmbeddingModel, EmbeddingModel.make({ embedMany })),
        EmbeddingCache.layerMemory()
      ])
    )

  it.live("takes any layer of @effect/ai", () =>
    withEmbedder(
      over((texts) => Effect.succeed(texts.map((text, index) => ({ index, embeddings: vectorOf(text) })))),
      (embedder) => Effect.map(embedder.embed(chunks("a", "b")), assertRight)
    )
  )

  it.live("fails when the model returns fewer vectors than texts, which is an interruption in that interface", () => {
    let calls = 0
    return withEmbedder(
      over((texts) => {
        calls += 1
        return Effect.succeed(texts.slice(1).map((text, index) => ({ index, embeddings: vectorOf(text) })))
      }),
      (embedder) =>
        Effect.map(Effect.flip(embedder.embed(chunks("a", "b"))), (error) => {
          assert.strictEqual(error.reason, "BadAnswer")
          assert.deepStrictEqual(error.chunks.map(String), ["a.md-0", "a.md-1"])
          assert.strictEqual(calls, 3)
        })
    )
  })

  it.live("fails where the model dies", () => {
    const dying = EmbeddingModel.EmbeddingModel.of({
      embed: () => Effect.die(new Error("no")),
      embedMany: () => Effect.die(new Error("no"))
    })
    return withEmbedder(
      Embedder.layer({ model: "theirs" }).pipe(
        Layer.provide([Layer.succeed(EmbeddingModel.EmbeddingModel, dying), EmbeddingCache.layerMemory()])
      ),
      (embedder) =>
        Effect.map(Effect.flip(embedder.embed(chunks("a"))), (error) => assert.strictEqual(error.reason, "Failed"))
    )
  })

  it.live("retries an AiError that says it is temporary", () => {
    let calls = 0
    const loading = new AiError.HttpResponseError({
      module: "Theirs",
      method: "embedMany",
      reason: "StatusCode",
      request: { method: "POST", url: "http://host/v1", urlParams: [], hash: Option.none(), headers: {} },
      response: { status: 503, headers: {} }
    })
    return withEmbedder(
      over((texts) => {
        calls += 1
        return calls < 3
          ? Effect.fail(loading)
          : Effect.succeed(texts.map((text, index) => ({ index, embeddings: vectorOf(text) })))
      }),
      (embedder) => Effect.map(embedder.embed(chunks("a")), assertRight)
    )
  })
})

it.effect("Embedder.none returns chunks unchanged", () =>
  Effect.gen(function* () {
    const given = chunks("a")
    assert.strictEqual(yield* Embedder.none.embed(given), given)
    assert.isNull(yield* Embedder.none.space)
    assert.deepStrictEqual(yield* Embedder.none.embedQuery("a"), Option.none())
  })
)

it.scoped("has equal digests for equal settings of vectors, and another digest for every other setting", () =>
  Effect.gen(function* () {
    const tokenizer = yield* Effect.provide(Tokenizer.Tokenizer, Tokenizer.layerCharacters)
    const digest = (options: Parameters<typeof Embedder.layerFunction>[2] = {}, model = "m") =>
      Effect.map(Layer.build(Embedder.layerFunction(model, right, options)), (context) =>
        Effect.runSync(
          Effect.provide(
            Effect.map(Embedder.Embedder, (embedder) => embedder.digest),
            context
          )
        )
      )
    const plain = yield* digest()
    assert.strictEqual(
      yield* digest({ batchSize: 3, delay: Duration.seconds(1), concurrency: 9, normalize: true }),
      plain
    )
    const others = yield* Effect.all([
      digest({}, "n"),
      digest({ dimensions: 3 }),
      digest({ normalize: false }),
      digest({ overlong: "refuse" }),
      digest({ prefix: { document: "passage: " } }),
      digest({ limit: { maxTokens: 3, tokenizer } })
    ])
    assert.strictEqual(new Set([plain, Embedder.hash.digest, Embedder.none.digest, ...others]).size, 9)
  })
)
