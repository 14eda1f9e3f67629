import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { CorpusClosed } from "./contract.ts"

/** The calls of a corpus: it ends after the last of them. */
export interface Calls {
  /** Runs a call; refuses it once the corpus is closing. */
  readonly call: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | CorpusClosed, R>
  /** Emits a stream, which fails once the corpus is closing: its consumer may never ask for its next item. */
  readonly emit: <A, E, R>(stream: Stream.Stream<A, E, R>) => Stream.Stream<A, E | CorpusClosed, R>
  /** Refuses further calls and waits for those that run. May be called again. */
  readonly close: Effect.Effect<void>
}

export const make: Effect.Effect<Calls> = Effect.gen(function* () {
  const closing = yield* Deferred.make<never, CorpusClosed>()
  const ended = yield* Deferred.make<void>()
  let closed = false
  let running = 0
  const settle = (): void => {
    if (closed && running === 0) Deferred.unsafeDone(ended, Effect.void)
  }
  const call = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | CorpusClosed, R> =>
    Effect.acquireUseRelease(
      Effect.suspend(() => {
        if (closed) return Effect.fail(new CorpusClosed())
        running += 1
        return Effect.void
      }),
      () => effect,
      () =>
        Effect.sync(() => {
          running -= 1
          settle()
        })
    )
  return {
    call,
    emit: (stream) => Stream.interruptWhenDeferred(Stream.unwrap(call(Effect.succeed(stream))), closing),
    close: Effect.suspend(() => {
      closed = true
      Deferred.unsafeDone(closing, new CorpusClosed())
      settle()
      return Deferred.await(ended)
    })
  }
})
