// @jsxRuntime automatic @jsxImportSource preact
/** The Markdown of a document, with a switch between its rendered form and its source. */
import type { ComponentChildren, JSX } from "preact"
import { useState } from "preact/hooks"
import type { Pane } from "../desk/light.ts"
import { Markdown } from "./Markdown.tsx"

/** `children` stand beside the switch. */
export const MarkdownPanel = ({
  children,
  label,
  markdown,
  pane,
  verbatim
}: {
  children?: ComponentChildren
  label: string
  markdown: string
  pane: Pane
  /** Begin with the source. */
  verbatim: boolean
}): JSX.Element => {
  const [source, setSource] = useState(verbatim)
  return (
    <div class="stack">
      <div class="bar">
        <div class="switch" role="group" aria-label={`Form: ${label}`}>
          <button type="button" class="small" aria-pressed={!source} onClick={() => setSource(false)}>
            Rendered
          </button>
          <button type="button" class="small" aria-pressed={source} onClick={() => setSource(true)}>
            Source
          </button>
        </div>
        <span class="grow" />
        {children}
      </div>
      <Markdown key={`${source}`} label={label} markdown={markdown} pane={pane} source={source} />
    </div>
  )
}
