/**
 * A run on many machines: one process finds the documents and sends references to a queue on Redis or PostgreSQL; workers do the rest.
 *
 * The halves are those of `Pipeline.run`, which does both in one process without a queue. A reference holds a path, a size and a
 * fingerprint, never bytes of a document and never a secret. Coordinator and workers share one state, so several processes must be able to
 * use it at a time. Needs the optional packages `bullmq`, and `ioredis` or `pg`.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ChunkSink } from "./ChunkSink.ts"
import type { DeadLetter } from "./DeadLetter.ts"
import type { Found } from "./internal/discovery/foundFiles.ts"
import * as Addresses from "./internal/queue/address.ts"
import * as Board from "./internal/queue/board.ts"
import * as Coordinator from "./internal/queue/coordinator.ts"
import { server, stateOf } from "./internal/queue/identity.ts"
import type { Server } from "./internal/queue/lane.ts"
import type { Announcement } from "./internal/queue/message.ts"
import { connect } from "./internal/queue/server.ts"
import * as Workers from "./internal/queue/workers.ts"
import type { Tools } from "./internal/queue/workRun.ts"
import type { Mode, StatefulOptions } from "./internal/run/options.ts"
import { QueueError } from "./internal/run/queueError.ts"
import { type OpenError, runToEnd } from "./internal/run/run.ts"
import type { Ledger, LedgerError } from "./Ledger.ts"
import type { Summary } from "./Outcome.ts"
import type { Parser } from "./Parser.ts"
import type { Tokenizer } from "./Tokenizer.ts"

export { QueueError } from "./internal/run/queueError.ts"

/**
 * A run in a queue, as its coordinator last said.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunStatus {
  /** `opening`: targets are prepared; `open`: workers take documents; `stopped`: nothing more is begun. */
  readonly status: "opening" | "open" | "stopped"
  readonly root: string
  /** Path or address of the root; null for a source that has neither. */
  readonly path: string | null
  /** Host and process. */
  readonly coordinator: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Files and problems found so far. */
  readonly discovered: number
  /** True when `discovered` is final. */
  readonly complete: boolean
  /** Documents that workers have brought to an end, and how many of them failed. */
  readonly finished: number
  readonly failed: number
  /** Documents that wait for a worker, and those that workers have in hand. */
  readonly waiting: number
  readonly active: number
  /** Why workers do not take part, the last twenty. */
  readonly problems: ReadonlyArray<string>
}

/**
 * What a worker is told about a run before it takes part.
 *
 * @since 0.1.0
 * @category models
 */
export interface Announced {
  readonly root: string
  /** Path or address of the root; null for a source that has neither. */
  readonly path: string | null
  readonly mode: Mode
  /** See `Pipeline.StateOptions`. */
  readonly request: string
}

/**
 * A change of a worker's part in a run.
 *
 * @since 0.1.0
 * @category models
 */
export type RunEvent = Workers.RunEvent

/**
 * @since 0.1.0
 * @category services
 */
export class Queue extends Context.Tag("docsluice/Queue")<Queue, Queue.Service>() {}

export declare namespace Queue {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Address of the server without user and password. */
    readonly address: string
    /** What is wrong with the server's settings, and the remedy; null when nothing is. */
    readonly warning: string | null
    /** The runs in the queue. */
    readonly runs: Effect.Effect<ReadonlyArray<RunStatus>, QueueError>
    /** For this package only. */
    readonly [server]: Server
  }
}

/**
 * Connects to the server once, so that a wrong address or password is known at once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  /** `redis://`, `rediss://` or `postgres://`, with user and password where the server wants them. */
  readonly address: Redacted.Redacted | string
}): Effect.Effect<Queue.Service, QueueError> =>
  Effect.gen(function* () {
    const { address: given } = options
    const address = Addresses.parse(typeof given === "string" ? Redacted.make(given) : given)
    if (Either.isLeft(address)) {
      return yield* new QueueError({ queue: "queue", reason: "Address", problem: address.left })
    }
    const connected = yield* connect(address.right)
    return Queue.of({
      address: connected.shown,
      warning: connected.warning,
      runs: Effect.scoped(statuses(connected)),
      [server]: connected
    })
  })

