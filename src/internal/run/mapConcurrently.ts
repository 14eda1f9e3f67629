import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { atLeastOne } from "../base/atLeastOne.ts"

/** Concurrency, order, and the number of results that may wait for the consumer. */
export interface Options<A = never, B = never> {
  /** Computes an item's result synchronously, in a fraction of a µs; undefined when the item needs the effect. */
  readonly direct?: ((item: A) => B | undefined) | undefined
  /** Worker fibers, at least 1. */
  readonly concurrency: number
  /** Finished results that may wait for the consumer; default `max(16, 2 × concurrency)`. */
  readonly runAhead?: number | undefined
  /** Emit results in the order of the items rather than of completion; default false. */
  readonly ordered?: boolean | undefined
}

/**
 * `Stream.mapEffect` with concurrency, for stages that every item passes: a few µs per item instead of some hundred.
 *
 * Worker fibers live as long as the stream and share plain state; there is no queue, deferred or fiber per item. The
 * source is pulled by one worker at a time. Started but not yet taken items never exceed `concurrency + runAhead`. The
 * first failure wins: results that are finished come first, then it, and the other workers are interrupted. When the
 * consumer ends or is interrupted, so are the workers.
 */
export const mapConcurrently = <A, E, R, B, E2, R2>(
  self: Stream.Stream<A, E, R>,
  f: (item: A) => Effect.Effect<B, E2, R2>,
  options: Options<A, B>
): Stream.Stream<B, E | E2, R | R2> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const pull = yield* Stream.toPull(self)
      const pool = new Pool<A, B, E | E2, R | R2>(pull, f, options)
      yield* pool.start
      return Stream.repeatEffectChunkOption(pool.take)
    })
  )

type Wake = (resume: Effect.Effect<void>) => void

class Pool<A, B, E, R> {
  private items: Chunk.Chunk<A> = Chunk.empty()
  private nextItem = 0
  private pulling = false
  private exhausted = false
  private alive: number
  private failure: Cause.Cause<Option.Option<E>> | null = null
  private results: Array<B> = []
  /** Ordered only: finished results whose predecessors are not, by sequence number. */
  private readonly early = new Map<number, { readonly value: B }>()
  private started = 0
  private emitted = 0
  private consumer: Wake | null = null
  private readonly awaitingRoom: Array<Wake> = []
  private readonly awaitingItems: Array<Wake> = []
  private readonly concurrency: number
  private readonly runAhead: number
  private readonly ordered: boolean
  private readonly pull: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>, R>
  private readonly f: (item: A) => Effect.Effect<B, E, R>
  private readonly direct: (item: A) => B | undefined

  constructor(
    pull: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>, R>,
    f: (item: A) => Effect.Effect<B, E, R>,
    options: Options<A, B>
  ) {
    this.pull = pull
    this.f = f
    this.concurrency = atLeastOne(options.concurrency)
    this.runAhead = atLeastOne(options.runAhead ?? Math.max(16, this.concurrency * 2))
    this.ordered = options.ordered ?? false
    this.direct = options.direct ?? (() => undefined)
    this.alive = this.concurrency
  }

  get start(): Effect.Effect<void, never, R | Scope.Scope> {
    const guarded = Effect.matchCause(Effect.suspend(this.work), {
      onFailure: (cause) => {
        this.failure ??= Cause.map(cause, Option.some)
        this.alive -= 1
        this.wakeConsumer()
      },
      onSuccess: () => {
        this.alive -= 1
        if (this.alive === 0) this.wakeConsumer()
      }
    })
    return Effect.replicateEffect(Effect.forkScoped(Effect.interruptible(guarded)), this.concurrency, { discard: true })
  }

  /** All finished results, as one chunk; then the failure, or `None` at the end. */
  readonly take: Effect.Effect<Chunk.Chunk<B>, Option.Option<E>> = Effect.suspend(() => this.taken())

