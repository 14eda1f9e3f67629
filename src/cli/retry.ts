/** `docsluice retry`: the dead letters only, with the targets and options of the last run. */
import * as Command from "@effect/cli/Command"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DeadLetter, type Entry } from "../DeadLetter.ts"
import * as Discovery from "../Discovery.ts"
import { Ledger } from "../Ledger.ts"
import { Summary } from "../Outcome.ts"
import { documentId } from "../SourceFile.ts"
import * as EmbedderTarget from "./EmbedderTarget.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import * as flags from "./flags.ts"
import * as OptionsText from "./OptionsText.ts"
import * as Progress from "./Progress.ts"
import * as Report from "./Report.ts"
import * as Run from "./Run.ts"
import type { RunFlags } from "./RunFlags.ts"
import type { RunRequest } from "./RunRequest.ts"
import { Signals } from "./Signals.ts"
import * as SinkTarget from "./SinkTarget.ts"
import * as State from "./State.ts"
import * as StoredTargets from "./StoredTargets.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const own = {
  to: flags.to,
  apiKey: flags.apiKey,
  parseOptions: flags.parseOptions,
  state: flags.state,
  progress: flags.progress,
  json: flags.json,
  quiet: flags.quiet
} as const

const config = {
  to: own.to.options,
  apiKey: own.apiKey.options,
  parseOptions: own.parseOptions.options,
  state: own.state.options,
  progress: own.progress.options,
  json: own.json.options,
  quiet: own.quiet.options
}

type Given = Command.Command.ParseConfig<typeof config>

/** What is told again of a run that was recorded. */
export type Told = Pick<Given, "to" | "apiKey" | "parseOptions" | "state" | "progress" | "json" | "quiet">

export const spellings = Object.values(own)

export const command = Command.make("retry", config, (given) =>
  Effect.scoped(retry(given)).pipe(
    Effect.catchAll((error) =>
      Failure.report(error).pipe(
        Effect.zipRight(Failure.ofRun(error, status(error), given.json)),
        Effect.zipRight(ExitStatus.set(status(error)))
      )
    )
  )
).pipe(
  Command.withDescription(
    "Sends every dead letter again, with the targets and options of the last run; keys, and addresses that held a credential, are given again. Exit status: 0 all stored, 1 some failed, 2 the run was stopped, 64 wrong usage, 130 interrupted. Example: docsluice retry"
  )
)

const retry = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const signals = yield* Signals
  yield* State.required(given.state)
  const { elsewhere, letters, request } = yield* Effect.provide(
    recorded,
    Layer.merge(State.ledger(given.state), State.deadLetters(given.state))
  )
  if (elsewhere.length > 0) {
    yield* terminal.note(`left alone, of other roots than ${request.root}: ${elsewhere.join(", ")}`)
  }
  const again = yield* repeated(given, request)
  const plain = yield* Run.setUp(again, "retry")
  const setup: Run.Setup = { ...plain, request, discovery: { ...plain.discovery, ...asked(request) } }
  const progress = yield* Progress.make(Progress.styleOf(given, terminal.interactive), terminal)
  const listing = Report.listing()
  yield* signals.handled
  const onProgress: Run.Pass["onProgress"] = (moment) =>
    Effect.sync(() => {
      progress.update(moment)
      listing.add(moment.outcome)
    })
  const summary = yield* Effect.provide(
    Run.pass(setup, { only: letters, failures: true, mayBeEmpty: true, onProgress }),
    Run.services(setup)
  )
  yield* progress.end
  yield* terminal.result(
    given.json
      ? JSON.stringify(Schema.encodeSync(Summary)(summary))
      : Report.text(
          summary,
          listing,
          setup.targets.map((target) => target.shown)
        )
  )
  yield* ExitStatus.set(summary.exit)
})

/** What names the scope of the documents. */
export const asked = ({ filesFrom, paths }: RunRequest) => ({
  patterns: paths.length === 0 ? undefined : paths,
  filesFrom: filesFrom ?? undefined
})

const recorded = Effect.gen(function* () {
  const request = yield* StoredTargets.lastRequest
  if (Option.isNone(request)) return yield* new UsageError({ problem: "no run is recorded; run ingest first" })
  const letters = yield* Effect.flatMap(DeadLetter, (letters) => letters.entries)
  const { root } = Discovery.scope({ root: request.value.root, name: request.value.name ?? undefined })
  const [elsewhere, own] = Array.partition(yield* Effect.forEach(letters, placed(root)), ({ here }) => here)
  return {
    request: request.value,
    letters: own.map(({ source }) => source),
    elsewhere: elsewhere.map(({ source }) => source)
  }
})

/** A source that only other roots of this state know is none of the last run's. */
const placed = (root: string) => (letter: Entry) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const knows = (name: string) =>
      Effect.map(ledger.get({ documentId: documentId(name, letter.source), path: letter.source }), Option.isSome)
    if (yield* knows(root)) return { source: letter.source, here: true }
    const { roots } = yield* ledger.stats
    return { source: letter.source, here: !(yield* Effect.exists(roots, ({ name }) => knows(name))) }
  })

/** The flags of the recorded run, with what is not kept from those given now. */
export const repeated = (given: Told, request: RunRequest) =>
  Effect.gen(function* () {
    const lacking = [
      ...(request.service.credential && Option.isNone(given.apiKey) ? [`--api-key of ${request.service.address}`] : []),
      ...(request.headers && Option.isNone(given.parseOptions) ? ["--parse-options with the headers"] : [])
    ]
    if (lacking.length > 0) {
      return yield* new UsageError({ problem: `give ${lacking.join(" and ")} again, which is not kept` })
    }
    yield* EmbedderTarget.again(request.embedder, process.env)
    const now = yield* Effect.forEach(given.to, (spelling) => SinkTarget.parse(spelling))
    const targets = yield* StoredTargets.ofRequest(now, request.to)
    const { headers } = yield* OptionsText.read(given.parseOptions)
    const parseOptions = { ...request.parseOptions, ...(headers === undefined ? {} : { headers }) }
    const again: RunFlags = {
      paths: request.paths.length === 0 ? ["."] : [...request.paths],
      root: Option.some(request.root),
      name: Option.fromNullable(request.name),
      ignore: request.ignore,
      gitignore: request.gitignore,
      filesFrom: Option.none(),
      to: targets.map(({ spelling }) => spelling),
      embedder: request.embedder.address,
      service: request.service.address,
      apiKey: given.apiKey,
      parseOptions: Option.some(JSON.stringify(parseOptions)),
      chunker: request.chunker,
      maxTokens: request.maxTokens,
      overlap: request.overlap,
      tokenizer: request.tokenizer,
      state: given.state,
      noState: false,
      mode: request.mode,
      allowRemovals: false,
      verify: false,
      refresh: false,
      rebuild: false,
      shared: false,
      adopt: false,
      budgetPages: Option.none(),
      budgetCredits: Option.none(),
      concurrency: request.concurrency,
      maxBytesInFlight: request.maxBytesInFlight,
      ordered: false,
      onFailure: request.onFailure,
      progress: given.progress,
      json: given.json,
      quiet: given.quiet
    }
    return again
  })

type RetryFailure = Effect.Effect.Error<ReturnType<typeof retry>>

const status = (error: RetryFailure): ExitStatus.Status => {
  if (error._tag === "StateMissing") return 64
  return error._tag === "DeadLetterError" ? 2 : Run.status(error)
}