/**
 * As {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Parameters<typeof make>[0]): Layer.Layer<Queue, QueueError> =>
  Layer.effect(Queue, make(options))

/**
 * {@link layer} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Parameters<typeof make>[0]>
): Layer.Layer<Queue, QueueError | ConfigError> => Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))

const statuses = (from: Server): Effect.Effect<ReadonlyArray<RunStatus>, QueueError, Scope.Scope> =>
  Effect.gen(function* () {
    const board = yield* from.lane(Board.name)
    return yield* Effect.forEach(yield* Board.runs(board), (run) =>
      Effect.scoped(
        Effect.gen(function* () {
          const lane = yield* from.lane(run.lane)
          const { active, waiting } = yield* lane.counts
          const { complete, coordinator, discovered, failed, finished, path, root, startedAt, status } = run
          const problems = yield* board.logs(run.lane)
          return {
            status,
            root,
            path,
            coordinator,
            startedAt,
            discovered,
            complete,
            finished,
            failed,
            waiting,
            active,
            problems
          }
        })
      )
    )
  })

/**
 * Options of a run through a queue: those of a run with a state, without an order and a budget, which only one process can keep.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<E, R, S extends ChunkSink.Service = ChunkSink.Service, M extends Mode = Mode> extends Omit<
  StatefulOptions<E, R, S, M>,
  "budget" | "ordered"
> {
  /** Documents that are sent ahead of the workers, at most, about 0.6 KB each in this process; default 10000. */
  readonly depth?: number | undefined
}

/**
 * Coordinates a run: finds the files, compares them with the ledger, sends references to the workers, follows them, and removes what is gone
 * once every document has its outcome. Prepares the sinks, and writes no document. Ends as `Pipeline.run` does, with the summary over all
 * workers.
 *
 * One process coordinates a root at a time: a second one fails with `Busy`, unless the first gives no sign of life for ten seconds. A killed
 * run is begun again like any other: documents that workers have in hand are waited for rather than sent twice, and what the server lost is
 * sent again. A reason that concerns every document, found by any worker, stops the run.
 *
 * @since 0.1.0
 * @category running
 */
export const run = <E, R, S extends ChunkSink.Service, M extends Mode>(
  options: Options<E, R, S, M>
): Effect.Effect<
  Summary,
  E | OpenError | QueueError,
  Exclude<R, Scope.Scope> | Queue | Parser | Tokenizer | DeadLetter | Ledger
> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { [server]: connected } = yield* Queue
      const { path, patterns, root } = options.source.scope
      const place = yield* Coordinator.place(connected, {
        state: yield* stateOf,
        root,
        path,
        patterns,
        request: options.state.request ?? ""
      })
      return yield* runToEnd(options, Coordinator.through(place, options.depth ?? Coordinator.defaultDepth))
    })
  )

/**
 * Means of a worker for a run. The chunker, the embedder and the sinks must be those of the run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Equipment<E, R> extends Tools {
  /**
   * Finds a file of the root by its path below it. Where it finds none or fails, the coordinator looks for the file: the document fails
   * when it is gone; else it goes to another worker, and this one is put aside for a while unless it has just got at another file.
   */
  readonly files: (path: string) => Stream.Stream<Found, E, R | Scope.Scope>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface WorkOptions<E, E2, R, R2> {
  /**
   * Means for a run, from the worker's own settings; a failure leaves the run to others, and its coordinator says so. None: the run is not
   * this worker's business. Nothing of a run is claimed before.
   */
  readonly equip: (announced: Announced) => Effect.Effect<Option.Option<Equipment<E, R>>, E2, R2 | Scope.Scope>
  /** Name of this worker among all; default: host and process. */
  readonly name?: string | undefined
  /** When it completes nothing more is claimed, what is in hand is finished, and the work ends; default: never. */
  readonly stop?: Effect.Effect<void> | undefined
  readonly onRun?: ((event: RunEvent) => Effect.Effect<void>) | undefined
}

const announced = ({ mode, path, request, root }: Announcement): Announced => ({ mode, path, request, root })

/**
 * Works on the documents of every run in the queue until `stop` completes. A document whose worker is lost goes to another one within 15
 * seconds; work that was done before is found in the ledger and not done again.
 *
 * @since 0.1.0
 * @category running
 */
export const work = <
  E extends { readonly _tag: string; readonly message: string },
  E2 extends { readonly _tag: string; readonly message: string },
  R,
  R2
>({
  equip,
  name,
  onRun = () => Effect.void,
  stop = Effect.never
}: WorkOptions<E, E2, R, R2>): Effect.Effect<
  void,
  QueueError | LedgerError,
  R | R2 | Queue | Parser | Tokenizer | DeadLetter | Ledger
> =>
  Effect.gen(function* () {
    const { [server]: connected } = yield* Queue
    const services = yield* Effect.context<R | R2 | Parser | Tokenizer>()
    return yield* Workers.serve(connected, {
      name,
      state: yield* stateOf,
      stop,
      onRun,
      equip: (announcement) =>
        Effect.map(
          Effect.mapInputContext(equip(announced(announcement)), (own: Context.Context<Scope.Scope>) =>
            Context.merge(services, own)
          ),
          Option.match({
            onNone: () => null,
            onSome: (given) => ({
              tools: given,
              find: (path: string) => Stream.provideSomeContext(given.files(path), services),
              services
            })
          })
        )
    })
  })
