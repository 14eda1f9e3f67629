import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Corpus from "docsluice/Corpus"
import * as Evaluation from "docsluice/Evaluation"
import * as Parser from "docsluice/Parser"
import * as LibSql from "docsluice/sinks/LibSql"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer, Schema } from "effect"
import { run as runIn } from "../cli/run.ts"
import { error } from "../embedding/server.ts"
import { chunk } from "../fixtures/sinkChunks.ts"
import * as Asked from "../internal/look/askedStore.ts"
import { complete, start } from "./server.ts"

const space = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-rerank-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** The double scores by the number of gauges; by words alone, a short text with one comes first. */
const texts = [
  "gauge",
  "a gauge in the marsh, a gauge in the reeds, and near the harbour, by the boats and the anchors in the fog, a gauge",
  "a gauge in the field next to the quarry, where granite and iron are broken to dust, and a gauge",
  "a boat"
]

const place = Effect.gen(function* () {
  const folder = yield* space
  const sink = yield* LibSql.make({ file: join(folder, "chunks.db") })
  const prepared = yield* sink.prepare(null)
  yield* prepared.write(texts.map((text, at) => chunk(`${at >> 1}.md`, at, { text, embedText: text })))
  yield* prepared.finish
  const to = `libsql:${join(folder, "chunks.db")}` as const
  return { folder, to }
}).pipe(Effect.provide(NodeContext.layer))

const parsing = Layer.merge(
  Parser.layerFunction("none", () => Effect.die("nothing is parsed")),
  Tokenizer.layerCharacters
)

const opened = (options: Corpus.PartsOptions) =>
  Corpus.makeParts(options).pipe(Effect.provide(parsing), Effect.provide(NodeContext.layer))

const indexes = (hits: ReadonlyArray<Corpus.CitedHit>) => hits.map((hit) => hit.chunk.index)

const Lines = Schema.parseJson(Schema.Array(Schema.Struct({ text: Schema.String })))

const found = (stdout: string) => Schema.decodeUnknownSync(Lines)(stdout).map(({ text }) => texts.indexOf(text))

