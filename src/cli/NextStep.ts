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

/** The command, and why; undefined where nothing is left to do. */
export const after = (summary: Summary, { searched, state, words }: Ended): string | undefined => {
  const again = Shell.line(words)
  if (summary.exit === 130) return `${again} (goes on where this run ended)`
  if (summary.stopped?.tag === "BudgetSpent") return `${again} (the rest, for as much again)`
  if (summary.stopped !== undefined) return `${again} (once that is mended)`
  if (summary.failures.length > 0) {
    if (state === null) return again
    if (summary.failures.some(({ retryable }) => retryable)) return Shell.ofState("retry", state)
    // A report names few files of each cause.
    return summary.failures.length > named ? Shell.ofState("failures", state) : `${again} (once they are mended)`
  }
  const held = summary.warnings.some(({ message }) => message.includes(flag))
  if (held && !words.includes(flag)) return `${again} ${flag} (if that is right)`
  const isFirst = summary.stored > 0 && summary.unchanged === 0
  return isFirst && searched !== undefined ? Shell.line(["search", "your question", "--to", searched]) : undefined
}
