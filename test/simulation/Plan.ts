/** What happens in a simulation, drawn from its seed: calls of processes, changes of the sources, faults. */
import type { Content } from "./Documents.ts"
import { type Chance, chance } from "./Kernel.ts"
import type { Server } from "./Network.ts"
import type { Watched } from "./Watches.ts"
import { type Fault, type Setting, uploads } from "./World.ts"

/** A call of a process; one that does not run is started by it. */
export type Call =
  | { readonly kind: "ingest" | "coordinate"; readonly root: string }
  | { readonly kind: "work"; readonly millis: number }
  | ({ readonly kind: "watch" } & Watched)
  | { readonly kind: "add"; readonly path: string; readonly content: Content }
  | { readonly kind: "remove"; readonly root: string; readonly path: string }
  | { readonly kind: "retry" | "search" | "fix" | "close" }

/** Something that happens to a process; `upon`: as soon as this server gets a request of it, instead of at once. */
interface Blow {
  readonly process: string
  readonly upon?: Server | undefined
}

/** Something that the world does. */
export type Turn =
  | { readonly kind: "put"; readonly root: string; readonly path: string; readonly content: Content }
  | { readonly kind: "drop"; readonly root: string; readonly path: string }
  | (Blow & ({ readonly kind: "kill" } | { readonly kind: "freeze"; readonly millis: number }))
  | { readonly kind: "jump"; readonly process: string; readonly millis: number }
  | { readonly kind: "stop"; readonly process: string }
  | { readonly kind: "empty" | "cut" }
  | {
      readonly kind: "fault"
      readonly trouble: Fault
      readonly rate: number
      readonly millis: number
    }

export type Action = { readonly at: number } & (Turn | (Call & { readonly process: string }))

export interface Plan {
  readonly setting: Setting
  /** In the order of their times. */
  readonly actions: ReadonlyArray<Action>
}

const processes = ["p1", "p2", "p3"] as const
const watcher = "watcher"

/** Milliseconds in which actions happen. */
export const span = 60_000

/** Milliseconds for which a process is frozen that never goes on. */
export const forever = 1_000_000_000

/** A document that no source ever loses: one without any counts as not reachable. */
export const constant = "constant.pdf"

/** Paths of uploaded documents: few, so that processes meet at them. */
const added = ["u0.pdf", "u1.pdf"]

const troubles = [
  "sink",
  "state",
  "source",
  "service",
  "embedder",
  "sink",
  "state",
  "serialization",
  "answers of service",
  "answers of embedder"
] as const

class Drawing {
  private readonly draw: Chance
  private readonly versions = new Map<string, number>()

  constructor(seed: string) {
    this.draw = chance(`${seed} plan`)
  }

  readonly below = (limit: number): number => this.draw() * limit
  readonly whole = (limit: number): number => Math.floor(this.draw() * limit)
  readonly isLess = (share: number): boolean => this.draw() < share
  readonly of = <A>(items: ReadonlyArray<A>): A => {
    const item = items[this.whole(items.length)]
    if (item === undefined) throw new Error("nothing to draw from")
    return item
  }

  /** The next version of a document; now and then it has the bytes of another one. */
  content(path: string): Content {
    const name = this.isLess(0.08) ? "twin" : path
    const version = (this.versions.get(name) ?? 0) + (name === "twin" && this.isLess(0.7) ? 0 : 1)
    this.versions.set(name, version)
    const bad = name !== constant && name !== "twin" && this.isLess(0.03)
    return { name, version, parts: 1 + ((version * 7 + name.length * 3) % 4), bad }
  }
}

