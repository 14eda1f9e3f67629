/** `docsluice ingest`: the whole road, from paths to sinks. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Chunker from "../Chunker.ts"
import type { ChunkSink, SinkError } from "../ChunkSink.ts"
import * as Discovery from "../Discovery.ts"
import { Ledger, type LedgerError } from "../Ledger.ts"
import { Summary } from "../Outcome.ts"
import * as Parser from "../Parser.ts"
import * as Pipeline from "../Pipeline.ts"
import type { ParseOptions } from "../service/ParseOptions.ts"
import * as Tokenizer from "../Tokenizer.ts"
import * as ChunkerTarget from "./ChunkerTarget.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import * as flags from "./flags.ts"
import * as OptionsText from "./OptionsText.ts"
import * as PathList from "./PathList.ts"
import * as Progress from "./Progress.ts"
import * as Report from "./Report.ts"
import * as ServiceTarget from "./ServiceTarget.ts"
import { Signals } from "./Signals.ts"
import * as SinkTarget from "./SinkTarget.ts"
import * as StateLayers from "./StateLayers.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const own = {
  root: flags.root,
  name: flags.name,
  ignore: flags.ignore,
  gitignore: flags.gitignore,
  filesFrom: flags.filesFrom,
  to: flags.to,
  service: flags.service,
  apiKey: flags.apiKey,
  parseOptions: flags.parseOptions,
  chunker: flags.chunker,
  maxTokens: flags.maxTokens,
  tokenizer: flags.tokenizer,
  state: flags.state,
  noState: flags.noState,
  mode: flags.mode,
  allowRemovals: flags.allowRemovals,
  verify: flags.verify,
  refresh: flags.refresh,
  rebuild: flags.rebuild,
  budgetPages: flags.budgetPages,
  budgetCredits: flags.budgetCredits,
  concurrency: flags.concurrency,
  maxBytesInFlight: flags.maxBytesInFlight,
  ordered: flags.ordered,
  onFailure: flags.onFailure,
  progress: flags.progress,
  json: flags.json,
  quiet: flags.quiet
} as const

const config = {
  paths: Args.text({ name: "path" }).pipe(
    Args.withDescription("file, folder or pattern, relative to the root"),
    Args.repeated
  ),
  root: own.root.options,
  name: own.name.options,
  ignore: own.ignore.options,
  gitignore: own.gitignore.options,
  filesFrom: own.filesFrom.options,
  to: own.to.options,
  service: own.service.options,
  apiKey: own.apiKey.options,
  parseOptions: own.parseOptions.options,
  chunker: own.chunker.options,
  maxTokens: own.maxTokens.options,
  tokenizer: own.tokenizer.options,
  state: own.state.options,
  noState: own.noState.options,
  mode: own.mode.options,
  allowRemovals: own.allowRemovals.options,
  verify: own.verify.options,
  refresh: own.refresh.options,
  rebuild: own.rebuild.options,
  budgetPages: own.budgetPages.options,
  budgetCredits: own.budgetCredits.options,
  concurrency: own.concurrency.options,
  maxBytesInFlight: own.maxBytesInFlight.options,
  ordered: own.ordered.options,
  onFailure: own.onFailure.options,
  progress: own.progress.options,
  json: own.json.options,
  quiet: own.quiet.options
}

type Given = Command.Command.ParseConfig<typeof config>

export const spellings = Object.values(own)

export const command = Command.make("ingest", config, (given) =>
  Effect.scoped(ingest(given)).pipe(
    Effect.catchAll((error) => Effect.zipRight(Failure.report(error), ExitStatus.set(status(error))))
  )
).pipe(
  Command.withDescription(
    "Discovers files, parses them, splits them into chunks and hands those to sinks. Exit status: 0 all stored, 1 some failed, 2 the run was stopped, 64 wrong usage, 130 interrupted. Example: docsluice ingest docs --to jsonl:chunks.jsonl"
  )
)

const ingest = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const spellings = given.to.length === 0 ? ["jsonl:chunks.jsonl"] : given.to
  const targets = yield* Effect.forEach(spellings, (spelling) => SinkTarget.parse(spelling))
  const options = yield* Chunker.parseOptions(given.chunker, yield* OptionsText.read(given.parseOptions))
  const discovery = yield* discoveryOf(given, targets)
  const state = yield* StateLayers.at(given.noState ? null : given.state)
  // A wrong argument of a first run leaves nothing behind.
  if (!state.exists) yield* Stream.runHead(Discovery.discover({ ...discovery, ordered: false }))
  const sinks = yield* Effect.forEach(targets, (target) =>
    given.mode === "append" ? target.openToAppend : target.open
  )
  if (given.noState && given.mode !== "append") yield* Effect.forEach(sinks, checkEmpty, { discard: true })
  const progress = yield* Progress.make(styleOf(given, terminal.interactive), terminal)
  const listing = Report.listing()
  const signals = yield* Signals
  yield* signals.handled
  const summary = yield* Effect.gen(function* () {
    const ledger = yield* Ledger
    const scope = Discovery.scope(discovery)
    return yield* Pipeline.run({
      source: known(Discovery.discover(discovery), ledger.claims(scope)),
      chunker: ChunkerTarget.make(given),
      sinks,
      ledger: {
        ledger,
        scope,
        mode: given.mode,
        allowRemovals: given.allowRemovals,
        verify: given.verify,
        redo: given.refresh ? "parses" : "nothing",
        rebuild: given.rebuild
      },
      budget: { pages: Option.getOrUndefined(given.budgetPages), credits: Option.getOrUndefined(given.budgetCredits) },
      concurrency: given.concurrency,
      maxBytesInFlight: given.maxBytesInFlight,
      ordered: given.ordered,
      onFailure: given.onFailure,
      stop: Effect.zipRight(
        Deferred.await(signals.first),
        terminal.note("finishing what is in flight; interrupt again to end at once")
      ),
      onProgress: (moment) =>
        Effect.sync(() => {
          progress.update(moment)
          listing.add(moment.outcome)
        })
    })
  }).pipe(
    Effect.provide(services(given, options)),
    Effect.provide(state.layer),
    given.quiet ? Logger.withMinimumLogLevel(LogLevel.None) : identity
  )
  yield* progress.end
  yield* terminal.result(
    given.json
      ? JSON.stringify(Schema.encodeSync(Summary)(summary))
      : Report.text(
          summary,
          listing,
          targets.map((target) => target.spelling)
        )
  )
  yield* ExitStatus.set(summary.exit)
})

const services = (given: Given, options: ParseOptions) =>
  Layer.merge(Layer.provide(Parser.layerCached(options), ServiceTarget.layer(given)), Tokenizer.layer(given.tokenizer))

/** Where documents of the scope are known, a root that is gone is no wrong argument: nothing is found, and nothing removed. */
const known = <R>(
  source: Stream.Stream<Discovery.Found, Discovery.DiscoveryError, R>,
  claims: Effect.Effect<number, LedgerError>
): Stream.Stream<Discovery.Found, Discovery.DiscoveryError | LedgerError, R> =>
  Stream.catchTag(source, "DiscoveryError", (error) =>
    Stream.unwrap(
      Effect.map(claims, (count) => (count > 0 && missing.has(error.reason) ? Stream.empty : Stream.fail(error)))
    )
  )

