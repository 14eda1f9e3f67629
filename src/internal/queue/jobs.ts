import type { Job, Queue, Worker } from "bullmq"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as EffectQueue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { QueueError } from "../run/queueError.ts"
import type { Claimed, Done, Ended, Lane, Working } from "./lane.ts"

export type Jobs = Pick<
  Queue<unknown, unknown>,
  | "addBulk"
  | "addJobLog"
  | "close"
  | "drain"
  | "getJob"
  | "getJobCounts"
  | "getJobLogs"
  | "getJobs"
  | "obliterate"
  | "remove"
  | "removeGlobalRateLimit"
  | "setGlobalRateLimit"
  | "waitUntilReady"
>

export interface Hands extends Pick<Worker, "cancelJob" | "close" | "concurrency" | "startStalledCheckTimer"> {
  readonly on: (event: "lockRenewalFailed", listener: (ids: ReadonlyArray<string>) => void) => unknown
}

export type Processor = (job: Job<unknown, unknown>, token?: string, signal?: AbortSignal) => Promise<unknown>

/** Repeats a call while the server is away. */
type Ask = <A>(call: () => Promise<A>) => Effect.Effect<A, QueueError>

/** Starts a worker of BullMQ; without a processor it claims nothing. */
type Hire = (processor: Processor | null, name: string) => Hands

/** Concurrent calls where each job needs one. */
const aside = 32

/** Lines of a log that stay. */
const lines = 20

const claimedOf = (job: Job<unknown, unknown>): Claimed => ({ id: job.id ?? "", data: job.data })

const endedOf = (job: Job<unknown, unknown>): Ended => ({
  ...claimedOf(job),
  result: job.returnvalue ?? null,
  failure: job.failedReason === undefined || job.failedReason === "" ? null : job.failedReason
})

/** A gap in a list, for a job that was removed meanwhile. */
const isThere = <A>(job: A | undefined | null): job is A => job !== undefined && job !== null

/** Longest wait for connections to close, in milliseconds. */
const closing = 5000

/** Waits for a close that may fail, and on a connection that was cut may never end. */
export const soon = (closed: Promise<unknown>): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, closing)
  })
  return Promise.race([closed.catch(() => {}), late]).finally(() => clearTimeout(timer))
}

/** Claims nothing; begins and ends the search for lost claims. */
const tending = (hire: Hire): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const hands = hire(null, "coordinator")
        await hands.startStalledCheckTimer().catch(() => {})
        return hands
      }),
      (hands) => Effect.promise(() => soon(hands.close(true)))
    )
  )

