/** One run, as `ingest`, `watch` and `retry` make it. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Chunker } from "../Chunker.ts"
import type { ChunkSink, Claim, EmbeddingSpace, SinkError } from "../ChunkSink.ts"
import type * as Discovery from "../Discovery.ts"
import { Embedder } from "../Embedder.ts"
import { isAbsent } from "../internal/run/absent.ts"
import * as DistinctTargets from "../internal/run/distinctTargets.ts"
import * as Total from "../internal/run/total.ts"
import { ofRun } from "../internal/state/ledger/runLedger.ts"
import { absolute } from "../internal/target/address.ts"
import * as ObjectTarget from "../internal/target/objectTarget.ts"
import { Ledger, type LedgerError } from "../Ledger.ts"
import { Summary } from "../Outcome.ts"
import * as PageCounter from "../PageCounter.ts"
import * as Parser from "../Parser.ts"
import * as Pipeline from "../Pipeline.ts"
import * as Queue from "../Queue.ts"
import { Readers } from "../Readers.ts"
import type { Snapshot } from "../RequestGate.ts"
import type { RunReport } from "../RunReport.ts"
import { Client } from "../service/Client.ts"
import type { ParseOptions } from "../service/ParseOptions.ts"
import * as Source from "../Source.ts"
import * as Tokenizer from "../Tokenizer.ts"
import * as ChunkerTarget from "./ChunkerTarget.ts"
import * as EmbedderTarget from "./EmbedderTarget.ts"
import type * as ExitStatus from "./ExitStatus.ts"
import * as Http from "./Http.ts"
import * as ObjectRoot from "./ObjectRoot.ts"
import * as OptionsText from "./OptionsText.ts"
import * as Origin from "./Origin.ts"
import * as PathList from "./PathList.ts"
import * as QueueAddress from "./QueueAddress.ts"
import type { RunFlags } from "./RunFlags.ts"
import * as RunRequest from "./RunRequest.ts"
import * as RunRoot from "./RunRoot.ts"
import * as ServiceTarget from "./ServiceTarget.ts"
import { Signals } from "./Signals.ts"
import * as SinkTarget from "./SinkTarget.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"
import * as Types from "./Types.ts"
import { UsageError } from "./UsageError.ts"
import * as Words from "./Words.ts"

/** The decoded flags of a command that makes runs. */
export interface Setup {
  readonly given: RunFlags
  readonly targets: ReadonlyArray<SinkTarget.SinkTarget>
  readonly embedder: EmbedderTarget.EmbedderTarget
  /** The user's own parse options. */
  readonly options: ParseOptions
  readonly chunker: Chunker
  readonly discovery: Origin.Options
  /** What reads text types. */
  readonly readers: Readers.Service
  /** The request as recorded in the ledger. */
  readonly request: RunRequest.RunRequest
}

/**
 * Decodes the flags and reads the files that they name; fails before any work. `outputs`: paths that the command writes next to the
 * targets, which are no documents.
 */
export const setUp = Effect.fnUntraced(function* (
  asked: RunFlags,
  command: RunRequest.RunRequest["command"],
  outputs: ReadonlyArray<string> = []
) {
  const given = yield* rooted(asked)
  const spellings = given.to.length === 0 ? ["jsonl:chunks.jsonl"] : given.to
  const targets = yield* Effect.forEach(spellings, (spelling) => SinkTarget.parse(spelling))
  yield* checkClaim(given)
  const clash = DistinctTargets.clash(targets.map((target) => ({ ...target, id: target.kept.address })))
  if (clash !== null) return yield* new UsageError({ problem: `--to ${clash.target.shown} ${clash.problem}` })
  const embedder = yield* EmbedderTarget.parse(given.embedder)
  yield* EmbedderTarget.check(embedder, process.env)
  yield* checkVectors(targets, embedder)
  const options = yield* OptionsText.read(given.parseOptions)
  const chunker = yield* ChunkerTarget.make(given)
  const types = yield* Types.parse(given.types)
  const discovery = yield* discoveryOf(given, targets, types, outputs)
  const request = RunRequest.make({
    command,
    given,
    to: targets.map(({ kept }) => kept),
    embedder: EmbedderTarget.keep(embedder, process.env),
    parseOptions: options,
    discovery
  })
  const setup: Setup = { given, targets, embedder, options, chunker, discovery, readers: types.readers, request }
  return setup
})

