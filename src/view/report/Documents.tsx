// @jsxRuntime automatic @jsxImportSource preact
/** Lists of documents of a run, each with ways to look at it. */
import type { JSX } from "preact"
import { counted, grouped, sized, timed } from "../../internal/base/figures.ts"
import type { Document, RunReport } from "../../internal/state/ledger/runReport.ts"
import { Shown } from "../parts/Shown.tsx"
import { type Column, Table } from "./Table.tsx"

/** Ways to look at a document: those that are there. */
export interface Links {
  /** Address of its file, relative to the page. */
  readonly file: string | null
  /** Address of the folder in which a sink keeps its chunks, relative to the page. */
  readonly folder: string | null
  /** Command that makes the page of its chunks. */
  readonly command: string | null
}

export type LinksOf = (source: string) => Links

export const Name = ({ text }: { text: string }): JSX.Element => (
  <bdi>
    <Shown text={text} />
  </bdi>
)

const Look = ({ links: { command, file, folder } }: { links: Links }): JSX.Element => (
  <>
    {file === null ? null : <a href={file}>file</a>}
    {folder === null ? null : <a href={folder}>chunk files</a>}
    {command === null ? null : (
      <details>
        <summary>chunk page</summary>
        <code>
          <Shown text={command} />
        </code>
      </details>
    )}
  </>
)

const look: Column = { title: "Look", kind: "look" }

const columns: ReadonlyArray<Column> = [
  { title: "Document", kind: "name" },
  { title: "Time", kind: "number" },
  { title: "Size", kind: "number" },
  { title: "Pages", kind: "number" },
  { title: "Chunks", kind: "number" },
  { title: "Tokens", kind: "number" },
  look
]

const figure = (number: number): string => (number === 0 ? "–" : grouped(number))

const List = ({
  documents,
  linksOf,
  note,
  title,
  total
}: {
  title: string
  note: string
  documents: ReadonlyArray<Document>
  /** Their number in the run; undefined where the list is the whole of it. */
  total?: number
  linksOf: LinksOf
}): JSX.Element | null =>
  documents.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <p class="dim">
        {note}
        {total !== undefined && total > documents.length ? ` The first ${documents.length} of ${grouped(total)}.` : ""}
      </p>
      <Table
        label={title}
        columns={columns}
        rows={documents.map(({ bytes, chunks, failed, millis, pages, source, tokens }, at) => ({
          key: at,
          cells: [
            <>
              <Name text={source} />
              {failed === null ? null : (
                <small class="bad">
                  {" "}
                  <Shown text={failed} />
                </small>
              )}
            </>,
            timed(millis),
            bytes === 0 ? "–" : sized(bytes),
            figure(pages),
            figure(chunks),
            figure(tokens),
            <Look links={linksOf(source)} />
          ]
        }))}
      />
    </section>
  )

const Removed = ({ paths, total }: { paths: ReadonlyArray<string>; total: number }): JSX.Element | null =>
  paths.length === 0 ? null : (
    <section>
      <h3>Removed</h3>
      <p class="dim">
        {counted(total, "document")} no longer found, and removed from the sinks.
        {total > paths.length ? ` The first ${paths.length}.` : ""}
      </p>
      <Table
        label="Removed documents"
        columns={[{ title: "Document", kind: "name" }]}
        rows={paths.map((path, at) => ({ key: at, cells: [<Name text={path} />] }))}
      />
    </section>
  )

export const Documents = ({ linksOf, report }: { report: RunReport; linksOf: LinksOf }): JSX.Element => (
  <>
    <List
      title="Slowest"
      note="Time from a document's turn to its outcome; waits for the service and for the sinks count."
      documents={report.slowest}
      linksOf={linksOf}
    />
    <List
      title="Largest"
      note="Stored documents by the size of the file."
      documents={report.largest}
      linksOf={linksOf}
    />
    <List
      title="Empty"
      note="No text was found in them: they are empty, or scans that were not read. No search finds them."
      documents={report.emptyDocuments}
      total={report.empty}
      linksOf={linksOf}
    />
    <List
      title="Stored in part"
      note="A limit of the parser was reached, or a part could not be read: the warnings say which."
      documents={report.truncatedDocuments}
      total={report.truncated}
      linksOf={linksOf}
    />
    <Removed paths={report.removedDocuments} total={report.removed} />
  </>
)
