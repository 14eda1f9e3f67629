// @jsxRuntime automatic @jsxImportSource preact
/** The last runs, a row each. */
import type { JSX } from "preact"
import { grouped, timed } from "../../internal/base/figures.ts"
import type { Recorded, RunReport } from "../../internal/state/ledger/runReport.ts"
import { Shown } from "../parts/Shown.tsx"
import { Name } from "./Documents.tsx"
import { type Column, type Row, Table } from "./Table.tsx"
import { machine, moment, verdict, withoutReport } from "./words.ts"

/** `paid`: with the credits. */
const columnsOf = (paid: boolean): ReadonlyArray<Column> => [
  { title: "Run", kind: "number" },
  { title: "Started", kind: "time" },
  { title: "Root", kind: "name" },
  { title: "Result", kind: "result" },
  { title: "Files", kind: "number" },
  { title: "", kind: "share" },
  { title: "Stored", kind: "number" },
  { title: "Unchanged", kind: "number" },
  { title: "Empty", kind: "number" },
  { title: "Failed", kind: "number" },
  { title: "Removed", kind: "number" },
  { title: "Pages", kind: "number" },
  ...(paid ? [{ title: "Credits", kind: "number" } as const] : []),
  { title: "Time", kind: "number" }
]

/** Parts of the files found: stored, unchanged or empty, failed. */
const Parts = ({ report }: { report: RunReport }): JSX.Element => {
  const parts = [
    ["stored", report.stored],
    ["same", report.unchanged + report.empty],
    ["failed", report.failed]
  ] as const
  const scale = 100 / Math.max(1, report.discovered)
  let x = 0
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(([name, count]) => {
        const start = x
        x += count * scale
        return <rect key={name} class={name} x={start} width={count * scale} height={8} />
      })}
    </svg>
  )
}

export const Moment = ({ at }: { at: number }): JSX.Element => <time dateTime={machine(at)}>{moment(at)}</time>

const rowOf = ({ finishedAt, report, run, startedAt }: Recorded, columns: number, paid: boolean): Row => {
  const { tone, words } = report === null ? withoutReport(finishedAt) : verdict(report)
  const cells = [grouped(run), <Moment at={startedAt} />]
  const result = (
    <span class={tone}>
      <Shown text={words} />
    </span>
  )
  if (report === null) {
    return { key: run, cells: [...cells, "", result, ...Array.from({ length: columns - 4 }, () => "")] }
  }
  const { credits, discovered, durationMs, empty, failed, pages, removed, root, stored, unchanged } = report
  const figures = [stored, unchanged, empty, failed, removed, pages, ...(paid ? [credits] : [])]
  return {
    key: run,
    cells: [
      ...cells,
      <Name text={root ?? ""} />,
      result,
      grouped(discovered),
      <Parts report={report} />,
      ...figures.map((number) => (number === 0 ? <span class="dim">0</span> : grouped(number))),
      timed(durationMs)
    ]
  }
}

const Key = ({ name, text }: { name: string; text: string }): JSX.Element => (
  <>
    <svg class="key" aria-hidden="true">
      <rect class={name} />
    </svg>
    {text}
  </>
)

/** The latest first. */
export const History = ({ runs }: { runs: ReadonlyArray<Recorded> }): JSX.Element => {
  const paid = runs.some(({ report }) => (report?.credits ?? 0) > 0)
  const columns = columnsOf(paid)
  return (
    <section>
      <h2>Runs</h2>
      <p class="dim">
        The latest first.
        <Key name="stored" text="stored" />
        <Key name="same" text="unchanged or empty" />
        <Key name="failed" text="failed" />
      </p>
      <Table
        dense
        label="The last runs"
        columns={columns}
        rows={runs.map((recorded) => rowOf(recorded, columns.length, paid))}
      />
    </section>
  )
}
