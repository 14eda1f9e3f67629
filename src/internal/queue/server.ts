/** The queue: documents of a run that several processes work on, over BullMQ on Redis or PostgreSQL. */
import type * as BullMQ from "bullmq"
import { UnknownException } from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { QueueError } from "../run/queueError.ts"
import type { Address } from "./address.ts"
import { check, loading, refusal } from "./connect.ts"
import { type Hands, type Jobs, laneOf, type Processor, soon } from "./jobs.ts"
import type { Lane, Server } from "./lane.ts"

type Library = typeof BullMQ

/** A claim lasts that long without a sign of life of its worker; lost claims are looked for that often: back within 10 seconds. */
const lease = { lockDuration: 6000, stalledInterval: 4000 } as const

/** A job whose workers are lost that often is given up: it may be what ends them. */
const losses = 3

/** The schema of the queue's tables on PostgreSQL, and the first part of all keys on Redis. */
const space = "docsluice_queue"

/** Longest wait for the answer to one call: on a connection that was cut, some never end. */
const patience = Duration.seconds(20)

/** Calls that fail are repeated for a minute. */
const again = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("2 seconds")),
  Schedule.upTo(Duration.minutes(1))
)

/** Connects; the error of a server that cannot be used names the remedy. */
export const connect = (address: Address): Effect.Effect<Server, QueueError> =>
  Effect.gen(function* () {
    const library = yield* loading(address, () => import("bullmq"))
    const warning = yield* check(address)
    return { shown: address.shown, warning, lane: (name) => lane(library, address, name) }
  })

const noAnswer = () => new UnknownException(undefined, "no answer")

/** A call that is repeated while the server is away. */
export const patient = <A>(queue: string, call: Effect.Effect<A, unknown>): Effect.Effect<A, QueueError> =>
  Effect.mapError(
    Effect.retry(Effect.timeoutFail(call, { duration: patience, onTimeout: noAnswer }), again),
    (cause) =>
      new QueueError({
        queue,
        reason: "Unreachable",
        problem:
          "the server has not answered for a minute; nothing that is stored is lost, begin again when it is back",
        cause: cause instanceof UnknownException ? cause.error : cause
      })
  )

const lane = (library: Library, address: Address, name: string): Effect.Effect<Lane, QueueError, Scope.Scope> =>
  Effect.gen(function* () {
    const jobs = yield* Effect.acquireRelease(
      Effect.sync(() => queueOf(library, address, name)),
      (queue) => Effect.promise(() => soon(queue.close()))
    )
    yield* Effect.tryPromise({ try: () => jobs.waitUntilReady(), catch: (cause) => refusal(address, cause) })
    const ask = <A>(call: () => Promise<A>) => patient(address.shown, Effect.tryPromise(call))
    return laneOf(jobs, ask, (processor, worker) => handsOf(library, address, name, { processor, worker }))
  })

/** Settings of one connection; BullMQ closes it. */
const redisOf = (address: Address) => ({ url: Redacted.value(address.url), maxRetriesPerRequest: null })
const postgresOf = (address: Address) => ({
  connectionString: Redacted.value(address.url),
  schema: space,
  migrate: true,
  max: 6
})

/** Without a listener a lost connection would end the process; the calls that it breaks fail by themselves. */
const quietly = <A extends { on: (event: "error", listener: () => void) => unknown }>(one: A): A => {
  one.on("error", () => {})
  return one
}

const queueOf = (library: Library, address: Address, name: string): Jobs => {
  const kept = {
    defaultJobOptions: { removeOnComplete: false, removeOnFail: false, stackTraceLimit: 0 },
    // Nobody listens to the events, of which the server would keep ten thousand.
    streams: { events: { maxLen: 100 } }
  }
  return address.kind === "redis"
    ? quietly(new library.Queue(name, { ...kept, prefix: space, connection: redisOf(address) }))
    : quietly(new library.Queue(name, { ...kept, connection: postgresOf(address) }, library.createPostgresBackend))
}

const handsOf = (
  library: Library,
  address: Address,
  name: string,
  { processor, worker }: { readonly processor: Processor | null; readonly worker: string }
): Hands => {
  const options = {
    ...lease,
    name: worker,
    maxStalledCount: losses,
    runRetryDelay: 500,
    drainDelay: 2,
    autorun: processor !== null
  }
  return address.kind === "redis"
    ? quietly(new library.Worker(name, processor, { ...options, prefix: space, connection: redisOf(address) }))
    : quietly(
        new library.Worker(
          name,
          processor,
          { ...options, connection: postgresOf(address) },
          library.createPostgresBackend
        )
      )
}
