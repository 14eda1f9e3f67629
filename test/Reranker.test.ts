import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as Reranker from "docsluice/Reranker"
import { Effect, Layer, Redacted } from "effect"
import { chunks } from "./embedding/chunks.ts"
import { type Asked, error, type Reaction } from "./embedding/server.ts"
import { complete, itemsOf, key, live, paths, rerank, results, scoreOf, start, textsOf } from "./reranking/server.ts"

const texts = ["the float gauge", "a boat", "gauge by gauge", "an anchor", "the rain gauges of the gauge keeper"]

const right = texts.map((text) => Math.fround(scoreOf(text)))

const whole = complete("jina")

/** Only the first requests meet the fault. */
const times =
  (count: number, fault: (asked: Asked) => Reaction) =>
  (asked: Asked): Reaction =>
    asked.number < count ? fault(asked) : whole(asked)

/** Reactions of the server, and the number of requests needed for the right scores. */
type Good = readonly [title: string, react: (asked: Asked) => Reaction, requests: number]

const good: ReadonlyArray<Good> = [
  ["results in the order of the texts", (asked) => results(itemsOf(asked).toSorted((a, b) => a.index - b.index)), 1],
  ["one 429 with Retry-After", times(1, () => error(429, "slow down", { "retry-after": "0" })), 2],
  ["one 429 without it", times(1, () => error(429, "slow down")), 2],
  ["two 500", times(2, () => error(500, "oops")), 3],
  ["one 502 of a proxy", times(1, () => ({ status: 502, body: "<html>bad gateway</html>" })), 2],
  ["one reset", times(1, () => "reset"), 2],
  ["one answer that is cut", times(1, () => "cut"), 2],
  ["one answer without one text", times(1, (asked) => results(itemsOf(asked).slice(1))), 2],
  [
    "two texts at most in one request",
    (asked) => (textsOf(asked).length > 2 ? error(413, "batch size 5 > maximum allowed batch size 2") : whole(asked)),
    5
  ],
  [
    "texts of at most 30 characters, as llama.cpp refuses them",
    (asked) =>
      textsOf(asked).some((text) => text.length > 30)
        ? error(500, "input is too large to process. increase the physical batch size")
        : whole(asked),
    8
  ]
]

/** The reason, the number of requests, and a word of the message. */
type Bad = readonly [
  title: string,
  react: (asked: Asked) => Reaction,
  reason: Reranker.RerankError["reason"],
  requests: number,
  word: RegExp
]

const changed =
  (change: (item: { readonly index: number; readonly relevance_score: number }) => unknown) =>
  (asked: Asked): Reaction =>
    results(itemsOf(asked).map(change))

const third = (value: unknown) => changed((item) => (item.index === 2 ? { index: 2, relevance_score: value } : item))

