/** Report of a finished run for a person. */
import type { Outcome, Stored, Summary } from "../Outcome.ts"
import * as LeftOut from "./LeftOut.ts"
import * as Printable from "./Printable.ts"
import { duration } from "./Progress.ts"

/** Documents of a run, one line each; those of a large run are cut. */
export interface Listing {
  readonly add: (outcome: Outcome) => void
  readonly lines: () => ReadonlyArray<string>
}

const most = 20

export const listing = (): Listing => {
  const stored: Array<Stored> = []
  return {
    add: (outcome) => {
      if (outcome._tag === "Stored" && stored.length <= most) stored.push(outcome)
    },
    lines: () => (stored.length > most ? [] : table(stored.toSorted((a, b) => (a.source < b.source ? -1 : 1))))
  }
}

const table = (stored: ReadonlyArray<Stored>): ReadonlyArray<string> => {
  const width = Math.max(0, ...stored.map(({ source }) => Printable.line(source).length))
  return stored.map((outcome) => {
    const pages = outcome.pages === 0 ? "" : `, ${count(outcome.pages, "page")}`
    const chunks = count(outcome.chunks.added + outcome.chunks.unchanged, "chunk")
    return `  ${Printable.line(outcome.source).padEnd(width)}  ${chunks}${pages}, ${count(outcome.tokens, "token")}`
  })
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

const others = (summary: Summary): ReadonlyArray<string> => {
  const all = [
    [summary.unchanged, "unchanged"],
    [summary.failed, "failed"],
    [summary.unsupported, "of unsupported types"],
    [summary.notAttempted, "not attempted"],
    [summary.fromCache, "from the cache"]
  ] as const
  return all.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`)
}

/** Counts of a run's files, in one line. */
export const counts = (summary: Summary): string =>
  [
    `${count(summary.discovered, "file")}: ${summary.stored} stored`,
    ...others(summary),
    `${count(summary.removed, "document")} removed`,
    `${summary.credits} credits`,
    duration(summary.durationMs / 1000)
  ].join(", ")

/** A size in a readable unit. */
export const bytes = (size: number): string => {
  const units = ["bytes", "KB", "MB", "GB", "TB"]
  const step = Math.min(units.length - 1, size < 1024 ? 0 : Math.floor(Math.log(size) / Math.log(1024)))
  return `${step === 0 ? size : (size / 1024 ** step).toFixed(1)} ${units[step]}`
}

const shown = 10

const some = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0
    ? []
    : [
        `${title}:`,
        ...lines.slice(0, shown).map((line) => `  ${line}`),
        ...(lines.length > shown ? [`  and ${lines.length - shown} more (--json has them all)`] : [])
      ]

/** The report's lines, the most important first. */
export const text = (summary: Summary, documents: Listing, targets: ReadonlyArray<string>): ReadonlyArray<string> => {
  const chunks = count(summary.chunks.added + summary.chunks.unchanged, "chunk")
  const rest = others(summary)
  return [
    `stored ${count(summary.stored, "document")}, ${chunks} in ${targets.join(", ")} (${duration(summary.durationMs / 1000)})`,
    ...documents.lines(),
    ...(rest.length > 0 ? [`of ${count(summary.discovered, "file")}: ${rest.join(", ")}`] : []),
    ...LeftOut.lines(summary.unsupportedTypes),
    ...(summary.removed > 0 ? [`removed ${count(summary.removed, "document")} that are gone`] : []),
    ...(summary.stopped === undefined ? [] : [`stopped: ${summary.stopped.tag}: ${summary.stopped.message}`]),
    ...some(
      "failures",
      summary.failures.map((failure) => `${failure.source}: ${failure.tag}: ${failure.message}`)
    ),
    ...some(
      "warnings",
      summary.warnings.map((warning) => `${warning.source}: ${warning.message}`)
    )
  ]
}
