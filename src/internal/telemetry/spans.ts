/** Spans, metrics and log lines: their one way out of clients, sinks, embedders and runs. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as Tracer from "effect/Tracer"
import * as Telemetry from "../../Telemetry.ts"

/** Attributes of a span: numbers, booleans, tags and names; never a part of a request, an answer or a document. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Effect's own tracer, whose spans nobody reads. */
const native = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/**
 * True when a span that this fiber makes can reach somebody. Two reads, so it may be asked for every document. A parent span alone
 * says nothing: the children of the native tracer are dropped.
 */
export const isTraced = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  fiber.currentTracer !== native && fiber.getFiberRef(FiberRef.currentTracerEnabled)

/** Tag of a failure; its message and fields may quote an answer or a document. */
const tagOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.failureOption(cause)
  if (failure._tag === "None") return "Defect"
  const error: unknown = failure.value
  return typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : "Error"
}

/** A failure as its tag alone; success and interruption as they are. */
const plain = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<void, string> => {
  if (Exit.isSuccess(exit)) return Exit.void
  return Cause.isInterruptedOnly(exit.cause) ? interrupted : Exit.fail(tagOf(exit.cause))
}

/** Exit of work that was cut short. */
export const interrupted: Exit.Exit<never> = Exit.interrupt(FiberId.none)

/** Ends a span. A failure is recorded as its tag alone. */
export const end = (span: Tracer.Span, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Effect.clockWith((clock) =>
    Effect.sync(() => {
      const result = plain(exit)
      if (Exit.isFailure(result) && result.cause._tag === "Fail") {
        span.attribute(Telemetry.attributes.error, result.cause.error)
      }
      span.end(clock.unsafeCurrentTimeNanos(), result)
    })
  )

/** Exit of a result that stands for a failure with this tag. */
export const failure = (tag: string): Exit.Exit<never, { readonly _tag: string }> => Exit.fail({ _tag: tag })

/** Sets several attributes. */
export const annotate = (span: Tracer.Span, attributes: Attributes): void => {
  for (const key in attributes) span.attribute(key, attributes[key])
}

/** A span that records no stack trace; child of the current one, or of `parent`. */
export const make = (name: string, attributes: Attributes, parent?: Tracer.AnySpan): Effect.Effect<Tracer.Span> =>
  Effect.makeSpan(name, { attributes, captureStackTrace: false, ...(parent && { parent }) })

/** Makes a span the parent of the effect's own spans. */
export const under = <A, E, R>(effect: Effect.Effect<A, E, R>, span: Tracer.AnySpan): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(effect, (context: Context.Context<R>) => Context.add(context, Tracer.ParentSpan, span))

/** Runs the effect in a span, child of the current one or of `parent`. `ended` gives the exit to record, and may add attributes. */
export const within = <A, E, R>(
  name: string,
  attributes: Attributes,
  effect: Effect.Effect<A, E, R>,
  options: {
    readonly parent?: Tracer.AnySpan | undefined
    readonly ended?: ((value: A, span: Tracer.Span) => Exit.Exit<unknown, unknown>) | undefined
  } = {}
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    make(name, attributes, options.parent),
    (span) => under(effect, span),
    (span, exit) => end(span, Exit.isSuccess(exit) && options.ended ? options.ended(exit.value, span) : exit)
  )

/** As {@link within} when the fiber is traced, otherwise the effect itself. */
export const traced = <A, E>(name: string, attributes: Attributes, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.withFiberRuntime((fiber) => (isTraced(fiber) ? within(name, attributes, effect) : effect))
