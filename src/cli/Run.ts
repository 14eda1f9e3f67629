/** One run, as `ingest`, `watch` and `retry` make it. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SinkError } from "../ChunkSink.ts"
import { commandLine, render } from "../internal/base/message.ts"
import type { Recorded } from "../internal/corpus/description.ts"
import * as Located from "../internal/corpus/located.ts"
import * as Means from "../internal/corpus/means.ts"
import * as Memory from "../internal/corpus/memory.ts"
import * as Once from "../internal/corpus/once.ts"
import * as Parts from "../internal/corpus/parts.ts"
import { absolute } from "../internal/target/address.ts"
import * as SourceTarget from "../internal/target/sourceTarget.ts"
import * as TypeWords from "../internal/target/typeWords.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Tokenizer from "../Tokenizer.ts"
import * as ChunkerTarget from "./ChunkerTarget.ts"
import * as OptionsText from "./OptionsText.ts"
import * as PathList from "./PathList.ts"
import type { RunFlags } from "./RunFlags.ts"
import * as ServiceTarget from "./ServiceTarget.ts"
import { Signals } from "./Signals.ts"
import { Terminal } from "./Terminal.ts"
import { ofOption, UsageError } from "./UsageError.ts"
import * as Words from "./Words.ts"

/** A run in the making: its means and its files. */
export interface Setup {
  readonly means: Means.Means<SinkError>
  readonly files: Located.Located<Located.Unfound>
  /** Options of the files, with what they leave out. */
  readonly source: SourceTarget.RootOptions
  /** What the flags ask of the run, and what the ledger keeps of it. */
  readonly how: Once.Options
}

/**
 * Decodes the flags and reads the files that they name; fails before any work. `outputs`: paths that the command writes next to the
 * targets, which are no documents.
 */
export const setUp = Effect.fnUntraced(
  function* (given: RunFlags, command: Recorded["command"], outputs: ReadonlyArray<string> = []) {
    const claim = yield* claimOf(given)
    const source = yield* sourceOf(given)
    const types = yield* TypeWords.parse(given.types)
    const means = yield* meansOf(given, types.readers)
    const options = { ...source, types: types.only, exclude: [...means.outputs, ...outputs.map(absolute)] }
    const how: Once.Options = {
      command,
      types: given.types,
      mode: given.mode,
      allowRemovals: given.allowRemovals,
      verify: given.verify,
      redo: given.refresh ? "parses" : "nothing",
      rebuild: given.rebuild,
      rechunk: given.rechunk,
      claim,
      newRoot: given.newRoot,
      onFailure: given.onFailure,
      ordered: given.ordered,
      budget: budgetOf(given)
    }
    const setup: Setup = { means, files: Located.make(options, []), source: options, how }
    return setup
  },
  Effect.catchTags({
    InvalidAddress: ServiceTarget.refused,
    InvalidProxy: ServiceTarget.refused
  })
)

const claimOf = ({ adopt, shared }: RunFlags): Effect.Effect<Pipeline.StateOptions["claim"], UsageError> =>
  adopt && shared
    ? new UsageError({ problem: "--shared and --adopt exclude each other" })
    : Effect.succeed(adopt ? "adopt" : shared ? "shared" : "own")

const budgetOf = ({ budgetCredits, budgetPages }: RunFlags): Pipeline.BudgetOptions | undefined => {
  const [pages, credits] = [Option.getOrUndefined(budgetPages), Option.getOrUndefined(budgetCredits)]
  return pages === undefined && credits === undefined ? undefined : { pages, credits }
}

/** The files of the flags; says where the root is when it is not the working directory. */
const sourceOf = (given: RunFlags) =>
  Effect.gen(function* () {
    const filesFrom = yield* PathList.read(given.filesFrom)
    const [endpoint, root] = [Option.getOrUndefined(given.endpoint), Option.getOrUndefined(given.root)]
    if (given.paths.length === 0 && filesFrom === undefined && root === undefined) {
      return yield* new UsageError({ problem: "name a file, a folder or a pattern, or give --root or --files-from" })
    }
    const known = Memory.roots(given.noState ? null : given.state)
    const chosen =
      root === undefined && given.paths.length > 0
        ? yield* SourceTarget.choose(given.paths, { endpoint, known, relative: false })
        : { root: root ?? ".", name: undefined, patterns: given.paths }
    const source: SourceTarget.RootOptions = {
      root: chosen.root,
      name: Option.getOrUndefined(given.name) ?? chosen.name,
      patterns: chosen.patterns.length === 0 ? undefined : chosen.patterns,
      filesFrom,
      endpoint,
      allowPrivate: given.allowPrivate.length === 0 ? undefined : given.allowPrivate,
      ignore: given.ignore,
      expand: Option.getOrUndefined(given.expand),
      gitignore: given.gitignore,
      ordered: given.ordered
    }
    const misplaced = SourceTarget.misplaced(source)
    if (misplaced !== undefined) return yield* new UsageError({ problem: render(misplaced, commandLine) })
    if (root === undefined && chosen.root !== "." && chosen.root !== process.cwd()) {
      const { note } = yield* Terminal
      yield* note(`root: ${chosen.root}, so documents are named ${SourceTarget.open(source).scope.root}/…`)
    }
    return source
  })

const meansOf = (given: RunFlags, readers: TypeWords.Types["readers"]) =>
  Effect.gen(function* () {
    const { concurrency, maxBytesInFlight, mode, onFailure, outageLimit, service, tokenizer } = given
    const ocrLanguages = Option.getOrUndefined(given.ocrLanguages)
    const parseOptions = yield* OptionsText.read(given.parseOptions)
    const apiKey = yield* ServiceTarget.keyOf(given.apiKey)
    const words = { service, apiKey, ocrLanguages, parseOptions }
    return yield* Means.make<SinkError>({
      to: given.to.length === 0 ? ["jsonl:chunks.jsonl"] : given.to,
      embedder: given.embedder,
      chunker: ChunkerTarget.settings(given),
      parser: yield* Parts.parser({ ...words, concurrency }),
      service: { ...words, key: apiKey !== undefined && apiKey !== "none" },
      tokenizer: yield* Parts.tokenizer(Tokenizer.layer(tokenizer)),
      tokenizerName: tokenizer,
      readers,
      state: given.noState ? undefined : given.state,
      mode,
      concurrency,
      outageLimit,
      maxBytesInFlight,
      onFailure
    })
  })

/** Opens state and targets, runs, and closes them again. A signal ends the waits before the run at once, and the run itself cleanly. */
export const pass = ({ files, how, means }: Setup, onStopping?: () => void) =>
  Effect.gen(function* () {
    const { isHandled } = yield* Signals
    const stop = isHandled() ? yield* stopping(onStopping) : undefined
    const summary = yield* Once.ingest(means, files, { ...how, stop })
    return Words.ofSummary(summary)
  }).pipe(Effect.catchTag("OptionError", ofOption))

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
const stopping = (onStopping: (() => void) | undefined) =>
  Effect.gen(function* () {
    const signals = yield* Signals
    const terminal = yield* Terminal
    return Deferred.await(signals.first).pipe(
      Effect.tap(() => Effect.sync(() => onStopping?.())),
      Effect.zipRight(terminal.note("interrupted: finishing what is in flight; Ctrl-C again ends at once"))
    )
  })

/** Errors of a command that makes runs. */
export type Failure = Effect.Effect.Error<ReturnType<typeof setUp>> | Effect.Effect.Error<ReturnType<typeof pass>>
