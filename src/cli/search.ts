/** `docsluice search QUERY`: searches a store. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { commandLine, render } from "../internal/base/message.ts"
import * as QueryVector from "../internal/target/queryVector.ts"
import * as RerankerTarget from "../internal/target/rerankerTarget.ts"
import * as StoreSearch from "../internal/target/storeSearch.ts"
import * as Verification from "../Verification.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import * as FilterText from "./FilterText.ts"
import { flags } from "./flags.ts"
import * as HitList from "./HitList.ts"
import * as SearchedStore from "./SearchedStore.ts"
import * as StandardInput from "./StandardInput.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"
import * as VerdictList from "./VerdictList.ts"

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
  verify: flags.verify,
  json: flags.json,
  quiet: flags.quiet
}

type Given = Command.Given<typeof takes>

const about: Command.Description = {
  name: "search",
  summary: "search a store by words, and by the vectors of a model",
  description: "Searches a store by words, and by meaning where a model made vectors of its chunks; makes nothing.",
  exits:
    "0 hits (--verify: every sentence stands), 1 none (a sentence does not), 2 the store was not there, 64 wrong usage",
  examples: [
    "docsluice search 'gauge calibration' --to libsql:chunks.db",
    "docsluice search --verify - --to libsql:chunks.db < answer.txt"
  ]
}

/** The store, and what its queries need. */
const opened = Effect.fnUntraced(function* ({ embedder, filter, tenant, to }: Given) {
  const condition = yield* FilterText.parse(filter)
  const target = yield* SearchedStore.read(to)
  const store = yield* StoreSearch.open(target, Option.getOrUndefined(tenant))
  const vectors = yield* QueryVector.make({ store: target, embedder, environment: process.env })
  return { filter: condition, store, target, vectors }
})

const search = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const text = yield* queryOf(given)
  const { filter, store, target, vectors } = yield* opened(given)
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

/** Shows where each sentence stands; the exit status is 0 when all do. */
const verify = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const text = yield* queryOf(given)
  const { filter, store, vectors } = yield* opened(given)
  const corpus = {
    search: (query: string, options?: StoreSearch.SearchOptions) =>
      Effect.map(StoreSearch.search(store, vectors, query, options), ({ hits }) => hits)
  }
  const verdicts = yield* Verification.verifySentences(text, corpus, { filter })
  yield* terminal.result(given.json ? VerdictList.json(verdicts) : VerdictList.text(verdicts, terminal.columns))
  const standing = verdicts.filter(({ stands }) => stands === "exact").length
  if (standing < verdicts.length) {
    yield* terminal.note(`${standing} of ${verdicts.length} sentences stand word for word`)
  }
  yield* ExitStatus.set(standing > 0 && standing === verdicts.length ? 0 : 1)
})

const queryOf = ({ query, verify }: Given): Effect.Effect<string, UsageError> =>
  Effect.gen(function* () {
    const given = query.join(" ").trim()
    const isPiped = verify && given === "-"
    const text = isPiped
      ? yield* Effect.mapError(StandardInput.text, () => new UsageError({ problem: "standard input cannot be read" }))
      : given
    if (text.trim() !== "") return text
    return yield* new UsageError({ problem: isPiped ? "standard input is empty" : "the query is empty" })
  })

export const command = Command.make(about, takes, (given) => (given.verify ? verify(given) : search(given)), {
  status: { SinkError: { Unsupported: 64 } },
  json: Failure.asNothing
})
