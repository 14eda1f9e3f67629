/** Step at which a child pauses, so that it can be killed between two steps. */
export const steps = [
  "after-announce",
  "before-write",
  "after-write",
  "before-commit",
  "after-commit",
  "before-remove",
  "after-remove",
  "before-removed",
  "before-forget",
  "before-compact",
  "after-compact",
  "before-finish-run"
] as const

export interface Pause {
  readonly step: (typeof steps)[number]
  /** At which time that the step is come to; 1 is the first. */
  readonly times: number
}

/** Settings of a child's run. */
export interface Order {
  readonly directory: string
  readonly base: string
  readonly concurrency: number
  readonly pause: Pause | null
  /** Sinks do not replace documents: they write, and remove afterwards. */
  readonly plain: boolean
}

export const isOrder = (message: unknown): message is Order =>
  typeof message === "object" && message !== null && "directory" in message && "pause" in message