/** The flags with the root of paths outside of the working directory. */
const rooted = (given: RunFlags) =>
  Effect.gen(function* () {
    const cwd = process.cwd()
    const addressed = given.paths.some((path) => ObjectTarget.isAddress(path))
    if (Option.isSome(given.root) || !(addressed || RunRoot.leaves(given.paths, cwd))) return given
    const known = given.noState
      ? []
      : yield* Effect.provide(
          Effect.flatMap(Ledger, (ledger) => Effect.map(ledger.stats, ({ roots }) => roots)),
          State.ledgerReadOnly(given.state)
        )
    const endpoint = Option.getOrUndefined(given.endpoint)
    const chosen = yield* addressed
      ? ObjectRoot.choose(given.paths, endpoint, known)
      : RunRoot.choose(given.paths, cwd, known)
    const name = Option.orElse(given.name, () => Option.fromNullable(chosen.name))
    const root = Origin.nameOf({ root: chosen.root, name: Option.getOrUndefined(name), endpoint })
    const { note } = yield* Terminal
    if (chosen.root !== cwd) yield* note(`root: ${chosen.root}, so documents are named ${root}/…`)
    const outside: RunFlags = { ...given, paths: [...chosen.paths], root: Option.some(chosen.root), name }
    return outside
  })

const checkClaim = ({ adopt, noState, shared }: RunFlags): Effect.Effect<void, UsageError> => {
  if (adopt && shared) return new UsageError({ problem: "--shared and --adopt exclude each other" })
  return noState && (adopt || shared)
    ? new UsageError({
        problem: `--no-state: a run without a state owns nothing; leave out --${adopt ? "adopt" : "shared"}`
      })
    : Effect.void
}

const claimOf = ({ adopt, shared }: RunFlags): Pipeline.StateOptions["claim"] =>
  adopt ? "adopt" : shared ? "shared" : "own"

const checkVectors = (
  targets: ReadonlyArray<SinkTarget.SinkTarget>,
  embedder: EmbedderTarget.EmbedderTarget
): Effect.Effect<void, UsageError> => {
  const bare = embedder._tag === "None" ? targets.find(({ needsVectors }) => needsVectors) : undefined
  return bare === undefined
    ? Effect.void
    : new UsageError({
        problem: `--to ${bare.shown}: nothing is found there without vectors; give an --embedder: hash, or openai:MODEL[@BASE]`
      })
}

/** Parser, readers and tokenizer, shared by all passes of a command. */
export const services = ({ given, readers }: Setup) =>
  Layer.mergeAll(
    ServiceTarget.layer(given),
    Layer.succeed(Readers, readers),
    Tokenizer.layer(given.tokenizer),
    PageCounter.layer,
    Http.layer
  )

/** Differences of one pass from the run that the flags describe. */
export interface Pass {
  /** Paths below the root that the pass is limited to; default: every file that discovery finds. */
  readonly only?: ReadonlyArray<string> | undefined
  /** Accept a pass that finds no file; default false. */
  readonly mayBeEmpty?: boolean | undefined
  /** Also retry final failures; default false. */
  readonly failures?: boolean | undefined
  /** Remaining budget; default: the budget of the flags. */
  readonly budget?: { readonly pages: number | undefined; readonly credits: number | undefined } | undefined
  readonly onProgress?: ((progress: Pipeline.Progress) => Effect.Effect<void>) | undefined
  /** Called with the report of the run. */
  readonly onReport?: ((report: RunReport) => Effect.Effect<void>) | undefined
  /** Called when the pass is asked to end. */
  readonly onStopping?: (() => void) | undefined
  /** The queue whose workers do the work; default: this process. */
  readonly queue?: Queue.Queue.Service | undefined
  /** Called with what the pass waits for, `the embedder` for instance; null once documents are worked on. */
  readonly onWaiting?: ((what: string | null) => void) | undefined
  /** Called once, before any work, with the gate of the service; undefined where no requests are sent. */
  readonly onGate?: ((gate: (() => Snapshot) | undefined) => void) | undefined
}

/** Opens state and targets, runs, and closes them again. A signal ends the waits before the run at once, and the run itself cleanly. */
export const pass = (setup: Setup, how: Pass = {}) =>
  Effect.gen(function* () {
    const signals = yield* Signals
    const stop = yield* stopping(how.onStopping)
    let begun = false
    const passing = passed(setup, how, stop, () => {
      begun = true
      how.onWaiting?.(null)
    })
    if (!signals.isHandled()) return yield* passing
    const interrupted = Effect.flatMap(Deferred.await(signals.first), () =>
      begun ? Effect.never : Effect.as(stop, unbegun)
    )
    return yield* Effect.raceFirst(passing, interrupted)
  })

/** Summary of a pass that was asked to end before its run began. */
const unbegun = Summary.make({
  ...Total.nothing,
  exit: 130,
  stopped: { tag: "Interrupted", message: "the run was asked to end before it began" }
})

