/** `docsluice eval QUESTIONS`: measures searches over questions with truth. */
import { createHash } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Evaluation from "../Evaluation.ts"
import { counted } from "../internal/base/figures.ts"
import { commandLine, render } from "../internal/base/message.ts"
import { levels } from "../internal/evaluation/judge.ts"
import * as Matrix from "../internal/evaluation/matrix.ts"
import * as QueryVector from "../internal/target/queryVector.ts"
import * as RerankerTarget from "../internal/target/rerankerTarget.ts"
import * as StoreSearch from "../internal/target/storeSearch.ts"
import * as Command from "./Command.ts"
import { type Given, reading, sourceOf, takes } from "./EvalFlags.ts"
import { make } from "./evalMake.ts"
import * as EvalReport from "./EvalReport.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as FilterText from "./FilterText.ts"
import * as PageFile from "./PageFile.ts"
import * as SearchedStore from "./SearchedStore.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const about: Command.Description = {
  name: "eval",
  summary: "measure a search on your own questions",
  description:
    "Asks a store every question of a file, JSON Lines or CSV with question, source and any of pages, quote, heading, boxes, answer, kind, and measures how often the hits hold the answer; changes nothing in it. With DOCUMENTS instead of --to, stores them in every combination of chunker, size, embedder and store, in a temporary folder; answers and vectors are taken from the caches of the state. eval make DOCUMENTS, or eval make --to, prints questions that a --model writes, as JSON Lines, those alone whose quote is found.",
  exits:
    "0 measured, 1 worse than the baseline, 2 the store was not there or the documents could not be stored, 64 wrong usage",
  examples: [
    "docsluice eval questions.csv --to libsql:store.db",
    "docsluice eval questions.csv --to libsql:store.db --json > baseline.json",
    "docsluice eval make docs --model openai:gpt-5-mini > questions.jsonl"
  ]
}

/** The text of a file that a word or a flag names. */
const textOf = (path: string, subject: string): Effect.Effect<string, UsageError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(path)).pipe(
    Effect.mapError((error) => {
      const why = error._tag === "SystemError" && error.reason === "NotFound" ? "no such file" : error.message
      return new UsageError({ problem: `${subject}${path}: ${why}` })
    })
  )

const questionsOf = (path: string) =>
  Effect.flatMap(textOf(path, ""), (text) =>
    Effect.mapError(Evaluation.decodeQuestions(path, text), ({ message }) => new UsageError({ problem: message }))
  )

const decodeComparison = Schema.decode(Schema.parseJson(Evaluation.Comparison))

const baselineOf = (path: Option.Option<string>) =>
  Option.match(path, {
    onNone: () => Effect.succeed(null),
    onSome: (file) =>
      Effect.flatMap(textOf(file, "--baseline "), (text) =>
        Effect.mapError(
          decodeComparison(text),
          () => new UsageError({ problem: `--baseline ${file}: no result of docsluice eval --json` })
        )
      )
  })

const optionsOf = ({ depth, k, resamples, seed, tokens }: Given): Evaluation.Options => ({
  k,
  tokens,
  depth,
  resamples,
  seed
})

const listOf = (list: string): ReadonlyArray<string> => [...new Set(list.split(",").map((one) => one.trim()))]

/** Options of every search that is measured. */
const searchOf = ({ diversity, minScore, perDocument, vectorWeight, window }: Given) => ({
  minScore,
  vectorWeight: Option.getOrUndefined(vectorWeight),
  window,
  diversity,
  perDocument: Option.getOrUndefined(perDocument)
})

