import * as Cause from "effect/Cause"
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** Limit of reading ahead, and callbacks for its progress. */
export interface Options<A, B> {
  /** Items that may wait, not counting the part pulled last and the one taken last. */
  readonly capacity: number
  /** Passes each part that was pulled, in the background; as many items come out as go in. */
  readonly through: (items: Chunk.Chunk<A>) => Effect.Effect<Chunk.Chunk<B>>
  /** Stops pulling when it completes; items pulled before are still emitted, then the stream ends. Never fails. */
  readonly halt: Effect.Effect<void>
  /** Called with the number of items pulled and passed. */
  readonly pulled: (count: number) => void
  /** Called when no more items will come. */
  readonly ended: () => void
}

type Wake = (resume: Effect.Effect<void>) => void

/**
 * What `through` makes of the items, pulled in the background as far as `capacity` allows. A failure of the source is emitted after all
 * items pulled before it.
 */
export const readAhead = <A, B, E, R>(self: Stream.Stream<A, E, R>, options: Options<A, B>): Stream.Stream<B, E, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const pull = yield* Stream.toPull(self)
      const queue = new Queue<B, E>(options)
      const passed = Effect.flatMap(pull, options.through)
      const fiber = yield* Effect.forkScoped(Effect.interruptible(fill(queue, passed)))
      yield* options.halt.pipe(
        Effect.zipRight(Effect.sync(() => queue.end(null))),
        Effect.zipRight(Effect.suspend(() => Fiber.interruptFork(fiber))),
        Effect.interruptible,
        Effect.forkScoped
      )
      return Stream.repeatEffectChunkOption(queue.take)
    })
  )

const fill = <A, E, R>(
  queue: Queue<A, E>,
  pull: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>, R>
): Effect.Effect<void, never, R> =>
  Effect.matchCauseEffect(Effect.forever(Effect.zipRight(queue.untilRoom, Effect.map(pull, queue.add))), {
    onSuccess: () => Effect.void,
    onFailure: (cause) => Effect.sync(() => queue.end(Option.getOrNull(Cause.flipCauseOption(cause))))
  })

class Queue<A, E> {
  private parts: Array<Chunk.Chunk<A>> = []
  private waiting = 0
  private done = false
  private failure: Cause.Cause<E> | null = null
  private consumer: Wake | null = null
  private producer: Wake | null = null
  private readonly options: Pick<Options<never, A>, "capacity" | "ended" | "pulled">

  constructor(options: Pick<Options<never, A>, "capacity" | "ended" | "pulled">) {
    this.options = options
  }

  readonly add = (items: Chunk.Chunk<A>): void => {
    if (this.done) return
    this.parts.push(items)
    this.waiting += items.length
    this.options.pulled(items.length)
    this.wakeConsumer()
  }

  readonly end = (failure: Cause.Cause<E> | null): void => {
    if (this.done) return
    this.done = true
    this.failure = failure
    this.options.ended()
    this.wakeConsumer()
  }

  readonly take: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>> = Effect.suspend(() => this.taken())

  readonly untilRoom: Effect.Effect<void> = Effect.suspend(() =>
    this.waiting < this.options.capacity
      ? Effect.void
      : Effect.async<void>((resume) => {
          this.producer = resume
        })
  )

  private taken(): Effect.Effect<Chunk.Chunk<A>, Option.Option<E>> {
    const part = this.parts.shift()
    if (part !== undefined) {
      this.waiting -= part.length
      const producer = this.producer
      this.producer = null
      producer?.(Effect.void)
      return Effect.succeed(part)
    }
    if (this.done) {
      return this.failure === null ? Effect.fail(Option.none()) : Effect.failCause(Cause.map(this.failure, Option.some))
    }
    return Effect.flatMap(
      Effect.async<void>((resume) => {
        this.consumer = resume
      }),
      () => this.taken()
    )
  }

  private wakeConsumer(): void {
    const consumer = this.consumer
    this.consumer = null
    consumer?.(Effect.void)
  }
}
