/** What a run shows while it goes on: files, pages, chunks, rate, failures and the time left. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Outcome } from "../Outcome.ts"
import type { Terminal } from "./Terminal.ts"

/** `bar` draws over one line, `plain` writes a line every ten seconds, `none` is silent. */
export type Style = "bar" | "plain" | "none"

export interface Progress {
  readonly discovered: () => void
  readonly complete: () => void
  readonly outcome: (outcome: Outcome) => void
}

interface Counts {
  discovered: number
  /** Whether `discovered` is final. */
  complete: boolean
  done: number
  failed: number
  pages: number
  chunks: number
}

const interval = { bar: 120, plain: 10_000 } as const

/** Draws until the scope closes; the last state stays on the screen as a plain line only in style `plain`. */
export const make = (style: Style, terminal: Terminal.Service): Effect.Effect<Progress, never, Scope.Scope> =>
  Effect.gen(function* () {
    const counts: Counts = { discovered: 0, complete: false, done: 0, failed: 0, pages: 0, chunks: 0 }
    const started = yield* Clock.currentTimeMillis
    if (style !== "none") {
      const draw = Effect.map(Clock.currentTimeMillis, (now) => {
        const text = render(counts, now - started)
        terminal.status(style === "bar" ? `\r\u001B[2K${text.slice(0, terminal.columns - 1)}` : `${text}\n`)
      })
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(interval[style]), draw)))
      if (style === "bar") yield* Effect.addFinalizer(() => Effect.sync(() => terminal.status("\r\u001B[2K")))
    }
    return {
      discovered: () => {
        counts.discovered++
      },
      complete: () => {
        counts.complete = true
      },
      outcome: (outcome) => count(counts, outcome)
    }
  })

const count = (counts: Counts, outcome: Outcome): void => {
  counts.done++
  if (outcome._tag === "Failed") counts.failed++
  if (outcome._tag === "Stored") {
    counts.pages += outcome.pages
    counts.chunks += outcome.chunks.added + outcome.chunks.unchanged
  }
}

/** One line; exported for its test. */
export const render = (counts: Readonly<Counts>, elapsedMs: number): string => {
  const rate = elapsedMs > 0 ? (counts.done * 1000) / elapsedMs : 0
  const total = `${counts.discovered}${counts.complete ? "" : "+"}`
  const share = counts.complete && counts.discovered > 0 ? ` ${bar(counts.done / counts.discovered)}` : ""
  const left = counts.complete && rate > 0 ? ` · ${duration((counts.discovered - counts.done) / rate)} left` : ""
  const failed = counts.failed > 0 ? ` · ${counts.failed} failed` : ""
  return `${counts.done}/${total} files${share} · ${counts.pages} pages · ${counts.chunks} chunks · ${rate.toFixed(1)} files/s${failed}${left}`
}

const bar = (share: number): string => {
  const full = Math.round(share * 20)
  return `[${"#".repeat(full)}${".".repeat(20 - full)}]`
}

/** Seconds as a person says them. */
export const duration = (seconds: number): string => {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
