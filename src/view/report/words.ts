/** Words of a report. */
import type { RunReport } from "../../internal/state/ledger/runReport.ts"

/** A time in UTC, to the second. */
export const moment = (millis: number): string => {
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? "unknown" : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`
}

/** The same for a machine. */
export const machine = (millis: number): string => {
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? "" : date.toISOString()
}

export interface Verdict {
  readonly tone: "good" | "warn" | "bad"
  readonly words: string
}

/** How a run ended; `null` for one without a report. */
export const verdict = (report: RunReport): Verdict => {
  if (report.exit === 130) return { tone: "warn", words: "interrupted" }
  if (report.stopped !== undefined) return { tone: "bad", words: `stopped: ${report.stopped.tag}` }
  if (report.failed > 0) return { tone: "bad", words: report.stored > 0 ? "some failed" : "failed" }
  if (report.warnings.count > 0) return { tone: "warn", words: "done, with warnings" }
  return { tone: "good", words: report.stored + report.removed + report.empty > 0 ? "done" : "nothing to do" }
}

/** An end without a report. */
export const withoutReport = (finishedAt: number | null): Verdict => ({
  tone: "warn",
  words: finishedAt === null ? "goes on, or was killed" : "no report"
})
