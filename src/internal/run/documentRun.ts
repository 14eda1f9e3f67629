/** A run: each document from its file to the stores, with budget, memory and outcome. */
import type { Counters, RunState } from "../../RunState.ts"
import type { ServiceError } from "../../service/ServiceError.ts"
import type { Session } from "./session.ts"

/** The run state as seen by one document: counts for the whole run and for the document. */
export interface DocumentRun {
  readonly state: RunState
  /** Requests that were sent for this document. */
  readonly attempts: () => number
  /** The meaning of its last failed answer for the run; null when none was reported. */
  readonly verdict: () => "document" | "run" | null
  /** Tells the run that the service answered with the content, unless the parser did. */
  readonly succeeded: () => void
  /** SHA-256 of the bytes, once all of them were read. */
  readonly contentHash: () => string | null
}

/** Makes the run state of one document, which also stops when the session does. */
export const make = (session: Session): DocumentRun => {
  const { run } = session
  const counters = new DocumentCounters(run.counters)
  let verdict: "document" | "run" | null = null
  let succeeded = false
  let contentHash: string | null = null
  return {
    attempts: () => counters.own,
    verdict: () => verdict,
    contentHash: () => contentHash,
    succeeded: () => {
      if (!succeeded) run.succeeded()
    },
    state: {
      counters,
      stopped: session.stopped,
      whenStopped: session.whenStopped,
      onStop: session.onStop,
      failed: (error: ServiceError, hash: string | null = null) => {
        verdict = run.failed(error, hash ?? contentHash)
        return verdict
      },
      refusals: run.refusals,
      succeeded: () => {
        succeeded = true
        run.succeeded()
      },
      waited: (milliseconds) => {
        session.collected.waited(milliseconds)
        run.waited?.(milliseconds)
      },
      hashed: (hash) => {
        contentHash = hash
        run.hashed?.(hash)
      }
    }
  }
}

class DocumentCounters implements Counters {
  own = 0
  private readonly all: Counters

  constructor(all: Counters) {
    this.all = all
  }

  get requests(): number {
    return this.all.requests
  }
  set requests(next: number) {
    this.own += next - this.all.requests
    this.all.requests = next
  }
  get retries(): number {
    return this.all.retries
  }
  set retries(next: number) {
    this.all.retries = next
  }
  get ambiguous(): number {
    return this.all.ambiguous
  }
  set ambiguous(next: number) {
    this.all.ambiguous = next
  }
  get uploaded(): number {
    return this.all.uploaded
  }
  set uploaded(next: number) {
    this.all.uploaded = next
  }
  get succeeded(): number {
    return this.all.succeeded
  }
  set succeeded(next: number) {
    this.all.succeeded = next
  }
}
