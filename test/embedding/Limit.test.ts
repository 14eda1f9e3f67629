import { assert, describe, it } from "@effect/vitest"
import * as Embedder from "docsluice/Embedder"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Option } from "effect"
import { chunks, withEmbedder } from "./chunks.ts"
import { recorded, right } from "./functions.ts"
import { vectorOf } from "./server.ts"

describe("Embedder with a limit", () => {
  const characters = Effect.provide(Tokenizer.Tokenizer, Tokenizer.layerCharacters)

  it.live("cuts a text above it, says so on the chunk, and never splits a character", () =>
    Effect.gen(function* () {
      const { asked, embed } = recorded(right)
      const limit = { maxTokens: 8, tokenizer: yield* characters }
      yield* withEmbedder(Embedder.layerFunction("mine", embed, { limit }), (embedder) =>
        Effect.gen(function* () {
          const embedded = yield* embedder.embed(chunks("12345678", "123456789", "1234567𝒳9"))
          assert.deepStrictEqual(asked, [["12345678", "1234567"]])
          assert.deepStrictEqual(
            embedded.map(({ notes }) => notes),
            [[], ["embedding-cut"], ["embedding-cut"]]
          )
          assert.strictEqual(embedded[1]?.embedText, "123456789")
        })
      )
    })
  )

  it.live("refuses a text above it, naming the chunk, with overlong refuse", () =>
    Effect.gen(function* () {
      const { asked, embed } = recorded(right)
      const limit = { maxTokens: 8, tokenizer: yield* characters }
      yield* withEmbedder(Embedder.layerFunction("mine", embed, { limit, overlong: "refuse" }), (embedder) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(embedder.embed(chunks("12345678", "123456789")))
          assert.strictEqual(error.reason, "TooLong")
          assert.strictEqual(error.message, "mine: a text of 9 tokens is above the model's limit of 8 (chunks a.md-1)")
          assert.lengthOf(asked, 0)
        })
      )
    })
  )

  const strict = (most: number) =>
    recorded((texts) =>
      texts.some((text) => text.length > most)
        ? Promise.reject(Object.assign(new Error("maximum context length exceeded"), { status: 400 }))
        : right(texts)
    )

  it.live("cuts what the server calls too long, and says so on the chunk", () => {
    const { embed } = strict(10)
    return withEmbedder(Embedder.layerFunction("mine", embed), (embedder) =>
      Effect.gen(function* () {
        const text = "x".repeat(30)
        for (let round = 0; round < 2; round++) {
          const [short, long] = yield* embedder.embed(chunks("short", text))
          assert.deepStrictEqual(short?.notes, [])
          assert.deepStrictEqual(long?.notes, ["embedding-cut"])
          assert.closeTo(long?.embedding?.[0] ?? Number.NaN, vectorOf("x".repeat(9))[0] ?? 0, 1e-6)
        }
      })
    )
  })

  it.live("refuses a text that the server calls too long with overlong refuse", () => {
    const { embed } = strict(10)
    return withEmbedder(Embedder.layerFunction("mine", embed, { overlong: "refuse" }), (embedder) =>
      Effect.map(Effect.flip(embedder.embed(chunks("short", "x".repeat(30)))), (error) => {
        assert.strictEqual(error.reason, "TooLong")
        assert.deepStrictEqual(error.chunks.map(String), ["a.md-1"])
      })
    )
  })

  it.live("puts the model's prefixes before documents and queries", () => {
    const { asked, embed } = recorded(right)
    const prefix = { document: "passage: ", query: "query: " }
    return withEmbedder(Embedder.layerFunction("mine", embed, { prefix }), (embedder) =>
      Effect.gen(function* () {
        yield* embedder.embed(chunks("a"))
        assert.lengthOf(
          Option.getOrElse(yield* embedder.embedQuery("a"), () => []),
          8
        )
        assert.deepStrictEqual(asked, [["passage: a"], ["query: a"]])
      })
    )
  })
})