/** The plan of a seed. */
export const make = (seed: string): Plan => {
  const draw = new Drawing(seed)
  const roots = draw.isLess(0.4) ? ["a", "b"] : ["a"]
  const memory = new Drawing(`${seed} memory`)
  const setting: Setting = {
    seed,
    roots,
    sinks: draw.isLess(0.3) ? [draw.isLess(0.5), draw.isLess(0.5)] : [draw.isLess(0.5)],
    embeds: draw.isLess(0.6),
    tellsGaps: draw.isLess(0.5),
    ...(memory.isLess(0.15) && { lean: memory.of(["requests", "documents"] as const) })
  }
  const paths = Array.from({ length: Math.floor(16 / roots.length) }, (_, at) => `f${at}.pdf`)
  const actions: Array<Action> = []
  for (const root of roots) {
    // Some come later.
    for (const path of [constant, ...paths.filter(() => draw.isLess(0.8))]) {
      actions.push({ at: 0, kind: "put", root, path, content: draw.content(path) })
    }
  }
  const calls: Array<{ readonly at: number; readonly process: string }> = []
  /** Half of all happens shortly after a call of a process, to it or to all. */
  const someone = (): { readonly at: number; readonly process: string } => {
    const free = { at: draw.below(span), process: draw.of(processes) }
    if (calls.length === 0 || draw.isLess(0.5)) return free
    const call = draw.of(calls)
    const process = draw.isLess(0.7) ? call.process : free.process
    return { at: Math.min(span, call.at + draw.below(3000)), process }
  }
  const times = (most: number, action: (who: { readonly at: number; readonly process: string }) => Action) => {
    for (let left = draw.whole(most + 1); left > 0; left -= 1) {
      const who = someone()
      const made = action(who)
      if ("process" in made) calls.push(who)
      actions.push(made)
    }
  }
  for (const process of processes) {
    // At once, so that the processes work on the same documents.
    const call = { at: draw.below(500), process }
    calls.push(call)
    actions.push({ ...call, kind: "ingest", root: draw.of(roots) })
  }
  times(5, (who) => ({ ...who, kind: "ingest", root: draw.of(roots) }))
  times(7, (who) => {
    const path = draw.of(added)
    return { ...who, kind: "add", path, content: { ...draw.content(`${uploads}-${path}`), bad: false } }
  })
  times(2, (who) => {
    const root = draw.of([...roots, uploads])
    return { ...who, kind: "remove", root, path: draw.of(root === uploads ? added : paths) }
  })
  times(1, (who) => ({ ...who, kind: "retry" }))
  times(2, (who) => ({ ...who, kind: "fix" }))
  times(1, (who) => ({ ...who, kind: "search" }))
  times(1, (who) => ({ ...who, kind: "close" }))
  times(8, ({ at }) => {
    const path = draw.of(paths)
    return { at, kind: "put", root: draw.of(roots), path, content: draw.content(path) }
  })
  times(4, ({ at }) => ({ at, kind: "drop", root: draw.of(roots), path: draw.of(paths) }))
  const upon = () => (draw.isLess(0.4) ? undefined : draw.of(["sink", "sink", "state", "service", "embedder"] as const))
  times(3, (who) => ({ ...who, kind: "kill", upon: upon() }))
  times(2, (who) => ({
    ...who,
    kind: "freeze",
    upon: upon(),
    millis: draw.of([300, 3000, 9000, 12_000, 25_000, forever])
  }))
  times(1, (who) => ({ ...who, kind: "jump", millis: draw.of([-60_000, -500, 500, 60_000, 3_600_000]) }))
  times(4, ({ at }) => ({
    at,
    kind: "fault",
    trouble: draw.of(troubles),
    rate: draw.of([0.02, 0.1, 0.3, 1]),
    millis: draw.isLess(0.2) ? 45_000 : 1000 + draw.below(20_000)
  }))
  const all = new Drawing(`${seed} queue`).isLess(0.35) ? throughQueue(seed, actions) : actions
  const watched = new Drawing(`${seed} watch`).isLess(0.2) ? watching(seed, roots) : []
  return { setting, actions: [...all, ...watched].toSorted((left, right) => left.at - right.at) }
}

/** The runs of some processes go through a queue, which some work for. A process has one run over a root at a time, as a corpus does. */
const throughQueue = (seed: string, actions: ReadonlyArray<Action>): ReadonlyArray<Action> => {
  const draw = new Drawing(`${seed} through queue`)
  const coordinators = processes.filter(() => draw.isLess(0.5))
  const run = (action: Action): Action =>
    action.kind === "ingest" && coordinators.some((name) => name === action.process)
      ? { ...action, kind: "coordinate" }
      : action
  const work = (): Action => {
    const [at, process] = [draw.below(span / 2), draw.of(processes)]
    return { at, process, kind: "work", millis: 1000 + draw.below(span) }
  }
  const fault = (): Action => {
    const [at, rate, millis] = [draw.below(span), draw.of([0.02, 0.1, 0.3, 1]), 1000 + draw.below(20_000)]
    return { at, kind: "fault", trouble: "queue", rate, millis }
  }
  const some = (most: number, one: () => Action) => Array.from({ length: draw.whole(most + 1) }, one)
  const emptied = some(1, () => ({ at: draw.below(span), kind: "empty" }))
  return [...actions.map(run), work(), ...some(3, work), ...some(2, fault), ...emptied]
}

/** True for what happens where one process works at a time. */
const isOfOne = (action: Action): boolean =>
  action.kind !== "work" && action.kind !== "empty" && !("process" in action && action.process === watcher)

