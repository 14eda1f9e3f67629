// @jsxRuntime automatic @jsxImportSource preact
/** One run in detail. */
import type { JSX } from "preact"
import { grouped, sized, timed } from "../../internal/base/figures.ts"
import * as Remedies from "../../internal/base/remedies.ts"
import type { RunReport } from "../../internal/state/ledger/runReport.ts"
import { Shown } from "../parts/Shown.tsx"
import { Documents, type LinksOf, Name } from "./Documents.tsx"
import { Failures } from "./Failures.tsx"
import { Moment } from "./History.tsx"
import { Sizes } from "./Sizes.tsx"
import { verdict } from "./words.ts"

const Fact = ({ name, note, value }: { name: string; value: string; note?: string | undefined }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>
      {value}
      {note === undefined ? null : <small>{note}</small>}
    </dd>
  </div>
)

const Counts = ({ report }: { report: RunReport }): JSX.Element => {
  const facts = [
    ["Found", report.discovered],
    ["Stored", report.stored],
    ["Unchanged", report.unchanged],
    ["Empty", report.empty],
    ["Failed", report.failed],
    ["Removed", report.removed],
    ["Types not read", report.unsupported],
    ["Not attempted", report.notAttempted]
  ] as const
  return (
    <dl class="facts" aria-label="Documents">
      {facts.map(([name, value]) => (
        <Fact key={name} name={name} value={grouped(value)} />
      ))}
    </dl>
  )
}

const Costs = ({ report }: { report: RunReport }): JSX.Element => {
  const { ambiguous, bytes, chunks, credits, fromCache, pages, parsed, requests, retries, tokens, waits } = report
  const changes = [
    `${grouped(chunks.added)} added`,
    ...(chunks.unchanged === 0 ? [] : [`${grouped(chunks.unchanged)} unchanged`]),
    ...(chunks.deleted === 0 ? [] : [`${grouped(chunks.deleted)} deleted`])
  ]
  const paid = credits > 0
  const cached = `${grouped(fromCache)} from the cache`
  return (
    <dl class="facts" aria-label={paid ? "Work and costs" : "Work"}>
      <Fact name="Time" value={timed(report.durationMs)} />
      <Fact name="Pages" value={grouped(pages)} note={`${sized(bytes)} of files`} />
      {paid ? <Fact name="Credits" value={grouped(credits)} note={`${grouped(parsed)} parsed, ${cached}`} /> : null}
      {paid ? null : <Fact name="Parsed" value={grouped(parsed)} note={cached} />}
      <Fact
        name="Requests"
        value={grouped(requests)}
        note={ambiguous === 0 ? undefined : `${grouped(ambiguous)} without an answer, perhaps charged`}
      />
      <Fact name="Retries" value={grouped(retries)} />
      <Fact
        name="Waits"
        value={grouped(waits.count)}
        note={waits.count === 0 ? undefined : `${timed(waits.total)} in all, ${timed(waits.longest)} the longest`}
      />
      <Fact name="Chunks" value={grouped(chunks.added + chunks.unchanged)} note={changes.join(", ")} />
      <Fact name="Tokens" value={grouped(tokens)} />
    </dl>
  )
}

const Stopped = ({ stopped: { message, tag } }: { stopped: NonNullable<RunReport["stopped"]> }): JSX.Element => {
  const remedy = Remedies.remedyOf(tag)
  return (
    <div class="notice">
      <p>
        <strong>
          Stopped: <Shown text={tag} />
        </strong>
      </p>
      <p>
        <Shown text={message} />
      </p>
      {remedy === null ? null : <p>What helps: {remedy}.</p>}
    </div>
  )
}

const Types = ({ types }: { types: RunReport["unsupportedTypes"] }): JSX.Element | null =>
  types.length === 0 ? null : (
    <section>
      <h3>Types not read</h3>
      <p>
        {types.map(({ count, extension }, at) => (
          <span key={extension}>
            {at === 0 ? "" : ", "}
            {grouped(count)} <bdi>{extension === "" ? "without an extension" : <Shown text={`.${extension}`} />}</bdi>
          </span>
        ))}
      </p>
    </section>
  )

export interface Detail {
  /** Number of the run; null for one that no state keeps. */
  readonly run: number | null
  readonly report: RunReport
  readonly linksOf: LinksOf
  /** Command that sends the failed documents again; null without a state. */
  readonly retry: string | null
}

export const Run = ({ linksOf, report, retry, run }: Detail): JSX.Element => {
  const { tone, words } = verdict(report)
  return (
    <article>
      <h2>
        {run === null ? "Run" : `Run ${grouped(run)}`}
        {report.root === null ? null : (
          <>
            {" of "}
            <Name text={report.root} />
          </>
        )}
      </h2>
      <p>
        <span class={`verdict ${tone}`}>
          <Shown text={words} />
        </span>
        {" · "}
        <Moment at={report.startedAt} />
        {" · exit status "}
        {report.exit}
      </p>
      <p class="dim">
        {report.folder === null ? null : (
          <>
            <Name text={report.folder} />
            {" → "}
          </>
        )}
        {report.sinks.map((sink, at) => (
          <span key={at}>
            {at === 0 ? "" : ", "}
            <Name text={sink} />
          </span>
        ))}
      </p>
      {report.stopped === undefined ? null : <Stopped stopped={report.stopped} />}
      <Counts report={report} />
      <Costs report={report} />
      <Failures report={report} retry={retry} />
      <Sizes sizes={report.chunkSizes} />
      <Documents report={report} linksOf={linksOf} />
      <Types types={report.unsupportedTypes} />
      <p class="dim">A report keeps twenty documents of each list.</p>
    </article>
  )
}
