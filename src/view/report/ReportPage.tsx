// @jsxRuntime automatic @jsxImportSource preact
/** Reports of runs as one page, without script, external address or anything else to load. The same reports give the same page. */
import type { JSX } from "preact"
import { renderToString } from "preact-render-to-string"
import type { Recorded } from "../../internal/state/ledger/runReport.ts"
import { plain } from "../parts/Shown.tsx"
import { Frame } from "./Frame.tsx"
import { History } from "./History.tsx"
import { type Detail, Run } from "./Run.tsx"
import { css } from "./theme.ts"

export interface Page {
  /** State directory; null without one. */
  readonly state: string | null
  /** The latest first. */
  readonly history: ReadonlyArray<Recorded>
  readonly details: ReadonlyArray<Detail>
  /** Digest of {@link css} for the page's policy, such as `sha256-…`. */
  readonly styleHash: string
}

export { css }

const ReportPage = ({ details, history, state, styleHash }: Page): JSX.Element => {
  const title = `Runs of ${plain(state ?? "docsluice")}`
  return (
    <Frame title={title} styleHash={styleHash}>
      {history.length === 0 ? null : <History runs={history} />}
      {details.map((detail, at) => (
        <Run key={at} {...detail} />
      ))}
      {details.length === 0 ? <p>No run has a report yet.</p> : null}
    </Frame>
  )
}

/** The page as HTML. */
export const render = (page: Page): string => `<!DOCTYPE html>${renderToString(<ReportPage {...page} />)}\n`
