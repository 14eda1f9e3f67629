// @jsxRuntime automatic @jsxImportSource preact
/** The page of the server and the reports of runs: components that a browser runs, or that become text on this machine. */
import type { JSX } from "preact"

/** A bar that shows a part of a whole. */
export const Meter = ({ label, part, whole }: { label: string; part: number; whole: number }): JSX.Element => (
  <svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
    <rect class="part" width={Math.min(100, (100 * part) / Math.max(1, whole))} height={8} />
  </svg>
)
