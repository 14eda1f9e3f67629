import type { Counters, RunState } from "../../RunState.ts"
import type { ServiceError } from "../../service/ServiceError.ts"
import type { Session } from "./session.ts"

/** The run as one document sees it: counts for all, and for itself. */
export interface DocumentRun {
  readonly state: RunState
  /** Requests that were sent for this document. */
  readonly attempts: () => number
  /** What its last failed answer meant for the run; null when none was reported. */
  readonly verdict: () => "document" | "run" | null
  /** SHA-256 of the bytes, once all of them were read. */
  readonly contentHash: () => string | null
}

/** A view of the run for one document, which also stops when the session does. */
export const make = (session: Session): DocumentRun => {
  const { run } = session
  const counters = new DocumentCounters(run.counters)
  let verdict: "document" | "run" | null = null
  let contentHash: string | null = null
  return {
    attempts: () => counters.own,
    verdict: () => verdict,
    contentHash: () => contentHash,
    state: {
      counters,
      stopped: session.stopped,
      whenStopped: session.whenStopped,
      failed: (error: ServiceError) => {
        verdict = run.failed(error)
        return verdict
      },
      succeeded: run.succeeded,
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
