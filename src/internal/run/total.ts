/** Sum of several runs, as one command reports it. */
import type { Summary } from "../../Outcome.ts"

/** Sum of no runs. */
export const nothing: Omit<Summary, "stopped"> = {
  discovered: 0,
  unchanged: 0,
  stored: 0,
  empty: 0,
  failed: 0,
  unsupported: 0,
  unsupportedTypes: {},
  notAttempted: 0,
  removed: 0,
  parsed: 0,
  fromCache: 0,
  chunks: { added: 0, deleted: 0, unchanged: 0 },
  pages: 0,
  credits: 0,
  tokens: 0,
  bytes: 0,
  requests: 0,
  retries: 0,
  ambiguous: 0,
  truncated: 0,
  durationMs: 0,
  exit: 0,
  warnings: [],
  failures: []
}

type Types = Readonly<Record<string, number>>

const both = (left: Types = {}, right: Types = {}): Types => ({
  ...left,
  ...Object.fromEntries(Object.entries(right).map(([type, count]) => [type, (left[type] ?? 0) + count]))
})

/** Exit statuses from the least to the most serious. */
const weights: ReadonlyArray<Summary["exit"]> = [0, 1, 2, 130]

const worse = (left: Summary["exit"], right: Summary["exit"]): Summary["exit"] =>
  weights.indexOf(left) >= weights.indexOf(right) ? left : right

/** Adds the summary of a later run: the first reason to stop and the most serious exit status are kept. */
export const add = (
  left: Omit<Summary, "stopped"> & Pick<Partial<Summary>, "stopped">,
  right: typeof left
): typeof left => {
  const stopped = left.stopped ?? right.stopped
  return {
    discovered: left.discovered + right.discovered,
    unchanged: left.unchanged + right.unchanged,
    stored: left.stored + right.stored,
    empty: left.empty + right.empty,
    failed: left.failed + right.failed,
    unsupported: left.unsupported + right.unsupported,
    unsupportedTypes: both(left.unsupportedTypes, right.unsupportedTypes),
    notAttempted: left.notAttempted + right.notAttempted,
    removed: left.removed + right.removed,
    parsed: left.parsed + right.parsed,
    fromCache: left.fromCache + right.fromCache,
    chunks: {
      added: left.chunks.added + right.chunks.added,
      deleted: left.chunks.deleted + right.chunks.deleted,
      unchanged: left.chunks.unchanged + right.chunks.unchanged
    },
    pages: left.pages + right.pages,
    credits: left.credits + right.credits,
    tokens: left.tokens + right.tokens,
    bytes: left.bytes + right.bytes,
    requests: left.requests + right.requests,
    retries: left.retries + right.retries,
    ambiguous: left.ambiguous + right.ambiguous,
    truncated: left.truncated + right.truncated,
    durationMs: left.durationMs + right.durationMs,
    exit: worse(left.exit, right.exit),
    warnings: [...left.warnings, ...right.warnings],
    failures: [...left.failures, ...right.failures],
    ...(stopped === undefined ? {} : { stopped })
  }
}
