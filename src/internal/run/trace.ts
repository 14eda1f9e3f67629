import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import { identity } from "effect/Function"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"
import type { Outcome, Summary } from "../../Outcome.ts"
import { attributes, spans } from "../../Telemetry.ts"
import type { Found } from "../discovery/foundFiles.ts"
import * as Metrics from "../telemetry/metrics.ts"
import * as Spans from "../telemetry/spans.ts"
import type { Compared } from "./compare.ts"
import { isDuplicate } from "./outcome.ts"
import type { Session } from "./session.ts"

/** An item between two stages: chunks of a document, its outcome, or a refusal whose meaning is not known yet. */
type Item =
  | {
      readonly _tag: "Prepared"
      readonly file: { readonly path: string }
      readonly chunked: { readonly chunks: ReadonlyArray<unknown> }
    }
  | { readonly _tag: "Ended"; readonly outcome: Outcome }
  | { readonly _tag: "Refused" }

/**
 * The spans and metrics of one run. Without a tracer, which is decided once a run, every effect and stage is returned as it is; the
 * metrics cost one addition each.
 */
export interface Trace {
  /** Makes the run's span the current one. */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The first stage of a document, which begins its span; one that was put off has begun it. */
  readonly document: <A, R>(item: Compared, stage: Effect.Effect<A, never, R>) => Effect.Effect<A, never, R>
  /** A later stage as a child of the document's span; items without chunks pass without one. */
  readonly stage: <I extends Item, A extends Item | Outcome>(
    name: string,
    stage: (item: I) => Effect.Effect<A>
  ) => (item: I) => Effect.Effect<A>
  /** A part of the first stage as a child of the document's span, with attributes of its result. */
  readonly part: <A, E, R>(
    name: string,
    effect: Effect.Effect<A, E, R>,
    read: (value: A) => Spans.Attributes
  ) => Effect.Effect<A, E, R>
  /** Counts the outcomes and ends the spans of their documents, before they are emitted. */
  readonly settled: <E, R>(outcomes: Stream.Stream<Outcome, E, R>) => Stream.Stream<Outcome, E, R>
  /** Adds the result of the run to its span. */
  readonly summary: (summary: Summary) => void
}

/** Starts the run's span, which ends with the scope, as do the spans of documents that got no outcome. */
export const make = (session: Session): Effect.Effect<Trace, never, Scope.Scope> =>
  Effect.withFiberRuntime((fiber) => {
    const count = counting(session, fiber.getFiberRef(FiberRef.currentMetricLabels))
    return Spans.isTraced(fiber) ? recording(count) : Effect.succeed(silent(count))
  })

/** Counts outcomes; credits and uploads are those of the run, since a document that fails after its parse has cost some. */
const counting = (session: Session, labels: Metrics.Labels) => {
  const { counters } = session.run
  const spent = (): number => session.credits + counters.figures.credits
  let credits = spent()
  let { uploaded } = counters
  return (outcome: Outcome): void => {
    if (spent() > credits) Metrics.credits.unsafeUpdate(spent() - credits, labels)
    if (counters.uploaded > uploaded) Metrics.uploaded.unsafeUpdate(counters.uploaded - uploaded, labels)
    credits = spent()
    uploaded = counters.uploaded
    if (outcome._tag === "Failed") return Metrics.failuresOf(outcome.tag).unsafeUpdate(1, labels)
    Metrics.documentsOf(outcome._tag).unsafeUpdate(1, labels)
    if (outcome._tag !== "Stored") return
    Metrics.bytes.unsafeUpdate(outcome.bytes, labels)
    Metrics.pages.unsafeUpdate(outcome.pages, labels)
  }
}

const silent = (count: (outcome: Outcome) => void): Trace => ({
  run: identity,
  document: (_, stage) => stage,
  stage: (_, stage) => stage,
  part: (_, effect) => effect,
  settled: Stream.mapChunks((chunk) => {
    for (const outcome of chunk) count(outcome)
    return chunk
  }),
  summary: () => {}
})

