import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { ChunkId, DocumentChunk } from "../../DocumentChunk.ts"
import type { LedgerError } from "../../Ledger.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { DocumentId } from "../../SourceFile.ts"
import * as EventLoop from "../base/eventLoop.ts"
import type { Prepared, Service as Sink } from "../sink/contract.ts"
import { lacking } from "../sink/lacking.ts"
import { SinkError } from "../sink/sinkError.ts"

/** Consecutive `Unavailable` calls after which a sink counts as down; the first one is retried as the policy says. */
const strikes = 3

/** Longest time that a document waits for others to be written with it, in milliseconds. */
const gathering = 20

/** Documents that are written without waiting for more. */
const enough = 64

/** Ids of the chunks that a store holds, by document; some 150 bytes per chunk. */
export type Held = ReadonlyMap<DocumentId, ReadonlySet<ChunkId>>

/** The error of a document that could not be announced in the ledger or that the sink did not accept. */
export type WriteError = SinkError | LedgerError

type Task =
  | { readonly _tag: "Store"; readonly documentId: DocumentId; readonly chunks: ReadonlyArray<DocumentChunk> }
  | { readonly _tag: "Remove"; readonly ids: ReadonlyArray<ChunkId> }

interface Job {
  readonly task: Task
  readonly count: number
  readonly bytes: number
  /** Runs before the sink is called. */
  readonly announce: Effect.Effect<void, LedgerError> | null
  exit: Exit.Exit<void, WriteError> | null
  waiting: ((resume: Exit.Exit<void, WriteError>) => void) | null
}

/** Writes documents to one sink, one call at a time, in the order in which they were submitted. */
export interface SinkWriter {
  readonly sink: Pick<Sink, "id" | "capabilities" | "limits">
  /** Id of the prepared store; null for a sink without one and for an unavailable sink. */
  readonly store: string | null
  /** Chunk ids stored before the run, when the ledger may know fewer of them; else null. */
  readonly held: Held | null
  /** True when the sink replaces a document in one step. */
  readonly replaces: boolean
  /** Error for which the sink was given up; null while it is up. */
  readonly down: () => SinkError | null
  /**
   * Enqueues the document at once; the effect returned ends when the sink has stored it, or fails. Documents submitted during a
   * call are written together by the next one, up to the sink's limits, unless the sink replaces documents one by one.
   */
  readonly submit: (
    documentId: DocumentId,
    chunks: ReadonlyArray<DocumentChunk>,
    announce?: Effect.Effect<void, LedgerError>
  ) => Effect.Effect<void, WriteError>
  /** As `submit`, for chunks to be removed. */
  readonly remove: (ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, WriteError>
  /** Tidies the target; does nothing for a sink that was down from the start. */
  readonly finish: Effect.Effect<void, SinkError>
}

/** Repeats a call of a sink while it is `Unavailable`; its queue waits meanwhile. */
export type Patience = <A>(call: Effect.Effect<A, SinkError>) => Effect.Effect<A, SinkError>

export interface Options {
  readonly sink: SinkWriter["sink"]
  /** The prepared sink, or the error of one that is down from the start. */
  readonly prepared: Either.Either<Prepared, SinkError>
  readonly held: Held | null
  /** True when documents are to be replaced if the sink can do so. */
  readonly replaces: boolean
  /** Called once, when the sink is given up. */
  readonly onDown: (error: SinkError) => void
  readonly patiently: Patience
}

/** Starts the writer of a sink; it ends with the scope. */
export const make = (options: Options): Effect.Effect<SinkWriter, never, Scope.Scope> =>
  Effect.suspend(() => {
    const writer = new Writer(options)
    return Effect.as(Effect.forkScoped(Effect.interruptible(writer.run)), writer)
  })

/** Milliseconds within which failures are those of one outage: each connection that it cut fails once. */
const outage = 30_000

/** Patience with one sink, as the policy says; `until` ends a wait, and with it the attempts. Says once for each outage that it waits. */
export const patience = (retry: RetryPolicy.RetryPolicy, until: Effect.Effect<void>): Patience => {
  /** Time of the last wait for the sink, in milliseconds since the epoch. */
  let lastOut = Number.NEGATIVE_INFINITY
  return (call) =>
    RetryPolicy.retry(call, retry, {
      while: ({ reason }) => reason === "Unavailable",
      onWait: (error) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const known = now - lastOut < outage
          lastOut = now
          return known ? Effect.void : Effect.logWarning(`${error.message}; it is tried again, and the documents wait`)
        }),
      until
    })
}

