import { assert, describe, it } from "@effect/vitest"
import * as AutoChunker from "docsluice/AutoChunker"
import * as Chunker from "docsluice/Chunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Exit, Fiber } from "effect"
import { turnsOf } from "../fixtures/turns.ts"
import { parse } from "../reading/reading.ts"

const line = "The quick brown fox jumps over the lazy dog, again and again.\n"

/** Texts whose chunks take a second or so. */
const texts = {
  "a.txt": line.repeat(60_000),
  "one-line.txt": line.replace("\n", " ").repeat(60_000),
  "table.md": `| a | b |\n| - | - |\n${"| some cell | other cell |\n".repeat(60_000)}`,
  "quotes.md": "> - a\n> - > b word\n".repeat(60_000),
  "headings.md": "# head\n\nbody\n\n".repeat(60_000),
  "deep.yaml": Array.from({ length: 1200 }, (_, depth) => `${" ".repeat(depth)}k:\n`).join("")
}

const chunk = (document: ParsedDocument) =>
  Effect.provide(AutoChunker.make().chunk(document), Tokenizer.layer("o200k_base"))

describe("the chunks of a long document", () => {
  for (const [name, text] of Object.entries(texts)) {
    it.live(`leave the event loop its turns: ${name}`, () =>
      Effect.gen(function* () {
        const document = yield* parse(name, text)
        // The vocabulary is loaded.
        yield* chunk(yield* parse("a.txt", "a"))
        const cpu = process.cpuUsage()
        const { turns, value } = yield* turnsOf(chunk(document))
        const { system, user } = process.cpuUsage(cpu)
        assert.isAbove(value.chunks.length, 10)
        // A turn for each 20 ms and its last step; the garbage collector has threads of its own.
        assert.isAtLeast(turns, Math.floor((user + system) / 1000 / 100), `${(user + system) / 1000} ms`)
        assert.isAtLeast(turns, 2)
      })
    )
  }

  it.live("leave the event loop its turns when several documents are chunked at a time", () =>
    Effect.gen(function* () {
      const document = yield* parse("a.txt", texts["a.txt"])
      const alone = yield* turnsOf(chunk(document))
      const together = yield* turnsOf(
        Effect.all([chunk(document), chunk(document), chunk(document)], { concurrency: 3 })
      )
      assert.isAtLeast(together.turns, alone.turns)
      for (const { chunks } of together.value) assert.deepStrictEqual(chunks, alone.value.chunks)
    })
  )

  it.live("are given up soon after an interruption", () =>
    Effect.gen(function* () {
      const document = yield* parse("a.txt", texts["a.txt"].repeat(4))
      const whole = yield* turnsOf(chunk(document))
      const given = yield* turnsOf(
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(chunk(document))
          yield* Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 0)))
          return yield* Fiber.interrupt(fiber)
        })
      )
      assert.isTrue(Exit.isInterrupted(given.value))
      assert.isBelow(given.turns, whole.turns / 2)
    })
  )

  it.live("are the same without turns, where the caller runs the chunker synchronously", () =>
    Effect.gen(function* () {
      const text = texts["a.txt"].repeat(2)
      const tokenizer = yield* Effect.provide(Tokenizer.Tokenizer, Tokenizer.layer("o200k_base"))
      const { turns, value } = yield* turnsOf(Chunker.text(text, { tokenizer }))
      assert.isAtLeast(turns, 2)
      assert.deepStrictEqual(Effect.runSync(Chunker.text(text, { tokenizer })), value)
    })
  )
})
