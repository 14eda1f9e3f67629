/** Processes that watch a root: a run at once and one for each poll, until they are asked to end. */
import * as Source from "docsluice/Source"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Watching from "../../src/internal/corpus/watching.ts"
import { pollingEvery } from "../../src/internal/discovery/watch.ts"
import type { Oracle } from "./Oracle.ts"
import type { Process } from "./Process.ts"
import { lease, type World } from "./World.ts"

/** A root, and the milliseconds between two looks at it. */
export interface Watched {
  readonly root: string
  readonly poll: number
}

interface Watch extends Watched {
  readonly process: Process
  /** Asks it to end. */
  readonly stop: () => void
  /** Runs that were begun. */
  runs: number
  /** Start of the last run that came to its end. */
  upTo: number
  isOpen: boolean
}

/** Milliseconds that the runs of two polls may take together, waits for a service that was away included. */
const grace = 90_000

export class Watches {
  private readonly world: World
  private readonly oracle: Oracle
  private all: ReadonlyArray<Watch> = []

  constructor(world: World, oracle: Oracle) {
    this.world = world
    this.oracle = oracle
  }

  /** Those that run. */
  private get open(): ReadonlyArray<Watch> {
    return this.all.filter(({ isOpen, process }) => isOpen && process.alive && !process.isAbandoned)
  }

  /** True while a process of that name watches. */
  has(name: string): boolean {
    return this.open.some(({ process }) => process.name.startsWith(`${name}.`))
  }

  /** Asks those of a process to end, or all. */
  stop(name?: string): void {
    for (const { process, stop } of this.open) if (name === undefined || process.name.startsWith(`${name}.`)) stop()
  }

  /** Watches until it is asked to end. Each run opens everything and closes it again, as those of the command line do. */
  watch(process: Process, watched: Watched): Effect.Effect<void, unknown> {
    return Effect.suspend(() => {
      const stopping = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))
      const one: Watch = {
        ...watched,
        process,
        stop: () => Deferred.unsafeDone(stopping, Effect.void),
        runs: 0,
        upTo: Number.NEGATIVE_INFINITY,
        isOpen: true
      }
      this.all = [...this.all, one]
      return Watching.watch({
        next: pollingEvery(watched.poll),
        stop: Deferred.await(stopping),
        budget: undefined,
        run: () => this.run(one, Deferred.await(stopping)),
        onPassing: (error) => Effect.logWarning(`tried again: ${String(error)}`)
      }).pipe(
        Effect.tapError((error) =>
          Effect.sync(() => {
            // What fails at first may be wrong usage.
            if (one.runs > 1) this.oracle.violate("a watch catches up", `${process.name} gives up: ${String(error)}`)
          })
        ),
        Effect.ensuring(
          Effect.sync(() => {
            one.isOpen = false
          })
        )
      )
    })
  }

  private run(one: Watch, stop: Effect.Effect<void>) {
    const { kernel } = this.world
    const { process, root } = one
    return Effect.suspend(() => {
      const start = kernel.now
      one.runs += 1
      const ended = this.world.begins(process.name)
      const summary = Effect.gen(this, function* () {
        const { corpus } = yield* this.world.program(process)
        const { files } = yield* this.world.source(process, root)
        const source = Source.make({ name: root, files: Stream.mapError(files, () => away(root)) })
        return yield* corpus.ingest(source, { mode: "sync", stop })
      })
      return Effect.scoped(summary).pipe(
        Effect.tap(({ stopped }) =>
          Effect.sync(() => {
            if (stopped === undefined) one.upTo = start
          })
        ),
        Effect.ensuring(
          Effect.sync(() => {
            ended()
            this.oracle.held.lost(process)
          })
        )
      )
    })
  }

  /** Once nothing fails any more and nobody else works: what is in the sources is in the stores within two polls. */
  async catchUp(beforeLooking: () => void): Promise<void> {
    const { kernel } = this.world
    const { open } = this
    await kernel.run(() => open.every(({ process }) => process.frozen === null), Number.POSITIVE_INFINITY)
    for (const { poll, process, root } of open) {
      // A process that was killed keeps its documents for so long.
      const calm = kernel.now + lease
      const isUp = () => !this.open.some((one) => one.process === process && one.upTo < calm)
      const inTime = await kernel.run(isUp, calm + 2 * poll + grace)
      beforeLooking()
      if (inTime) this.oracle.caughtUp(root)
      else this.oracle.violate("a watch catches up", `no run of ${process.name} over ${root} comes to its end`)
    }
  }
}

const away = (source: string): Source.SourceUnavailable =>
  new Source.SourceUnavailable({ source, reason: "Unreachable", problem: "the connection broke" })
