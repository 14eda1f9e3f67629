/** One run of a plan, and what it proves. */
import { fromBytes } from "docsluice/SourceFile"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Doctor from "../../src/internal/run/examine.ts"
import { Ledger } from "../../src/Ledger.ts"
import * as Documents from "./Documents.ts"
import type { Line } from "./Kernel.ts"
import { Oracle, type Violation } from "./Oracle.ts"
import { type Action, type Call, first, forever, lineOf, type Plan, span } from "./Plan.ts"
import { forget, Process } from "./Process.ts"
import { Watches } from "./Watches.ts"
import { lease, type Program, uploads, World } from "./World.ts"

type Blow = Extract<Action, { readonly kind: "kill" | "freeze" }>

export interface Result {
  readonly violations: ReadonlyArray<Violation>
  readonly trace: ReadonlyArray<Line>
  /** Tasks of fibers. */
  readonly steps: number
  /** Milliseconds that passed on the machine. */
  readonly millis: number
}

/** How calls are made. */
interface How {
  readonly allowRemovals: boolean
  /** True when doctor has to find no difference. */
  readonly agreed?: boolean
}

/** Longest time in which all calls end once nothing fails any more. */
const patience = 12 * 60_000

type Opened = Effect.Effect<Program, unknown>

/** A process that runs, and the program in it. */
interface Running {
  readonly process: Process
  readonly program: Opened
  readonly close: Effect.Effect<unknown>
  ended: boolean
}

/**
 * What breaks a promise by hand: before the first action, before what is watched is looked at, before what was left is done, and before nothing
 * is left to do.
 */
export type Tampering = (phase: "start" | "watched" | "last" | "judged" | "idle", world: World) => void

class Simulation {
  private readonly world: World
  private readonly oracle: Oracle
  private readonly watches: Watches
  private readonly plan: Plan
  private readonly tamper: Tampering
  private readonly running = new Map<string, Running>()
  private starts = 0
  private calls = 0
  /** Runs through the queue that have not ended. */
  private coordinating = 0
  /** Watches that have not ended. */
  private watching = 0
  private isCalm = false
  private strayed = false
  /** Blows that wait for a request. */
  private readonly armed: Array<Blow> = []

  constructor(plan: Plan, loads: boolean, tamper: Tampering = () => {}) {
    this.plan = plan
    this.tamper = tamper
    this.world = new World(plan.setting, loads)
    this.oracle = new Oracle(this.world)
    this.watches = new Watches(this.world, this.oracle)
    this.world.network.onArrival = (process, server) => {
      const at = this.armed.findIndex(
        (blow) => blow.upon === server && this.running.get(blow.process)?.process === process
      )
      for (const blow of at < 0 ? [] : this.armed.splice(at, 1)) this.strike(blow)
    }
    this.world.database.onDefect = (problem) =>
      this.oracle.violate("no defect", `of the model of the state: ${problem}`)
  }

  async result(): Promise<Result> {
    const { kernel } = this.world
    this.tamper("start", this.world)
    for (const action of this.plan.actions) kernel.after(action.at, null, () => this.act(action))
    await this.passed(Math.max(span, ...this.plan.actions.map(({ at }) => at + 1)))
    this.world.calm()
    this.armed.length = 0
    this.isCalm = true
    if (this.coordinating > 0) this.call("helper", { kind: "work", millis: 0 }, { allowRemovals: false })
    await this.rest()
    // What processes held that were killed is free then.
    await this.passed(2 * lease)
    if (this.oracle.violations.length === 0) await this.conclude()
    this.world.database.close()
    await forget(this.world.disk !== null)
    return { violations: this.oracle.violations, trace: kernel.trace, steps: kernel.steps, millis: kernel.now }
  }

  private async passed(milliseconds: number): Promise<void> {
    let isOver = false
    this.world.kernel.after(milliseconds, null, () => {
      isOver = true
    })
    await this.world.kernel.run(() => isOver, Number.POSITIVE_INFINITY)
  }

  /** Waits for all calls, and closes what is open. */
  private async rest(): Promise<void> {
    const { kernel } = this.world
    const { now } = kernel
    const ended = () =>
      this.calls === 0 && [...this.running.values()].every(({ ended, process }) => ended || !process.alive)
    const others = await kernel.run(() => this.calls === this.watching, now + patience)
    // What a frozen process has in hand when it goes on is found by doctor alone.
    if (others && this.watching > 0 && !this.strayed) {
      await this.watches.catchUp(() => this.tamper("watched", this.world))
    }
    this.watches.stop()
    if (!(await kernel.run(() => this.calls === 0, kernel.now + patience))) {
      this.oracle.violate(
        "every call ends",
        `${this.calls} calls run ${patience / 60_000} minutes after the last fault`
      )
      return
    }
    for (const { close, ended, process } of this.running.values())
      if (process.alive && !ended) process.run(close, () => {})
    if (!(await kernel.run(ended, now + patience))) this.oracle.violate("every call ends", "a corpus does not close")
  }

