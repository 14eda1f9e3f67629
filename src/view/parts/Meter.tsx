// @jsxRuntime automatic @jsxImportSource preact
/** A bar that shows a part of a whole. */
import type { JSX } from "preact"

/** `label` null: the figure stands next to the bar, which then is nothing to a screen reader. */
export const Meter = ({ label, part, whole }: { label: string | null; part: number; whole: number }): JSX.Element => {
  const share = part / Math.max(1, whole)
  return (
    <svg
      class={share > 1 ? "meter over" : "meter"}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      {...(label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label })}
    >
      <rect class="whole" width={100} height={8} />
      <rect class="part" width={Math.round(Math.min(1, share) * 100)} height={8} />
    </svg>
  )
}