const recording = (count: (outcome: Outcome) => void): Effect.Effect<Trace, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* Effect.acquireRelease(Spans.make(spans.run, {}), Spans.end)
    const open = new Open()
    yield* Effect.addFinalizer(() => Effect.forEach(open.all(), (span) => Spans.end(span, Spans.interrupted)))
    const begin = (found: Found): Effect.Effect<Tracer.Span> =>
      Effect.map(Spans.make(spans.document, ofFound(found), run), (span) => open.add(found.path, span))
    const settle = (outcome: Outcome): Effect.Effect<void> => {
      count(outcome)
      const span = isDuplicate(outcome) ? undefined : open.take(outcome.source)
      const ended = (span: Tracer.Span): Effect.Effect<void> => {
        Spans.annotate(span, ofOutcome(outcome))
        return Spans.end(span, exitOf(outcome))
      }
      // An unchanged document and a duplicate pass no stage, so that their spans begin and end here.
      return span === undefined
        ? Effect.flatMap(Spans.make(spans.document, { [attributes.path]: outcome.source }, run), ended)
        : ended(span)
    }
    const trace: Trace = {
      run: (effect) => Spans.under(effect, run),
      document: ({ found, postponed = false }, stage) =>
        postponed
          ? Effect.suspend(() => Spans.under(stage, open.peek(found.path) ?? run))
          : Effect.flatMap(begin(found), (span) => Spans.under(stage, span)),
      stage: (name, stage) => (item) => {
        const one: Item = item
        if (one._tag !== "Prepared") return stage(item)
        return Spans.within(name, { [attributes.chunks]: one.chunked.chunks.length }, stage(item), {
          parent: open.peek(one.file.path) ?? run,
          ended: exitOf
        })
      },
      part: (name, effect, read) =>
        Spans.within(name, {}, effect, {
          ended: (value, span) => {
            Spans.annotate(span, read(value))
            return Exit.void
          }
        }),
      settled: Stream.mapChunksEffect((chunk) => Effect.as(Effect.forEach(chunk, settle, { discard: true }), chunk)),
      summary: ({ discovered, exit, stopped }) =>
        Spans.annotate(run, {
          [attributes.documents]: discovered,
          [attributes.exit]: exit,
          ...(stopped && { [attributes.error]: stopped.tag })
        })
    }
    return trace
  })

/** Spans of documents without an outcome, by path; several where files in different roots have the same path. */
class Open {
  private readonly spans = new Map<string, ReadonlyArray<Tracer.Span>>()

  add(path: string, span: Tracer.Span): Tracer.Span {
    this.spans.set(path, [...(this.spans.get(path) ?? []), span])
    return span
  }

  peek(path: string): Tracer.Span | undefined {
    return this.spans.get(path)?.[0]
  }

  take(path: string): Tracer.Span | undefined {
    const [first, ...rest] = this.spans.get(path) ?? []
    if (rest.length === 0) this.spans.delete(path)
    else this.spans.set(path, rest)
    return first
  }

  all(): ReadonlyArray<Tracer.Span> {
    return [...this.spans.values()].flat()
  }
}

const ofFound = (found: Found): Spans.Attributes => ({
  [attributes.path]: found.path,
  ...(found._tag === "SourceFile" && { [attributes.bytes]: found.size })
})

const ofOutcome = (outcome: Outcome): Spans.Attributes => ({
  [attributes.outcome]: outcome._tag,
  ...(outcome._tag === "Stored" && {
    [attributes.bytes]: outcome.bytes,
    [attributes.pages]: outcome.pages,
    [attributes.chunks]: outcome.chunks.added + outcome.chunks.unchanged,
    [attributes.fromCache]: outcome.fromCache
  })
})

/** Exit to record for an item or an outcome: its failure, if it is one. */
const exitOf = (result: Item | Outcome): Exit.Exit<void, { readonly _tag: string }> => {
  if (result._tag === "Ended") return exitOf(result.outcome)
  return result._tag === "Failed" ? Spans.failure(result.tag) : Exit.void
}
