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
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer, Option, Stream } from "effect"
import * as Postgres from "./postgresServer.ts"
import * as Questions from "./retrieval/questions.ts"
import * as Rivals from "./retrieval/rivals.ts"
/**
 * Share of questions whose answer is among the first five hits, offline, with vectors of `hash`: fused search in libsql and, if there is
 * one, pgvector, next to words alone, vectors alone, LangChain's MemoryVectorStore and SQLite's own FTS5.
 *
 *     npm run bench -- retrieval [FOLDER] [--limit 5] [--max-tokens 512] [--cache DIR] [--misses] [--headings]
 *
 * Questions: of `retrieval/facts.LANGUAGE.jsonl`, on texts of our own in seven languages, in other words and inflections than the texts;
 * with a folder of real documents, those of `retrieval/questions.jsonl`, written while reading them, and the documents are stored next
 * to the texts. `--headings` asks instead for the sections of headings that were taken out of what is stored, by a rule. Parameters of
 * the search are chosen on one half of the questions; both halves are reported. `retrieval/unanswerable.txt`: how many of 100 questions
 * that nothing answers `ChunkSink.defaultMinScore` refuses, and which share of the right hits it loses.
 *
 * `--cache` keeps the parses for another run; `--misses` lists the questions that fused search missed.
 */
const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: "string", default: "5" },
    "max-tokens": { type: "string", default: "512" },
    cache: { type: "string" },
    misses: { type: "boolean", default: false },
    headings: { type: "boolean", default: false }
  }
})
const [root] = positionals
if (given.headings && root === undefined) throw new Error("usage: npm run bench -- retrieval FOLDER --headings")
const limit = Number(given.limit)
const embedder = Embedder.hash

type Half = Questions.Question["half"]

interface Tally {
  questions: number
  found: number
  /** Sum of 1/rank of the first right hit. */
  ranks: number
}

const rounded = (value: number): number => Number(value.toFixed(3))

const shown = ({ found, questions, ranks }: Tally) => ({
  questions,
  [`recall@${limit}`]: rounded(found / questions),
  [`mrr@${limit}`]: rounded(ranks / questions)
})

const vectorOf = (question: string) =>
  Effect.map(
    embedder.embedQuery(question),
    Option.getOrElse((): ReadonlyArray<number> => [])
  )

/** Figures by group and half, and the time of a question. */
const score = (questions: ReadonlyArray<Questions.Question>, search: Rivals.Search, lists: boolean) =>
  Effect.gen(function* () {
    const tallies = new Map<string, Record<Half, Tally>>()
    const missed: Array<string> = []
    const began = performance.now()
    for (const { group, half, isRight, question } of questions) {
      const none = { questions: 0, found: 0, ranks: 0 }
      const halves = tallies.get(group) ?? { chosen: { ...none }, heldOut: { ...none } }
      tallies.set(group, halves)
      const hits = yield* search(question, yield* vectorOf(question))
      const at = hits.slice(0, limit).findIndex(isRight)
      halves[half].questions += 1
      if (at < 0) missed.push(`${group}: ${question}`)
      else {
        halves[half].found += 1
        halves[half].ranks += 1 / (at + 1)
      }
    }
    const ms = rounded((performance.now() - began) / questions.length)
    const groups = [...tallies].map(([group, { chosen, heldOut }]) => [
      group,
      { chosen: shown(chosen), heldOut: shown(heldOut) }
    ])
    return { ...Object.fromEntries(groups), msPerQuestion: ms, ...(lists && { missed }) }
  })

const searchOf = (sink: ChunkSink.ChunkSink.Service, query: ChunkSink.Query) =>
  sink.search?.(query) ?? Effect.succeed([])

const chunkOf = ({ chunk }: ChunkSink.Hit): DocumentChunk => chunk

