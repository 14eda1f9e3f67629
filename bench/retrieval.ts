import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory"
import * as AutoChunker from "docsluice/AutoChunker"
import * as ChunkSink from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer, Schema } from "effect"
import * as Postgres from "./postgresServer.ts"
/**
 * Share of questions about real documents whose answer is among the first five hits, offline: parsed by the embedded service, embedded by
 * `hash`, stored in libsql and, if there is one, pgvector.
 *
 *     npm run bench -- retrieval FOLDER [--limit 5] [--max-tokens 512] [--cache DIR] [--misses]
 *
 * `retrieval/questions.jsonl` holds the questions, written while reading the documents; a hit counts when it is from a named source and
 * its text matches the answer. Compares fused search with text alone, vectors alone, and LangChain's MemoryVectorStore over the same
 * vectors. `--cache` keeps the parses for another run; `--misses` lists the questions that fused search missed.
 */
const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: "string", default: "5" },
    "max-tokens": { type: "string", default: "512" },
    cache: { type: "string" },
    misses: { type: "boolean", default: false }
  }
})
const [root] = positionals
if (root === undefined) throw new Error("usage: npm run bench -- retrieval FOLDER")
const limit = Number(given.limit)
const embedder = Embedder.hash

const Question = Schema.parseJson(
  Schema.Struct({
    question: Schema.String,
    /** Paths below the folder; copies of one document are all listed. */
    sources: Schema.Array(Schema.String),
    /** A regular expression that the text of a right hit matches. */
    answer: Schema.String
  })
)
const questions = readFileSync(new URL("retrieval/questions.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => Schema.decodeSync(Question)(line))

type Found = Pick<DocumentChunk, "source" | "text">
type Search = (text: string, vector: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Found>, unknown>

interface Score {
  /** Share of the questions with a right hit among the first. */
  readonly recall: number
  /** Mean of 1/rank of the first right hit. */
  readonly reciprocalRank: number
  readonly msPerQuestion: number
  readonly missed: ReadonlyArray<string>
}

const score = (search: Search): Effect.Effect<Score, unknown> =>
  Effect.gen(function* () {
    const began = performance.now()
    const missed: Array<string> = []
    let found = 0
    let ranks = 0
    for (const { answer, question, sources } of questions) {
      const vector = (yield* embedder.embedQuery(question)) ?? []
      const hits = yield* search(question, vector)
      const right = new RegExp(answer, "su")
      const at = hits.slice(0, limit).findIndex(({ source, text }) => sources.includes(source) && right.test(text))
      if (at < 0) missed.push(`${question} (${sources.join(", ")})`)
      else {
        found += 1
        ranks += 1 / (at + 1)
      }
    }
    return {
      recall: found / questions.length,
      reciprocalRank: ranks / questions.length,
      msPerQuestion: (performance.now() - began) / questions.length,
      missed
    }
  })

const chunkOf = ({ chunk }: ChunkSink.Hit): Found => chunk

const ways = (sink: ChunkSink.ChunkSink.Service): Readonly<Record<string, Search>> => {
  const search = (query: ChunkSink.Query) =>
    Effect.map(sink.search?.(query) ?? Effect.succeed([]), (hits) => hits.map(chunkOf))
  return {
    fused: (text, vector) => search({ text, vector, limit }),
    "text alone": (text) => search({ text, limit }),
    "vectors alone": (_, vector) => search({ text: "", vector, limit })
  }
}

const langChain = (chunks: ReadonlyArray<DocumentChunk>): Effect.Effect<Search> =>
  Effect.promise(async () => {
    const store = new MemoryVectorStore({ embedDocuments: async () => [], embedQuery: async () => [] })
    await store.addVectors(
      chunks.map(({ embedding = [] }) => Array.from(embedding)),
      chunks.map(({ source, text }) => ({ pageContent: text, metadata: { source } }))
    )
    return (_, vector) =>
      Effect.promise(async () => {
        const hits = await store.similaritySearchVectorWithScore([...vector], limit)
        return hits.map(([{ metadata, pageContent }]) => ({ source: String(metadata["source"]), text: pageContent }))
      })
  })

const scores = (searches: Readonly<Record<string, Search>>) =>
  Effect.map(
    Effect.forEach(Object.entries(searches), ([name, search]) =>
      Effect.map(score(search), (one) => [name, one] as const)
    ),
    Object.fromEntries<Score>
  )

const shown = (all: Readonly<Record<string, Score>>) =>
  Object.fromEntries(
    Object.entries(all).map(([name, { missed, msPerQuestion, recall, reciprocalRank }]) => [
      name,
      {
        [`recall@${limit}`]: Number(recall.toFixed(3)),
        [`mrr@${limit}`]: Number(reciprocalRank.toFixed(3)),
        msPerQuestion: Number(msPerQuestion.toFixed(1)),
        ...(given.misses && name === "fused" && { missed })
      }
    ])
  )

const work = (folder: string, url: string | null) =>
  Effect.gen(function* () {
    const chunks: Array<DocumentChunk> = []
    const file = yield* LibSql.make({ file: join(folder, "chunks.db") })
    const table = url === null ? null : yield* PgVector.make({ url })
    const kept = ChunkSink.mapChunks(file, (chunk) => {
      chunks.push(chunk)
      return chunk
    })
    const summary = yield* Pipeline.run({
      source: Discovery.discover({ root }),
      chunker: AutoChunker.make({ maxTokens: Number(given["max-tokens"]) }),
      embedder,
      sinks: table === null ? [kept] : [kept, table]
    })
    const ours = { libsql: shown(yield* scores(ways(file))) }
    return {
      bench: "retrieval",
      questions: questions.length,
      documents: summary.stored,
      chunks: chunks.length,
      ours: table === null ? ours : { ...ours, pgvector: shown(yield* scores(ways(table))) },
      peers: shown(yield* scores({ MemoryVectorStore: yield* langChain(chunks) }))
    }
  })

const layers = (folder: string) =>
  Layer.mergeAll(
    Parser.layer().pipe(
      Layer.provide([Embedded.layer(), ParseCache.layer({ directory: given.cache ?? join(folder, "cache") })])
    ),
    Tokenizer.layer("o200k_base"),
    DeadLetter.layerMemory
  )

const folder = mkdtempSync(join(tmpdir(), "docsluice-retrieval-"))
const server = (await Postgres.missing()) === null ? await Postgres.start() : null
try {
  const result = await work(folder, server?.url ?? null).pipe(
    Effect.scoped,
    Effect.provide(layers(folder)),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
  console.log(JSON.stringify({ ...result, machine }, null, 2))
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
