import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import * as ChunkSink from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import type * as Evaluation from "docsluice/Evaluation"
import * as LibSql from "docsluice/sinks/LibSql"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect, Option, Stream } from "effect"
import * as Chunks from "./find/chunks.ts"
import * as Joining from "./find/joining.ts"
import * as Sets from "./find/sets.ts"
import * as Simulated from "./find/simulated.ts"
/**
 * What joining two rankings gives and loses: words as libsql ranks them, and vectors of `hash` or simulated ones of a model, which are
 * worse than the words, as good and better. For each, the MRR of both parts, of every way to join them, and how many right chunks that the
 * vectors rank among the first five are refused by `ChunkSink.defaultMinScore`. `dev` and `unseen` are halves of the questions.
 *
 *     npm run bench -- fusion FOLDER [--set NAME]… [--questions 60] [--cache DIR]
 *
 * The folder is that of `find`; only its sets of texts take part, whose chunks are the documents.
 */
const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true, default: [] },
    questions: { type: "string", default: "60" },
    cache: { type: "string" }
  }
})
const [root] = positionals
if (root === undefined) throw new Error("usage: npm run bench -- fusion FOLDER [--set NAME]…")
const sets = Sets.read(root, Number(given.questions)).filter(
  ({ documents, name }) =>
    "chunks" in documents && (given.set.length === 0 || given.set.some((beginning) => name.startsWith(beginning)))
)
/** Candidates of each ranking. */
const depth = 50

/** Questions whose hits are judged: the words of each hit are taken apart. */
const mostJudged = 40

const rounded = (value: number): number => Number(value.toFixed(3))

const dot = (left: ArrayLike<number>, right: ArrayLike<number>): number => {
  let sum = 0
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0)
  return sum
}

const nearest = (vectors: ReadonlyArray<ArrayLike<number>>, question: ArrayLike<number>): Joining.Ranking =>
  vectors
    .map((vector, key) => ({ key, score: dot(vector, question) }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, depth)

/** Positions of the chunks that answer each question. */
const rightOf = (questions: ReadonlyArray<Evaluation.Question>, chunks: ReadonlyArray<DocumentChunk>) => {
  const at = new Map(chunks.map(({ source }, place) => [source, place]))
  return questions.map(({ source }) => new Set([source].flat().flatMap((one) => at.get(one) ?? [])))
}

/** Right chunks among the five nearest, and how many of them the least relevance of a search refuses. */
const refused = (
  chunks: ReadonlyArray<DocumentChunk>,
  asked: ReadonlyArray<Joining.Asked>,
  vectors: ReturnType<typeof Simulated.vectors>
) =>
  Effect.gen(function* () {
    const sink = yield* MemorySink.make()
    const dimensions = vectors.questions[0]?.length ?? 0
    const space = { model: "simulated", dimensions, normalized: true, metric: "cosine" } as const
    const rows = chunks.map((chunk, at) => ({ ...chunk, embedding: vectors.chunks[at] ?? [] }))
    yield* Stream.run(Stream.fromIterable(rows), ChunkSink.toSink(sink, { space }))
    const counts = { right: 0, refused: 0 }
    for (const [at, { question, right, vectors: ranked }] of asked.slice(0, mostJudged).entries()) {
      const query = { text: question, vector: vectors.questions[at] ?? [], limit: 5 }
      const hits = (yield* sink.search?.(query) ?? Effect.succeed([])).map(({ chunk, relevance = 0 }) => ({
        source: chunk.source,
        relevance
      }))
      const wanted = ranked.slice(0, 5).flatMap(({ key }) => (right.has(key) ? [chunks[key]?.source] : []))
      counts.right += wanted.length
      counts.refused += hits.filter(
        ({ relevance, source }) => wanted.includes(source) && relevance < ChunkSink.defaultMinScore
      ).length
    }
    return counts
  })

const measured = (set: Sets.Set, folder: string) =>
  Effect.gen(function* () {
    const { chunks, questions } = yield* Chunks.opened(set, 512)
    const right = rightOf(questions, chunks)
    const sink = yield* LibSql.make({ file: join(folder, `${set.name.replaceAll(/\W+/gu, "_")}.db`) })
    yield* Stream.run(Stream.fromIterable(chunks), ChunkSink.toSink(sink, { space: null }))
    const place = new Map(chunks.map(({ id }, at) => [id, at]))
    const words = yield* Effect.forEach(questions, ({ question }) =>
      Effect.map(sink.search?.({ text: question, limit: depth }) ?? Effect.succeed([]), (hits) =>
        hits.map(({ chunk, score }): Joining.Scored => ({ key: place.get(chunk.id) ?? -1, score }))
      )
    )
    const asked = (rankings: ReadonlyArray<Joining.Ranking>): ReadonlyArray<Joining.Asked> =>
      questions.map(({ question }, at) => ({
        question,
        half: Sets.halfOf(question),
        right: right[at] ?? new Set<number>(),
        words: words[at] ?? [],
        vectors: rankings[at] ?? []
      }))
    // What a model takes for an answer often shares words with the question: the first wrong hits of the words.
    const truth = asked([]).map(({ right: wanted, words: ranked }) => ({
      right: wanted,
      alike: ranked.flatMap(({ key }) => (wanted.has(key) ? [] : [key])).slice(0, 10)
    }))
    const rankingsOf = (vectors: ReturnType<typeof Simulated.vectors>) =>
      vectors.questions.map((question) => nearest(vectors.chunks, question))
    const byWords = Joining.mrr(asked([]), ({ words: ranked }) => ranked, "dev")
    const wanted = { worse: byWords * 0.7, equal: byWords, better: byWords + (1 - byWords) / 2 }
    const results: Record<string, unknown> = {}
    const hash = yield* Embedder.hash.embed(chunks)
    const hashed = yield* Effect.forEach(questions, ({ question }) => Embedder.hash.embedQuery(question))
    results["hash"] = Joining.table(
      asked(
        hashed.map((vector) =>
          nearest(
            hash.map(({ embedding = [] }) => embedding),
            Option.getOrElse(vector, () => [])
          )
        )
      )
    )
    for (const [kind, cosines] of Object.entries(Simulated.kinds)) {
      for (const [name, aim] of Object.entries(wanted)) {
        const made = (quality: number) => Simulated.vectors(cosines, truth, chunks.length, quality, 7)
        const quality = Joining.qualityFor(aim, (one) =>
          Joining.mrr(asked(rankingsOf(made(one))), ({ vectors }) => vectors, "dev")
        )
        const vectors = made(quality)
        const all = asked(rankingsOf(vectors))
        results[`${kind}, ${name}`] = {
          quality: rounded(quality),
          ...Joining.table(all),
          refusal: yield* refused(chunks, all, vectors)
        }
      }
    }
    return results
  })

const folder = mkdtempSync(join(tmpdir(), "docsluice-fusion-"))
try {
  const result: Record<string, unknown> = {}
  for (const set of sets) {
    result[set.name] = await measured(set, folder).pipe(
      Effect.scoped,
      Effect.provide(Chunks.layer(given.cache ?? join(folder, "cache"))),
      Effect.provide(NodeContext.layer),
      Effect.runPromise
    )
  }
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
  console.log(JSON.stringify({ bench: "fusion", sets: result, machine }, null, 1))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
