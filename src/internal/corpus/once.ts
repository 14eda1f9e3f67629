import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ChunkSink, EmbeddingSpace, SinkError } from "../../ChunkSink.ts"
import { Ledger } from "../../Ledger.ts"
import { Summary } from "../../Outcome.ts"
import type * as Queue from "../../Queue.ts"
import type { Snapshot } from "../../RequestGate.ts"
import * as State from "../../State.ts"
import { loaded } from "../base/loaded.ts"
import { type Message, option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import { RunStopped } from "../client/runState.ts"
import * as Claim from "../run/claim.ts"
import * as DistinctTargets from "../run/distinctTargets.ts"
import { Interrupted } from "../run/runError.ts"
import { reasonOf } from "../run/session.ts"
import * as Total from "../run/total.ts"
import { ofRun } from "../state/ledger/runLedger.ts"
import * as Http from "../target/http.ts"
import type { IngestOptions } from "./contract.ts"
import type { Recorded } from "./description.ts"
import * as Ingestion from "./ingestion.ts"
import * as Located from "./located.ts"
import type { Means } from "./means.ts"
import * as Memory from "./memory.ts"

/** Options of a run that opens and closes everything. */
export interface Options extends IngestOptions {
  /** The command that records the run; default `program`. */
  readonly command?: Recorded["command"] | undefined
  /** Words of the types, as the run is recorded with them. */
  readonly types?: ReadonlyArray<string> | undefined
  /** Accept a run that finds no file; default false. */
  readonly mayBeEmpty?: boolean | undefined
  /** File of the dead letters; default: in the state. */
  readonly deadLetters?: string | undefined
  /** The text of a run that this one repeats; default: its own. */
  readonly request?: string | undefined
  /** The queue whose workers do the work; default: this process. */
  readonly queue?: Queue.Queue.Service | undefined
  /** Called with what the run waits for, `the embedder` for instance; null once documents are worked on. */
  readonly onWaiting?: ((what: string | null) => void) | undefined
  /** Called once, before any work, with the gate of the service; undefined where no requests are sent. */
  readonly onGate?: ((gate: (() => Snapshot) | undefined) => void) | undefined
}

/** Summary of a run that was asked to end before it began. */
const unbegun = Summary.make({
  ...Total.nothing,
  exit: 130,
  stopped: reasonOf(new RunStopped({ cause: new Interrupted({ begun: false }) }))
})

/**
 * Opens everything, runs once, and closes it again. A wrong argument creates nothing: no state in a first run, no target in any. `stop` ends
 * the waits before the run at once.
 */
export const ingest = <E, E2>(means: Means<E>, files: Located.Located<E2>, how: Options = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { stop } = how
      if (stop === undefined) return yield* opened(means, files, how, () => how.onWaiting?.(null))
      const stopping = Fiber.join(yield* Effect.forkScoped(stop))
      let begun = false
      const running = opened(means, files, { ...how, stop: stopping }, () => {
        begun = true
        how.onWaiting?.(null)
      })
      const interrupted = Effect.flatMap(stopping, () => (begun ? Effect.never : Effect.succeed(unbegun)))
      return yield* Effect.raceFirst(running, interrupted)
    })
  ).pipe(Ingestion.provided(means), Effect.provide(Http.layer))

const opened = <E, E2>(means: Means<E>, files: Located.Located<E2>, how: Options, onBegin: () => void) =>
  Effect.gen(function* () {
    const { command = "program", deadLetters, mayBeEmpty = false, onGate, onWaiting, queue, types, ...asked } = how
    const { request, ...ingesting } = asked
    const { state, targets } = means
    const mode = how.mode ?? means.mode
    onGate?.(queue === undefined ? means.parser.gate?.snapshot : undefined)
    yield* checkClaim(state, how.claim)
    if (state === null && how.beside === true) yield* stateless
    if (queue !== undefined) yield* checkQueue(means, how)
    const open = Effect.forEach(targets, (target) => (mode === "append" ? target.openToAppend : target.open))
    const look = Stream.runHead(files.look ?? Stream.empty)
    const known = state !== null && (yield* Memory.exists(state))
    if (!known && !mayBeEmpty) {
      onWaiting?.("the source")
      yield* look
    }
    onWaiting?.("the targets")
    const early = known ? undefined : yield* open
    onWaiting?.("the state")
    const memory = yield* Memory.open({
      state,
      deadLetters,
      lease: queue === undefined ? undefined : Memory.shortLease
    })
    return yield* Effect.provide(
      Effect.gen(function* () {
        const ledger = ofRun(yield* Ledger)
        const { scope } = files.source
        const present = Located.unlessKnown(ledger.claims(scope), mayBeEmpty)
        onWaiting?.("the source and the targets")
        if (early === undefined) {
          yield* ledger.admit(scope, how.newRoot)
          yield* Stream.runHead(present(files.look ?? Stream.empty))
        }
        const sinks = early ?? (yield* open)
        onWaiting?.("the embedder")
        const embedder = yield* means.embedder(memory.vectors)
        const space = embedder === undefined ? null : yield* embedder.space
        if (state === null && mode !== "append") {
          yield* DistinctTargets.check(sinks)
          yield* Effect.forEach(sinks, (sink) => checkEmpty(sink, space))
        }
        const source = Located.through(files.source, present)
        const ids = sinks.map(({ id }) => id)
        const text =
          request ??
          (files.options === null ? "" : means.request(files.options, { space, sinks: ids }, { command, types }))
        onBegin()
        return yield* by(queue, means, { sinks, embedder }, { source, request: text }, ingesting)
      }),
      memory.services
    )
  })

