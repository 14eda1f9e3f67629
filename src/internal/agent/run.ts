/** Agent jobs: their rows, events and snapshots, and the run of one job from its first event to its last. */
import { randomUUID } from "node:crypto"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { DatabaseFailure } from "../state/libsql.ts"
import type { Agent, AgentRunner, RunError, Task } from "./runner.ts"
import { type Identity, type JobStore, orchestrator } from "./store.ts"
import { cancelled, limited, ofExit, parentFinished, stopped, type Verdict } from "./verdict.ts"

/** A job that runs in this process. */
export interface Running {
  readonly id: string
  readonly task: Task
  readonly maxCredits: number
  /** Credits spent so far. */
  consumed: number
  /** Verdict on the whole run, once it is being ended from outside; null while only its runner can end it. */
  ending: Verdict | null
}

/** Pause between attempts to record the end of a run, for instance on a full disk. */
const again = Schedule.spaced("1 second")

/** A failure to record fails the run: it could not be followed any more. */
const recorded = <A>(write: Effect.Effect<A, DatabaseFailure>): Effect.Effect<A> => Effect.orDie(write)

interface Run {
  readonly store: JobStore
  readonly running: Running
  /** Completed when the run reaches its limit. */
  readonly limit: Deferred.Deferred<void>
}

const agentOf = (run: Run, identity: Identity, scope: Scope.Scope): Agent => {
  const { limit, running, store } = run
  const { id, maxCredits } = running
  return {
    emit: (event) => recorded(store.append(id, identity, event)),
    write: (artifact) => recorded(store.snapshot(id, identity, artifact)),
    spend: (credits) =>
      Effect.suspend(() => {
        if (!(credits > 0)) return Effect.void
        running.consumed += credits
        const kept = recorded(store.consume(id, credits))
        if (running.consumed < maxCredits) return kept
        running.ending ??= limited(maxCredits)
        return kept.pipe(
          Effect.zipRight(Deferred.succeed(limit, undefined)),
          Effect.zipRight(Effect.interruptible(Effect.never))
        )
      }),
    delegate: (name, body) => {
      const child: Identity = { id: randomUUID(), role: "subagent", name, parentId: identity.id }
      const begun = recorded(store.append(id, child, { type: "agent.started" }))
      const work = Effect.scoped(Effect.flatMap(Effect.scope, (own) => body(agentOf(run, child, own))))
      const ended = (exit: Exit.Exit<unknown, RunError>) =>
        recorded(store.endAgent(id, child.id, ofExit(Exit.as(exit, "null"), running.ending ?? parentFinished)))
      return Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(begun, Effect.forkIn(Effect.onExit(restore(work), ended), scope))
      )
    }
  }
}

const textOf = (result: unknown): Effect.Effect<string> => Effect.sync(() => JSON.stringify(result) ?? "null")

/** Collaborators of a job. */
export interface Engine {
  readonly runner: AgentRunner.Service
  readonly store: JobStore
  /** Bounds the number of runs at a time. */
  readonly turn: Effect.Semaphore
}

/**
 * Runs a job until its row says that it ended, and gives the verdict. Interruption ends the runner first, also when it comes before
 * the first step, and counts as the stop of the service unless `ending` says otherwise.
 */
export const run = ({ runner, store, turn }: Engine, running: Running): Effect.Effect<Verdict> =>
  Effect.gen(function* () {
    const limit = yield* Deferred.make<void>()
    const root = orchestrator(running.id)
    const work = Effect.gen(function* () {
      yield* recorded(store.append(running.id, root, { type: "run.started" }))
      yield* recorded(store.append(running.id, root, { type: "agent.started" }))
      const scope = yield* Effect.scope
      const result = yield* runner.run(running.task, agentOf({ store, running, limit }, root, scope))
      return yield* textOf(result)
    }).pipe(Effect.scoped, turn.withPermits(1))
    const fiber = yield* Effect.fork(Effect.interruptible(work))
    const atLimit = Effect.zipRight(Deferred.await(limit), Fiber.interrupt(fiber))
    const watching = yield* Effect.fork(Effect.interruptible(atLimit))
    yield* Effect.exit(Effect.interruptible(Fiber.await(fiber)))
    // Waits until the runner has ended, whoever ended it.
    const exit = yield* Fiber.interrupt(fiber)
    yield* Fiber.interrupt(watching)
    const verdict = running.ending ?? ofExit(exit, stopped)
    if (Exit.isFailure(exit) && Cause.isDie(exit.cause)) {
      yield* Effect.logError("an agent run failed unexpectedly", exit.cause).pipe(
        Effect.annotateLogs({ job: running.id })
      )
    }
    return yield* store.finish(running.id, root, verdict).pipe(
      Effect.tapError((failed) => Effect.logError(`the end of an agent run could not be recorded: ${failed.message}`)),
      Effect.retry(again),
      Effect.orDie
    )
  }).pipe(Effect.uninterruptible)

/** Gives a run the end of a stop of the service; its fiber is to be interrupted next. */
export const stop = (running: Running): void => {
  running.ending ??= stopped
}

/** Gives a run the end of a cancellation; its fiber is to be interrupted next. */
export const cancel = (running: Running): void => {
  running.ending = cancelled
}
