/** Sum of several runs, as one command reports it. */
import type { Summary } from "../../Outcome.ts"

/** Sum of no runs. */
export const nothing: Omit<Summary, "stopped" | "toJSON"> = {
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

const counted = [
  "discovered",
  "unchanged",
  "stored",
  "empty",
  "failed",
  "unsupported",
  "notAttempted",
  "removed",
  "parsed",
  "fromCache",
  "pages",
  "credits",
  "tokens",
  "bytes",
  "requests",
  "retries",
  "ambiguous",
  "truncated",
  "durationMs"
] as const

const changes = ["added", "deleted", "unchanged"] as const

/** Exit statuses from the least to the most serious. */
const weights: ReadonlyArray<Summary["exit"]> = [0, 1, 2, 130]

const worse = (left: Summary["exit"], right: Summary["exit"]): Summary["exit"] =>
  weights.indexOf(left) >= weights.indexOf(right) ? left : right

type Figures = Summary["figures"]

const bothFigures = (left: Figures, right: Figures): Figures => {
  if (left === undefined || right === undefined) return left ?? right
  return {
    described: left.described + right.described,
    fromCache: left.fromCache + right.fromCache,
    failed: left.failed + right.failed,
    tokens: left.tokens + right.tokens
  }
}

/** Adds the summary of a later run: the first reason to stop and the most serious exit status are kept. */
export const add = (
  left: Omit<Summary, "stopped" | "toJSON"> & Pick<Partial<Summary>, "stopped">,
  right: typeof left
): typeof left => {
  const stopped = left.stopped ?? right.stopped
  const figures = bothFigures(left.figures, right.figures)
  const total = {
    ...left,
    unsupportedTypes: { ...left.unsupportedTypes },
    chunks: { ...left.chunks },
    exit: worse(left.exit, right.exit),
    warnings: [...left.warnings, ...right.warnings],
    failures: [...left.failures, ...right.failures],
    ...(figures && { figures }),
    ...(stopped && { stopped })
  }
  for (const name of counted) total[name] += right[name]
  for (const change of changes) total.chunks[change] += right.chunks[change]
  for (const [type, count] of Object.entries(right.unsupportedTypes ?? {})) {
    total.unsupportedTypes[type] = (total.unsupportedTypes[type] ?? 0) + count
  }
  return total
}