  private taken(): Effect.Effect<Chunk.Chunk<B>, Option.Option<E>> {
    if (this.results.length > 0) {
      const results = this.results
      this.results = []
      this.wakeAll(this.awaitingRoom.splice(0, results.length))
      return Effect.succeed(Chunk.unsafeFromArray(results))
    }
    if (this.failure !== null) return Effect.failCause(this.failure)
    if (this.alive === 0) return Effect.fail(Option.none())
    // Yields to workers that are about to finish: a chunk of several results costs downstream as much as one of one.
    return Effect.flatMap(Effect.zipRight(this.untilResult, Effect.yieldNow()), () => this.taken())
  }

  private readonly work = (): Effect.Effect<void, E, R> => {
    if (this.failure !== null) return Effect.void
    while (!this.isFull() && this.nextItem < this.items.length) {
      const sequence = this.started++
      const item = Chunk.unsafeGet(this.items, this.nextItem++)
      const known = this.direct(item)
      if (known !== undefined) {
        this.put(sequence, known)
        continue
      }
      // Wakes one more worker for the next item or for the pull; a worker that takes one wakes the next.
      if (this.nextItem < this.items.length || !this.pulling) this.wakeWorker()
      return Effect.flatMap(this.f(item), (result) => {
        this.put(sequence, result)
        return this.work()
      })
    }
    if (this.exhausted && this.nextItem >= this.items.length) return Effect.void
    if (this.isFull()) return Effect.flatMap(this.untilRoom, this.work)
    return Effect.flatMap(Effect.suspend(this.refill), this.work)
  }

  private isFull(): boolean {
    return this.ordered
      ? this.results.length + (this.started - this.emitted) >= this.concurrency + this.runAhead
      : this.results.length >= this.runAhead
  }

  private put(sequence: number, result: B): void {
    if (!this.ordered) {
      this.results.push(result)
      this.wakeConsumer()
      return
    }
    if (sequence !== this.emitted) {
      this.early.set(sequence, { value: result })
      return
    }
    this.results.push(result)
    this.emitted += 1
    for (let next = this.early.get(this.emitted); next !== undefined; next = this.early.get(this.emitted)) {
      this.results.push(next.value)
      this.early.delete(this.emitted)
      this.emitted += 1
    }
    this.wakeConsumer()
  }

  private readonly refill = (): Effect.Effect<void, E, R> => {
    if (this.pulling) return this.untilItems
    this.pulling = true
    return Effect.matchCauseEffect(this.pull, {
      onSuccess: (items) => {
        // A chunk of several parts is flattened once, so that reading it by index is one step.
        Chunk.toReadonlyArray(items)
        this.items = items
        this.nextItem = 0
        this.pulling = false
        return Effect.void
      },
      onFailure: (cause) => {
        this.exhausted = true
        this.pulling = false
        this.wakeAll(this.awaitingItems.splice(0))
        this.wakeAll(this.awaitingRoom.splice(0))
        return Option.match(Cause.flipCauseOption(cause), {
          onNone: () => Effect.void,
          onSome: (failure) => Effect.failCause(failure)
        })
      }
    })
  }

  // The waits clean up nothing when they are interrupted, since that ends the whole pool, and cleaning up would cost ten effects a wait.

  private readonly untilResult = Effect.async<void>((resume) => {
    this.consumer = resume
  })

  private readonly untilRoom = Effect.async<void>((resume) => {
    this.awaitingRoom.push(resume)
  })

  private readonly untilItems = Effect.async<void>((resume) => {
    this.awaitingItems.push(resume)
  })

  private wakeWorker(): void {
    const wake = this.awaitingItems.pop() ?? (this.isFull() ? undefined : this.awaitingRoom.pop())
    wake?.(Effect.void)
  }

  private wakeConsumer(): void {
    const wake = this.consumer
    this.consumer = null
    wake?.(Effect.void)
  }

  private wakeAll(waiting: ReadonlyArray<Wake>): void {
    for (const wake of waiting) wake(Effect.void)
  }
}
