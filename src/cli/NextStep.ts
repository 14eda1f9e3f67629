/** The command to type after a run. */
import type { Summary } from "../Outcome.ts"
import * as Shell from "./Shell.ts"

export interface Ended {
  /** The words that started the run. */
  readonly words: ReadonlyArray<string>
  /** State directory; null without one. */
  readonly state: string | null
  /** A target that can be searched, as it was given without credentials. */
  readonly searched: string | undefined
}

/** Most failures that a report names for certain. */
const named = 5

const flag = "--allow-removals"

export interface NextStep {
  readonly command: string
  /** The condition or the effect, in a few words; undefined where there is nothing to say. */
  readonly remark?: string
}

/** Undefined where nothing is left to do. */
export const after = (summary: Summary, { searched, state, words }: Ended): NextStep | undefined => {
  const again = Shell.line(words)
  if (summary.exit === 130) return { command: again, remark: "goes on where this run ended" }
  if (summary.stopped?.tag === "BudgetSpent") return { command: again, remark: "the rest, for as much again" }
  if (summary.stopped !== undefined) return { command: again, remark: "once that is mended" }
  if (summary.failures.length > 0) {
    if (state === null) return { command: again }
    if (summary.failures.some(({ retryable }) => retryable)) return { command: Shell.ofState("retry", state) }
    // A report names few files of each cause.
    return summary.failures.length > named
      ? { command: Shell.ofState("failures", state) }
      : { command: again, remark: "once they are mended" }
  }
  const held = summary.warnings.some(({ message }) => message.includes(flag))
  if (held && !words.includes(flag)) return { command: `${again} ${flag}`, remark: "if that is right" }
  const isFirst = summary.stored > 0 && summary.unchanged === 0
  return isFirst && searched !== undefined
    ? { command: Shell.line(["search", "your question", "--to", searched]) }
    : undefined
}
