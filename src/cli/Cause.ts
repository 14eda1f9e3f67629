/** Failures by their cause: what happened, and what helps. */
import * as Array from "effect/Array"
import * as Remedies from "../internal/base/remedies.ts"
import type { Summary } from "../Outcome.ts"

export interface Group<A> {
  readonly tag: string
  readonly retryable: boolean
  readonly cause: Remedies.Cause
  /** At least one. */
  readonly members: ReadonlyArray<A>
}

/** Failures by tag, the most frequent first. */
export const groups = <A extends Pick<Summary["failures"][number], "tag" | "retryable">>(
  failures: ReadonlyArray<A>
): ReadonlyArray<Group<A>> => {
  return Object.entries(Array.groupBy(failures, ({ tag }) => tag))
    .map(([tag, members]) => {
      const retryable = members.some((member) => member.retryable)
      return { tag, retryable, cause: Remedies.of(tag, retryable), members }
    })
    .toSorted((left, right) => right.members.length - left.members.length)
}