  /** A new process brings everything up to date, and another finds nothing to do. */
  private async conclude(): Promise<void> {
    const { database: _, servers, setting, sinks } = this.world
    const sync = setting.roots.map((root): Call => ({ kind: "ingest", root }))
    this.tamper("last", this.world)
    // Doctor leaves documents that somebody works on.
    for (const calls of this.strayed ? [sync, [fix], sync] : [sync])
      await this.alone("last", calls, { allowRemovals: true })
    if (this.oracle.violations.length > 0) return
    this.tamper("judged", this.world)
    this.oracle.judge()
    this.oracle.compareState()
    this.tamper("idle", this.world)
    const charged = servers.charges.length
    const stored = sinks.map(({ changes }) => changes)
    await this.alone("idle", [...sync, fix], { allowRemovals: true, agreed: true })
    if (servers.charges.length > charged)
      this.oracle.violate("nothing is left to do", "a run over unchanged files parses")
    if (this.oracle.isWhole && sinks.some(({ changes }, at) => changes !== stored[at])) {
      this.oracle.violate("nothing is left to do", "a run over unchanged files changes a store")
    }
  }

  private async alone(name: string, calls: ReadonlyArray<Call>, how: How): Promise<void> {
    for (const call of calls) {
      this.call(name, call, how)
      // In files a store is open once at a time.
      if (this.world.disk !== null) await this.rest()
    }
    await this.rest()
  }

  private act(action: Action): void {
    const { kernel, sources } = this.world
    kernel.note("plan", lineOf(action))
    switch (action.kind) {
      case "put":
        return sources.get(action.root)?.put(action.path, Documents.bytesOf(action.content))
      case "drop":
        return sources.get(action.root)?.remove(action.path)
      case "fault":
        return this.world.trouble(action.trouble, action.rate, action.millis)
      case "kill":
      case "freeze":
        if (action.upon === undefined) this.strike(action)
        else this.armed.push(action)
        return
      case "stop":
        return this.watches.stop(action.process)
      case "watch":
        // One at a time.
        return this.watches.has(action.process)
          ? undefined
          : this.call(action.process, action, { allowRemovals: false })
      case "empty":
        return this.world.jobs.empty()
      case "cut":
        for (const process of this.running.keys()) this.strike({ ...action, kind: "kill", process })
        // Stores on servers may hold what the ledger no longer knows of.
        this.strayed = true
        return this.world.powerCut()
      case "jump":
        return this.running.get(action.process)?.process.jump(action.millis)
      default:
        this.call(action.process, action, { allowRemovals: false })
    }
  }

  private strike(blow: Blow): void {
    const running = this.running.get(blow.process)
    if (running === undefined || !running.process.alive) return
    const { process } = running
    this.world.kernel.note("plan", lineOf({ ...blow, upon: undefined }))
    if (blow.kind === "kill") process.kill()
    else if (blow.millis === forever) {
      process.abandon()
      running.ended = true
    } else {
      process.freeze()
      this.world.kernel.after(blow.millis, null, () => {
        this.oracle.held.lost(process)
        process.thaw()
      })
      return
    }
    // Its last call of a store may come after others took its documents over: only doctor finds what it wrote then.
    if (blow.kind !== "kill" || process.longest >= lease) this.strayed = true
  }

