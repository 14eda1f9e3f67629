/**
 * Documents that ended their lane and, on the second try, a fresh one: the same bytes are not tried again.
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
  /** How the document ended its lane; undefined for one that is not known to. Hashes the bytes only where one of their length is known. */
  readonly recall: (job: Job) => LaneError | undefined
  readonly remember: (job: Job, error: LaneError) => void
}

/** Above it all are forgotten. */
const most = 10_000

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (): LethalDocuments => {
  const known = new Map<string, LaneError>()
  const lengths = new Set<string>()
  const shape = ({ bytes, kind }: Job): string => `${kind} ${bytes.length}`
  const key = (job: Job): string => `${shape(job)} ${sha256(job.bytes)}`
  return {
    recall: (job) => (lengths.has(shape(job)) ? known.get(key(job)) : undefined),
    remember: (job, error) => {
      if (known.size === most) {
        known.clear()
        lengths.clear()
      }
      known.set(key(job), error)
      lengths.add(shape(job))
    }
  }
}
