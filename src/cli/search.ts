/** `docsluice search QUERY`: searches a store. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { commandLine, render } from "../internal/base/message.ts"
import * as QueryVector from "../internal/target/queryVector.ts"
import * as RerankerTarget from "../internal/target/rerankerTarget.ts"
import * as StoreSearch from "../internal/target/storeSearch.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import * as FilterText from "./FilterText.ts"
import { flags } from "./flags.ts"
import * as HitList from "./HitList.ts"
import * as SearchedStore from "./SearchedStore.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const takes = {
  query: Command.some("QUERY"),
  to: flags.store,
  embedder: flags.queryEmbedder,
  filter: flags.filter,
  tenant: flags.tenant,
  limit: flags.limit,
  offset: flags.offset,
  minScore: flags.minScore,
  rerank: flags.rerank,
  window: flags.window,
  vectorWeight: flags.vectorWeight,
  diversity: flags.diversity,
  perDocument: flags.perDocument,
  neighbours: flags.neighbours,
  context: flags.context,
  json: flags.json,
  quiet: flags.quiet
}

type Given = Command.Given<typeof takes>

const about: Command.Description = {
  name: "search",
  summary: "search a store by words and by meaning",
  description: "Searches a store by words, and by meaning where its chunks have vectors; makes nothing.",
  exits: "0 hits, 1 none, 2 the store was not there, 64 wrong usage",
  examples: ["docsluice search 'gauge calibration' --to libsql:chunks.db"]
}

const search = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const text = yield* queryOf(given.query)
  const filter = yield* FilterText.parse(given.filter)
  const target = yield* SearchedStore.read(given.to)
  const store = yield* StoreSearch.open(target, Option.getOrUndefined(given.tenant))
  const vectors = yield* QueryVector.make({ store: target, embedder: given.embedder, environment: process.env })
  const rerank = yield* RerankerTarget.ofSpelling(given.rerank, { environment: process.env })
  const { context: parent, diversity, limit, minScore, neighbours, offset, window } = given
  const perDocument = Option.getOrUndefined(given.perDocument)
  const order = { rerank, window, diversity, perDocument }
  const vectorWeight = Option.getOrUndefined(given.vectorWeight)
  const options = { filter, limit, offset, minScore, vectorWeight, neighbours, parent, ...order }
  const { hits, nearest, wordsAlone } = yield* StoreSearch.search(store, vectors, text, options)
  if (wordsAlone !== null) yield* terminal.note(`searching by words alone: ${render(wordsAlone, commandLine)}`)
  if (given.json) yield* terminal.result(HitList.json(hits))
  else if (hits.length > 0) yield* terminal.result(HitList.text(hits, text, terminal.columns))
  if (hits.length === 0) {
    yield* terminal.note(offset > 0 ? `no further hits after ${offset}` : refusal(target.shown, nearest))
  }
  yield* ExitStatus.set(hits.length === 0 ? 1 : 0)
})

/** Reason for an empty answer: nothing was found, or nothing that fits. */
const refusal = (store: string, nearest: number | null): string =>
  nearest === null
    ? `nothing found in ${store}`
    : `nothing in ${store} fits: the relevance of the nearest is ${nearest.toFixed(2)}; --min-score 0 shows it`

const queryOf = (words: ReadonlyArray<string>): Effect.Effect<string, UsageError> => {
  const text = words.join(" ").trim()
  return text === "" ? new UsageError({ problem: "the query is empty" }) : Effect.succeed(text)
}

export const command = Command.make(about, takes, search, {
  status: { SinkError: { Unsupported: 64 } },
  json: Failure.asNothing
})