export const laneOf = (jobs: Jobs, ask: Ask, hire: Hire): Lane => {
  const some = (types: Parameters<Jobs["getJobs"]>[0], most: number) =>
    Effect.map(
      ask(() => jobs.getJobs(types, 0, most - 1, true)),
      (all) => all.filter(isThere)
    )
  const each = (ids: ReadonlyArray<string>, call: (id: string) => Promise<unknown>) =>
    Effect.forEach(ids, (id) => ask(() => call(id)), { concurrency: aside, discard: true })
  return {
    add: (all) =>
      all.length === 0
        ? Effect.void
        : Effect.asVoid(
            ask(() => jobs.addBulk(all.map(({ data, id }) => ({ name: "document", data, opts: { jobId: id } }))))
          ),
    ended: (most) =>
      Effect.zipWith(some("completed", most), some("failed", most), (completed, failed) =>
        [...completed, ...failed].map(endedOf)
      ),
    waiting: Effect.map(some("wait", 1000), (all) => all.map(claimedOf)),
    one: (id) =>
      Effect.map(
        ask(() => jobs.getJob(id)),
        (job) => (isThere(job) ? claimedOf(job) : null)
      ),
    remove: (ids) => each(ids, (id) => jobs.remove(id)),
    counts: Effect.map(
      ask(() => jobs.getJobCounts("wait", "delayed", "prioritized", "active", "completed", "failed")),
      ({ active = 0, completed = 0, delayed = 0, failed = 0, prioritized = 0, wait = 0 }) => ({
        waiting: wait + delayed + prioritized,
        active,
        ended: completed + failed
      })
    ),
    present: (ids) =>
      Effect.map(
        Effect.forEach(ids, (id) => ask(() => jobs.getJob(id)), { concurrency: aside }),
        (all) => new Set(all.filter(isThere).map(({ id }) => id ?? ""))
      ),
    begun: Effect.map(
      some(["active", "completed", "failed"], 100_000),
      (all) => new Set(all.map(({ id }) => id ?? ""))
    ),
    update: (id, data) =>
      ask(async () => {
        const job = await jobs.getJob(id)
        if (!isThere(job)) return false
        await job.updateData(data)
        return true
      }),
    log: (id, line) => Effect.asVoid(ask(() => jobs.addJobLog(id, line, lines))),
    logs: (id) =>
      Effect.map(
        ask(() => jobs.getJobLogs(id)),
        (found) => found.logs
      ),
    drain: ask(() => jobs.drain(true)),
    obliterate: ask(() => jobs.obliterate({ force: true })),
    limit: (perSecond) =>
      Effect.asVoid(
        ask(() =>
          perSecond === null
            ? jobs.removeGlobalRateLimit()
            : jobs.setGlobalRateLimit(Math.max(1, Math.round(perSecond)), 1000)
        )
      ),
    tend: tending(hire),
    work: (name, handle) => working(hire, name, handle)
  }
}

/** A claimed job on its way from BullMQ's callback to a fiber. */
interface Handed {
  readonly job: Job<unknown, unknown>
  readonly token: string | undefined
  readonly lost: Deferred.Deferred<void>
  readonly settle: (end: Promise<unknown>) => void
}

/** Jobs held at first; the worker raises it as it learns how many requests may be in flight. */
const initial = 2

const givenBack = async ({ job, token }: Handed): Promise<never> => {
  const { WaitingError } = await import("bullmq")
  await job.moveToWait(token)
  throw new WaitingError()
}

const ending = (claim: Handed, done: Done): Promise<unknown> => {
  switch (done._tag) {
    case "Result":
      return Promise.resolve(done.value)
    case "Back":
      return givenBack(claim)
    default:
      return Promise.reject(new Error(done.problem))
  }
}

const working = (
  hire: Hire,
  name: string,
  handle: (job: Claimed) => Effect.Effect<Done>
): Effect.Effect<Working, never, Scope.Scope> =>
  Effect.gen(function* () {
    const handed = yield* EffectQueue.unbounded<Handed>()
    const processor: Processor = (job, token, signal) =>
      new Promise((settle) => {
        const lost = Deferred.unsafeMake<void>(FiberId.none)
        signal?.addEventListener("abort", () => Deferred.unsafeDone(lost, Effect.void), { once: true })
        handed.unsafeOffer({ job, token, lost, settle })
      })
    const one = (claim: Handed): Effect.Effect<void> =>
      handle(claimedOf(claim.job)).pipe(
        Effect.raceFirst(Effect.as(Deferred.await(claim.lost), null)),
        Effect.map((done) => {
          claim.settle(done === null ? Promise.reject(new Error("the claim was lost")) : ending(claim, done))
        })
      )
    // A job may still arrive while the worker is being closed, so its fiber is a child of this one and not of the scope, which is closed.
    yield* Effect.forkScoped(
      Effect.forever(Effect.flatMap(EffectQueue.take(handed), (claim) => Effect.fork(one(claim))))
    )
    const hands = yield* Effect.acquireRelease(
      Effect.sync(() => hire(processor, name)),
      (hands) => Effect.promise(() => hands.close().catch(() => {}))
    )
    hands.concurrency = initial
    hands.on("lockRenewalFailed", (ids: ReadonlyArray<string>) => {
      for (const id of ids) hands.cancelJob(id)
    })
    return {
      hold: (count) => {
        hands.concurrency = Math.max(1, count)
      }
    }
  })