const passed = (setup: Setup, how: Pass, stop: Effect.Effect<void>, onBegin: () => void) =>
  Effect.gen(function* () {
    const { discovery, given, options, targets } = setup
    how.onGate?.(how.queue === undefined ? (yield* Client).gate?.snapshot : undefined)
    const state = given.noState ? null : given.state
    const { files, scope } = Origin.make(discovery)
    const any =
      how.only === undefined ? Origin.make({ ...discovery, ordered: false }).files : Origin.only(discovery, how.only)
    const open = Effect.forEach(targets, (target) => (given.mode === "append" ? target.openToAppend : target.open))
    // A wrong argument must not create anything: no state in a first run, no target in any run.
    const known = state !== null && (yield* State.exists(state))
    if (!known && how.mayBeEmpty !== true) {
      how.onWaiting?.("the source")
      yield* Stream.runHead(any)
    }
    how.onWaiting?.("the targets")
    const opened = known ? undefined : yield* open
    const counter = yield* PageCounter.PageCounter
    how.onWaiting?.("the state")
    const running = Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger)
      const claimed = <R>(
        found: Stream.Stream<Discovery.Found, Discovery.DiscoveryError | Source.SourceUnavailable, R>
      ) => unlessKnown(found, ledger.claims(scope), how.mayBeEmpty)
      const meant = Effect.zipRight(ledger.admit(scope, given.newRoot), Stream.runHead(claimed(any)))
      how.onWaiting?.("the source and the targets")
      const sinks = opened ?? (yield* Effect.zipRight(meant, open))
      how.onWaiting?.("the embedder")
      const embedder = yield* embedderOf(setup, state)
      const space = embedder === undefined ? null : yield* embedder.space
      if (state === null && given.mode !== "append") {
        yield* Effect.forEach(sinks, (sink) => checkEmpty(sink, space), { discard: true })
      }
      const found = Source.within(scope, claimed(how.only === undefined ? files : any))
      const run = {
        source: how.only === undefined ? found : Source.part(found, identity),
        chunker: setup.chunker,
        sinks,
        embedder,
        state: {
          mode: given.mode,
          allowRemovals: given.allowRemovals,
          verify: given.verify,
          redo: redoOf(given, how),
          rebuild: given.rebuild,
          claim: claimOf(given),
          newRoot: given.newRoot,
          request: RunRequest.encode(
            RunRequest.within(
              setup.request,
              space,
              sinks.map(({ id }) => id)
            )
          )
        },
        concurrency: given.concurrency,
        outageLimit: given.outageLimit,
        maxBytesInFlight: given.maxBytesInFlight,
        onFailure: given.onFailure,
        stop,
        onProgress: how.onProgress,
        onReport: how.onReport
      }
      onBegin()
      return yield* how.queue === undefined
        ? Pipeline.run({ ...run, ordered: given.ordered, budget: budgetOf(given, how, PageCounter.pagesOf(counter)) })
        : Effect.provideService(Queue.run(run), Queue.Queue, how.queue)
    })
    const summary = yield* running.pipe(
      Effect.provide(Parser.layer(options)),
      Effect.provide(State.ofRun(state, how.queue === undefined ? undefined : State.shortLease))
    )
    return Words.ofSummary(summary)
  }).pipe(Effect.scoped)

/** Undefined where chunks get no vectors. */
export const embedderOf = (setup: Setup, state: string | null) =>
  Effect.gen(function* () {
    if (setup.embedder._tag === "None") return undefined
    const cache = state === null ? null : yield* State.embeddings(state)
    const services = yield* Layer.build(EmbedderTarget.layer(setup.embedder, { environment: process.env, cache }))
    return Context.get(services, Embedder)
  })

const redoOf = ({ refresh }: RunFlags, { failures }: Pass): Pipeline.StateOptions["redo"] =>
  refresh ? "parses" : failures === true ? "failures" : "nothing"

const budgetOf = (
  given: RunFlags,
  how: Pass,
  pagesOf: NonNullable<Pipeline.BudgetOptions["pagesOf"]>
): Pipeline.BudgetOptions | undefined => {
  const pages = how.budget?.pages ?? Option.getOrUndefined(given.budgetPages)
  const credits = how.budget?.credits ?? Option.getOrUndefined(given.budgetCredits)
  return pages === undefined && credits === undefined ? undefined : { pages, credits, pagesOf }
}

/** From now on the first signal asks for a clean end; the second ends the process, with a word on that. */
export const interruptible = Effect.gen(function* () {
  const signals = yield* Signals
  const { lastWord } = yield* Terminal
  signals.beforeEnd(() =>
    lastWord("ended at once: what was in flight is not stored; the same command goes on from what is")
  )
  yield* signals.handled
})

/** Completes on the first signal, which asks for a clean end, and notes this on the terminal; the second ends the process. */
const stopping = (onStopping: Pass["onStopping"]) =>
  Effect.gen(function* () {
    const signals = yield* Signals
    const terminal = yield* Terminal
    return Deferred.await(signals.first).pipe(
      Effect.tap(() => Effect.sync(() => onStopping?.())),
      Effect.zipRight(terminal.note("interrupted: finishing what is in flight; Ctrl-C again ends at once"))
    )
  })

