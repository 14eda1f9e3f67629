/** Report of a finished run for a person. */
import * as Array from "effect/Array"
import { counted, grouped, lasted, tallies } from "../internal/base/figures.ts"
import { isEmpty, type Outcome, type Stored, type Summary } from "../Outcome.ts"
import * as Cause from "./Cause.ts"
import * as Columns from "./Columns.ts"
import * as LeftOut from "./LeftOut.ts"
import * as Line from "./Line.ts"
import type { NextStep } from "./NextStep.ts"
import * as Table from "./Table.ts"

/** Documents of a run: those that were stored, one line each, and those without text. */
export interface Listing {
  readonly add: (outcome: Outcome) => void
  /** Rows of the documents stored; none where they are many. */
  readonly stored: () => ReadonlyArray<Table.Row>
  /** Documents without text. */
  readonly empty: () => ReadonlyArray<string>
}

const most = 20

const bySource = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

export const listing = (): Listing => {
  const stored: Array<Stored> = []
  const empty: Array<string> = []
  return {
    add: (outcome) => {
      if (outcome._tag !== "Stored") return
      if (isEmpty(outcome)) empty.push(outcome.source)
      else if (stored.length <= most) stored.push(outcome)
    },
    stored: () =>
      stored.length > most ? [] : stored.toSorted((left, right) => bySource(left.source, right.source)).map(row),
    empty: () => empty.toSorted(bySource)
  }
}

const columns: ReadonlyArray<Table.Column> = [
  { title: "file", kind: "path" },
  { title: "chunks", kind: "number" },
  { title: "pages", kind: "number" },
  { title: "tokens", kind: "number" }
]

const row = ({ chunks, pages, source, tokens }: Stored): Table.Row => [
  source,
  grouped(chunks.added + chunks.unchanged),
  pages === 0 ? "" : grouped(pages),
  grouped(tokens)
]

const others = (summary: Summary): ReadonlyArray<string> =>
  tallies([
    [summary.unchanged, "unchanged"],
    [summary.empty, "empty"],
    [summary.failed, "failed"],
    [summary.unsupported, "of unsupported types"],
    [summary.notAttempted, "not attempted"],
    [summary.fromCache, "from the cache"]
  ])

/** Counts of a run's files, in one line. */
export const counts = (summary: Summary): string =>
  [
    `${counted(summary.discovered, "file")}: ${grouped(summary.stored)} stored`,
    ...others(summary),
    `${counted(summary.removed, "document")} removed`,
    ...(summary.credits === 0 ? [] : [counted(summary.credits, "credit")]),
    lasted(summary.durationMs / 1000)
  ].join(", ")

const shown = 5

/** The first names, one a line, shortened in their middle, and the number of the others. */
export const names = (all: ReadonlyArray<string>, width: number, total: number = all.length): ReadonlyArray<string> => [
  ...all.slice(0, shown).map((name) => `  ${Columns.middle(name, width - 2)}`),
  ...(total > shown ? [`  and ${grouped(total - shown)} more`] : [])
]

/** The message without the name of its file, which is on the line already. */
export const without = (source: string, message: string): string =>
  message.startsWith(`${source}: `) ? message.slice(source.length + 2) : message

/** A cause with its count, what helps, and its first documents; the message where all have the same. */
export const group = (
  {
    cause,
    members,
    tag
  }: Pick<Cause.Group<{ readonly source: string; readonly message: string }>, "cause" | "members" | "tag">,
  width: number
): ReadonlyArray<Line.Line> => {
  const messages = new Set(members.map(({ message, source }) => without(source, message)))
  const [same = ""] = messages
  const [head = "", ...rest] = Columns.wrap(`${grouped(members.length)} ${cause.what} (${tag})`, width, 2)
  return [
    [Line.bad(head)],
    ...rest,
    ...Columns.wrap(`  ${cause.remedy}`, width, 2),
    ...(messages.size === 1
      ? [
          ...names(
            members.map(({ source }) => source),
            width
          ),
          ...Columns.wrap(`    ${same}`, width, 4)
        ]
      : [
          ...members
            .slice(0, shown)
            .flatMap(({ message, source }) =>
              names([source], width).concat(Columns.wrap(`    ${without(source, message)}`, width, 4))
            ),
          ...names([], width, members.length)
        ])
  ]
}