const missing: ReadonlySet<Discovery.DiscoveryError["reason"]> = new Set([
  "NoMatch",
  "RootMissing",
  "RootNotAFolder",
  "RootUnreadable"
])

/** Without memory nobody knows which of the chunks that are there are out of date. */
const checkEmpty = (sink: ChunkSink.Service): Effect.Effect<void, SinkError | UsageError> => {
  const refused = new UsageError({
    problem: `--no-state: ${sink.id} must be absent or empty; or use --mode append`
  })
  const { list } = sink
  if (list === undefined) return refused
  return Effect.flatMap(
    Effect.zipRight(sink.prepare(null), Stream.runHead(list)),
    (first): Effect.Effect<void, UsageError> => (Option.isSome(first) ? refused : Effect.void)
  )
}

const discoveryOf = Effect.fnUntraced(function* (given: Given, targets: ReadonlyArray<SinkTarget.SinkTarget>) {
  const listed = yield* PathList.read(given.filesFrom)
  if (given.paths.length === 0 && listed === undefined) {
    return yield* new UsageError({ problem: "name a file, a folder or a pattern, or give --files-from" })
  }
  const options: Discovery.Options = {
    root: Option.getOrElse(given.root, () => "."),
    name: Option.getOrUndefined(given.name),
    patterns: given.paths.length === 0 ? undefined : given.paths,
    filesFrom: listed,
    ignore: given.ignore,
    gitignore: given.gitignore,
    ordered: given.ordered,
    exclude: [given.state, ...targets.flatMap((target) => target.outputs)]
  }
  return options
})

const styleOf = (given: Given, interactive: boolean): Progress.Style => {
  if (given.quiet) return "none"
  if (given.progress === "auto") return interactive ? "bar" : "none"
  return given.progress
}

type IngestFailure = Effect.Effect.Error<ReturnType<typeof ingest>>

const status = (error: IngestFailure): ExitStatus.Status => {
  switch (error._tag) {
    case "UsageError":
    case "InvalidOptions":
      return 64
    case "DiscoveryError":
      return error.reason === "Io" || error.reason === "RootUnreadable" ? 2 : 64
    case "LedgerError":
      return error.reason === "NameClash" ? 64 : 2
    case "SinkError":
      return error.reason === "Unsupported" ? 64 : 2
    default:
      return 2
  }
}
