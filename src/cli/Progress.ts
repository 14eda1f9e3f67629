/** Progress display of a run: files, pages, chunks, rate, failures and the time left. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type * as Pipeline from "../Pipeline.ts"
import type { Terminal } from "./Terminal.ts"

/** `bar` redraws one line, `plain` writes a line every ten seconds, `none` is silent. */
export type Style = "bar" | "plain" | "none"

export interface Progress {
  readonly update: (state: Pipeline.Progress) => void
  /** Clears the line, so that results begin on an empty one. */
  readonly end: Effect.Effect<void>
}

interface Counts {
  discovered: number
  /** True once `discovered` is final. */
  complete: boolean
  done: number
  unchanged: number
  failed: number
  pages: number
  chunks: number
}

/** Style that the flags select: `auto` is a bar on a terminal, otherwise `none`. */
export const styleOf = (
  given: { readonly quiet: boolean; readonly progress: "auto" | "plain" | "none" },
  interactive: boolean
): Style => {
  if (given.quiet) return "none"
  if (given.progress === "auto") return interactive ? "bar" : "none"
  return given.progress
}

const interval = { bar: 120, plain: 10_000 } as const

/** Draws until it is ended or the scope closes. */
export const make = (style: Style, terminal: Terminal.Service): Effect.Effect<Progress, never, Scope.Scope> =>
  Effect.gen(function* () {
    const counts: Counts = { discovered: 0, complete: false, done: 0, unchanged: 0, failed: 0, pages: 0, chunks: 0 }
    const started = yield* Clock.currentTimeMillis
    const draw = Effect.map(Clock.currentTimeMillis, (now) => {
      const text = render(counts, now - started)
      return style === "bar" ? Effect.sync(() => terminal.draw(text)) : terminal.note(text)
    }).pipe(Effect.flatten)
    const clear = Effect.sync(() => {
      if (style === "bar") terminal.wipe()
    })
    const drawing =
      style === "none" ? Effect.never : Effect.forever(Effect.zipRight(Effect.sleep(interval[style]), draw))
    const fiber = yield* Effect.forkScoped(Effect.ensuring(drawing, clear))
    return { update: (state) => count(counts, state), end: Effect.asVoid(Fiber.interrupt(fiber)) }
  })

const count = (counts: Counts, { complete, discovered, finished, outcome }: Pipeline.Progress): void => {
  counts.discovered = discovered
  counts.complete = complete
  counts.done = finished
  if (outcome._tag === "Unchanged") counts.unchanged++
  if (outcome._tag === "Failed") counts.failed++
  if (outcome._tag === "Stored") {
    counts.pages += outcome.pages
    counts.chunks += outcome.chunks.added + outcome.chunks.unchanged
  }
}

/** One line of progress; exported for its test. */
export const render = (counts: Readonly<Counts>, elapsedMs: number): string => {
  const rate = elapsedMs > 0 ? (counts.done * 1000) / elapsedMs : 0
  const total = `${counts.discovered}${counts.complete ? "" : "+"}`
  const share = counts.complete && counts.discovered > 0 ? ` ${bar(counts.done / counts.discovered)}` : ""
  const left = counts.complete && rate > 0 ? ` · ${duration((counts.discovered - counts.done) / rate)} left` : ""
  const unchanged = counts.unchanged > 0 ? ` · ${counts.unchanged} unchanged` : ""
  const failed = counts.failed > 0 ? ` · ${counts.failed} failed` : ""
  return `${counts.done}/${total} files${share} · ${counts.pages} pages · ${counts.chunks} chunks · ${rate.toFixed(1)} files/s${unchanged}${failed}${left}`
}

const bar = (share: number): string => {
  const full = Math.round(share * 20)
  return `[${"#".repeat(full)}${".".repeat(20 - full)}]`
}

/** Seconds in a readable unit. */
export const duration = (seconds: number): string => {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