class Writer implements SinkWriter {
  readonly sink: SinkWriter["sink"]
  readonly store: string | null
  readonly held: Held | null
  readonly replaces: boolean
  private queue: Array<Job> = []
  private wake: (() => void) | null = null
  private unavailable = 0
  private given: SinkError | null
  private readonly prepared: Either.Either<Prepared, SinkError>
  private readonly onDown: (error: SinkError) => void
  private readonly patiently: Patience
  readonly finish: SinkWriter["finish"]

  constructor(options: Options) {
    const { patiently, prepared, sink } = options
    this.sink = sink
    this.prepared = prepared
    this.store = Either.isRight(prepared) ? Option.getOrNull(prepared.right.storeId) : null
    this.held = options.held
    this.replaces =
      options.replaces && (Either.isRight(prepared) ? prepared.right.replace !== undefined : sink.capabilities.replace)
    this.onDown = options.onDown
    this.given = Either.isLeft(prepared) ? prepared.left : null
    this.patiently = patiently
    this.finish = Either.isRight(prepared) ? patiently(prepared.right.finish) : Effect.void
  }

  readonly down = (): SinkError | null => this.given

  readonly submit = (
    documentId: DocumentId,
    chunks: ReadonlyArray<DocumentChunk>,
    announce?: Effect.Effect<void, LedgerError>
  ): Effect.Effect<void, WriteError> =>
    this.add({ _tag: "Store", documentId, chunks }, chunks.length, bytesOf(chunks), announce ?? null)

  readonly remove = (ids: ReadonlyArray<ChunkId>): Effect.Effect<void, WriteError> =>
    ids.length === 0 ? Effect.void : this.add({ _tag: "Remove", ids }, ids.length, 0, null)

