import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type ChunkSink, SinkError } from "../../ChunkSink.ts"
import type { DeadLetter } from "../../DeadLetter.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import type { Parser } from "../../Parser.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { InvalidOptions } from "../../service/ParseOptions.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { canonicalJson } from "../base/canonicalJson.ts"
import * as RunState from "../client/runState.ts"
import type { EmbeddingError } from "../embedding/embeddingError.ts"
import { chunkerOf } from "../run/chunkerOf.ts"
import * as Context from "../run/context.ts"
import { openSinks } from "../run/openSinks.ts"
import type { LedgerOptions, RunOptions } from "../run/options.ts"
import * as Placing from "../run/placing.ts"
import { QueueError } from "../run/queueError.ts"
import { expectedOf, makeMemory } from "../run/remember.ts"
import * as Session from "../run/session.ts"
import * as Trace from "../run/trace.ts"
import { ofRun, type Scan } from "../state/ledger/runLedger.ts"
import type { Announcement } from "./message.ts"

/** Chunker, embedder, sinks and limits of a worker. */
export interface Tools extends Pick<
  RunOptions,
  "chunker" | "concurrency" | "embedder" | "maxBytesInFlight" | "outageLimit" | "sinkRetry" | "space"
> {
  readonly sinks: ReadonlyArray<ChunkSink.Service>
}

/** Errors of a worker that cannot take part in a run. */
export type JoinError = SinkError | LedgerError | EmbeddingError | InvalidOptions | QueueError

/** The scan of a process that looks for nothing: the coordinator has the documents of the scope. */
const nothingScanned = (scope: number): Scan<LedgerError> => ({
  scope,
  documents: 0,
  claimed: 0,
  completedAt: null,
  see: () => Effect.succeed([]),
  vanished: Stream.empty,
  release: Stream.empty,
  complete: () => Effect.void,
  end: Effect.void
})

const parts = [
  ["optionsHash", "the parse options"],
  ["configuration", "the chunker, its settings or the tokenizer"],
  ["embedder", "the embedder"],
  ["sinks", "the targets, or their stores"]
] as const

/** A worker whose settings differ would store other chunks than the run wants. */
const compare = (
  queue: string,
  { expected, root }: Announcement,
  own: Announcement["expected"]
): Effect.Effect<void, QueueError> => {
  const different = parts.filter(([name]) => canonicalJson(own[name]) !== canonicalJson(expected[name]))
  return different.length === 0
    ? Effect.void
    : new QueueError({
        queue,
        reason: "Mismatch",
        problem: `the run of "${root}" has other settings than this worker: ${different.map(([, words]) => words).join(", ")}; give the worker those of the run`
      })
}

/** A sink that the run writes nothing to, though it may be back by now: the next run knows what it lacks. */
const unavailable = (sink: ChunkSink.Service): ChunkSink.Service => ({
  ...sink,
  prepare: () => new SinkError({ sink: sink.id, reason: "Unavailable", problem: "it was not there when the run began" })
})

/** Opens the sinks and the state of a run for a worker; nothing of the run is claimed yet. */
export const join = (
  queue: string,
  announcement: Announcement,
  state: string,
  tools: Tools
): Effect.Effect<Context.RunContext, JoinError, Parser | Tokenizer | DeadLetter | Ledger | Scope.Scope> =>
  Effect.gen(function* () {
    if (announcement.state !== state) {
      return yield* new QueueError({
        queue,
        reason: "Mismatch",
        problem: `the run of "${announcement.root}" has another state than this worker; give the worker the state of the run`
      })
    }
    const session = yield* Session.make(yield* RunState.make)
    session.complete = true
    const trace = yield* Trace.make(session)
    const { claim, down, mode, path, patterns, redo, request, root, startedAt, truncated, verify } = announcement
    const ledger = ofRun(yield* Ledger)
    // The run has recorded its settings before it announced itself.
    const filling = { ledger, root, sinks: tools.sinks.map(({ id }) => id), rechunk: false }
    const set = { ...tools, chunker: yield* chunkerOf(tools.chunker, filling) }
    const services = yield* Context.openServices(set)
    const options: LedgerOptions = {
      ledger,
      scope: { root, path, patterns },
      partial: true,
      mode,
      redo,
      verify,
      claim: claim === "shared" ? "shared" : "own",
      request
    }
    const { sinks } = yield* Placing.present(tools.sinks)
    const writers = yield* openSinks(session, {
      sinks: sinks.map((sink) => (down.includes(sink.id) ? unavailable(sink) : sink)),
      space: services.space,
      ledger: options,
      retry: RetryPolicy.ofSinks(tools.sinkRetry),
      joins: true
    })
    const expected = expectedOf(options, set, { services, startedAt, writers })
    yield* compare(queue, announcement, expected)
    const memory = makeMemory(options, writers, { expected, scan: nothingScanned(announcement.scope) })
    // The coordinator logs both for the whole run.
    memory.rechunkLogged = true
    memory.waitLogged = true
    const run = { session, root, writers, paying: () => undefined, memory, trace }
    return Context.make({ ...set, truncated }, services, run)
  })