/** Every way of asking one store. */
const asked = (given: Given, questions: ReadonlyArray<Evaluation.Question>) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const filter = yield* FilterText.parse(given.filter)
    const target = yield* SearchedStore.read(given.to)
    const store = yield* StoreSearch.open(target)
    const vectors = yield* QueryVector.make({ store: target, embedder: given.embedder, environment: process.env })
    const told = new Set<string>()
    const rerankers = listOf(given.rerank)
    const opened = yield* Effect.forEach(rerankers, (spelling) =>
      RerankerTarget.ofSpelling(spelling, { environment: process.env })
    )
    const ways = [...new Set(given.by)].flatMap((by) =>
      opened.map((rerank, at) => ({ by, rerank, spelling: rerankers[at] ?? "" }))
    )
    const runs = yield* Effect.forEach(ways, ({ by, rerank, spelling }) => {
      const search = (text: string, { limit }: { readonly limit: number }) =>
        Effect.gen(function* () {
          const options = { ...searchOf(given), filter, limit, mode: Matrix.ways[by], rerank }
          const { hits, wordsAlone } = yield* StoreSearch.search(store, vectors, text, options)
          const why = wordsAlone === null ? "" : render(wordsAlone, commandLine)
          if (why !== "" && !told.has(why)) {
            told.add(why)
            yield* terminal.note(`searching by words alone: ${why}`)
          }
          return hits
        })
      return Effect.map(Evaluation.run(questions, search, optionsOf(given)), (result) =>
        Evaluation.Run.make({
          name: rerankers.length > 1 ? `${by}, ${spelling}` : by,
          settings: { to: target.shown, by, rerank: spelling },
          result
        })
      )
    })
    return Evaluation.Comparison.make({ version: 1, runs })
  })

/** Every way of storing and asking the documents. */
const compared = (given: Given, questions: ReadonlyArray<Evaluation.Question>, documents: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const fs = yield* FileSystem.FileSystem
    if (given.to.length > 0) yield* terminal.note("the documents go into temporary stores; --to is not asked")
    const filter = yield* FilterText.parse(given.filter)
    const embedders = Option.match(given.embedder, { onNone: () => ["none"], onSome: listOf })
    return yield* Matrix.run(questions, {
      axes: {
        chunkers: [...new Set(given.chunker)].flatMap((kind) =>
          given.maxTokens.map((maxTokens) => ({ kind, maxTokens, overlap: Option.getOrUndefined(given.overlap) }))
        ),
        embedders,
        rerankers: listOf(given.rerank),
        stores: [...new Set(given.stores)],
        by: given.by
      },
      ...(yield* reading(given)),
      documents: sourceOf(given, documents),
      folder: yield* fs.makeTempDirectoryScoped({ prefix: "docsluice-eval-" }),
      search: { ...searchOf(given), filter },
      options: optionsOf(given),
      onStored: (name, { chunks, failed }) =>
        terminal.note(
          `${name}: ${counted(chunks.added, "chunk")}${failed === 0 ? "" : `; ${counted(failed, "document")} failed and cannot be found`}`
        )
    })
  })

const encode = Schema.encodeSync(Schema.parseJson(Evaluation.Comparison))

const html = (comparison: Evaluation.Comparison) =>
  Effect.map(
    Effect.promise(() => import("../view/report/EvaluationPage.tsx")),
    ({ css, render }) => render(comparison, `sha256-${createHash("sha256").update(css).digest("base64")}`)
  )

const evaluate = Effect.fnUntraced(function* (given: Given, path: string, documents: ReadonlyArray<string>) {
  const terminal = yield* Terminal
  const questions = yield* questionsOf(path)
  const page = yield* PageFile.given(given, path)
  const baseline = yield* baselineOf(given.baseline)
  const comparison = yield* documents.length === 0 ? asked(given, questions) : compared(given, questions, documents)
  if (page !== null)
    yield* PageFile.put(
      page,
      [yield* html(comparison)],
      `the measures of ${counted(comparison.runs.length, "search", "searches")}`
    )
  if (page !== "stdout")
    yield* terminal.result(given.json ? encode(comparison) : EvalReport.text(comparison, levels, terminal.width))
  for (const line of EvalReport.remarks(comparison)) yield* terminal.note(line)
  const worse = baseline === null ? [] : Evaluation.regressions(baseline, comparison, given.tolerance)
  for (const one of worse) yield* terminal.failure(EvalReport.regression(one))
  yield* ExitStatus.set(worse.length === 0 ? 0 : 1)
})

const run = Effect.fnUntraced(function* (given: Given) {
  const [word = "", ...documents] = given.words
  yield* word === "make" ? make(given, documents) : evaluate(given, word, documents)
})

export const command = Command.make(about, takes, run, { status: { SinkError: { Unsupported: 64 } } })
