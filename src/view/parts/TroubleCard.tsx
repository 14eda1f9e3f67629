// @jsxRuntime automatic @jsxImportSource preact
/** A failure: its tag, its message, its remedy, and a way to try again. */
import type { ComponentChildren, JSX } from "preact"
import type { Refusal } from "../../internal/look/messages.ts"
import { Shown } from "./Shown.tsx"

export const TroubleCard = ({
  children,
  onRetry,
  title,
  trouble
}: {
  children?: ComponentChildren
  onRetry?: (() => void) | undefined
  title: string
  trouble: Refusal["error"]
}): JSX.Element => (
  <section class="trouble" role="alert">
    <h2>{title}</h2>
    <p class="tag">
      <code>{trouble.tag}</code>
    </p>
    <p class="message">
      <Shown text={trouble.message} />
    </p>
    {trouble.remedy !== null && (
      <p class="remedy">
        <b>What helps:</b> <Shown text={trouble.remedy} />
      </p>
    )}
    {children}
    {onRetry !== undefined && (
      <button type="button" class="primary" onClick={onRetry}>
        Try again
      </button>
    )}
  </section>
)
