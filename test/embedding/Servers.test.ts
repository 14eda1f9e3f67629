import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Fiber } from "effect"
import { chunks, key, vectors, withEmbedder } from "./chunks.ts"
import * as Dialects from "./dialects.ts"
import { type Dialect } from "./dialects.ts"
import * as server from "./server.ts"
import { type Asked, base64, complete, dimensions, type Reaction, vectorOf } from "./server.ts"

const { live } = Dialects.openAi
const { error, ok } = server

const texts = ["alpha", "beta", "gamma", "delta", "epsilon"]

const floats = ({ input }: Asked) => input.map((text, index) => ({ index, embedding: vectorOf(text) }))

const shuffled = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [...items.slice(2), ...items.slice(0, 2)]

/** Only the first requests meet the fault. */
const times =
  (count: number, fault: (asked: Asked) => Reaction) =>
  (asked: Asked): Reaction =>
    asked.number < count ? fault(asked) : complete(asked)

/** Reactions of the server, and the number of requests needed for the right vectors. */
type Good = readonly [title: string, react: (asked: Asked) => Reaction, requests: number]

const good = ({ error, ok }: Dialect): ReadonlyArray<Good> => [
  ["everything that the provider sends", complete, 1],
  ["lists without index", ({ input }) => ok(input.map((text) => ({ embedding: vectorOf(text) }))), 1],
  [
    "vectors that are not of length 1",
    ({ input }) => ok(input.map((text) => ({ embedding: vectorOf(text).map((number) => 7 * number) }))),
    1
  ],
  ["one 429 with Retry-After", times(1, () => error(429, "slow down", { "retry-after": "0" })), 2],
  ["three 429", times(3, () => error(429, "slow down")), 4],
  ["one 429 for a quota of a minute", times(1, () => error(429, "Quota exceeded: 60 requests per minute")), 2],
  ["one 429 for a quota, with a wait", times(1, () => error(429, "Quota exceeded", { "retry-after": "0" })), 2],
  ["four 500", times(4, () => error(500, "oops")), 5],
  ["one 502 of a proxy", times(1, () => ({ status: 502, body: "<html>bad gateway</html>" })), 2],
  ["one 503", times(1, () => error(503, "loading")), 2],
  ["two 504", times(2, () => error(504, "late")), 3],
  ["one reset", times(1, () => "reset"), 2],
  ["two answers that are not JSON", times(2, () => ({ status: 200, body: "<html>" })), 3],
  ["one empty answer", times(1, () => ({ status: 200, body: "" })), 2],
  ["one answer that is cut", times(1, () => ({ status: 200, body: '{"data":[{"embedding":[0.1,' })), 2],
  ["one short answer", times(1, (asked) => ok(floats(asked).slice(1))), 2],
  ["batches of two at most", (asked) => (asked.input.length > 2 ? error(422, "batch size > 2") : complete(asked)), 5],
  [
    "too many tokens in one request",
    (asked) => (asked.input.join("").length > 12 ? error(400, "too many tokens") : complete(asked)),
    5
  ]
]

/** Of dialects with an `index` and base64. */
const goodIndexed: ReadonlyArray<Good> = [
  ["lists without object, usage and model", (asked) => ok(floats(asked)), 1],
  ["an index that is null", ({ input }) => ok(input.map((text) => ({ index: null, embedding: vectorOf(text) }))), 1],
  [
    "no index that is 0",
    (asked) => ok(floats(asked).map(({ embedding, index }) => (index === 0 ? { embedding } : { embedding, index }))),
    1
  ],
  ["vectors shuffled, by index", (asked) => ok(shuffled(floats(asked))), 1],
  [
    "base64 shuffled",
    ({ input }) => ok(shuffled(input.map((text, index) => ({ index, embedding: base64(vectorOf(text)) })))),
    1
  ],
  [
    "a server that does not know encoding_format",
    (asked) =>
      "encoding_format" in asked.body
        ? error(422, "unknown field `encoding_format`, expected `input` or `model`")
        : ok(floats(asked)),
    2
  ]
]

