/**
 * Documents that ended lanes: the bytes of one that ended two are not tried again.
 *
 * @since 0.1.0
 */
import { sha256 } from "../../internal/base/sha256.ts"
import type { Job } from "../jobs.ts"
import type { LaneError } from "./LaneError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface LethalDocuments {
  /**
   * How the document ended its second lane; undefined for one that is not known to have. Hashes the bytes only where one of their
   * length has ended a lane.
   */
  readonly recall: (job: Job) => LaneError | undefined
  /** Counts a lane that the document ended; gives how many those are. */
  readonly count: (job: Job, error: LaneError) => number
  /** Takes back what was counted, since the document was parsed. */
  readonly forget: (job: Job) => void
}

/** Above it all are forgotten. */
const most = 10_000

/** Lanes that a document may end. */
const allowed = 2

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (): LethalDocuments => {
  const known = new Map<string, { readonly error: LaneError; readonly ended: number }>()
  const lengths = new Set<string>()
  const shape = ({ bytes, kind }: Job): string => `${kind} ${bytes.length}`
  const key = (job: Job): string => `${shape(job)} ${sha256(job.bytes)}`
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
