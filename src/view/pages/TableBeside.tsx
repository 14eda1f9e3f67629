// @jsxRuntime automatic @jsxImportSource preact
/** A table as it was read, beside the part of its page that it was read from. */
import type { JSX } from "preact"
import { useMemo } from "preact/hooks"
import type { Calls } from "../desk/calls.ts"
import { Rendered } from "../markdown/Rendered.tsx"
import { segments } from "../markdown/segments.ts"
import { Fetched } from "./Fetched.tsx"
import { type Bbox, placed } from "./PageSheet.tsx"

/** Width in pixels of the page's picture, of which a part is shown. */
const width = 1400

/** Share of the page that is shown around the table. */
const margin = 0.01

/** `pictures` null where none may be made, or the document has none. */
export const TableBeside = ({
  bbox,
  content,
  label,
  page,
  pictures,
  ratio
}: {
  bbox: Bbox
  /** Its Markdown. */
  content: string
  label: string
  page: number
  pictures: { readonly calls: Calls; readonly path: string } | null
  /** Height by width of the page. */
  ratio: number
}): JSX.Element => {
  const parts = useMemo(() => segments(content), [content])
  const [left, top, across, down] = placed(bbox)
  const [x, y] = [Math.max(0, left - margin), Math.max(0, top - margin)]
  const view = [x, y * ratio, Math.min(1 - x, across + 2 * margin), Math.min(1 - y, down + 2 * margin) * ratio]
  return (
    <div class="beside">
      {pictures !== null && (
        <Fetched
          of={`${pictures.path} ${page}`}
          fetch={(signal) => pictures.calls.picture(pictures.path, page, width, signal)}
          label={`As page ${page} shows it`}
        >
          {(url) => (
            <svg viewBox={view.join(" ")} role="img" aria-label={`${label}, as page ${page} shows it`}>
              <image href={url} width={1} height={ratio} preserveAspectRatio="none" />
            </svg>
          )}
        </Fetched>
      )}
      <div class="prose" role="group" aria-label={`${label}, as it was read`}>
        {parts.map((segment) => (
          <Rendered key={segment.start} markdown={content} segment={segment} />
        ))}
      </div>
    </div>
  )
}
