/** Documents that ended lanes: one that ended two is not tried again. */
import { sha256 } from "../../internal/base/sha256.ts"
import type { Content, Sent } from "../jobs.ts"
import type { LaneError } from "./LaneError.ts"

export interface LethalDocuments {
  /**
   * Error of the document's second lane; undefined if it has not ended two. Hashes the bytes only when a document of the same length has
   * ended a lane.
   */
  readonly recall: (job: Sent) => LaneError | undefined
  /** Records a lane that the document ended; returns the number of such lanes. */
  readonly count: (job: Sent, error: LaneError) => number
  /** Removes the record of a document that was parsed after all. */
  readonly forget: (job: Sent) => void
}

/** Number of recorded documents at which all are forgotten. */
const most = 10_000

/** Number of lanes that a document may end. */
const allowed = 2

/** Read as a whole even from a file: only documents of a length that has ended a lane are hashed. */
const whole = (bytes: Content): Uint8Array => (bytes instanceof Uint8Array ? bytes : bytes.slice(0, bytes.length))

export const make = (): LethalDocuments => {
  const known = new Map<string, { readonly error: LaneError; readonly ended: number }>()
  const lengths = new Set<string>()
  const shape = ({ bytes, kind }: Sent): string => `${kind} ${bytes.length}`
  const key = (job: Sent): string => `${shape(job)} ${sha256(whole(job.bytes))}`
  return {
    recall: (job) => {
      const found = lengths.has(shape(job)) ? known.get(key(job)) : undefined
      return found === undefined || found.ended < allowed ? undefined : found.error
    },
    count: (job, error) => {
      if (known.size >= most) {
        known.clear()
        lengths.clear()
      }
      const ended = (known.get(key(job))?.ended ?? 0) + 1
      known.set(key(job), { error, ended })
      lengths.add(shape(job))
      return ended
    },
    forget: (job) => {
      if (lengths.has(shape(job))) known.delete(key(job))
    }
  }
}