const queues = loaded(() => import("../../Queue.ts"))

/** In this process, or by the workers of a queue, which keep no order and no budget. */
const by = <E, R>(
  queue: Queue.Queue.Service | undefined,
  means: Means<unknown>,
  opened: Ingestion.Opened,
  files: Ingestion.Files<E, R>,
  how: IngestOptions
) => {
  if (queue === undefined) return Ingestion.run(means, opened, files, how)
  return Effect.flatMap(queues, ({ Queue, run }) =>
    Effect.provideService(run(Ingestion.optionsOf(means, opened, files, how)), Queue, queue)
  )
}

/** Fails for a state that only one process can use at a time. */
export const checkShared = (state: string): Effect.Effect<void, OptionError> =>
  State.isAddress(state)
    ? Effect.void
    : new OptionError({
        option: "queue",
        ...problem(
          text`the workers share the state, and a folder is for one process; give ${option("state")} postgres://HOST/DATABASE`
        )
      })

const queueProblem = (
  { state, targets }: Means<unknown>,
  { beside, budget, ordered }: Pick<Options, "beside" | "budget" | "ordered">
): Message | undefined => {
  if (state === null) return "the workers share a state; name one"
  if (beside === true) return text`a second generation is filled by one process; leave out ${option("beside")}`
  if (budget !== undefined) return text`a budget is kept by one process; leave out ${option("budget")}`
  if (ordered === true) return text`workers end in any order; leave out ${option("ordered")}`
  const local = targets.find(({ outputs }) => outputs.length > 0)
  return (
    local &&
    text`${option("to")} ${local.shown} is written by one process of this machine; use a store on a server, such as pgvector:`
  )
}

/** Fails for a run that a queue cannot take. */
export const checkQueue = (means: Means<unknown>, how: Options): Effect.Effect<void, OptionError> => {
  const words = queueProblem(means, how)
  return words === undefined ? checkShared(means.state ?? "") : new OptionError({ option: "queue", ...problem(words) })
}

const checkClaim = (state: string | null, claim: Options["claim"]): Effect.Effect<void, OptionError> =>
  state !== null || claim === undefined || claim === "own"
    ? Effect.void
    : new OptionError({
        option: "state",
        ...problem(text`a run without a state owns nothing; name one, or leave out ${option("claim", claim)}`)
      })

const stateless = new OptionError({
  option: "state",
  ...problem(
    text`a generation is compared with the one that serves by their state; name one, or leave out ${option("beside")}`
  )
})

/** Requires an empty target, as far as it can list, for a run without a state, which cannot tell outdated chunks from current ones. */
const checkEmpty = (
  sink: ChunkSink.Service,
  space: EmbeddingSpace | null
): Effect.Effect<void, SinkError | OptionError> => {
  const { list } = sink
  if (list === undefined) return Effect.void
  const refused = new OptionError({
    option: "state",
    ...problem(text`without one, ${sink.id} must be absent or empty; name a state, or use ${option("mode", "append")}`)
  })
  return sink.prepare(space, Claim.stateless).pipe(
    Effect.mapError((error) => (error.spaces === undefined ? error : refused)),
    Effect.zipRight(Stream.runHead(list)),
    Effect.flatMap((first): Effect.Effect<void, OptionError> => (Option.isSome(first) ? refused : Effect.void))
  )
}