/** Expected error: reason, the chunks named, number of requests, and whom it concerns; an outage passes, another error of a run does not. */
type Bad = readonly [
  title: string,
  react: (asked: Asked) => Reaction,
  reason: string,
  chunks: ReadonlyArray<number>,
  requests: number,
  more: "retryable" | "final" | "run" | "outage"
]

const all = [0, 1, 2, 3, 4]

const poisoned =
  (ok: Dialect["ok"], components: (text: string) => unknown) =>
  ({ input }: Asked): Reaction =>
    ok(input.map((text, index) => ({ index, embedding: text === "gamma" ? components(text) : vectorOf(text) })))

/** The word in place of the first component of the third vector. */
const literal = (ok: Dialect["ok"], asked: Asked, word: string): Reaction => {
  const answer = ok(floats(asked))
  const vector = JSON.stringify(vectorOf("gamma"))
  return typeof answer === "string"
    ? answer
    : { ...answer, body: JSON.stringify(answer.body).replace(vector, vector.replace(/^\[[^,]+/u, `[${word}`)) }
}

/** Of dialects with an `index` and base64. */
const badIndexed: ReadonlyArray<Bad> = [
  [
    "one index twice",
    (asked) => ok(floats(asked).map(({ embedding, index }) => ({ embedding, index: index % 4 }))),
    "BadAnswer",
    all,
    3,
    "retryable"
  ],
  [
    "an index from one on",
    (asked) => ok(floats(asked).map(({ embedding, index }) => ({ embedding, index: index + 1 }))),
    "BadAnswer",
    all,
    3,
    "retryable"
  ],
  [
    "an index for some only",
    (asked) => ok(floats(asked).map((item) => (item.index === 1 ? { embedding: item.embedding } : item))),
    "BadAnswer",
    all,
    3,
    "retryable"
  ],
  ["base64 of 31 bytes", poisoned(ok, (text) => base64(vectorOf(text)).slice(0, -3)), "BadAnswer", [2], 1, "final"],
  ["base64 of NaN", poisoned(ok, () => base64([Number.NaN, 1, 2, 3, 4, 5, 6, 7])), "BadAnswer", [2], 1, "final"]
]

const bad = ({ error, ok }: Dialect): ReadonlyArray<Bad> => [
  ["a short answer", (asked) => ok(floats(asked).slice(1)), "BadAnswer", all, 3, "retryable"],
  ["a long answer", (asked) => ok([...floats(asked), ...floats(asked)]), "BadAnswer", all, 3, "retryable"],
  ["an empty answer", () => ok([]), "BadAnswer", all, 3, "retryable"],
  ["no data", () => ({ status: 200, body: {} }), "BadAnswer", all, 3, "retryable"],
  ["data that is null", () => ({ status: 200, body: { data: null } }), "BadAnswer", all, 3, "retryable"],
  ["a list in place of the answer", () => ({ status: 200, body: [] }), "BadAnswer", all, 3, "retryable"],
  ["an answer that is not JSON", () => ({ status: 200, body: "<html>" }), "BadAnswer", all, 3, "retryable"],
  [
    "an answer whose packing is damaged",
    () => ({ status: 200, body: "no gzip", headers: { "content-encoding": "gzip" } }),
    "BadAnswer",
    all,
    3,
    "retryable"
  ],
  ["NaN in one vector", (asked) => literal(ok, asked, "NaN"), "BadAnswer", [2], 1, "final"],
  ["-Infinity in one vector", (asked) => literal(ok, asked, "-Infinity"), "BadAnswer", [2], 1, "final"],
  ["null in one vector", poisoned(ok, (text) => [null, ...vectorOf(text).slice(1)]), "BadAnswer", [2], 1, "final"],
  ["a number beyond 32 bits", poisoned(ok, (text) => [1e39, ...vectorOf(text).slice(1)]), "BadAnswer", [2], 1, "final"],
  ["one vector too short", poisoned(ok, (text) => vectorOf(text).slice(1)), "BadAnswer", [2], 1, "final"],
  ["one vector too long", poisoned(ok, (text) => [...vectorOf(text), 0]), "BadAnswer", [2], 1, "final"],
  ["one vector empty", poisoned(ok, () => []), "BadAnswer", [2], 1, "final"],
  ["one vector zero", poisoned(ok, (text) => vectorOf(text).fill(0)), "BadAnswer", [2], 1, "final"],
  ["one vector missing", poisoned(ok, () => undefined), "BadAnswer", [2], 1, "final"],
  [
    "a text that it refuses",
    (asked) => (asked.input.includes("gamma") ? error(400, "I do not like this one") : complete(asked)),
    "Rejected",
    [2],
    5,
    "final"
  ],
  ["a refusal of everything", () => error(400, "dimensions are not supported"), "Rejected", all, 9, "final"],
  ["401", () => error(401, `Incorrect API key provided: ${key}.`), "Refused", all, 1, "run"],
  ["402", () => error(402, "pay"), "Refused", all, 1, "run"],
  ["403", () => error(403, "no"), "Refused", all, 1, "run"],
  ["404 for the model", () => error(404, "The model does not exist"), "Refused", all, 1, "run"],
  ["a redirect", () => ({ status: 307, body: "", headers: { location: "/v1/embeddings" } }), "Refused", all, 1, "run"],
  [
    "429 for credit that is used up",
    () => error(429, "You exceeded your current quota", {}, { code: "insufficient_quota" }),
    "Refused",
    all,
    1,
    "run"
  ],
  [
    "429 for credit that is used up, in other words",
    () => error(429, "Your account has run out of credits: please add funds"),
    "Refused",
    all,
    1,
    "run"
  ],
  [
    "429 for a plan that is used up",
    () => error(429, "Monthly quota exceeded, upgrade your plan", {}, { type: "billing_error" }),
    "Refused",
    all,
    1,
    "run"
  ],
  [
    "429 with a wait above the outage limit",
    () => error(429, "x", { "retry-after": "9999" }),
    "Unavailable",
    all,
    1,
    "outage"
  ],
  ["500 for ever", () => error(500, "oops"), "Unavailable", all, 5, "retryable"],
  ["504 for ever", () => error(504, "oops"), "Unavailable", all, 3, "retryable"],
  ["resets for ever", () => "reset", "Unavailable", all, 2, "retryable"]
]

for (const dialect of [Dialects.openAi, Dialects.voyage, Dialects.cohere]) {
  describe(`Embedder over a socket, as ${dialect.name} answers`, () => {
    for (const [title, react, requests] of [...good(dialect), ...(dialect.indexed ? goodIndexed : [])]) {
      it.scopedLive(`gives the right vectors: ${title}`, () =>
        Effect.gen(function* () {
          const running = yield* server.start(react)
          const embedded = yield* withEmbedder(dialect.live(running), (embedder) => embedder.embed(chunks(...texts)))
          embedded.forEach((chunk, index) => {
            assert.strictEqual(chunk.embedText, texts[index])
            const expected = vectorOf(texts[index] ?? "")
            assert.strictEqual(chunk.embedding?.length, dimensions)
            Array.from(chunk.embedding ?? []).forEach((component, at) =>
              assert.closeTo(component, expected[at] ?? Number.NaN, 1e-6)
            )
          })
          assert.strictEqual(running.asked.length, requests)
          assert.isTrue(running.asked.every(({ authorization }) => authorization === `Bearer ${key}`))
        })
      )
    }

    for (const [title, react, reason, concerned, requests, more] of [
      ...bad(dialect),
      ...(dialect.indexed ? badIndexed : [])
    ]) {
      it.scopedLive(`returns no vectors and names the texts: ${title}`, () =>
        Effect.gen(function* () {
          const running = yield* server.start(react)
          const given = chunks(...texts)
          const error = yield* withEmbedder(dialect.live(running, { dimensions }), (embedder) =>
            Effect.flip(embedder.embed(given))
          )
          const said = inspect(error, { depth: 10 })
          assert.strictEqual(error.reason, reason, said)
          assert.deepStrictEqual(
            error.chunks,
            concerned.flatMap((index) => given[index]?.id ?? []),
            said
          )
          assert.strictEqual(running.asked.length, requests, said)
          assert.strictEqual(error.retryable, more === "retryable" || more === "outage", said)
          assert.strictEqual(error.severity, more === "run" || more === "outage" ? "run" : "document", said)
          assert.notInclude(said, key)
          assert.notInclude(error.message, key)
        })
      )
    }
  })
}

describe("Embedder over a socket", () => {
  it.scopedLive("learns the length of vectors from the first, says it to sinks, and holds the model to it", () =>
    Effect.gen(function* () {
      const running = yield* server.start(({ input, number }) =>
        ok(input.map((text) => ({ embedding: vectorOf(text, number < 2 ? 8 : 9) })))
      )
      yield* withEmbedder(live(running), (embedder) =>
        Effect.gen(function* () {
          const space = { model: "test-model", dimensions: 8, normalized: true, metric: "cosine" } as const
          assert.deepStrictEqual(yield* embedder.space, space)
          assert.deepStrictEqual(yield* embedder.space, space)
          assert.strictEqual(running.asked.length, 1)
          assert.lengthOf(vectors(yield* embedder.embed(chunks("a", "b"))), 2)
          const error = yield* Effect.flip(embedder.embed(chunks("c")))
          assert.strictEqual(error.problem, "the answer holds a vector of 9 dimensions, 8 are expected")
        })
      )
    })
  )

  it.scopedLive("requests the configured dimensions, and knows its space without a request", () =>
    Effect.gen(function* () {
      const running = yield* server.start(({ input, body }) =>
        ok(input.map((text) => ({ embedding: vectorOf(text, Number(body["dimensions"])) })))
      )
      yield* withEmbedder(live(running, { dimensions: 5 }), (embedder) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* embedder.space)?.dimensions, 5)
          assert.lengthOf(running.asked, 0)
          assert.lengthOf(vectors(yield* embedder.embed(chunks("a")))[0] ?? [], 5)
        })
      )
    })
  )

  it.scopedLive("never has more requests in flight than configured, and begins with one", () =>
    Effect.gen(function* () {
      const running = yield* server.start(complete, 20)
      const given = chunks(...Array.from({ length: 60 }, (_, index) => `text ${index}`))
      const embedded = yield* withEmbedder(live(running, { batchSize: 4, concurrency: 3 }), (embedder) =>
        embedder.embed(given)
      )
      assert.deepStrictEqual(
        embedded.map(({ id }) => id),
        given.map(({ id }) => id)
      )
      assert.strictEqual(running.asked.length, 15)
      assert.strictEqual(running.most(), 3)
      const [first, second] = running.asked
      assert.isAtLeast((second?.at ?? 0) - (first?.at ?? 0), 19)
    })
  )

  it.scopedLive("a wrong key costs one request, however many documents wait", () =>
    Effect.gen(function* () {
      const running = yield* server.start(() => error(401, "no"), 10)
      const results = yield* withEmbedder(live(running, { batchSize: 2 }), (embedder) =>
        Effect.all(
          Array.from({ length: 20 }, (_, index) => Effect.either(embedder.embed(chunks(`a${index}`, `b${index}`)))),
          { concurrency: 20 }
        )
      )
      assert.isTrue(results.every((result) => Either.isLeft(result) && result.left.severity === "run"))
      assert.strictEqual(running.asked.length, 1)
    })
  )

  it.scopedLive("aborts a request that nobody waits for any more, and goes on", () =>
    Effect.gen(function* () {
      const running = yield* server.start((asked) => (asked.input.includes("slow") ? "hang" : complete(asked)))
      yield* withEmbedder(live(running), (embedder) =>
        Effect.gen(function* () {
          const slow = yield* Effect.fork(embedder.embed(chunks("slow")))
          yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => running.asked.length === 1 })
          yield* Fiber.interrupt(slow)
          yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => running.aborted() === 1 })
          assert.lengthOf(yield* embedder.embed(chunks("fast")), 1)
        })
      )
    })
  )

  it.scopedLive("gives up a server that does not answer in time", () =>
    Effect.gen(function* () {
      const running = yield* server.start(() => "hang")
      const error = yield* withEmbedder(live(running, { timeout: "50 millis" }), (embedder) =>
        Effect.flip(embedder.embed(chunks("a")))
      )
      assert.strictEqual(error.reason, "Unavailable")
      assert.strictEqual(running.asked.length, 2)
    })
  )
})
