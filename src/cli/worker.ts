/** `docsluice worker`: works on the documents of the runs in a queue. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { DeadLetter } from "../DeadLetter.ts"
import { processName } from "../internal/queue/board.ts"
import { server, stateOf } from "../internal/queue/identity.ts"
import type { Announcement } from "../internal/queue/message.ts"
import * as Workers from "../internal/queue/workers.ts"
import type { RunEvent } from "../internal/queue/workers.ts"
import type { Tools } from "../internal/queue/workRun.ts"
import type { Ledger } from "../Ledger.ts"
import type { ParseCache } from "../ParseCache.ts"
import * as Parser from "../Parser.ts"
import type * as Queue from "../Queue.ts"
import * as Allowed from "./Allowed.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import * as Origin from "./Origin.ts"
import * as QueueAddress from "./QueueAddress.ts"
import * as Repetition from "./Repetition.ts"
import * as Run from "./Run.ts"
import * as RunRequest from "./RunRequest.ts"
import { Signals } from "./Signals.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

/** Services of the state. */
type Memory = Ledger | ParseCache | DeadLetter

const takes = {
  queue: flags.queueOf,
  allow: flags.allow,
  state: flags.state,
  apiKey: flags.apiKey,
  parseOptions: flags.parseOptions,
  concurrency: flags.workerConcurrency,
  quiet: flags.quiet
}

type Given = Command.Given<typeof takes>

const about: Command.Description = {
  name: "worker",
  summary: "the documents of every run in a queue (ingest --queue)",
  description:
    "Works on the documents of every run in the queue (ingest --queue), until it is told to stop; then it finishes what it has in hand. Uses nothing that --allow does not name; keys come from its own flags and environment.",
  exits: "0 told to stop, 2 queue or state cannot be used, 64 wrong usage",
  examples: [
    "docsluice worker --queue redis://queue:6379 --state postgres://db/state --allow /data --allow pgvector:postgres://db/chunks"
  ]
}

export const command = Command.make(about, takes, (given) =>
  Effect.scoped(worker(given)).pipe(
    Effect.catchAll((error) => Effect.zipRight(Failure.report(error), ExitStatus.set(status(error))))
  )
)

const worker = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const signals = yield* Signals
  const address = yield* Effect.mapError(
    given.queue,
    () => new UsageError({ problem: "name the queue: --queue redis://HOST:PORT" })
  )
  yield* QueueAddress.checkState(given.state)
  const allowed = yield* Allowed.parse(given.allow)
  const queue = yield* QueueAddress.open(address)
  yield* signals.handled
  signals.beforeEnd(() => terminal.lastWord("ended at once: what was in hand goes to other workers"))
  yield* terminal.note(`waiting for runs in ${queue.address}`)
  const stop = Effect.zipLeft(
    Deferred.await(signals.first),
    terminal.note("told to stop: finishing what is in hand; once more ends at once")
  )
  yield* Effect.provide(working(given, allowed, queue, stop), State.ofRun(given.state, State.shortLease))
  yield* ExitStatus.set(0)
})

const working = (given: Given, allowed: Allowed.Allowed, queue: Queue.Queue.Service, stop: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { note } = yield* Terminal
    const surroundings = yield* Effect.context<FileSystem.FileSystem | Path.Path | Terminal | Memory>()
    yield* Workers.serve(queue[server], {
      name: processName(),
      state: yield* stateOf,
      stop,
      onRun: ({ _tag, coordinator, problem, root }) => note(words[_tag](root, coordinator, problem)),
      equip: (announced) =>
        Effect.mapInputContext(equip(given, allowed, announced), (own: Context.Context<Scope.Scope>) =>
          Context.merge(surroundings, own)
        )
    })
  })

const words: Readonly<Record<RunEvent["_tag"], (root: string, coordinator: string, problem: string) => string>> = {
  Joined: (root, coordinator) => `takes part in the run of ${root} (${coordinator})`,
  Refused: (root, _, problem) => `does not take part in the run of ${root}: ${problem}`,
  Left: (root) => `the run of ${root} is over`
}

/** The settings of a run from its request, its secrets from here. Fails before anything is claimed. */
const equip = (given: Given, allowed: Allowed.Allowed, { request: text, root: name }: Announcement) =>
  Effect.gen(function* () {
    if (text === "") {
      return yield* new UsageError({ problem: "it is a run of a program; let workers of that program do it" })
    }
    const request = yield* RunRequest.decode(text)
    yield* Allowed.check(allowed, request)
    const [one] = yield* Repetition.ofBatches([{ request, name, root: request.root, sources: [] }], {
      to: allowed.targets.map(({ spelling }) => spelling),
      apiKey: given.apiKey,
      parseOptions: given.parseOptions,
      empty: false,
      state: given.state,
      progress: "none",
      json: false,
      quiet: true
    })
    if (one === undefined) return null
    const concurrency = Option.getOrElse(given.concurrency, () => request.concurrency)
    const setup = yield* Run.setUp({ ...one.flags, concurrency }, "ingest")
    const services = yield* Layer.build(Parser.layer(setup.options).pipe(Layer.provideMerge(Run.services(setup))))
    const { discovery, targets } = setup
    const sinks = yield* Effect.forEach(targets, (target) =>
      request.mode === "append" ? target.openToAppend : target.open
    )
    const embedder = yield* Run.embedderOf(setup, given.state)
    const find = (file: string) =>
      Stream.unwrap(
        Effect.as(
          Allowed.checkFile(allowed, request.root, file),
          Stream.provideSomeContext(Origin.only(discovery, [file]), services)
        )
      )
    const tools: Tools = {
      chunker: setup.chunker,
      sinks,
      embedder,
      concurrency,
      outageLimit: setup.given.outageLimit,
      maxBytesInFlight: setup.given.maxBytesInFlight
    }
    return { tools, find, services }
  })

const status = (error: Effect.Effect.Error<ReturnType<typeof worker>>): ExitStatus.Status => {
  if (error._tag === "DeadLetterError" || error._tag === "ParseCacheError") return 2
  return Run.status(error)
}
