/** Progress display of a run: files, pages, chunks, rate, failures, the gate's limits, and the time left. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { lasted } from "../internal/base/figures.ts"
import type * as Pipeline from "../Pipeline.ts"
import type { Snapshot } from "../RequestGate.ts"
import type { Terminal } from "./Terminal.ts"

/** `bar` redraws one line, `plain` writes a line every ten seconds, `none` is silent. */
export type Style = "bar" | "plain" | "none"

export interface Progress {
  readonly update: (state: Pipeline.Progress) => void
  /** Shows what is waited for, until null. */
  readonly wait: (what: string | null) => void
  /** Shows this gate from now on. */
  readonly watch: (gate: (() => Snapshot) | undefined) => void
  /** Shows that no further file is begun. */
  readonly finish: () => void
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
  /** True once no further file is begun. */
  finishing: boolean
  /** What is waited for before the first file; null while files are worked on. */
  waiting: string | null
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
    const counts: Counts = {
      discovered: 0,
      complete: false,
      done: 0,
      unchanged: 0,
      failed: 0,
      pages: 0,
      chunks: 0,
      finishing: false,
      waiting: null
    }
    const started = yield* Clock.currentTimeMillis
    let gate: (() => Snapshot) | undefined
    const draw = Effect.map(Clock.currentTimeMillis, (now) => {
      const columns = style === "bar" ? terminal.columns - 1 : Infinity
      const text = render(counts, { elapsed: now - started, gate: gate?.() ?? null, now, columns })
      return style === "bar" ? Effect.sync(() => terminal.draw(text)) : terminal.note(text)
    }).pipe(Effect.flatten)
    const clear = Effect.sync(() => {
      if (style === "bar") terminal.wipe()
    })
    const drawing =
      style === "none" ? Effect.never : Effect.forever(Effect.zipRight(Effect.sleep(interval[style]), draw))
    const fiber = yield* Effect.forkScoped(Effect.ensuring(drawing, clear))
    const watch = (found: typeof gate): void => {
      gate = found
    }
    const finish = (): void => {
      counts.finishing = true
    }
    const wait = (what: string | null): void => {
      counts.waiting = what
    }
    return { update: (state) => count(counts, state), wait, watch, finish, end: Effect.asVoid(Fiber.interrupt(fiber)) }
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

/** The moment of a line, and the room for it. */
interface Moment {
  /** Milliseconds since the start. */
  readonly elapsed: number
  /** Null where no requests are sent. */
  readonly gate: Snapshot | null
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Most characters of the line. */
  readonly columns: number
}

/** A part of the line; those of the lowest weight are left out first where the line is too long. */
interface Part {
  readonly text: string
  readonly weight: number
}

/**
 * One line of progress; exported for its test. What is waited for before the first file stands alone. Where the line is too long, parts are left
 * out in this order: the bar, unchanged files, pages, chunks, files a second, the time left, the gate, failures. The count of files stays.
 */
export const render = (counts: Readonly<Counts>, { columns, elapsed, gate, now }: Moment): string => {
  if (counts.waiting !== null) return `waiting for ${counts.waiting}`
  const rate = elapsed > 0 ? (counts.done * 1000) / elapsed : 0
  const total = `${counts.discovered}${counts.complete ? "" : "+"}`
  const share = counts.complete && counts.discovered > 0 ? ` ${bar(counts.done / counts.discovered)}` : ""
  const left =
    counts.complete && rate > 0 && !counts.finishing ? `${lasted((counts.discovered - counts.done) / rate)} left` : ""
  let parts: ReadonlyArray<Part> = [
    { text: share, weight: 0 },
    { text: `${counts.pages} pages`, weight: 2 },
    { text: `${counts.chunks} chunks`, weight: 3 },
    { text: `${rate.toFixed(1)} files/s`, weight: 4 },
    { text: counts.unchanged > 0 ? `${counts.unchanged} unchanged` : "", weight: 1 },
    { text: counts.failed > 0 ? `${counts.failed} failed` : "", weight: 7 },
    { text: gate === null ? "" : inWords(gate, now), weight: 6 },
    { text: left, weight: 5 }
  ]
  const files = `${counts.finishing ? "finishing: " : ""}${counts.done}/${total} files`
  const line = (): string =>
    parts.reduce((text, part) => (part.text === "" ? text : text + (part.weight === 0 ? "" : " · ") + part.text), files)
  for (let weight = 0; weight <= 7 && line().length > columns; weight++) {
    parts = parts.filter((part) => part.weight > weight)
  }
  return line()
}

/** Limit, rate and queue of a gate, or the reason why it lets nothing through. */
const inWords = ({ breaker, closedUntil, limit, ratePerSecond, waiting }: Snapshot, now: number): string => {
  if (closedUntil !== null && closedUntil > now) return `asked to wait ${lasted((closedUntil - now) / 1000)}`
  if (breaker !== "closed") return "service down, trying again"
  return [
    `limit ${limit}`,
    ...(ratePerSecond === null ? [] : [`${ratePerSecond.toFixed(1)} requests/s`]),
    ...(waiting === 0 ? [] : [`${waiting} waiting`])
  ].join(", ")
}

const bar = (share: number): string => {
  const full = Math.round(share * 20)
  return `[${"#".repeat(full)}${".".repeat(20 - full)}]`
}
