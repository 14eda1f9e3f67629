import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { QueueError } from "../run/queueError.ts"

/** A job that has ended. */
export interface Ended {
  readonly id: string
  readonly data: unknown
  /** Result of the worker; null for a job that no worker could finish. */
  readonly result: unknown
  /** Why no worker could finish it; null for one that was finished. */
  readonly failure: string | null
}

/** Numbers of jobs. */
export interface Counts {
  readonly waiting: number
  readonly active: number
  readonly ended: number
}

/** A job that a worker has claimed. */
export interface Claimed {
  readonly id: string
  readonly data: unknown
}

/** The end of a claim: a result, the job given back for others, or a job that cannot be worked on by anybody. */
export type Done =
  | { readonly _tag: "Result"; readonly value: unknown }
  | { readonly _tag: "Back" }
  | { readonly _tag: "Broken"; readonly problem: string }

/** A worker that claims jobs. */
export interface Working {
  /** Sets the number of jobs that it holds at a time, at least 1. */
  readonly hold: (jobs: number) => void
}

/** The jobs of one queue on the server. Every call is tried again while the server is away, for a minute at most. */
export interface Lane {
  /** Adds jobs in their order; one whose id is there is left as it is. */
  readonly add: (
    jobs: ReadonlyArray<{ readonly id: string; readonly data: unknown }>
  ) => Effect.Effect<void, QueueError>
  /** Jobs that have ended, the earliest first, at most `most`; they stay until they are removed. */
  readonly ended: (most: number) => Effect.Effect<ReadonlyArray<Ended>, QueueError>
  /** Waiting jobs in the order of their arrival. */
  readonly waiting: Effect.Effect<ReadonlyArray<Claimed>, QueueError>
  readonly one: (id: string) => Effect.Effect<Claimed | null, QueueError>
  readonly remove: (ids: ReadonlyArray<string>) => Effect.Effect<void, QueueError>
  readonly counts: Effect.Effect<Counts, QueueError>
  /** Ids of those that are there, in any state. */
  readonly present: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, QueueError>
  /** Ids of jobs that are claimed or have ended. */
  readonly begun: Effect.Effect<ReadonlySet<string>, QueueError>
  /** Replaces the data of a job; false when it is gone. */
  readonly update: (id: string, data: unknown) => Effect.Effect<boolean, QueueError>
  /** Adds a line to a job's log, of which the last twenty stay. */
  readonly log: (id: string, line: string) => Effect.Effect<void, QueueError>
  readonly logs: (id: string) => Effect.Effect<ReadonlyArray<string>, QueueError>
  /** Removes jobs that nobody has claimed. */
  readonly drain: Effect.Effect<void, QueueError>
  /** Deletes the queue with all that is in it. */
  readonly obliterate: Effect.Effect<void, QueueError>
  /** Most claims a second over all workers; null: no limit. */
  readonly limit: (perSecond: number | null) => Effect.Effect<void, QueueError>
  /** Gives the jobs of lost workers back as long as the scope is open, without claiming any. */
  readonly tend: Effect.Effect<void, never, Scope.Scope>
  /**
   * Claims jobs and handles them until the scope closes: then it claims no more and waits for those in hand. A job whose claim is lost is
   * interrupted. `handle` never fails.
   */
  readonly work: (
    name: string,
    handle: (job: Claimed) => Effect.Effect<Done>
  ) => Effect.Effect<Working, never, Scope.Scope>
}

/** Server of a queue. */
export interface Server {
  /** Address without user and password. */
  readonly shown: string
  /** What is wrong with the server's settings, and the remedy; null when nothing is. */
  readonly warning: string | null
  readonly lane: (name: string) => Effect.Effect<Lane, QueueError, Scope.Scope>
}