  readonly run: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() =>
      this.queue.length > 0 ? Effect.zipRight(this.untilGathered, this.flush()) : this.untilSubmitted
    )
  )

  /**
   * Lets the documents of the next milliseconds join the batch: its announcements, its call and its commits then cost one
   * transaction, one call and one transaction. In the time of the machine, as the transactions themselves; without a ledger there
   * is nothing to wait for.
   */
  private readonly untilGathered = Effect.suspend(() =>
    this.queue.length >= enough || !this.batches || this.queue[0]?.announce == null
      ? Effect.void
      : EventLoop.after(gathering)
  )

  /** False for a sink that replaces documents one by one. */
  private get batches(): boolean {
    return !this.replaces || (Either.isRight(this.prepared) && this.prepared.right.replaceAll !== undefined)
  }

  private add(task: Task, count: number, bytes: number, announce: Job["announce"]): Effect.Effect<void, WriteError> {
    if (this.given !== null) return Effect.fail(this.given)
    const job: Job = { task, count, bytes, announce, exit: null, waiting: null }
    this.queue.push(job)
    const wake = this.wake
    this.wake = null
    wake?.()
    return Effect.async<void, WriteError>((resume) => {
      if (job.exit === null) job.waiting = resume
      else resume(job.exit)
    })
  }

  private readonly untilSubmitted = Effect.async<void>((resume) => {
    this.wake = () => resume(Effect.void)
  })

  private flush(): Effect.Effect<void> {
    return Effect.flatMap(announced(this.next()), (jobs) => {
      if (jobs.length === 0) return Effect.void
      return Effect.flatMap(this.attempt(jobs), (exit) => {
        if (Exit.isSuccess(exit) || jobs.length === 1 || this.given !== null || !isOneDocuments(exit)) {
          for (const job of jobs) finish(job, exit)
          return Effect.void
        }
        // One of the documents caused the error, so each is tried alone; writing again is harmless.
        return Effect.forEach(jobs, (job) => Effect.map(this.attempt([job]), (own) => finish(job, own)), {
          discard: true
        })
      })
    })
  }

  /** Jobs of the next call: from the front of the queue, all of one kind, and each document once. */
  private next(): ReadonlyArray<Job> {
    const kind = this.queue[0]?.task._tag
    if (kind === "Store" && !this.batches) return this.queue.splice(0, 1)
    const { maxCount, maxBytes } = this.sink.limits
    let count = 0
    let bytes = 0
    let taken = 0
    const documents = new Set<DocumentId>()
    for (const { bytes: size, count: chunks, task } of this.queue) {
      count += chunks
      bytes += size
      if (task._tag !== kind || (taken > 0 && (count > maxCount || bytes > maxBytes))) break
      if (task._tag === "Store") {
        if (documents.has(task.documentId)) break
        documents.add(task.documentId)
      }
      taken += 1
    }
    return this.queue.splice(0, taken)
  }

  private attempt(jobs: ReadonlyArray<Job>): Effect.Effect<Exit.Exit<void, SinkError>> {
    if (this.given !== null) return Effect.succeed(Exit.fail(this.given))
    const call = this.typed(this.call(jobs))
    // Only the first failing call of an outage waits; the calls after it are tried once each.
    return Effect.map(Effect.exit(this.unavailable > 0 ? call : this.patiently(call)), (exit) => {
      this.judge(exit)
      return exit
    })
  }

  private call(jobs: ReadonlyArray<Job>): Effect.Effect<void, SinkError> {
    if (Either.isLeft(this.prepared)) return Effect.fail(this.prepared.left)
    const { right: prepared } = this.prepared
    const ids = jobs.flatMap(({ task }) => (task._tag === "Remove" ? task.ids : []))
    if (ids.length > 0) return prepared.remove?.(ids) ?? lacking(this.sink.id, "remove")
    const documents = jobs.flatMap(({ task }) => (task._tag === "Store" ? [task] : []))
    const [first] = documents
    if (this.replaces && first !== undefined) {
      return documents.length > 1 && prepared.replaceAll !== undefined
        ? prepared.replaceAll(documents)
        : (prepared.replace?.(first.documentId, first.chunks) ?? lacking(this.sink.id, "replace"))
    }
    const chunks = documents.length === 1 && first !== undefined ? first.chunks : documents.flatMap((one) => one.chunks)
    return chunks.length === 0 ? Effect.void : prepared.write(chunks)
  }

  /** Turns a defect of the sink into an error, so that it fails this document and not the run. */
  private typed(call: Effect.Effect<void, SinkError>): Effect.Effect<void, SinkError> {
    return Effect.catchAllDefect(
      Effect.suspend(() => call),
      (cause) =>
        Effect.fail(
          new SinkError({ sink: this.sink.id, reason: "Rejected", problem: `it threw: ${String(cause)}`, cause })
        )
    )
  }

  private judge(exit: Exit.Exit<void, SinkError>): void {
    const error = failureOf(exit)
    this.unavailable = error?.reason === "Unavailable" ? this.unavailable + 1 : 0
    const final = error?.reason === "Mismatch" || error?.reason === "Unsupported"
    if (this.given !== null || error === null || (!final && this.unavailable < strikes)) return
    this.given = error
    this.onDown(error)
  }
}

/** Announces all jobs in the ledger together; returns those that succeeded. */
const announced = (jobs: ReadonlyArray<Job>): Effect.Effect<ReadonlyArray<Job>> => {
  if (jobs.every((job) => job.announce === null)) return Effect.succeed(jobs)
  return Effect.map(
    Effect.forEach(jobs, (job) => Effect.either(job.announce ?? Effect.void), { concurrency: 64 }),
    (results) =>
      jobs.filter((job, at) => {
        const result = results[at]
        if (result === undefined || Either.isRight(result)) return true
        finish(job, Exit.fail(result.left))
        return false
      })
  )
}

const bytesOf = (chunks: ReadonlyArray<DocumentChunk>): number => {
  let bytes = 0
  for (const chunk of chunks) {
    bytes += chunk.text.length + chunk.embedText.length + 4 * (chunk.embedding?.length ?? 0)
  }
  return bytes
}

const failureOf = (exit: Exit.Exit<void, SinkError>): SinkError | null => {
  if (Exit.isSuccess(exit)) return null
  const failure = Cause.failureOption(exit.cause)
  return failure._tag === "Some" ? failure.value : null
}

const isOneDocuments = (exit: Exit.Exit<void, SinkError>): boolean => {
  const reason = failureOf(exit)?.reason
  return reason === "Rejected" || reason === "TooLarge"
}

const finish = (job: Job, exit: Exit.Exit<void, WriteError>): void => {
  job.exit = exit
  job.waiting?.(exit)
}
