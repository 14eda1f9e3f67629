/** What happens in a simulation, drawn from its seed: calls of processes, changes of the sources, faults. */
import type { Content } from "./Documents.ts"
import { type Chance, chance } from "./Kernel.ts"
import { type Fault, type Setting, uploads } from "./World.ts"

/** A call of a process; one that does not run is started by it. */
export type Call =
  | { readonly kind: "ingest"; readonly root: string }
  | { readonly kind: "add"; readonly path: string; readonly content: Content }
  | { readonly kind: "remove"; readonly root: string; readonly path: string }
  | { readonly kind: "retry" | "search" | "fix" | "close" }

/** Something that the world does. */
export type Turn =
  | { readonly kind: "put"; readonly root: string; readonly path: string; readonly content: Content }
  | { readonly kind: "drop"; readonly root: string; readonly path: string }
  | { readonly kind: "kill"; readonly process: string }
  | { readonly kind: "freeze" | "jump"; readonly process: string; readonly millis: number }
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

/** Milliseconds in which actions happen. */
export const span = 60_000

/** A document that no source ever loses: one without any counts as not reachable. */
export const constant = "constant.pdf"

const troubles = [
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
  const setting: Setting = {
    seed,
    roots,
    sinks: draw.isLess(0.3) ? [draw.isLess(0.5), draw.isLess(0.5)] : [draw.isLess(0.5)],
    embeds: draw.isLess(0.6)
  }
  const perRoot = Math.floor(16 / roots.length)
  const paths = Array.from({ length: perRoot }, (_, at) => `f${at}.pdf`)
  const added = ["u0.pdf", "u1.pdf"]
  const actions: Array<Action> = []
  for (const root of roots) {
    for (const path of [constant, ...paths]) {
      actions.push({ at: 0, kind: "put", root, path, content: draw.content(path) })
    }
  }
  // Half of all happens shortly after something else did.
  const moments = [0]
  const time = () => {
    const at = draw.isLess(0.5) ? Math.min(span, draw.of(moments) + draw.below(3000)) : draw.below(span)
    moments.push(at)
    return at
  }
  const times = (most: number, action: (at: number) => Action) => {
    for (let left = draw.whole(most + 1); left > 0; left -= 1) actions.push(action(time()))
  }
  for (const process of processes) {
    // At once, so that the processes work on the same documents.
    actions.push({ at: draw.below(500), kind: "ingest", process, root: draw.of(roots) })
  }
  const someone = () => draw.of(processes)
  times(5, (at) => ({ at, kind: "ingest", process: someone(), root: draw.of(roots) }))
  times(6, (at) => {
    const path = draw.of(added)
    return { at, kind: "add", process: someone(), path, content: { ...draw.content(`${uploads}-${path}`), bad: false } }
  })
  times(2, (at) => {
    const root = draw.of([...roots, uploads])
    return { at, kind: "remove", process: someone(), root, path: draw.of(root === uploads ? added : paths) }
  })
  times(2, (at) => ({ at, kind: "retry", process: someone() }))
  times(2, (at) => ({ at, kind: "fix", process: someone() }))
  times(2, (at) => ({ at, kind: "search", process: someone() }))
  times(1, (at) => ({ at, kind: "close", process: someone() }))
  times(8, (at) => {
    const path = draw.of(paths)
    return { at, kind: "put", root: draw.of(roots), path, content: draw.content(path) }
  })
  times(4, (at) => ({ at, kind: "drop", root: draw.of(roots), path: draw.of(paths) }))
  times(3, (at) => ({ at, kind: "kill", process: someone() }))
  times(2, (at) => ({ at, kind: "freeze", process: someone(), millis: draw.of([300, 3000, 9000, 12_000, 25_000]) }))
  times(1, (at) => ({ at, kind: "jump", process: someone(), millis: draw.of([-60_000, -500, 500, 60_000, 3_600_000]) }))
  times(3, (at) => ({
    at,
    kind: "fault",
    trouble: draw.of(troubles),
    rate: draw.of([0.02, 0.1, 0.3, 1]),
    millis: 1000 + draw.below(20_000)
  }))
  return { setting, actions: actions.toSorted((left, right) => left.at - right.at) }
}

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
    case "kill":
      return `${who}is killed`
    case "freeze":
      return `${who}is frozen for ${action.millis} ms`
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
  setting: { seed: "first", roots: ["a"], sinks: [true, false], embeds: true },
  actions: [
    { at: 0, kind: "put", root: "a", path: constant, content: { name: constant, version: 1, parts: 2, bad: false } },
    { at: 1, kind: "ingest", process: "p1", root: "a" },
    { at: 40_000, kind: "search", process: "p1" },
    { at: 20_000, kind: "retry", process: "p1" },
    { at: 30_000, kind: "fix", process: "p1" }
  ]
}
