// @jsxRuntime automatic @jsxImportSource preact
/** A part of the Markdown that no chunk holds. */
import type { JSX } from "preact"
import { grouped } from "../../internal/base/figures.ts"
import type { Gap } from "../../internal/look/messages.ts"
import { Shown } from "../parts/Shown.tsx"

export const GapCard = ({ gap: { end, start, what }, markdown }: { gap: Gap; markdown: string }): JSX.Element => (
  <div class="gap">
    <span class="is">
      In no chunk: <Shown text={what} />, characters {grouped(start)}–{grouped(end)}
    </span>
    <pre lang="">
      <code>
        <Shown text={markdown.slice(start, end)} />
      </code>
    </pre>
  </div>
)
