/** The machine that everything is simulated on: time, chance, and the order of all that happens, from one seed. */
import type { Process } from "./Process.ts"

/** Numbers from 0 to below 1 that depend on the text alone. */
export type Chance = () => number

/** Mulberry32 over an FNV-1a hash. */
export const chance = (seed: string): Chance => {
  let state = 0x811c9dc5
  for (let at = 0; at < seed.length; at += 1) state = Math.imul(state ^ seed.charCodeAt(at), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Something that will happen. */
interface Event {
  readonly at: number
  readonly order: number
  /** Null: a server's, or the plan's. */
  readonly owner: Process | null
  readonly happen: () => void
}

/** A line of the trace. */
export interface Line {
  /** Milliseconds since the start. */
  readonly at: number
  readonly who: string
  readonly what: string
}

const isBefore = (left: Event, right: Event): boolean =>
  left.at < right.at || (left.at === right.at && left.order < right.order)

/**
 * Runs the tasks of all processes, one at a time: the seed picks the process whose next task runs. When no task is ready, the time jumps to the
 * next event.
 */
export class Kernel {
  readonly seed: string
  /** Milliseconds since the start. */
  now = 0
  readonly trace: Array<Line> = []
  /** Tasks that ran. */
  steps = 0
  private readonly turns: boolean
  private readonly pick: Chance
  private readonly processes: Array<Process> = []
  /** A heap. */
  private readonly events: Array<Event> = []
  private readonly ready: Array<Process> = []
  private order = 0

  /** `turns`: the event loop of Node turns before the time jumps, so that modules can be loaded. */
  constructor(seed: string, turns: boolean) {
    this.seed = seed
    this.turns = turns
    this.pick = chance(`${seed} order`)
  }

  add(process: Process): void {
    this.processes.push(process)
  }

  /** A process that never runs again. */
  drop(process: Process): void {
    this.processes.splice(this.processes.indexOf(process), 1)
  }

  note(who: string, what: string): void {
    this.trace.push({ at: this.now, who, what })
  }

  /** Lets something happen later; an event of a process waits while it is frozen, and is lost with it. */
  after(milliseconds: number, owner: Process | null, happen: () => void): () => void {
    let cancelled = false
    this.order += 1
    const at = this.now + Math.max(0, milliseconds)
    this.push({ at, order: this.order, owner, happen: () => (cancelled ? undefined : happen()) })
    return () => {
      cancelled = true
    }
  }

  /**
   * Runs until `done`, until nothing is left to happen, or until the time `limit`; false for the last two. Promises that are settled go on before
   * the time jumps, in their order.
   */
  async run(done: () => boolean, limit: number): Promise<boolean> {
    while (!done()) {
      if (this.step()) continue
      if (this.turns) await turned()
      else for (let hop = 0; hop < hops; hop += 1) await settled
      if (this.step()) continue
      const next = this.pop()
      if (next === undefined || next.at > limit) return false
      this.now = Math.max(this.now, next.at)
      if (next.owner === null || next.owner.takes(next.happen)) next.happen()
    }
    return true
  }

  private step(): boolean {
    const { ready } = this
    ready.length = 0
    for (const process of this.processes) if (process.isReady) ready.push(process)
    const process = ready[ready.length === 1 ? 0 : Math.floor(this.pick() * ready.length)]
    if (process === undefined) return false
    this.steps += 1
    process.step()
    return true
  }

  private push(event: Event): void {
    const { events } = this
    let at = events.push(event) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = events[above]
      if (parent === undefined || !isBefore(event, parent)) break
      events[at] = parent
      at = above
    }
    events[at] = event
  }

  private pop(): Event | undefined {
    const { events } = this
    const [first] = events
    const last = events.pop()
    if (last === undefined || last === first) return first
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const [one, other] = [events[left], events[left + 1]]
      if (one === undefined) break
      const isRight = other !== undefined && isBefore(other, one)
      const child = isRight ? other : one
      if (!isBefore(child, last)) break
      events[at] = child
      at = isRight ? left + 1 : left
    }
    events[at] = last
    return first
  }
}

const turned = () => new Promise<void>((resolve) => setImmediate(resolve))

const settled = Promise.resolve()

/** Promises that follow from one another before the time jumps. */
const hops = 4