/** A machine with one process at a time: state and some stores on its disk, which may be full, and whose power is cut now and then. */
export const onDisk = (seed: string): Plan => {
  const { actions, setting } = make(seed)
  const draw = new Drawing(`${seed} on disk`)
  const store = () => draw.of(["jsonl", "fs", true, false] as const)
  const alone = (action: Action): Action => {
    if (!("process" in action)) return action
    const mine = { ...action, process: "p1" }
    if (mine.kind === "coordinate") return { ...mine, kind: "ingest" }
    // Nobody else may use what it holds until it is killed.
    return mine.kind === "freeze" && mine.millis === forever ? { ...mine, kind: "kill" } : mine
  }
  const fault = (): Action => ({
    at: draw.below(span),
    kind: "fault",
    trouble: draw.of(["disk", "full"]),
    rate: draw.of([0.02, 0.1, 0.3, 1]),
    millis: 1000 + draw.below(10_000)
  })
  const some = (most: number, one: () => Action) => Array.from({ length: draw.whole(most + 1) }, one)
  const all = [
    ...actions.filter(isOfOne).map(alone),
    ...some(2, () => ({ at: draw.below(span), kind: "cut" })),
    ...some(2, () => ({ at: draw.below(span), process: "p1", kind: "kill", upon: "disk" })),
    ...some(2, fault)
  ]
  return {
    setting: { ...setting, lean: undefined, onDisk: true, sinks: draw.isLess(0.4) ? [store(), store()] : [store()] },
    actions: all.toSorted((left, right) => left.at - right.at)
  }
}

/** A process that watches a root; it may be stopped, killed or frozen, and be begun again. */
const watching = (seed: string, roots: ReadonlyArray<string>): ReadonlyArray<Action> => {
  const draw = new Drawing(`${seed} watching`)
  const process = watcher
  const begin = (at: number): Action => {
    const [root, poll] = [draw.of(roots), draw.of([1000, 5000, 20_000])]
    return { at, process, kind: "watch", root, poll }
  }
  const upon = () => (draw.isLess(0.3) ? undefined : draw.of(["sink", "state", "service", "source"] as const))
  const blow = (at: number): Action => {
    if (draw.isLess(0.4)) return { at, process, kind: "stop" }
    if (draw.isLess(0.6)) return { at, process, kind: "kill", upon: upon() }
    return { at, process, kind: "freeze", upon: upon(), millis: draw.of([300, 3000, 12_000, 25_000, forever]) }
  }
  const first = begin(draw.below(span / 3))
  const blows = Array.from({ length: draw.whole(3) }, () => blow(draw.below(span)))
  // Nothing happens if it still watches.
  return [first, ...blows.flatMap((one) => [one, begin(one.at + draw.below(10_000))])]
}

const uponOf = ({ upon }: Blow): string => (upon === undefined ? "" : ` at its next request to the ${upon}`)

/** An action in words. */
export const lineOf = (action: Action): string => {
  const who = "process" in action ? `${action.process} ` : ""
  switch (action.kind) {
    case "put":
    case "add":
      return `${who}${action.kind}s ${"root" in action ? `${action.root}/` : ""}${action.path}, version ${action.content.version} of ${action.content.name}${action.content.bad ? ", which cannot be parsed" : ""}`
    case "drop":
    case "remove":
      return `${who}${action.kind}s ${action.root}/${action.path}`
    case "ingest":
      return `${who}ingests ${action.root}`
    case "coordinate":
      return `${who}ingests ${action.root} through the queue`
    case "work":
      return `${who}works on the queue for ${Math.round(action.millis)} ms`
    case "watch":
      return `${who}watches ${action.root}, every ${action.poll} ms`
    case "stop":
      return `${who}is asked to end`
    case "empty":
      return "the queue is emptied"
    case "cut":
      return "the power is cut"
    case "kill":
      return `${who}is killed${uponOf(action)}`
    case "freeze":
      return `${who}is frozen for ${action.millis === forever ? "ever" : `${action.millis} ms`}${uponOf(action)}`
    case "jump":
      return `${who}has its clock set by ${action.millis} ms`
    case "fault":
      return `${action.rate * 100} % of requests meet trouble: ${action.trouble}, for ${Math.round(action.millis)} ms`
    default:
      return `${who}calls ${action.kind}`
  }
}

/** A plan that uses everything once, so that what is loaded at its first use is loaded. */
export const first: Plan = {
  setting: { seed: "first", roots: ["a"], sinks: [true, false], embeds: true, tellsGaps: false },
  actions: [
    { at: 0, kind: "put", root: "a", path: constant, content: { name: constant, version: 1, parts: 2, bad: false } },
    { at: 1, kind: "ingest", process: "p1", root: "a" },
    { at: 40_000, kind: "search", process: "p1" },
    { at: 20_000, kind: "retry", process: "p1" },
    { at: 30_000, kind: "fix", process: "p1" },
    { at: 45_000, kind: "coordinate", process: "p1", root: "a" },
    { at: 45_000, kind: "work", process: "p1", millis: 10_000 }
  ]
}
