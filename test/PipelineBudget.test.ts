import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Source from "docsluice/Source"
import * as State from "docsluice/State"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Context, Effect, Layer, Stream } from "effect"
import { byLine, characters, numbered } from "./pipeline/fakes.ts"

const parser = Parser.layerFunction("upper", (_file, bytes) =>
  Effect.map(bytes, (all) => new TextDecoder().decode(all).toUpperCase())
)

const live = Layer.mergeAll(parser, characters, DeadLetter.layerMemory).pipe(Layer.provideMerge(State.layerMemory))

const source = Source.make({ name: "own", files: Stream.fromIterable(numbered(2)) })

describe("a budget", () => {
  const limited = (budget: Pipeline.BudgetOptions, given: Layer.Layer<Parser.Parser>) =>
    Effect.gen(function* () {
      const store = MemorySink.emptyStore()
      const sinks = [yield* MemorySink.make(store)]
      const result = yield* Effect.either(Pipeline.run({ source, chunker: byLine, sinks, budget }))
      return { result, chunks: store.chunks.size, stamp: store.stamp }
    }).pipe(Effect.provide(given))

  it.effect("is refused with a parser that does not say what its answers cost, before a store is opened", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const without = Layer.map(parser, (services) => {
        const own = Context.get(services, Parser.Parser)
        const parse: Parser.Parser.Service["parse"] = (found, request) => {
          asked.push(found.path)
          return own.parse(found, request)
        }
        return Context.make(Parser.Parser, { parse, terms: () => Effect.succeedNone })
      })
      for (const budget of [{ pages: 0 }, { credits: 5 }]) {
        const { result, stamp } = yield* limited(budget, without)
        assert.isTrue(result._tag === "Left" && result.left._tag === "InvalidOptions")
        assert.match(result._tag === "Left" ? result.left.message : "", /a parser with terms/)
        assert.isNull(stamp)
      }
      assert.deepStrictEqual(asked, [])
      const { chunks } = yield* limited({}, without)
      assert.strictEqual(chunks, 2)
    }).pipe(Effect.provide(live))
  )

  it.effect("limits the pages of a parser that is a function", () =>
    Effect.gen(function* () {
      const budget = { pages: 1, pagesOf: () => Effect.succeedSome(1) }
      const { chunks, result } = yield* limited(budget, parser)
      assert.strictEqual(chunks, 1)
      assert.deepInclude(result._tag === "Right" ? result.right : {}, { stored: 1, notAttempted: 1, exit: 1 })
      const none = yield* limited({ ...budget, pages: 0 }, parser)
      assert.strictEqual(none.chunks, 0)
    }).pipe(Effect.provide(live))
  )

  it.effect("limits the credits that a parser that is a function foretells", () =>
    Effect.gen(function* () {
      const dear = Parser.layerFunction("dear", ({ path }) => Effect.succeed(path), {
        worstCase: () => ({ pages: 1, credits: 3 })
      })
      const { chunks } = yield* limited({ credits: 5 }, dear)
      assert.strictEqual(chunks, 1)
    }).pipe(Effect.provide(live))
  )
})