describe("a search with a reranker", () => {
  it.scopedLive("of a corpus is in the order of its scores, which a state keeps; none asks without it", () =>
    Effect.gen(function* () {
      const { folder, to } = yield* place
      const running = yield* start(complete("jina"))
      const asked = Effect.scoped(
        Effect.gen(function* () {
          const docs = yield* opened({ to, rerank: `jina:m@${running.base}`, state: join(folder, "state") })
          const own = yield* docs.search("gauge", { rerank: "none" })
          const turned = yield* docs.search("gauge", {
            rerank: (_, hits) => hits.map(({ chunk: { index } }) => -index)
          })
          return { hits: yield* docs.search("gauge"), own, turned }
        })
      )
      const first = yield* asked
      assert.deepStrictEqual(indexes(first.hits), [1, 2, 0])
      assert.deepStrictEqual(indexes(first.turned), [0, 1, 2])
      assert.strictEqual(indexes(first.own)[0], 0)
      assert.isTrue(first.hits.every(({ relevance = 0 }) => relevance >= 0.5))
      yield* asked
      assert.lengthOf(running.asked, 1)
    })
  )

  it.scopedLive("of a corpus fails when the reranker does, with its error and what helps", () =>
    Effect.gen(function* () {
      const { to } = yield* place
      const running = yield* start(() => error(401, "no"))
      const docs = yield* opened({ to, rerank: `jina:m@${running.base}` })
      const failed = yield* Effect.flip(docs.search("gauge"))
      assert.strictEqual(failed._tag, "RerankError")
      assert.match(failed.message, /jina:m@http.*no; check the reranker's key/u)
      assert.lengthOf(yield* docs.search("gauge", { rerank: "none" }), 3)
      const unknown = yield* Effect.flip(opened({ to, rerank: "cohere:m" }))
      assert.match(unknown.message, /COHERE_API_KEY/u)
    })
  )

  it.scopedLive("finds by the queries of expand what the query does not, and fails where it fails", () =>
    Effect.gen(function* () {
      const { to } = yield* place
      const docs = yield* opened({ to })
      const options = (expand: Corpus.Expand): Corpus.SearchOptions => ({ expand })
      const expands: ReadonlyArray<Corpus.Expand> = [
        () => ["boat", " ", "boat"],
        () => Promise.resolve(["boat"]),
        () => Effect.succeed(["boat"])
      ]
      for (const expand of expands) {
        assert.sameMembers(indexes(yield* docs.search("gauge", options(expand))), [0, 1, 2, 3])
      }
      for (const expand of [
        () => Promise.reject(new Error("down")),
        () => Effect.fail("down"),
        () => {
          throw new Error("down")
        }
      ] satisfies ReadonlyArray<Corpus.Expand>) {
        const failed = yield* Effect.flip(docs.search("gauge", options(expand)))
        assert.deepInclude(failed, { _tag: "SearchError", reason: "NotExpanded" })
        assert.match(failed.message, /cannot be expanded: down; search without/u)
      }
    })
  )

  it.scopedLive("of the command line, of its pages and of documents is the same list", () =>
    Effect.gen(function* () {
      const { folder, to } = yield* place
      const running = yield* start(complete("tei"), "tei")
      const search = (...words: ReadonlyArray<string>) =>
        Effect.promise(() => runIn(folder, ["search", "gauge", "--to", to, "--json", ...words]))
      const reranked = ["--rerank", `tei:@${running.base}`]
      assert.deepStrictEqual(found((yield* search(...reranked)).stdout), [1, 2, 0])
      assert.deepStrictEqual(found((yield* search(...reranked, "--offset", "1", "--limit", "1")).stdout), [2])
      assert.deepStrictEqual(found((yield* search(...reranked, "--per-document", "1")).stdout), [1, 2])
      const last = yield* search(...reranked, "--offset", "3")
      assert.strictEqual(last.status, 1)
      assert.match(last.stderr, /no further hits after 3/u)
      const refused = yield* search("--rerank", "cohere:m")
      assert.strictEqual(refused.status, 64)
      assert.match(refused.stderr, /--rerank: Cohere needs a key/u)
    })
  )

  it.scopedLive("is a row of eval, next to that without", () =>
    Effect.gen(function* () {
      const { folder, to } = yield* place
      const running = yield* start(complete("jina"))
      writeFileSync(join(folder, "questions.csv"), "question,source,quote\ngauge,0.md,a gauge in the reeds\n")
      const words = ["eval", "questions.csv", "--to", to, "--json", "--rerank", `none,jina:m@${running.base}`]
      const { stdout } = yield* Effect.promise(() => runIn(folder, words))
      const { runs } = Schema.decodeUnknownSync(Schema.parseJson(Evaluation.Comparison))(stdout)
      assert.deepStrictEqual(
        runs.map(({ name, settings }) => [name, settings["rerank"]]),
        [
          ["fused, none", "none"],
          [`fused, jina:m@${running.base}`, `jina:m@${running.base}`]
        ]
      )
      assert.strictEqual(runs[1]?.result.levels.at(-1)?.measures["mrr"]?.value, 1)
    })
  )

  it.scopedLive("of the page is in the order of its scores, and a refusal says what helps", () =>
    Effect.gen(function* () {
      const { to } = yield* place
      const world = { store: to, state: "nowhere" }
      const running = yield* start(({ number, ...asked }) =>
        number === 0 ? complete("jina")({ number, ...asked }) : error(404, "no such model")
      )
      const ask = yield* Asked.ask(world, { rerank: `jina:m@${running.base}` })
      assert.strictEqual((yield* ask.settings).reranked, "scores of m by Jina")
      const { hits } = yield* ask.search({ query: "gauge", limit: 5, perDocument: 1 }, Asked.caller)
      assert.deepStrictEqual(
        hits.map((hit) => texts.indexOf(hit.chunk.text)),
        [1, 2]
      )
      const refused = yield* Effect.flip(ask.search({ query: "a gauge", limit: 5 }, Asked.caller))
      assert.deepInclude({ ...refused.body.error, status: refused.status }, { status: 502, tag: "RerankError" })
      assert.match(refused.body.error.remedy ?? "", /--rerank none/u)
    })
  )
})