const ways = (sink: ChunkSink.ChunkSink.Service): Readonly<Record<string, Rivals.Search>> => {
  const search = (query: ChunkSink.Query) => Effect.map(searchOf(sink, query), (hits) => hits.map(chunkOf))
  return {
    fused: (text, vector) => search({ text, vector, limit }),
    "words alone": (text) => search({ text, limit }),
    "vectors alone": (_, vector) => search({ text: "", vector, limit })
  }
}

const scores = (questions: ReadonlyArray<Questions.Question>, searches: Readonly<Record<string, Rivals.Search>>) =>
  Effect.map(
    Effect.forEach(Object.entries(searches), ([name, search]) =>
      Effect.map(score(questions, search, given.misses && name === "fused"), (one) => [name, one] as const)
    ),
    Object.fromEntries
  )

/** Unanswerable questions that the default refuses, and right hits that it loses, by half. */
const refusal = (sink: ChunkSink.ChunkSink.Service, questions: ReadonlyArray<Questions.Question>) =>
  Effect.gen(function* () {
    const counts = {
      chosen: { asked: 0, refused: 0, found: 0, lost: 0 },
      heldOut: { asked: 0, refused: 0, found: 0, lost: 0 }
    }
    const minScore = ChunkSink.defaultMinScore
    for (const { half, question } of Questions.unanswerable) {
      const hits = yield* searchOf(sink, { text: question, vector: yield* vectorOf(question), limit, minScore })
      counts[half].asked += 1
      if (hits.length === 0) counts[half].refused += 1
    }
    for (const { half, isRight, question } of questions) {
      const query = { text: question, vector: yield* vectorOf(question), limit }
      if (!(yield* searchOf(sink, query)).some(({ chunk }) => isRight(chunk))) continue
      counts[half].found += 1
      if (!(yield* searchOf(sink, { ...query, minScore })).some(({ chunk }) => isRight(chunk))) counts[half].lost += 1
    }
    return counts
  })

const work = (folder: string, url: string | null) =>
  Effect.gen(function* () {
    const file = yield* LibSql.make({ file: join(folder, "chunks.db") })
    const table = url === null ? null : yield* PgVector.make({ url })
    const sinks = table === null ? [file] : [file, table]
    const read: Array<DocumentChunk> = []
    // A heading is taken out before the chunk gets its vector.
    const reading: Embedder.Embedder.Service = {
      ...embedder,
      embed: (chunks, options) => {
        read.push(...chunks)
        return embedder.embed(given.headings ? chunks.map(Questions.withoutHeadings) : chunks, options)
      }
    }
    if (root !== undefined) {
      yield* Pipeline.run({
        source: Discovery.discover({ root }),
        chunker: AutoChunker.make({ maxTokens: Number(given["max-tokens"]) }),
        embedder: reading,
        sinks
      })
    }
    const own = yield* embedder.embed(Questions.facts)
    const space = yield* embedder.space
    for (const sink of sinks) yield* Stream.run(Stream.fromIterable(own), ChunkSink.toSink(sink, { space }))
    const questions = given.headings
      ? Questions.headings(read)
      : root === undefined
        ? Questions.aboutFacts
        : [...Questions.aboutFacts, ...Questions.whileReading]
    const stored = yield* embedder.embed(given.headings ? read.map(Questions.withoutHeadings) : read)
    const chunks = [...stored, ...own]
    return {
      bench: "retrieval",
      questions: questions.length,
      chunks: chunks.length,
      ours: {
        libsql: yield* scores(questions, ways(file)),
        ...(table !== null && { pgvector: yield* scores(questions, ways(table)) })
      },
      peers: yield* scores(questions, {
        MemoryVectorStore: yield* Rivals.langChain(chunks, limit),
        "FTS5 unicode61": Rivals.fts5(chunks, "unicode61", limit),
        "FTS5 trigram": Rivals.fts5(chunks, "trigram", limit)
      }),
      ...(!given.headings && { refusal: yield* refusal(file, questions) })
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