  /** The process of that name, which is started when it does not run; `opens`: with the program. */
  private started(name: string, opens: boolean): Running {
    const before = this.running.get(name)
    if (before !== undefined && before.process.alive && !before.ended) return before
    this.starts += 1
    const process = new Process(this.world.kernel, `${name}.${this.starts}`, 1 + (this.starts % 3) * 0.002)
    const program = Deferred.unsafeMake<Program, unknown>(Effect.runSync(Effect.fiberId))
    const closing = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))
    const made: Running = {
      process,
      program: Deferred.await(program),
      close: Deferred.succeed(closing, undefined),
      ended: false
    }
    const lives = Effect.gen(this, function* () {
      if (opens) yield* Deferred.succeed(program, yield* this.world.program(process))
      yield* Deferred.await(closing)
    })
    process.run(Effect.scoped(Effect.tapErrorCause(lives, (cause) => Deferred.failCause(program, cause))), (exit) => {
      made.ended = true
      this.told(process, "process", exit)
      // A call that is not the corpus's, which would have waited for it, ends with its process.
      process.kill()
    })
    this.running.set(name, made)
    return made
  }

  private call(name: string, call: Call, how: How): void {
    const { close, process, program } = this.started(name, call.kind !== "watch")
    // A watch is as many runs.
    const ended = call.kind === "watch" ? () => {} : this.world.begins(process.name)
    const settled = this.watched(process, call)
    this.calls += 1
    if (call.kind === "work") this.oracle.working.add(process.name)
    if (call.kind === "coordinate") this.coordinating += 1
    if (call.kind === "watch") this.watching += 1
    let isOpen = true
    const end = (ok: boolean): void => {
      if (!isOpen) return
      isOpen = false
      this.calls -= 1
      if (call.kind === "coordinate") this.coordinating -= 1
      if (call.kind === "watch") this.watching -= 1
      ended()
      this.oracle.held.lost(process)
      settled(ok)
    }
    process.heirs.push(() => end(false))
    const effect = (): Effect.Effect<unknown, unknown> => {
      if (call.kind === "close") return close
      if (call.kind === "watch") return this.watches.watch(process, call)
      return Effect.flatMap(program, (opened) => this.effect(process, opened, call, how))
    }
    process.run(effect(), (exit) => {
      this.told(process, call.kind, exit)
      end(Exit.isSuccess(exit))
    })
  }

  /** Tells the oracle of changes of uploaded documents. */
  private watched(process: Process, call: Call): (ok: boolean) => void {
    if (call.kind === "add") return this.oracle.begins(call.path, call.content)
    if (call.kind !== "remove") return () => {}
    this.oracle.removing = true
    this.oracle.asked.add(`${process.name} ${call.root}/${call.path}`)
    const settled = call.root === uploads ? this.oracle.begins(call.path, null) : () => {}
    return (ok) => {
      settled(ok)
      if (!ok) this.oracle.halfRemoved.add(`${call.root}/${call.path}`)
    }
  }

  private effect(
    process: Process,
    { coordinate, corpus, ledger: own, work }: Program,
    call: Exclude<Call, { readonly kind: "close" | "watch" }>,
    how: How
  ): Effect.Effect<unknown, unknown> {
    switch (call.kind) {
      case "ingest":
        return Effect.scoped(
          Effect.flatMap(this.world.source(process, call.root), (source) =>
            corpus.ingest(source, { mode: "sync", allowRemovals: how.allowRemovals })
          )
        )
      case "coordinate":
        return coordinate(call.root, how.allowRemovals)
      case "work":
        return work(this.until(this.world.kernel.now + call.millis))
      case "add":
        return corpus.add(fromBytes({ root: uploads, path: call.path, bytes: Documents.bytesOf(call.content) }))
      case "remove":
        return corpus.remove(`${call.root}/${call.path}`)
      case "retry":
        return corpus.retry
      case "search":
        return corpus.search("lorem ipsum")
      default:
        // With a session of its own, as the command has; a state in a folder has one at a time.
        return Effect.gen(this, function* () {
          const ledger = this.world.disk === null ? (yield* this.world.program(process)).ledger : own
          const sinks = yield* Effect.forEach(this.world.sinks, (store) => store.sink(process))
          const examined = Doctor.examine({ sinks, space: this.world.space, fix: true })
          return yield* Effect.provideService(examined, Ledger, ledger)
        }).pipe(
          Effect.scoped,
          Effect.tap((findings) => {
            const agree = findings.every(Doctor.agrees) || !this.oracle.isWhole
            if (how.agreed !== true || agree) return
            this.oracle.violate("ledger, stores and letters agree", `doctor finds ${JSON.stringify(findings)}`)
          })
        )
    }
  }

  /** Completes at a time, but once nothing fails any more not before the runs through the queue. */
  private until(time: number): Effect.Effect<void> {
    const goesOn = () => this.world.kernel.now < time || (this.isCalm && this.coordinating > 0)
    return Effect.iterate(undefined, { while: goesOn, body: () => Effect.sleep(250) })
  }

  /** Notes how a call ended; a defect is one of the program. */
  private told(process: Process, what: string, exit: Exit.Exit<unknown, unknown>): void {
    const { kernel } = this.world
    if (Exit.isSuccess(exit)) {
      kernel.note(process.name, `${what} ends${exit.value === undefined ? "" : `: ${shown(exit.value)}`}`)
      return
    }
    kernel.note(process.name, `${what} fails: ${Cause.pretty(exit.cause).split("\n")[0] ?? ""}`)
    if (Cause.isDie(exit.cause))
      this.oracle.violate("no defect", `${process.name} ${what}: ${Cause.pretty(exit.cause)}`)
  }
}

const fix: Call = { kind: "fix" }

const shown = (value: unknown): string => {
  const text =
    JSON.stringify(value, (_, item: unknown) =>
      item === 0 || (Array.isArray(item) && item.length === 0) ? undefined : item
    ) ?? ""
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

let loaded: Promise<unknown> | undefined

/** Attempts to load everything; a module may take longer than a simulation. */
const attempts = 40

const load = async (): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { violations } = await new Simulation(first, true).result()
    if (violations.every(({ invariant }) => invariant !== "every call ends")) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error("the plan that uses everything once does not end")
}

/** Runs a plan, after everything that runs load was loaded once. */
export const run = async (plan: Plan, tamper?: Tampering): Promise<Result> => {
  loaded ??= load()
  await loaded
  return await new Simulation(plan, false, tamper).result()
}