/** Documents without text; their warnings say why, where the answer did. */
const emptyLines = (total: number, empty: ReadonlyArray<string>, width: number): ReadonlyArray<Line.Line> =>
  total === 0
    ? []
    : [
        [Line.notice(`${grouped(total)} empty`)],
        ...Columns.wrap("  no text was found in them: they are empty, or scans that were not read", width, 2),
        ...names(empty, width, total)
      ]

/** Says of a document without text no more than that it has none. */
const nothingMore = "the document has no text"

/** Warnings by message. */
const warningLines = (
  warnings: Summary["warnings"],
  empty: ReadonlySet<string>,
  width: number
): ReadonlyArray<Line.Line> => {
  const told = warnings.filter(({ message, source }) => !(empty.has(source) && message === nothingMore))
  const all = Object.entries(Array.groupBy(told, ({ message }) => message))
  return Line.spaced([
    ...all.slice(0, shown).map(([message, members]) => {
      const sources = members.map(({ source }) => source)
      const title: ReadonlyArray<Line.Line> = [[Line.notice(counted(sources.length, "warning"))]]
      return title.concat(Columns.wrap(`  ${message}`, width, 2), names(sources, width))
    }),
    all.length > shown ? [`and ${grouped(all.length - shown)} other warnings (--json has them all)`] : []
  ])
}

export interface About {
  readonly targets: ReadonlyArray<string>
  /** The command to type next; undefined where nothing is left to do. */
  readonly next: NextStep | undefined
  /** Columns of a line. */
  readonly width: number
}

/** The command to type next, and a remark on a line of its own. */
export const nextLines = (next: NextStep | undefined, width: number): ReadonlyArray<Line.Line> => {
  if (next === undefined) return []
  const title = "next:"
  const [first = "", ...rest] = Columns.command(`${title} ${next.command}`, width)
  const remark = next.remark === undefined ? [] : Columns.wrap(`  (${next.remark})`, width, 2)
  return [[Line.strong(title), first.slice(title.length)], ...rest, ...remark, ...nextLines(next.also, width)]
}

/** The report's lines, the most important first, failures grouped by their cause. */
export const text = (
  summary: Summary,
  documents: Listing,
  { next, targets, width }: About
): ReadonlyArray<Line.Line> => {
  const chunks = counted(summary.chunks.added + summary.chunks.unchanged, "chunk")
  const rest = others(summary)
  const done = `stored ${counted(summary.stored, "document")}, ${chunks} in ${targets.join(", ")} (${lasted(summary.durationMs / 1000)})`
  const table = Table.lines(columns, documents.stored(), width - 2)
  return Line.spaced([
    [
      ...Columns.wrap(done, width, 2),
      ...table.map((line) => Line.indented(line, 2)),
      ...(rest.length > 0
        ? Columns.wrap(`of ${counted(summary.discovered, "file")}: ${rest.join(", ")}`, width, 2)
        : []),
      ...LeftOut.lines(summary.unsupportedTypes).flatMap((line) => Columns.wrap(line, width, 2)),
      ...(summary.removed > 0
        ? [`removed ${counted(summary.removed, "document")} that ${summary.removed === 1 ? "is" : "are"} gone`]
        : [])
    ],
    stoppedLines(summary, width),
    ...Cause.groups(summary.failures).map((one) => group(one, width)),
    emptyLines(summary.empty, documents.empty(), width),
    warningLines(summary.warnings, new Set(documents.empty()), width),
    nextLines(next, width)
  ])
}

const stoppedLines = (summary: Summary, width: number): ReadonlyArray<Line.Line> => {
  if (summary.stopped === undefined) return []
  return summary.exit === 130
    ? titled("interrupted:", "what was in flight is stored", Line.notice, width)
    : stopped(summary.stopped, width)
}

/** The error that stopped a run. */
export const stopped = ({ message, tag }: NonNullable<Summary["stopped"]>, width: number): ReadonlyArray<Line.Line> =>
  tag === "Interrupted"
    ? titled("interrupted:", message, Line.notice, width)
    : titled("stopped:", `${tag}: ${message}`, Line.bad, width)

/** A text after a styled title. */
const titled = (
  title: string,
  text: string,
  style: (text: string) => Line.Span,
  width: number
): ReadonlyArray<Line.Line> => {
  const [first = "", ...rest] = Columns.wrap(`${title} ${text}`, width, 2)
  return [[style(title), first.slice(title.length)], ...rest]
}