/** Treats a missing root as an empty discovery when documents of its scope are known: nothing is found, nothing removed. */
const unlessKnown = <R>(
  source: Stream.Stream<Discovery.Found, Discovery.DiscoveryError | Source.SourceUnavailable, R>,
  claims: Effect.Effect<number, LedgerError>,
  mayBeEmpty: boolean = false
): Stream.Stream<Discovery.Found, Discovery.DiscoveryError | Source.SourceUnavailable | LedgerError, R> =>
  Stream.catchAll(source, (error) =>
    Stream.unwrap(
      Effect.map(claims, (count) =>
        (count > 0 && isAbsent(error)) || (mayBeEmpty && error.reason === "NoMatch") ? Stream.empty : Stream.fail(error)
      )
    )
  )

/** Requires an empty target for a run without state, which cannot tell outdated chunks from current ones. */
const checkEmpty = (
  sink: ChunkSink.Service,
  space: EmbeddingSpace | null
): Effect.Effect<void, SinkError | UsageError> => {
  const refused = new UsageError({
    problem: `--no-state: ${sink.id} must be absent or empty; or use --mode append`
  })
  const { list } = sink
  if (list === undefined) return refused
  const claim: Claim = { state: null, how: "own", stores: [], roots: [], knows: () => Effect.succeed(false) }
  return sink.prepare(space, claim).pipe(
    Effect.mapError((error) => (error.spaces === undefined ? error : refused)),
    Effect.zipRight(Stream.runHead(list)),
    Effect.flatMap((first): Effect.Effect<void, UsageError> => (Option.isSome(first) ? refused : Effect.void))
  )
}

const discoveryOf = Effect.fnUntraced(function* (
  given: RunFlags,
  targets: ReadonlyArray<SinkTarget.SinkTarget>,
  { only }: Types.Types,
  outputs: ReadonlyArray<string>
) {
  const listed = yield* PathList.read(given.filesFrom)
  if (given.paths.length === 0 && listed === undefined && Option.isNone(given.root)) {
    return yield* new UsageError({ problem: "name a file, a folder or a pattern, or give --root or --files-from" })
  }
  const root = Option.getOrElse(given.root, () => ".")
  const local = !ObjectTarget.isAddress(root)
  if (!local && given.gitignore) {
    return yield* new UsageError({ problem: "--gitignore is for folders; leave it out, or give --ignore" })
  }
  if (Option.isSome(given.endpoint) && !ObjectTarget.isStore(root)) {
    return yield* new UsageError({
      problem: "--endpoint is for paths of an object store, such as s3://BUCKET; leave it out"
    })
  }
  if (given.allowPrivate.length > 0 && !ObjectTarget.isWeb(root)) {
    return yield* new UsageError({ problem: "--allow-private is for list: and sitemap:; leave it out" })
  }
  const options: Origin.Options = {
    root,
    endpoint: Option.getOrUndefined(given.endpoint),
    allowPrivate: given.allowPrivate.length === 0 ? undefined : given.allowPrivate,
    name: Option.getOrUndefined(given.name),
    patterns: given.paths.length === 0 ? undefined : given.paths,
    filesFrom: listed,
    ignore: given.ignore,
    gitignore: given.gitignore,
    types: only,
    ordered: given.ordered,
    exclude: [
      ...(State.isAddress(given.state) ? [] : [given.state]),
      ...outputs,
      ...targets.flatMap((target) => target.outputs)
    ].map(absolute)
  }
  return options
})

/** Errors of a command that makes runs. */
export type Failure = Effect.Effect.Error<ReturnType<typeof setUp>> | Effect.Effect.Error<ReturnType<typeof pass>>

export const status = (error: Failure): ExitStatus.Status => {
  switch (error._tag) {
    case "UsageError":
    case "InvalidOptions":
      return 64
    case "DiscoveryError":
      return error.reason === "Io" || error.reason === "RootUnreadable" ? 2 : 64
    case "SourceUnavailable":
      return error.reason === "NoMatch" || error.reason === "Invalid" ? 64 : 2
    case "LedgerError":
      return error.reason === "NameClash" || error.reason === "RootRenamed" ? 64 : 2
    case "SinkError":
      return statusOfSink(error)
    case "QueueError":
      return QueueAddress.statusOf(error)
    default:
      return 2
  }
}

/** Exit status of a sink's error. A missing package or an unfit target counts as wrong usage: it is found before any work. */
export const statusOfSink = (error: SinkError): ExitStatus.Status =>
  error.reason === "Unsupported" || error.reason === "Mismatch" ? 64 : 2
