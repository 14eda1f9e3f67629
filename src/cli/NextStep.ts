/** The command to type after a run. */
import { mentions } from "../internal/base/message.ts"
import type { Summary } from "../Outcome.ts"
import * as Shell from "./Shell.ts"

export interface Ended {
  /** The words that started the run. */
  readonly words: ReadonlyArray<string>
  /** State directory; null without one. */
  readonly state: string | null
  /** The first target that can be searched. */
  readonly searched: Searched | undefined
}

export interface Searched {
  /** Its place among the targets of the run. */
  readonly at: number
  /** Number of these targets. */
  readonly of: number
  /** As it was given, without credentials. */
  readonly shown: string
}

/** Values of `--to` among the words; none where environment or config file have them. */
const targetsOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word, at) => {
    if (word.startsWith("--to=")) return [word.slice("--to=".length)]
    return words[at - 1] === "--to" ? [word] : []
  })

/** The words of a search. A single target of environment or config file is found there again. */
const searchOf = (words: ReadonlyArray<string>, { at, of, shown }: Searched): ReadonlyArray<string> => {
  const given = targetsOf(words)
  const to = given.length === 0 && of === 1 ? [] : ["--to", given[at] ?? shown]
  return ["search", "your question", ...to]
}

/** A step whose command works as it is printed, but for what is never printed. */
const step = (words: ReadonlyArray<string>, ...remarks: ReadonlyArray<string>): NextStep => {
  const lacking = Shell.withCredentials(words).length > 0 ? ["give the credentials of its address again"] : []
  const all = [...remarks, ...lacking]
  return { command: Shell.line(words), ...(all.length > 0 && { remark: all.join("; ") }) }
}

/** Most failures that a report names for certain. */
const named = 5

const flag = "--allow-removals"

export interface NextStep {
  readonly command: string
  /** The condition or the effect, in a few words; undefined where there is nothing to say. */
  readonly remark?: string
  /** What can be done at once, while the command has to wait. */
  readonly also?: NextStep
}

/** Undefined where nothing is left to do. */
export const after = (summary: Summary, { searched, state, words }: Ended): NextStep | undefined => {
  if (summary.exit === 130) return step(words, "goes on where this run ended")
  if (summary.stopped?.tag === "BudgetSpent") return step(words, "the rest, for as much again")
  if (summary.stopped !== undefined) return step(words, "once that is mended")
  const isFirst = summary.stored > 0 && summary.unchanged === 0
  const searching = isFirst && searched !== undefined ? step(searchOf(words, searched)) : undefined
  if (summary.failures.length > 0) {
    if (state === null) return step(words)
    if (summary.failures.some(({ retryable }) => retryable)) return { command: Shell.ofState("retry", state) }
    // A report names few files of each cause.
    return summary.failures.length > named
      ? { command: Shell.ofState("failures", state) }
      : { ...step(words, "once they are mended"), ...(searching !== undefined && { also: searching }) }
  }
  const held = summary.warnings.some((warning) => mentions(warning, "allowRemovals"))
  if (held && !words.includes(flag)) return step([...words, flag], "if that is right")
  return searching
}
