// @jsxRuntime automatic @jsxImportSource preact
/** Documents that failed, by the tag of their error, with what helps. */
import type { JSX } from "preact"
import { counted, grouped } from "../../internal/base/figures.ts"
import * as Remedies from "../../internal/base/remedies.ts"
import type { Failures as Group, Remark, RunReport } from "../../internal/state/ledger/runReport.ts"
import { Shown } from "../parts/Shown.tsx"
import { Name } from "./Documents.tsx"
import { Table } from "./Table.tsx"

const remarkColumns = (subject: string) => [
  { title: subject, kind: "name" as const },
  { title: "Message", kind: "message" as const }
]

/** The message without the name of its file, which is in the row already. */
const without = ({ message, source }: Remark): string =>
  message.startsWith(`${source}: `) ? message.slice(source.length + 2) : message

const Remarks = ({
  label,
  remarks,
  subject
}: {
  label: string
  subject: string
  remarks: ReadonlyArray<Remark>
}): JSX.Element => (
  <Table
    label={label}
    columns={remarkColumns(subject)}
    rows={remarks.map((remark, at) => ({
      key: at,
      cells: [<Name text={remark.source} />, <Shown text={without(remark)} />]
    }))}
  />
)

const more = (shown: number, total: number): string => (total > shown ? ` The first ${shown}.` : "")

const Failed = ({ group: { count, documents, retryable, tag } }: { group: Group }): JSX.Element => {
  const { remedy, what } =
    tag === "" ? { what: "failed with other errors", remedy: "see their messages" } : Remedies.of(tag, retryable)
  return (
    <div class="failure">
      <h4>
        {grouped(count)} <Shown text={what} />{" "}
        {tag === "" ? null : (
          <code>
            <Shown text={tag} />
          </code>
        )}
      </h4>
      <p>
        What helps: {remedy}.<span class="dim">{more(documents.length, count)}</span>
      </p>
      {documents.length === 0 ? null : <Remarks label={`Documents: ${what}`} subject="Document" remarks={documents} />}
    </div>
  )
}

/** `retry`: the command that sends them again; null where only a change of the files helps. */
export const Failures = ({
  report: { failed, failures, warnings },
  retry
}: {
  report: RunReport
  retry: string | null
}): JSX.Element => (
  <>
    {failures.length === 0 ? null : (
      <section>
        <h3>{counted(failed, "failed document")}</h3>
        {retry === null || !failures.some(({ retryable }) => retryable) ? null : (
          <p>
            To send them again: <code>{retry}</code>
          </p>
        )}
        {failures.map((group) => (
          <Failed key={group.tag} group={group} />
        ))}
      </section>
    )}
    {warnings.count === 0 ? null : (
      <section>
        <h3>{counted(warnings.count, "warning")}</h3>
        <p class="dim">{more(warnings.first.length, warnings.count)}</p>
        <Remarks label="Warnings" subject="About" remarks={warnings.first} />
      </section>
    )}
  </>
)
