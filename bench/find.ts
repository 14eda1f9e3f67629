import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import * as ChunkSink from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import * as Evaluation from "docsluice/Evaluation"
import * as LanceDb from "docsluice/sinks/LanceDb"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect, Option, Stream } from "effect"
import * as Chunks from "./find/chunks.ts"
import * as Peers from "./find/peers.ts"
import * as Sets from "./find/sets.ts"
import * as Table from "./find/table.ts"
import * as Postgres from "./postgresServer.ts"
import * as Rivals from "./retrieval/rivals.ts"
/**
 * How often the hits hold the answer, over public sets of questions and one of our own: words, vectors of `hash` and both in libsql,
 * LanceDB and, if there is one, pgvector, next to other searches over the same chunks: SQLite's FTS5, PostgreSQL's `ts_rank`, LangChain's
 * MemoryVectorStore, and MiniSearch and Orama where `bench/peers` is installed. `dev` and `unseen` are halves of the questions by a hash of
 * their text: parameters are chosen on `dev` alone.
 *
 *     npm run bench -- find FOLDER [--set NAME]… [--search NAME]… [--max-tokens 512] [--depth 100] [--questions 200] [--cache DIR] [--table]
 *
 * `--set` and `--search` name some of them by the beginnings of their names; default all. `--table` prints Markdown instead of JSON.
 *
 * The folder has `xquad/xquad.LANGUAGE.json`, `cranfield` (documents and queries as XML, judgements as of TREC), and `sec-10-q`
 * (`docs/*.pdf` and `qna_data.csv`). Page truth of the latter is found by a rule: the pages on which most figures of the answer stand.
 * The set `packages` is of `find/packages.jsonl`: its truth is the passage that holds the quote.
 */
const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true, default: [] },
    search: { type: "string", multiple: true, default: [] },
    "max-tokens": { type: "string", default: "512" },
    depth: { type: "string", default: "100" },
    questions: { type: "string", default: "200" },
    cache: { type: "string" },
    table: { type: "boolean", default: false }
  }
})
const [root] = positionals
if (root === undefined) throw new Error("usage: npm run bench -- find FOLDER [--set NAME]…")
const isChosen = (name: string, wanted: ReadonlyArray<string>): boolean =>
  wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning))
const sets = Sets.read(root, Number(given.questions)).filter(({ name }) => isChosen(name, given.set))
const embedder = Embedder.hash

const limit = Number(given.depth)

const chosen = ["hit@1", "hit@5", "recall@10", "recall@500tokens", "mrr", "ndcg@10", "map"]

const rounded = (value: number): number => Number(value.toFixed(3))

/** Means of each half, and the CPU time of a question in this process. */
const score = (questions: ReadonlyArray<Evaluation.Question>, search: Rivals.Search) =>
  Effect.gen(function* (): Effect.fn.Return<Table.Score, unknown> {
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
        const { high = 0, low = 0 } = finest?.measures["mrr"] ?? {}
        return {
          questions: asked.length,
          level: finest?.level ?? "document",
          measures: Object.fromEntries(
            chosen.map((measure) => [measure, rounded(finest?.measures[measure]?.value ?? 0)])
          ),
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
    const { chunks: plain, questions } = yield* Chunks.opened(set, Number(given["max-tokens"]))
    const chunks = yield* embedder.embed(plain)
    const table = set.name.replaceAll(/\W+/gu, "_")
    const space = yield* embedder.space
    const sinks = [
      ["libsql", yield* LibSql.make({ file: join(folder, `${table}.db`) })],
      ["lancedb", yield* LanceDb.make({ directory: folder, table })],
      ...(url === null ? [] : [["pgvector", yield* PgVector.make({ url, table })] as const])
    ] as const
    const memory = yield* MemorySink.make()
    const ours: Array<readonly [string, Rivals.Search]> = []
    for (const [name, sink] of [...sinks, ["memory", memory] as const]) {
      // The memory sink has no search by both.
      const own = ways(sink, name).filter(([way]) => sink !== memory || way.endsWith("words"))
      ours.push(...own)
      if (!own.some(([way]) => isChosen(way, given.search))) continue
      yield* Stream.run(Stream.fromIterable(chunks), ChunkSink.toSink(sink, { space }))
    }
    const { language } = set
    const others: ReadonlyArray<readonly [string, Rivals.Search]> = [
      ["FTS5 unicode61", Rivals.fts5(chunks, "unicode61", limit)],
      ["FTS5 porter", Rivals.fts5(chunks, "porter unicode61", limit)],
      ...(url === null
        ? []
        : [["ts_rank", yield* Rivals.tsRank(chunks, { url, table: `${table}_plain`, language }, limit)] as const]),
      ...(yield* Peers.searches(chunks, language, limit)),
      ["MemoryVectorStore", yield* Rivals.langChain(chunks, limit)]
    ]
    const scored = (searches: ReadonlyArray<readonly [string, Rivals.Search]>) =>
      Effect.map(
        Effect.forEach(
          searches.filter(([name]) => isChosen(name, given.search)),
          ([name, search]) => Effect.map(score(questions, search), (one) => [name, one] as const)
        ),
        (scores): Readonly<Record<string, Table.Score>> => Object.fromEntries(scores)
      )
    const result = { ours: yield* scored(ours), others: yield* scored(others) }
    return { chunks: chunks.length, questions: questions.length, ...result, ahead: Table.ahead(result) }
  })

const folder = mkdtempSync(join(tmpdir(), "docsluice-find-"))
const needsServer = ["pgvector, fused", "pgvector, words", "pgvector, vectors", "ts_rank"].some((name) =>
  isChosen(name, given.search)
)
const server = needsServer && (await Postgres.missing()) === null ? await Postgres.start() : null
try {
  const result: Record<string, Table.Result> = {}
  for (const set of sets) {
    result[set.name] = await measured(set, folder, server?.url ?? null).pipe(
      Effect.scoped,
      Effect.provide(Chunks.layer(given.cache ?? join(folder, "cache"))),
      Effect.provide(NodeContext.layer),
      Effect.runPromise
    )
  }
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
  console.log(given.table ? Table.markdown(result) : JSON.stringify({ bench: "find", sets: result, machine }, null, 2))
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
