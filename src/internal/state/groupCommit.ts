import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { EventLoop, type Turns } from "../base/eventLoop.ts"
import type { Database, DatabaseFailure } from "./libsql.ts"
import { failure } from "./libsql.ts"

interface Job {
  readonly apply: () => void
  readonly settle: (failed: DatabaseFailure | null) => void
}

/**
 * Gathers the writes of one turn of the event loop into one transaction; after one that held several, those of the next
 * milliseconds, so that concurrent writers share their transactions and a single one does not wait.
 *
 * An effect of `write` succeeds once its transaction is committed, and else fails with the transaction's error. The order of
 * calls is kept. A transaction holds at most `limit` jobs, so that none blocks the event loop for long.
 */
export interface GroupCommit {
  readonly write: <A>(apply: () => A) => Effect.Effect<A, DatabaseFailure>
  /** Commits the waiting writes now. */
  readonly flush: () => void
}

/** Longest time that a write waits for others, in milliseconds. */
const delay = 4

/** `rolledBack` is called after a transaction that failed. */
export const make = (db: Database, limit: number, rolledBack: () => void): GroupCommit => {
  let waiting: Array<Job> = []
  let scheduled: "now" | "later" | null = null
  let callOff = (): void => {}
  /** True after a transaction of several writes. */
  let shared = false

  const commit = (jobs: ReadonlyArray<Job>): DatabaseFailure | null => {
    try {
      db.transaction(() => {
        for (const job of jobs) job.apply()
      })
      return null
    } catch (thrown) {
      rolledBack()
      return failure(thrown)
    }
  }

  const step = (): void => {
    const jobs = waiting.slice(0, limit)
    waiting = waiting.slice(limit)
    shared = jobs.length > 1
    const failed = commit(jobs)
    // One failing job must not fail the others: each is run again in a transaction of its own.
    if (failed !== null && failed.reason === "Io" && jobs.length > 1) {
      for (const job of jobs) job.settle(commit([job]))
      return
    }
    for (const job of jobs) job.settle(failed)
  }

  const schedule = (loop: Turns): void => {
    const when = shared && waiting.length < limit ? "later" : "now"
    if (waiting.length === 0 || scheduled === "now" || scheduled === when) return
    callOff()
    scheduled = when
    callOff = loop.later(when === "now" ? 0 : delay, () => {
      scheduled = null
      if (waiting.length > 0) step()
      schedule(loop)
    })
  }

  const write = <A>(apply: () => A): Effect.Effect<A, DatabaseFailure> =>
    Effect.uninterruptible(
      Effect.withFiberRuntime<A, DatabaseFailure>((fiber) =>
        Effect.async((resume) => {
          let result: { readonly value: A } | undefined
          waiting.push({
            apply: () => {
              result = { value: apply() }
            },
            settle: (failed) => {
              if (failed !== null) resume(Effect.fail(failed))
              else if (result !== undefined) resume(Effect.succeed(result.value))
            }
          })
          schedule(Context.get(fiber.currentContext, EventLoop))
        })
      )
    )

  const flush = (): void => {
    while (waiting.length > 0) step()
  }

  return { write, flush }
}
