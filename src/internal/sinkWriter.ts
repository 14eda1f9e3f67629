import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { type ChunkSink, SinkError } from "../ChunkSink.ts"
import type { DocumentChunk } from "../DocumentChunk.ts"
import type { DocumentId } from "../SourceFile.ts"

/** Failures with `Unavailable`, one after the other, after which a sink counts as down. */
const strikes = 3

interface Job {
  readonly documentId: DocumentId
  readonly chunks: ReadonlyArray<DocumentChunk>
  readonly bytes: number
  exit: Exit.Exit<void, SinkError> | null
  waiting: ((resume: Exit.Exit<void, SinkError>) => void) | null
}

/** Hands documents to one sink, one call at a time, in the order they were submitted. */
export interface SinkWriter {
  readonly sink: ChunkSink.Service
  /** Why nothing more is written; null while the sink is up. */
  readonly down: () => SinkError | null
  /**
   * Takes the document at once; the effect ends when the sink has it, or says why not. Documents that come while a call is
   * under way go together in the next one, up to the sink's limits, unless the sink replaces documents one by one.
   */
  readonly submit: (documentId: DocumentId, chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
}

/** Starts the writer of a sink; it ends with the scope. `onDown` is told once, when the sink is given up. */
export const make = (
  sink: ChunkSink.Service,
  onDown: (error: SinkError) => void,
  down: SinkError | null = null
): Effect.Effect<SinkWriter, never, Scope.Scope> =>
  Effect.suspend(() => {
    const writer = new Writer(sink, onDown, down)
    return Effect.as(Effect.forkScoped(Effect.interruptible(writer.run)), writer)
  })

class Writer implements SinkWriter {
  readonly sink: ChunkSink.Service
  private queue: Array<Job> = []
  private wake: (() => void) | null = null
  private unavailable = 0
  private given: SinkError | null
  private readonly onDown: (error: SinkError) => void

  constructor(sink: ChunkSink.Service, onDown: (error: SinkError) => void, down: SinkError | null) {
    this.sink = sink
    this.onDown = onDown
    this.given = down
  }

  readonly down = (): SinkError | null => this.given

  readonly submit = (documentId: DocumentId, chunks: ReadonlyArray<DocumentChunk>): Effect.Effect<void, SinkError> => {
    if (this.given !== null) return Effect.fail(this.given)
    const job: Job = { documentId, chunks, bytes: bytesOf(chunks), exit: null, waiting: null }
    this.queue.push(job)
    const wake = this.wake
    this.wake = null
    wake?.()
    return Effect.async<void, SinkError>((resume) => {
      if (job.exit === null) job.waiting = resume
      else resume(job.exit)
    })
  }

  readonly run: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => (this.queue.length > 0 ? this.flush() : this.untilSubmitted))
  )

  private readonly untilSubmitted = Effect.async<void>((resume) => {
    this.wake = () => resume(Effect.void)
  })

  private flush(): Effect.Effect<void> {
    const jobs = this.next()
    return Effect.flatMap(this.attempt(jobs), (exit) => {
      if (Exit.isSuccess(exit) || jobs.length === 1 || this.given !== null || !isOneDocuments(exit)) {
        for (const job of jobs) finish(job, exit)
        return Effect.void
      }
      // One of them is to blame; writing again does no harm.
      return Effect.forEach(jobs, (job) => Effect.map(this.attempt([job]), (own) => finish(job, own)), {
        discard: true
      })
    })
  }

  /** The documents of the next call. */
  private next(): ReadonlyArray<Job> {
    if (this.sink.replace !== undefined) return this.queue.splice(0, 1)
    const { maxCount, maxBytes } = this.sink.limits
    let count = 0
    let bytes = 0
    let taken = 0
    for (const job of this.queue) {
      count += job.chunks.length
      bytes += job.bytes
      if (taken > 0 && (count > maxCount || bytes > maxBytes)) break
      taken += 1
    }
    return this.queue.splice(0, taken)
  }

  private attempt(jobs: ReadonlyArray<Job>): Effect.Effect<Exit.Exit<void, SinkError>> {
    if (this.given !== null) return Effect.succeed(Exit.fail(this.given))
    return Effect.map(Effect.exit(this.typed(this.call(jobs))), (exit) => {
      this.judge(exit)
      return exit
    })
  }

  private call(jobs: ReadonlyArray<Job>): Effect.Effect<void, SinkError> {
    const [first] = jobs
    if (this.sink.replace !== undefined && first !== undefined) {
      return this.sink.replace(first.documentId, first.chunks)
    }
    const chunks = jobs.length === 1 && first !== undefined ? first.chunks : jobs.flatMap((job) => job.chunks)
    return chunks.length === 0 ? Effect.void : this.sink.write(chunks)
  }

  /** A sink that throws loses this document and not the run. */
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

const finish = (job: Job, exit: Exit.Exit<void, SinkError>): void => {
  job.exit = exit
  job.waiting?.(exit)
}