const bad: ReadonlyArray<Bad> = [
  ["too few results", (asked) => results(itemsOf(asked).slice(2)), "BadAnswer", 3, /3 scores for 5 texts/],
  ["no results", () => results([]), "BadAnswer", 3, /0 scores for 5 texts/],
  ["too many results", (asked) => results([...itemsOf(asked), ...itemsOf(asked)]), "BadAnswer", 3, /index . twice/],
  ["one index twice", changed((item) => ({ ...item, index: item.index % 4 })), "BadAnswer", 3, /index 0 twice/],
  ["indexes from one on", changed((item) => ({ ...item, index: item.index + 1 })), "BadAnswer", 3, /index 5 for 5/],
  ["a negative index", changed((item) => ({ ...item, index: item.index - 1 })), "BadAnswer", 3, /index -1 for 5/],
  ["indexes that are texts", changed((item) => ({ ...item, index: String(item.index) })), "BadAnswer", 3, /index "\d"/],
  ["no indexes", changed(({ relevance_score }) => ({ relevance_score })), "BadAnswer", 3, /index undefined/],
  ["a score that is a text", third("0.5"), "BadAnswer", 3, /"0\.5" for text 2; a finite number/],
  ["a score that is null", third(null), "BadAnswer", 3, /null for text 2; a finite number/],
  ["a score beyond 32 bits", third(1e39), "BadAnswer", 3, /1e\+39 for text 2/],
  [
    "a score that is NaN",
    (asked) => ({
      status: 200,
      body: JSON.stringify({ results: itemsOf(asked) }).replace(/("relevance_score":)[\d.]+/u, "$1NaN")
    }),
    "BadAnswer",
    3,
    /not JSON/
  ],
  ["the answer of another kind of server", complete("tei"), "BadAnswer", 3, /no list of scores in `results`/],
  ["results that are an object", () => ({ status: 200, body: { results: {} } }), "BadAnswer", 3, /no list of scores/],
  ["an empty body", () => ({ status: 200, body: "" }), "BadAnswer", 3, /answer is empty/],
  ["a page of HTML", () => ({ status: 200, body: "<html>welcome</html>" }), "BadAnswer", 3, /not JSON/],
  [
    "an error in a 200",
    () => ({ status: 200, body: { error: { message: "the model is not loaded" } } }),
    "BadAnswer",
    3,
    /it says: the model is not loaded/
  ],
  ["401", () => error(401, `Incorrect API key provided: ${key}.`), "Refused", 1, /check the reranker's key/],
  ["402", () => error(402, "pay"), "Refused", 1, /check the reranker's key/],
  ["404", () => error(404, "the model does not exist"), "Refused", 1, /model does not exist; check/],
  ["a redirect", () => ({ status: 307, body: "", headers: { location: "/x" } }), "Refused", 1, /check/],
  ["413 for ever", () => error(413, "too large"), "TooLong", 29, /shorten the query/],
  ["422 for ever", () => error(422, "I do not like it"), "Rejected", 9, /I do not like it; search without/],
  ["400 for ever", () => error(400, "no such parameter"), "Rejected", 9, /no such parameter/],
  [
    "429 with a wait above the outage limit",
    () => error(429, "x", { "retry-after": "9999" }),
    "Unavailable",
    1,
    /later/
  ],
  ["500 for ever", () => error(500, "oops"), "Unavailable", 3, /later, or without the reranker/],
  ["503 for ever", () => error(503, "loading"), "Unavailable", 3, /later/],
  ["resets for ever", () => "reset", "Unavailable", 2, /later/],
  ["no answer", () => "hang", "Unavailable", 2, /no answer within the time allowed/]
]

describe("Reranker over a socket", () => {
  for (const [title, react, requests] of good) {
    it.scopedLive(`gives the right scores: ${title}`, () =>
      Effect.gen(function* () {
        const running = yield* start(react)
        const scores = yield* Effect.provide(rerank("gauge", texts), live(running.base))
        // A text that was shortened has the score of its beginning.
        assert.deepStrictEqual(scores.slice(0, 4), right.slice(0, 4))
        assert.lengthOf(scores, 5)
        assert.strictEqual(running.asked.length, requests)
        assert.isTrue(running.asked.every(({ authorization }) => authorization === `Bearer ${key}`))
      })
    )
  }

  for (const [title, react, reason, requests, word] of bad) {
    it.scopedLive(`fails, and says what helps: ${title}`, () =>
      Effect.gen(function* () {
        const running = yield* start(react)
        const failed = yield* Effect.flip(
          Effect.provide(rerank("gauge", texts), live(running.base, { timeout: "300 millis" }))
        )
        const said = inspect(failed, { depth: 10 })
        assert.instanceOf(failed, Reranker.RerankError)
        assert.strictEqual(failed._tag === "RerankError" && failed.reason, reason, said)
        assert.match(failed.message, word)
        assert.strictEqual(running.asked.length, requests, said)
        assert.notInclude(said, key)
      })
    )
  }

  for (const kind of ["cohere", "jina", "voyage", "tei", "llamacpp", "vllm"] as const) {
    it.scopedLive(`speaks the dialect of ${kind}, whatever part of the path its address has`, () =>
      Effect.gen(function* () {
        const running = yield* start(complete(kind), kind)
        const versioned = paths[kind].replace("/rerank", "")
        for (const [at, path] of ["", "/", versioned, paths[kind]].entries()) {
          const layer = live(`${running.base}${path}`, { kind })
          assert.deepStrictEqual(yield* Effect.provide(rerank("gauge", texts), layer), right)
          assert.strictEqual(running.asked.length, at + 1)
        }
        const [{ body } = { body: {} }] = running.asked
        const expected = {
          cohere: { model: "test-model", query: "gauge", documents: texts },
          jina: { model: "test-model", query: "gauge", documents: texts, return_documents: false },
          voyage: { model: "test-model", query: "gauge", documents: texts, truncation: true },
          tei: { query: "gauge", texts, truncate: true },
          llamacpp: { model: "test-model", query: "gauge", documents: texts },
          vllm: { model: "test-model", query: "gauge", documents: texts }
        }
        assert.deepStrictEqual(body, expected[kind])
      })
    )
  }

  it.scopedLive("keeps scores by model, query and text, and sends equal texts once", () =>
    Effect.gen(function* () {
      const running = yield* start(whole)
      const cache = yield* EmbeddingCache.makeMemory()
      const kept = Layer.succeed(EmbeddingCache.EmbeddingCache, cache)
      const ask = (query: string, given: ReadonlyArray<string>, model = "one") =>
        Effect.provide(rerank(query, given), live(running.base, { model }, kept))
      const [first = "", second = ""] = texts
      const [one = 0, two = 0] = right
      assert.deepStrictEqual(yield* ask("gauge", [first, second, first]), [one, two, one])
      assert.deepStrictEqual(yield* ask("gauge", texts), right)
      assert.deepStrictEqual(yield* ask("gauge", texts), right)
      yield* ask("other", texts)
      yield* ask("gauge", texts, "two")
      assert.deepStrictEqual(
        running.asked.map((asked) => textsOf(asked).length),
        [2, 3, 5, 5]
      )
    })
  )

  it.scopedLive("sends no more texts in a request than are allowed", () =>
    Effect.gen(function* () {
      const running = yield* start(complete("tei"), "tei")
      const many = Array.from({ length: 70 }, (_, at) => `text ${at}`)
      const scores = yield* Effect.provide(rerank("text", many), live(running.base, { kind: "tei" }))
      assert.lengthOf(scores, 70)
      assert.sameMembers(
        running.asked.map((asked) => textsOf(asked).length),
        [32, 32, 6]
      )
    })
  )

  it.scopedLive("scores of hits what their vectors are made of, and asks nothing for no texts", () =>
    Effect.gen(function* () {
      const running = yield* start(whole)
      yield* Effect.provide(rerank("gauge", []), live(running.base))
      assert.lengthOf(running.asked, 0)
      const hits = chunks("one", "two").map((one) => ({ chunk: one }))
      yield* Effect.provide(rerank("gauge", hits), live(running.base))
      assert.deepStrictEqual(running.asked.map(textsOf), [["one", "two"]])
    })
  )

  it.scopedLive("refuses an empty query and an empty text before anything is sent", () =>
    Effect.gen(function* () {
      const running = yield* start(whole)
      for (const [query, given, word] of [
        [" ", texts, /the query is empty/],
        ["gauge", ["a", "\n"], /text 1 is empty/]
      ] as const) {
        const failed = yield* Effect.flip(Effect.provide(rerank(query, given), live(running.base)))
        assert.match(failed.message, word)
      }
      assert.lengthOf(running.asked, 0)
    })
  )

  it.scopedLive(
    "fails before anything is sent without a key for a provider, and with one that no header may carry",
    () =>
      Effect.gen(function* () {
        const reasonOf = (options: Partial<Reranker.Options>) =>
          Effect.map(Effect.flip(Effect.provide(rerank("a", ["b"]), live("", options))), (failed) =>
            failed._tag === "InvalidAddress" ? failed.reason : failed._tag
          )
        assert.strictEqual(yield* reasonOf({ kind: "cohere", baseUrl: undefined, apiKey: undefined }), "KeyMissing")
        assert.strictEqual(
          yield* reasonOf({ baseUrl: "http://127.0.0.1:1", apiKey: Redacted.make("a\nb") }),
          "KeyMalformed"
        )
        assert.strictEqual(yield* reasonOf({ kind: "tei", baseUrl: undefined }), "Malformed")
        assert.strictEqual(yield* reasonOf({ kind: "tei", baseUrl: "ftp://127.0.0.1" }), "Scheme")
      })
  )
})
