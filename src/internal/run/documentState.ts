import type { ServiceError } from "../../service/ServiceError.ts"
import type { RunState } from "../client/runState.ts"
import type { Session } from "./session.ts"

/** The run state as seen by one document: counts for the whole run and for the document. */
export interface DocumentState {
  readonly state: RunState
  /** Requests that were sent for this document, and the SHA-256 of its bytes once all of them were read, else null. */
  readonly facts: () => { readonly attempts: number; readonly contentHash: string | null }
  /** The meaning of its last failed answer for the run; null when none was reported. */
  readonly verdict: () => "document" | "run" | null
  /** Tells the run that the service answered with the content, unless the parser did. */
  readonly succeeded: () => void
}

/** Makes the run state of one document, which also stops when the session does. */
export const make = ({ collected, onStop, run, stopped, whenStopped }: Session): DocumentState => {
  let attempts = 0
  let verdict: "document" | "run" | null = null
  let succeeded = false
  let contentHash: string | null = null
  const counters = new Proxy(run.counters, {
    set: (all, name, value) => {
      if (name === "requests") attempts += value - all.requests
      return Reflect.set(all, name, value)
    }
  })
  return {
    facts: () => ({ attempts, contentHash }),
    verdict: () => verdict,
    succeeded: () => {
      if (!succeeded) run.succeeded()
    },
    state: {
      counters,
      stopped,
      whenStopped,
      onStop,
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
        collected.waited(milliseconds)
        run.waited?.(milliseconds)
      },
      hashed: (hash) => {
        contentHash = hash
        run.hashed?.(hash)
      }
    }
  }
}
