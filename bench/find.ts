import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import * as AutoChunker from "docsluice/AutoChunker"
import * as ChunkSink from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import * as Evaluation from "docsluice/Evaluation"
import * as PageChunker from "docsluice/PageChunker"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer, Option, Stream } from "effect"
import * as Sets from "./find/sets.ts"
import * as Postgres from "./postgresServer.ts"
import * as Rivals from "./retrieval/rivals.ts"
/**
 * How often the hits hold the answer, over public sets of questions: words, vectors of `hash` and both in libsql and, if there is one,
 * pgvector, next to SQLite's FTS5 and LangChain's MemoryVectorStore over the same chunks. `dev` and `unseen` are halves of the questions
 * by a hash of their text: parameters are chosen on `dev` alone.
 *
 *     npm run bench -- find FOLDER [--set NAME]… [--search NAME]… [--max-tokens 512] [--depth 100] [--questions 200] [--cache DIR]
 *
 * `--set` and `--search` name some of them by the beginnings of their names; default all.
 *
 * The folder has `xquad/xquad.LANGUAGE.json`, `cranfield` (documents and queries as XML, judgements as of TREC), and `sec-10-q`
 * (`docs/*.pdf` and `qna_data.csv`). Page truth of the latter is found by a rule: the pages on which most figures of the answer stand.
 */
const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true, default: [] },
    search: { type: "string", multiple: true, default: [] },
    "max-tokens": { type: "string", default: "512" },
    depth: { type: "string", default: "100" },
    questions: { type: "string", default: "200" },
    cache: { type: "string" }
  }
})
const [root] = positionals
if (root === undefined) throw new Error("usage: npm run bench -- find FOLDER [--set NAME]…")
const isChosen = (name: string, wanted: ReadonlyArray<string>): boolean =>
  wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning))
const sets = Sets.read(root, Number(given.questions)).filter(({ name }) => isChosen(name, given.set))
const embedder = Embedder.hash

/** Chunks of the documents of a folder: by a chunker, or a page each. */
const parsed = (folder: string, chunker: Parameters<typeof Pipeline.run>[0]["chunker"]) =>
  Effect.gen(function* () {
    const store = MemorySink.emptyStore()
    const sink = yield* MemorySink.make(store)
    yield* Pipeline.run({ source: Discovery.discover({ root: folder }), chunker, sinks: [sink] })
    return [...store.chunks.values()]
  })

const opened = (set: Sets.Set) =>
  Effect.gen(function* () {
    const { documents, questions } = set
    if ("chunks" in documents) return { chunks: documents.chunks, questions }
    const pages = yield* parsed(documents.folder, PageChunker.make({ maxTokens: 1_000_000 }))
    const chunks = yield* parsed(documents.folder, AutoChunker.make({ maxTokens: Number(given["max-tokens"]) }))
    return { chunks, questions: documents.questions(pages) }
  })

const limit = Number(given.depth)

const chosen = ["hit@1", "hit@5", "recall@10", "recall@500tokens", "mrr", "ndcg@10", "map"]

const rounded = (value: number): number => Number(value.toFixed(3))

/** Means of each half, and the CPU time of a question. */
const score = (questions: ReadonlyArray<Evaluation.Question>, search: Rivals.Search) =>
  Effect.gen(function* () {
    const before = process.cpuUsage()
    const half = (wanted: string) =>
      Effect.gen(function* () {
        const asked = questions.filter(({ question }) => Sets.halfOf(question) === wanted)
        if (asked.length === 0) return null
        const { levels } = yield* Evaluation.run(
          asked,
          (text) =>
            Effect.gen(function* () {
              const vector = Option.getOrElse(yield* embedder.embedQuery(text), () => [])
              return (yield* search(text, vector)).map((chunk) => ({ chunk }))
            }),
          { depth: limit, resamples: 1000, concurrency: 1 }
        )
        const finest = levels.at(-1)
        const shown = chosen.map((measure) => [measure, rounded(finest?.measures[measure]?.value ?? 0)])
        const { high = 0, low = 0 } = finest?.measures["mrr"] ?? {}
        return {
          questions: asked.length,
          level: finest?.level,
          ...Object.fromEntries(shown),
          mrrInterval: [low, high].map(rounded)
        }
      })
    const halves = { dev: yield* half("dev"), unseen: yield* half("unseen") }
    const { system, user } = process.cpuUsage(before)
    return { ...halves, cpuMsPerQuestion: rounded((system + user) / 1000 / questions.length) }
  })

const ways = (sink: ChunkSink.ChunkSink.Service, prefix: string): ReadonlyArray<readonly [string, Rivals.Search]> => {
  const search = (query: ChunkSink.Query) =>
    Effect.map(sink.search?.(query) ?? Effect.succeed([]), (hits) => hits.map(({ chunk }): DocumentChunk => chunk))
  return [
    [`${prefix}, fused`, (text, vector) => search({ text, vector, limit })],
    [`${prefix}, words`, (text) => search({ text, limit })],
    [`${prefix}, vectors`, (_, vector) => search({ text: "", vector, limit })]
  ]
}

const measured = (set: Sets.Set, folder: string, url: string | null) =>
  Effect.gen(function* () {
    const { chunks: plain, questions } = yield* opened(set)
    const chunks = yield* embedder.embed(plain)
    const table = set.name.replaceAll(/\W+/gu, "_")
    const file = yield* LibSql.make({ file: join(folder, `${table}.db`) })
    const sinks = [
      ["libsql", file],
      ...(url === null ? [] : [["pgvector", yield* PgVector.make({ url, table })] as const])
    ] as const
    const space = yield* embedder.space
    for (const [, sink] of sinks) {
      yield* Stream.run(Stream.fromIterable(chunks), ChunkSink.toSink(sink, { space }))
    }
    const searches: ReadonlyArray<readonly [string, Rivals.Search]> = [
      ...sinks.flatMap(([name, sink]) => ways(sink, name)),
      ["FTS5 unicode61", Rivals.fts5(chunks, "unicode61", limit)],
      ["FTS5 porter", Rivals.fts5(chunks, "porter unicode61", limit)],
      ["MemoryVectorStore", yield* Rivals.langChain(chunks, limit)]
    ]
    const results: Record<string, unknown> = {}
    for (const [name, search] of searches.filter(([name]) => isChosen(name, given.search)))
      results[name] = yield* score(questions, search)
    return { chunks: chunks.length, questions: questions.length, results }
  })

const layers = (folder: string) =>
  Layer.mergeAll(
    Parser.layer().pipe(
      Layer.provide([Embedded.layer(), ParseCache.layer({ directory: given.cache ?? join(folder, "cache") })])
    ),
    Tokenizer.layer("o200k_base"),
    DeadLetter.layerMemory
  )

const folder = mkdtempSync(join(tmpdir(), "docsluice-find-"))
const server = isChosen("pgvector", given.search) && (await Postgres.missing()) === null ? await Postgres.start() : null
try {
  const result: Record<string, unknown> = {}
  for (const set of sets) {
    result[set.name] = await measured(set, folder, server?.url ?? null).pipe(
      Effect.scoped,
      Effect.provide(layers(folder)),
      Effect.provide(NodeContext.layer),
      Effect.runPromise
    )
  }
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
  console.log(JSON.stringify({ bench: "find", sets: result, machine }, null, 2))
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
