import { isEmpty, type Outcome, Summary } from "../../Outcome.ts"
import { reasonOf, type Session } from "./session.ts"

/** Counts outcomes. Holds failures and warnings, nothing of a document that succeeded. */
export class SummaryCounts {
  private readonly warnings: Array<Summary["warnings"][number]> = []
  private readonly failures: Array<Summary["failures"][number]> = []
  private empty = 0
  private readonly counts = { Unchanged: 0, Stored: 0, Failed: 0, Unsupported: 0, NotAttempted: 0 }
  private readonly types = new Map<string, number>()
  private readonly chunks = { added: 0, deleted: 0, unchanged: 0 }
  private readonly sums = { pages: 0, tokens: 0, bytes: 0, truncated: 0 }

  readonly add = (outcome: Outcome): void => {
    this.counts[outcome._tag] += 1
    if (outcome._tag === "Failed") {
      const { source, error, tag, message, retryable } = outcome
      this.failures.push({ source, error, tag, message, retryable })
    }
    if (outcome._tag === "Unsupported") {
      this.types.set(outcome.extension, (this.types.get(outcome.extension) ?? 0) + 1)
    }
    if (outcome._tag !== "Stored") return
    if (isEmpty(outcome)) this.empty += 1
    const { sums, chunks } = this
    sums.pages += outcome.pages
    sums.tokens += outcome.tokens
    sums.bytes += outcome.bytes
    sums.truncated += outcome.truncated ? 1 : 0
    chunks.added += outcome.chunks.added
    chunks.deleted += outcome.chunks.deleted
    chunks.unchanged += outcome.chunks.unchanged
    for (const message of outcome.warnings) this.warnings.push({ source: outcome.source, message })
  }

  /** The counts so far, as the summary of a whole run. */
  readonly summary = (session: Session, durationMs: number): Summary => {
    const { ambiguous, figures, requests, retries } = session.run.counters
    const { credits, ...described } = figures
    const anyFigure = Object.values(described).some((count) => count > 0)
    const stopped = session.stopped()
    return new Summary({
      discovered: session.discovered,
      unchanged: this.counts.Unchanged,
      stored: this.counts.Stored - this.empty,
      empty: this.empty,
      failed: this.counts.Failed,
      unsupported: this.counts.Unsupported,
      unsupportedTypes: Object.fromEntries(this.types),
      notAttempted: this.counts.NotAttempted,
      removed: session.removed,
      parsed: session.parsed,
      fromCache: session.fromCache,
      credits: session.credits + credits,
      ...(anyFigure && { figures: described }),
      ...this.sums,
      chunks: { ...this.chunks, deleted: this.chunks.deleted + session.chunksRemoved },
      requests,
      retries,
      ambiguous,
      durationMs,
      exit: this.exit(session),
      ...(stopped === null ? {} : { stopped: reasonOf(stopped) }),
      warnings: [...session.warnings, ...this.warnings],
      failures: this.failures
    })
  }

  private exit(session: Session): Summary["exit"] {
    if (session.interrupted()) return 130
    if (session.stopped() !== null) return session.stoppedExit()
    return this.counts.Failed > 0 || session.warnings.length > 0 ? 1 : 0
  }
}
