import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/**
 * Runs an effect as a promise. It is rejected with the effect's own error: a tagged error, a defect, or the signal's reason. An abort
 * interrupts the effect; the promise settles once that has ended.
 */
export const promise = async <A, E>(effect: Effect.Effect<A, E>, signal: AbortSignal | undefined): Promise<A> => {
  // A fiber whose signal cannot be listened to would run on.
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError("signal: expected an AbortSignal")
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (signal?.aborted === true && Cause.isInterruptedOnly(exit.cause)) throw reasonOf(signal)
  throw Option.getOrElse(Cause.failureOption(exit.cause), () => Cause.squash(exit.cause))
}

/** A stream as an iterable with back-pressure that is interrupted when the loop is left. Errors as in {@link promise}. */
export const iterable = <A, E>(stream: Stream.Stream<A, E>, signal: AbortSignal | undefined): AsyncIterable<A> =>
  Stream.toAsyncIterable(
    signal === undefined
      ? stream
      : Stream.interruptWhen(
          stream,
          Effect.flatMap(aborted(signal), () => Effect.fail(reasonOf(signal)))
        )
  )

/** Completes once the signal is aborted. */
export const aborted = (signal: AbortSignal): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    const done = (): void => resume(Effect.void)
    if (signal.aborted) done()
    else signal.addEventListener("abort", done, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", done))
  })

const reasonOf = (signal: AbortSignal): unknown => {
  const reason: unknown = signal.reason
  return reason
}
