import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { ChunkSink } from "../../ChunkSink.ts"
import type { Embedder } from "../../Embedder.ts"
import { describeFigures, Parser } from "../../Parser.ts"
import * as Pipeline from "../../Pipeline.ts"
import { Readers } from "../../Readers.ts"
import type * as Source from "../../Source.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import * as PageCounter from "../base/pageCounter.ts"
import type { IngestOptions } from "./contract.ts"
import type { Means } from "./means.ts"

/** Targets and embedder, open. */
export interface Opened {
  readonly sinks: ReadonlyArray<ChunkSink.Service>
  readonly embedder: Embedder.Service | undefined
}

/** The files of a run, and the text that the ledger keeps of it. */
export interface Files<E, R> {
  readonly source: Source.Source<E, R>
  readonly request: string
}

/** The options of a run over open parts. */
export const optionsOf = <E, R>(
  { chunker, mode: standing, onFailure: always, run: settings }: Means<unknown>,
  { embedder, sinks }: Opened,
  { request, source }: Files<E, R>,
  {
    mode = standing,
    onFailure = always,
    onProgress,
    onReport,
    stop,
    truncated,
    ...how
  }: Omit<IngestOptions, "budget" | "ordered">
) => ({
  ...settings,
  chunker,
  embedder,
  sinks,
  source,
  onFailure,
  onProgress,
  onReport,
  stop,
  truncated,
  state: { ...how, mode, request }
})

/** One run over open parts. One without a mode that keeps nothing needs no sink that can remove. */
export const run = <E, R>(
  means: Means<unknown>,
  opened: Opened,
  files: Files<E, R>,
  { budget, ordered, ...how }: IngestOptions
) =>
  Effect.gen(function* () {
    const options = { ...optionsOf(means, opened, files, how), ordered, budget: yield* counted(budget) }
    return yield* means.state === null && options.state.mode === undefined
      ? Pipeline.run({ ...options, state: undefined })
      : Pipeline.run(options)
  })

/** A budget knows the pages of a PDF before it is sent. */
const counted = (
  budget: Pipeline.BudgetOptions | undefined
): Effect.Effect<Pipeline.BudgetOptions | undefined, never, Scope.Scope> =>
  budget === undefined || budget.pagesOf !== undefined
    ? Effect.succeed(budget)
    : Effect.map(Layer.build(PageCounter.layer), (services) => ({
        ...budget,
        pagesOf: PageCounter.pagesOf(Context.get(services, PageCounter.PageCounter))
      }))

/** The parser of documents that are chunked. What describes their figures ends with the scope. */
export const parserOf = ({
  describer,
  parser
}: Pick<Means<unknown>, "describer" | "parser">): Effect.Effect<Parser.Service, never, Scope.Scope> =>
  describer === null
    ? Effect.succeed(parser)
    : Effect.flatMap(describer, (describe) => describeFigures(parser, describe))

/** Provides what a run needs besides its memory. */
export const provided =
  (means: Means<unknown>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<Exclude<R, Parser>, Tokenizer>> => {
    const { readers, tokenizer } = means
    const parsing = Effect.scoped(
      Effect.flatMap(parserOf(means), (parser) => Effect.provideService(effect, Parser, parser))
    )
    const whole = Effect.provideServiceEffect(parsing, Tokenizer, tokenizer)
    return readers === undefined ? whole : Effect.provideService(whole, Readers, readers)
  }
