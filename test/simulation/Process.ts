/** A process of the program: fibers that run when the machine lets them, on a clock of their own. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { RuntimeFiber } from "effect/Fiber"
import { identity } from "effect/Function"
import { globalValue } from "effect/GlobalValue"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import type { Scheduler, Task } from "effect/Scheduler"
import { Batches, type Size } from "../../src/internal/base/batches.ts"
import { EventLoop } from "../../src/internal/base/eventLoop.ts"
import { Gates } from "../../src/internal/gate/registry.ts"
import { chance, type Kernel } from "./Kernel.ts"

/** Milliseconds since the epoch at which the machine starts. */
export const epoch = Date.UTC(2026, 0, 5)

/** Operations after which a fiber lets others run, as under Node. */
const mostOperations = 2048

/** The usual sizes for half of the processes; for the others half of the batches have one to three members. */
const sizes = (seed: string): Size => {
  const draw = chance(seed)
  if (draw() < 0.5) return identity
  return (usual) => (draw() < 0.5 ? usual : Math.min(usual, 1 + Math.floor(3 * draw())))
}

export class Process implements Scheduler {
  readonly kernel: Kernel
  readonly name: string
  /** False after a kill: then nothing of it runs any more, finalizers included. */
  alive = true
  isAbandoned = false
  /** Time of its death. */
  died = Number.POSITIVE_INFINITY
  /** Time in which it was frozen last, while it is; null when it runs. */
  frozen: number | null = null
  /** Longest time for which it was frozen, in milliseconds. */
  longest = 0
  /** Time at which it was thawed last. */
  thawed = Number.NEGATIVE_INFINITY
  /** Called at its death: its connections break. */
  readonly mourners: Array<() => void> = []
  /** Called once it is certain that it never goes on. */
  readonly heirs: Array<() => void> = []
  private tasks: Array<Task> = []
  private next = 0
  private held: Array<() => void> = []
  private readonly context: Context.Context<EventLoop | Gates | Batches>
  private readonly clock: Clock.Clock
  /** Milliseconds by which its clock is ahead. */
  private ahead = 0

  /** `rate`: seconds of its clock in a second. */
  constructor(kernel: Kernel, name: string, rate = 1) {
    this.kernel = kernel
    this.name = name
    const now = () => epoch + this.ahead + kernel.now * rate
    const later = (milliseconds: number, task: () => void) => kernel.after(milliseconds / rate, this, task)
    const sleep = (milliseconds: number) =>
      Effect.async<void>((resume) => {
        const cancel = later(milliseconds, () => resume(Effect.void))
        return Effect.sync(cancel)
      })
    const nanos = () => BigInt(Math.round(now() * 1_000_000))
    this.clock = {
      ...Clock.make(),
      unsafeCurrentTimeMillis: () => Math.round(now()),
      unsafeCurrentTimeNanos: nanos,
      currentTimeMillis: Effect.sync(() => Math.round(now())),
      currentTimeNanos: Effect.sync(nanos),
      sleep: (duration) => sleep(Duration.toMillis(duration))
    }
    this.context = Context.make(EventLoop, { now: () => 0, later }).pipe(
      Context.add(Gates, new Map()),
      Context.add(Batches, { size: sizes(`${kernel.seed} ${name} batches`) })
    )
    kernel.add(this)
  }

  /** Starts an effect; `ended` is not called after a kill. */
  run<A, E>(effect: Effect.Effect<A, E>, ended: (exit: Exit.Exit<A, E>) => void): void {
    const { kernel, name } = this
    const logger = Logger.make(({ message }) => kernel.note(name, `logs: ${String(message)}`))
    const whole = effect.pipe(
      Effect.provide(this.context),
      Effect.withRandom(Random.make(`${kernel.seed} ${name}`)),
      Effect.withClock(this.clock),
      Effect.withTracerEnabled(false),
      Effect.provide(Logger.replaceScoped(Logger.defaultLogger, Effect.succeed(logger)))
    )
    this.scheduleTask(() => {
      Effect.runFork(whole, { scheduler: this }).addObserver((exit) => {
        if (this.alive) ended(exit)
      })
    })
  }

  shouldYield(fiber: RuntimeFiber<unknown, unknown>): number | false {
    return fiber.currentOpCount > mostOperations ? 0 : false
  }

  scheduleTask(task: Task): void {
    if (this.alive) this.tasks.push(task)
  }

  get isReady(): boolean {
    return this.alive && this.frozen === null && this.next < this.tasks.length
  }

  step(): void {
    const task = this.tasks[this.next]
    this.next += 1
    if (this.next === this.tasks.length) {
      this.tasks = []
      this.next = 0
    }
    task?.()
  }

  /** True when an event may happen to it now; a frozen process keeps it for later. */
  takes(happen: () => void): boolean {
    if (!this.alive) return false
    if (this.frozen === null) return true
    this.held.push(happen)
    return false
  }

  kill(): void {
    if (!this.alive) return
    if (this.frozen !== null) this.longest = Math.max(this.longest, this.kernel.now - this.frozen)
    this.alive = false
    this.died = this.kernel.now
    this.kernel.drop(this)
    this.tasks = []
    this.held = []
    for (const mourn of [...this.mourners, ...this.heirs]) mourn()
  }

  freeze(): void {
    if (this.alive) this.frozen ??= this.kernel.now
  }

  /** Freezes it for ever: its connections stay. */
  abandon(): void {
    if (!this.alive) return
    this.freeze()
    this.isAbandoned = true
    for (const inherit of this.heirs) inherit()
  }

  thaw(): void {
    if (this.frozen === null || this.isAbandoned) return
    this.longest = Math.max(this.longest, this.kernel.now - this.frozen)
    this.frozen = null
    this.thawed = this.kernel.now
    const { held } = this
    this.held = []
    for (const happen of held) this.kernel.after(0, this, happen)
  }

  /** Sets its clock forward, or back by a negative number. */
  jump(milliseconds: number): void {
    this.ahead += milliseconds
  }
}

/** Where Effect keeps fibers that nobody waits for until they end. */
const kept = globalValue(Symbol.for("effect/FiberScope/Global"), () => ({ roots: new Set<object>() }))

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** Lets go of the fibers of all processes: those of killed ones never end. `withFiles`: and of the files that these have open. */
export const forget = async (withFiles: boolean): Promise<void> => {
  for (const fiber of kept.roots) {
    if (Predicate.hasProperty(fiber, "currentScheduler") && fiber.currentScheduler instanceof Process)
      kept.roots.delete(fiber)
  }
  if (!withFiles) return
  // libSQL closes a file once its last statement is collected.
  collectGarbage()
  await new Promise((resolve) => setImmediate(resolve))
}
