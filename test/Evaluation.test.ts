import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Corpus from "docsluice/Corpus"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Evaluation from "docsluice/Evaluation"
import * as SourceFile from "docsluice/SourceFile"
import { Effect, Either, Schema } from "effect"
import { chunk } from "./fixtures/sinkChunks.ts"

const ask = (question: string, members: Omit<typeof Evaluation.Question.Encoded, "question">) =>
  Schema.decodeUnknownSync(Evaluation.Question)({ question, ...members })

/** A search that always gives these, best first. */
const giving =
  (...chunks: ReadonlyArray<DocumentChunk>) =>
  (_: string, { limit }: { readonly limit: number }) =>
    Effect.succeed(chunks.slice(0, limit).map((one) => ({ chunk: one })))

const values = (result: Evaluation.Result, level: Evaluation.Level, ...names: ReadonlyArray<string>) =>
  names.map((name) => result.levels.find((one) => one.level === level)?.measures[name]?.value)

describe("an evaluation", () => {
  it.effect("measures each level over the questions that have truth there", () =>
    Effect.gen(function* () {
      const search = giving(
        chunk("b.pdf", 0),
        chunk("a.pdf", 0, { pages: [1] }),
        chunk("a.pdf", 7, { pages: [2, 3], text: "Calibrated in **May**." })
      )
      const result = yield* Evaluation.run(
        [
          ask("a", { source: "a.pdf", pages: [3, 9], quote: "Calibrated in May." }),
          ask("b", { source: "root/b.pdf" }),
          ask("c", { source: "./c.pdf" })
        ],
        search
      )
      assert.deepStrictEqual(
        result.levels.map(({ level, questions }) => [level, questions]),
        [
          ["document", 3],
          ["page", 1],
          ["passage", 1]
        ]
      )
      assert.deepStrictEqual(values(result, "page", "recall@1", "hit@3", "recall@3", "mrr"), [0, 1, 0.5, 1 / 3])
      assert.deepStrictEqual(values(result, "passage", "hit@1", "hit@3"), [0, 1])
      assert.deepStrictEqual(values(result, "document", "mrr"), [(1 / 2 + 1 + 0) / 3])
    })
  )

  it.effect("finds a quote that is cut between two chunks once both have come, and only then", () =>
    Effect.gen(function* () {
      const text = "Every gauge is calibrated in May."
      const part = (index: number, start: number, end: number) =>
        chunk("a.pdf", index, { text: text.slice(start, end), start, end })
      const question = ask("when", { source: "a.pdf", quote: "calibrated in May" })
      const cut = yield* Evaluation.run([question], giving(part(1, 20, 33), chunk("b.pdf", 0), part(0, 0, 20)))
      assert.deepStrictEqual(values(cut, "passage", "hit@1", "hit@3", "mrr"), [0, 1, 1 / 3])
      const lapping = yield* Evaluation.run([question], giving(part(0, 0, 22), part(1, 18, 33)))
      assert.deepStrictEqual(values(lapping, "passage", "mrr"), [1 / 2])
      const apart = yield* Evaluation.run([question], giving(part(0, 0, 20), part(2, 20, 33)))
      assert.deepStrictEqual(values(apart, "passage", "mrr"), [0])
    })
  )

  it.effect("takes a heading over the chunk or in it, and a box whose middle is covered on its page", () =>
    Effect.gen(function* () {
      const over = chunk("a.pdf", 0, { headingPath: [{ depth: 1, text: "Net  Sales" }] })
      const within = chunk("a.pdf", 1, { metadata: { headings: ["Costs"] } })
      const boxed = chunk("a.pdf", 2, { boxes: [{ page: 2, bbox: [0.1, 0.1, 0.5, 0.5] }] })
      const search = giving(over, within, boxed)
      const box = (page: number, at: number) => ({ page, bbox: [at, at, at + 0.2, at + 0.2] as const })
      const result = yield* Evaluation.run(
        [
          ask("a", { source: "a.pdf", heading: "net sales" }),
          ask("b", { source: "a.pdf", heading: "costs" }),
          ask("c", { source: "a.pdf", boxes: [box(2, 0.3)] }),
          ask("d", { source: "a.pdf", boxes: [box(2, 0.45)] }),
          ask("e", { source: "a.pdf", boxes: [box(1, 0.3)] })
        ],
        search
      )
      assert.deepStrictEqual(values(result, "section", "mrr"), [(1 + 1 / 2) / 2])
      assert.deepStrictEqual(values(result, "box", "mrr", "hit@3"), [1 / 9, 1 / 3])
    })
  )

  it.effect("counts a page once, whatever the number of its chunks that come", () =>
    Effect.gen(function* () {
      const page = (index: number, number: number) => chunk("a.pdf", index, { pages: [number] })
      const result = yield* Evaluation.run(
        [ask("a", { source: "a.pdf", pages: [1, 2] })],
        giving(page(0, 1), page(1, 1), page(2, 2))
      )
      // (1/1 + 2/3) / 2; (1 + 1/2) / (1 + 1/log2 3)
      assert.closeTo(values(result, "page", "map")[0] ?? 0, 0.833333, 1e-6)
      assert.closeTo(values(result, "page", "ndcg@3")[0] ?? 0, 0.91972, 1e-5)
    })
  )

  it.effect("lists each question without right hit, with what was wanted, what came instead, and where it stands", () =>
    Effect.gen(function* () {
      const others = Array.from({ length: 11 }, (_, at) =>
        chunk("b.pdf", at, { pages: [at + 1], text: "x".repeat(500) })
      )
      const result = yield* Evaluation.run(
        [
          ask("near", { source: "a.pdf", pages: 4, answer: "in May", kind: "dates" }),
          ask("never", { source: "c.pdf" }),
          ask("first", { source: "b.pdf" })
        ],
        giving(...others, chunk("a.pdf", 0, { pages: [4] }))
      )
      assert.deepStrictEqual(
        result.misses.map(({ came, ...miss }) => [
          JSON.parse(JSON.stringify(miss)),
          came.map(({ citation }) => citation)
        ]),
        [
          [
            { question: "near", kind: "dates", level: "page", wanted: "a.pdf, p. 4", answer: "in May", rank: 12 },
            [1, 2, 3, 4, 5].map((page) => `b.pdf, p. ${page}`)
          ],
          [
            { question: "never", level: "document", wanted: "c.pdf", rank: null },
            [1, 2, 3, 4, 5].map((page) => `b.pdf, p. ${page}`)
          ]
        ]
      )
      assert.strictEqual(result.misses[0]?.came[0]?.text.length, 300)
      assert.deepStrictEqual(
        result.levels[0]?.kinds.map(({ kind, questions }) => [kind, questions]),
        [["dates", 1]]
      )
    })
  )

  it.effect("ends with the error of the search, and refuses options that cannot be used", () =>
    Effect.gen(function* () {
      const question = ask("a", { source: "a.pdf" })
      assert.strictEqual(yield* Effect.flip(Evaluation.run([question], () => Effect.fail("down" as const))), "down")
      const wrong: ReadonlyArray<Evaluation.Options> = [{ k: [0] }, { tokens: [1.5] }, { depth: 0 }, { resamples: 0 }]
      for (const options of wrong) {
        const error = yield* Effect.flip(Evaluation.run([question], giving(), options))
        assert.include(error.message, Object.keys(options)[0] ?? "")
      }
      assert.match((yield* Effect.flip(Evaluation.run([], giving()))).message, /no question/)
    })
  )

  it.effect("refuses a question whose sources have not a grade each before it asks any", () =>
    Effect.gen(function* () {
      let asked = 0
      const search: Evaluation.Search = () => Effect.sync(() => ((asked += 1), []))
      // A search that cannot fail is one that may.
      const mayFail: Evaluation.Search<"down"> = search
      const questions = [ask("a", { source: "a.pdf" }), ask("b", { source: ["a.pdf", "b.pdf"], grades: [1] })]
      const error = yield* Effect.flip(Evaluation.run(questions, mayFail))
      assert.deepInclude(error, { _tag: "QuestionError", line: 2, field: "grades" })
      assert.strictEqual(asked, 0)
    })
  )

  it.effect("gives a result that is read back from its JSON as it was", () =>
    Effect.gen(function* () {
      const result = yield* Evaluation.run([ask("a", { source: "a.pdf", kind: "k" })], giving(chunk("b.pdf", 0)))
      const json = Schema.parseJson(Evaluation.Result)
      assert.deepStrictEqual(Schema.decodeSync(json)(Schema.encodeSync(json)(result)), result)
    })
  )

  it.effect("takes promises and plain objects through Async, and rejects with the search's own error", () =>
    Effect.promise(async () => {
      const search = async (_: string, { limit }: { readonly limit: number }) =>
        [{ chunk: chunk("a.pdf", 0) }].slice(0, limit)
      const { levels } = await Async.evaluate([{ question: "a", source: "a.pdf" }], search, { k: [1] })
      assert.deepStrictEqual(
        levels.map(({ level, measures }) => [level, measures["hit@1"]?.value]),
        [["document", 1]]
      )
      const rejected = async (call: () => Promise<unknown>) => {
        try {
          await call()
          return ""
        } catch (error) {
          return String(error)
        }
      }
      const down = async () => {
        throw new Error("the server is down")
      }
      assert.include(await rejected(() => Async.evaluate([{ question: "a", source: "b" }], down)), "the server is down")
      const wrong = JSON.parse('[{ "question": "a", "source": "b", "pages": "x" }]')
      assert.include(await rejected(() => Async.evaluate(wrong, search)), "questions, line 1, pages")
      assert.include(await rejected(() => Async.evaluate("nowhere.csv", search)), "nowhere.csv")
      const options = JSON.parse('{ "kk": [1] }')
      const misspelt = await rejected(() => Async.evaluate([{ question: "a", source: "b" }], search, options))
      assert.include(misspelt, "kk")
    })
  )

  it.scopedLive("takes the search of a corpus as it is", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-evaluation-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const docs = yield* Corpus.make({ to: `libsql:${join(folder, "store.db")}`, embedder: "hash" })
      const bytes = new TextEncoder().encode("# Gauges\n\nEvery gauge is calibrated in May.\n")
      yield* docs.add(SourceFile.fromBytes({ root: "any", path: "gauges.md", bytes }))
      const questions = Either.getOrThrow(
        Evaluation.decodeQuestions(
          "q.csv",
          "question,source,quote,heading\nWhen is a gauge calibrated?,gauges.md,calibrated in May,Gauges\n"
        )
      )
      const { levels } = yield* Evaluation.run(questions, docs.search)
      assert.deepStrictEqual(
        levels.map(({ level, measures }) => [level, measures["hit@1"]?.value]),
        [
          ["document", 1],
          ["section", 1],
          ["passage", 1]
        ]
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
