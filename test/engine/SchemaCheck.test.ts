import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Record } from "effect"
import * as SchemaCheck from "../../src/engine/SchemaCheck.ts"

/** A tree of references: each level refers to the next one twice. */
const tree = (levels: number, leaf: object) => ({
  $ref: "#/definitions/a0",
  definitions: Object.fromEntries([
    ...Array.from({ length: levels }, (_, at) => {
      const next = { $ref: `#/definitions/a${at + 1}` }
      return [`a${at}`, { allOf: [next, next] }] as const
    }),
    [`a${levels}`, leaf] as const
  ])
})

const wide = (properties: number) => ({
  properties: Object.fromEntries(
    Array.from({ length: properties }, (_, at) => [`p${at}`, { type: "string", minLength: 1 }] as const)
  )
})

const deep = (levels: number): Record<string, unknown> =>
  Array.from({ length: levels }).reduce<Record<string, unknown>>((inner) => ({ properties: { x: inner } }), {})

const slow = { properties: { a: { type: "string", pattern: "^(a+)+$" } } }

const slowValue = { a: `${"a".repeat(34)}!` }

/** Longest time in milliseconds that this thread did nothing else while `self` ran. */
const longestPause = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 20)
    const value = yield* Effect.ensuring(
      self,
      Effect.sync(() => clearInterval(timer))
    )
    return { value, longest }
  })

describe("the check of a caller's schema", { timeout: 120_000 }, () => {
  it.scopedLive("is a 422 for each schema that takes too much, and this thread goes on meanwhile", () =>
    Effect.gen(function* () {
      const checks = yield* SchemaCheck.make
      const attacks = {
        pattern: checks.mismatches(slow, slowValue),
        "tree of references that ends in a mismatch": checks.valid(tree(25, { not: {} })),
        "tree of references without an end in sight": checks.valid(tree(60, {}))
      }
      const { longest, value } = yield* longestPause(
        Effect.all(Record.map(attacks, Effect.flip), { concurrency: "unbounded" })
      )
      for (const [name, error] of Object.entries(value)) {
        assert.deepInclude(error, { _tag: "UnprocessableEntity", status: 422 }, name)
        assert.match(error.error, /^Invalid JSON Schema: checking it takes /u, name)
      }
      assert.isBelow(longest, 3000)
      assert.deepStrictEqual(yield* checks.mismatches(slow, { a: "aaa" }), [])
    })
  )

  it.scopedLive("answers another caller while all but one of the checks are held", () =>
    Effect.gen(function* () {
      const checks = yield* SchemaCheck.make
      const held = yield* Effect.fork(
        Effect.replicateEffect(checks.mismatches(slow, slowValue), SchemaCheck.most.checks - 1, {
          concurrency: SchemaCheck.most.checks
        })
      )
      assert.deepStrictEqual(yield* checks.mismatches({ type: "number" }, 7), [])
      assert.isNull(held.unsafePoll())
      const [elapsed] = yield* Effect.timed(Fiber.interrupt(held))
      assert.isBelow(Duration.toSeconds(elapsed), SchemaCheck.most.seconds)
    })
  )

  it.scopedLive("is a 422 before any work for a schema above a bound", () =>
    Effect.gen(function* () {
      const checks = yield* SchemaCheck.make
      const excesses = [
        [wide(20_000), "it has more than 262144 characters"],
        [{ enum: Array.from({ length: 300_000 }, () => 1) }, "it has more than 262144 characters"],
        [{ description: "x".repeat(300_000) }, "it has more than 262144 characters"],
        [deep(100_000), "it is nested more than 100 levels deep"],
        [{ allOf: Array.from({ length: 1001 }, () => ({ $ref: "#" })) }, "it has more than 1000 $refs"]
      ] as const
      for (const [schema, problem] of excesses) {
        const { longest, value } = yield* longestPause(Effect.flip(checks.valid({ ...schema })))
        assert.strictEqual(value.error, `Invalid JSON Schema: ${problem}`)
        assert.isBelow(longest, 3000, problem)
      }
    })
  )

  it.scopedLive("takes a schema within the bounds, however large", () =>
    Effect.gen(function* () {
      const checks = yield* SchemaCheck.make
      const large = wide(3000)
      yield* checks.valid(large)
      const mismatches = yield* checks.mismatches(large, { p1: "", p2999: 7 })
      assert.deepStrictEqual(mismatches, [
        { path: "p1", message: "must NOT have fewer than 1 characters" },
        { path: "p2999", message: "must be string" }
      ])
      const all = Object.fromEntries(Object.keys(large.properties).map((name) => [name, 1]))
      assert.lengthOf(yield* checks.mismatches(large, all), 50)
      yield* checks.valid(deep(49))
    })
  )

  it.scopedLive("is a 422 for a schema that refers to itself without an end, and for one that is none", () =>
    Effect.gen(function* () {
      const checks = yield* SchemaCheck.make
      for (const schema of [{ $ref: "#" }, { allOf: [{ $ref: "#" }] }]) {
        const error = yield* Effect.flip(checks.valid(schema))
        assert.deepInclude(error, { _tag: "UnprocessableEntity", status: 422 })
        assert.strictEqual(error.error, "Invalid JSON Schema: it refers to itself without an end")
      }
      const outside = yield* Effect.flip(checks.valid({ $ref: "http://127.0.0.1:1/x.json" }))
      assert.strictEqual(outside._tag, "UnprocessableEntity")
      assert.strictEqual((yield* Effect.flip(checks.valid({ type: "nothing" })))._tag, "UnprocessableEntity")
    })
  )

  it.scopedLive("asks for a property named as a member of every object only where the value has it", () =>
    Effect.gen(function* () {
      const checks = yield* SchemaCheck.make
      const schema = { properties: { constructor: { type: "string" } }, required: ["toString"] }
      assert.deepStrictEqual(yield* checks.mismatches(schema, { toString: 1 }), [])
      assert.lengthOf(yield* checks.mismatches(schema, {}), 1)
    })
  )

  it.scopedLive("tells a value that is nested too deeply for a schema of trees", () =>
    Effect.gen(function* () {
      const checks = yield* SchemaCheck.make
      const nodes = { properties: { next: { $ref: "#" } } }
      const list = (length: number): object => Array.from({ length }).reduce<object>((next) => ({ next }), {})
      assert.deepStrictEqual(yield* checks.mismatches(nodes, list(100)), [])
      const [mismatch] = yield* checks.mismatches(nodes, list(200_000))
      assert.strictEqual(mismatch?.message, "is nested too deeply to be checked")
    })
  )
})
