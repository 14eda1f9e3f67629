/**
 * Stages: streams to streams, each of which takes the values that it is for and lets all others pass in their place.
 *
 * `Discovery.discover`, `Parser.parseAll`, `Chunker.chunkAll`, `Embedder.embedAll` and `ChunkSink.store` fit into one another this way: files
 * that cannot be used, and documents that failed where `failures` is `keep`, come out at the end as typed values.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { DocumentChunks } from "./internal/sink/contract.ts"
import { Foreign } from "./Outcome.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"
import type { DocumentId, SourceFile } from "./SourceFile.ts"

/**
 * A document that a stage could not take further, and why. Later stages let it pass.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rejected<out E> {
  readonly _tag: "Rejected"
  readonly documentId: DocumentId
  readonly error: E
}

/**
 * A failure in a stream of stages: a {@link Rejected} document, or a `Discovery.Unusable` file or folder. Without an id for a folder, and
 * where the source does not know the name of its root.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure {
  readonly _tag: "Rejected" | "Unusable"
  readonly documentId?: DocumentId | undefined
  readonly error: unknown
}

/**
 * What becomes of a document that fails: `fail` ends the stream with its error, `keep` gives a {@link Rejected} and goes on. What a step throws
 * is kept too, as a `Foreign` with the tag `Defect`; with `fail` it stays a defect.
 *
 * @since 0.1.0
 * @category models
 */
export type Failures = "fail" | "keep"

/**
 * @since 0.1.0
 * @category models
 */
export interface FailureOptions {
  /** Default `fail`. */
  readonly failures?: Failures | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends FailureOptions {
  /**
   * The most documents at a time. A stage holds two more at most: one that waits to be taken and one that waits to be given out, and a third
   * where `ordered` is false; with 1 in order, it holds that one alone.
   */
  readonly concurrency: number
  /** Results come in the order of the documents; default true. */
  readonly ordered?: boolean | undefined
}

/**
 * The default of {@link FailureOptions}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failing {
  readonly failures: "fail"
}

/** `fail` where the options leave it out; all that it may be where their type does not say. */
type FailuresOf<O> = "failures" extends keyof O ? O["failures"] : "fail"

/**
 * The errors with which a stage of these options ends its stream.
 *
 * @since 0.1.0
 * @category models
 */
export type Ending<O, E> = [FailuresOf<O>] extends ["keep"] ? never : E

/**
 * The values that a stage of these options gives for documents that failed.
 *
 * @since 0.1.0
 * @category models
 */
export type Kept<O, E> = "keep" extends FailuresOf<O> ? Rejected<E | Foreign> : never

/**
 * Refuses, when it is compiled, a stream of which a stage would take nothing.
 *
 * @since 0.1.0
 * @category models
 */
export type Fitting<A, T> = [Extract<A, T>] extends [never]
  ? "the stage takes none of the values of this stream"
  : unknown

/**
 * A stage that makes a `B` of each `T`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Stage<T, B, E, R, K = never> {
  <A, E2, R2>(self: Stream.Stream<A, E2, R2> & Fitting<A, T>): Stream.Stream<B | K | Exclude<A, T>, E | E2, R | R2>
}

/**
 * A stage of one's own: `f` for each value that `takes` recognizes.
 *
 * ```ts
 * import { Stage } from "docsluice"
 * import { Effect } from "effect"
 *
 * const titled = Stage.make(
 *   Stage.isParsed,
 *   (document) => Effect.succeed({ ...document, metadata: { ...document.metadata, title: document.source } }),
 *   { concurrency: 1 }
 * )
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export function make<T extends Identified, B, E, R, const O extends Options>(
  takes: (value: unknown) => value is T,
  f: (value: T) => Effect.Effect<B, E, R>,
  options: O
): Stage<T, B, Ending<O, E>, R, Kept<O, E>>
export function make(
  takes: (value: unknown) => value is Identified,
  f: (value: Identified) => Effect.Effect<unknown, unknown, unknown>,
  { concurrency, failures = "fail", ordered = true }: Options
): (self: Stream.Stream<unknown, unknown, unknown>) => Stream.Stream<unknown, unknown, unknown> {
  const kept = (value: Identified) =>
    Effect.catchAllCause(
      Effect.suspend(() => f(value)),
      (cause): Effect.Effect<Rejected<unknown>, unknown> =>
        Cause.isInterrupted(cause)
          ? Effect.failCause(cause)
          : Effect.succeed({ _tag: "Rejected", documentId: value.documentId, error: errorOf(cause) })
    )
  const taken = failures === "keep" ? kept : f
  const step = (value: unknown) => (takes(value) ? taken(value) : Effect.succeed(value))
  return ordered
    ? Stream.mapEffect(step, { concurrency })
    : // `mapEffect` would let 16 results wait, whatever the concurrency.
      Stream.flatMap((value) => Stream.fromEffect(step(value)), { concurrency, bufferSize: 1 })
}

/** The failure of a cause; a defect as a {@link Foreign} with the tag `Defect`. */
const errorOf = (cause: Cause.Cause<unknown>): unknown =>
  Option.getOrElse(Cause.failureOption(cause), () => {
    const defect = Cause.squash(cause)
    return new Foreign({ tag: "Defect", message: String(defect), value: defect }, { disableValidation: true })
  })

/** The document that a value is about. */
interface Identified {
  readonly documentId: DocumentId
}

/** What is left of a type where a value of it is a `T` and no `Not`; `T` where the type says nothing. */
type Narrowed<A, T, Not = never> = unknown extends A ? A & T : Exclude<Extract<A, T>, Not>

/**
 * @since 0.1.0
 * @category guards
 */
export const isFile = <A>(value: A): value is Narrowed<A, SourceFile> => Predicate.isTagged(value, "SourceFile")

/**
 * True for a document with its Markdown and without chunks: one that has both is a chunked one, for {@link isChunked}.
 *
 * @since 0.1.0
 * @category guards
 */
export const isParsed = <A>(value: A): value is Narrowed<A, ParsedDocument, DocumentChunks> =>
  Predicate.hasProperty(value, "documentId") &&
  Predicate.hasProperty(value, "markdown") &&
  typeof value.markdown === "string" &&
  !isChunked(value)

/**
 * True for a document with a list of chunks, whatever else it has.
 *
 * @since 0.1.0
 * @category guards
 */
export const isChunked = <A>(value: A): value is Narrowed<A, DocumentChunks> =>
  Predicate.hasProperty(value, "documentId") && Predicate.hasProperty(value, "chunks") && Array.isArray(value.chunks)

/**
 * @since 0.1.0
 * @category guards
 */
export const isRejected = <A>(value: A): value is Narrowed<A, Rejected<unknown>> =>
  Predicate.isTagged(value, "Rejected") &&
  Predicate.hasProperty(value, "documentId") &&
  Predicate.hasProperty(value, "error")

/**
 * True for all that failed, whatever stage it was: `Stream.partition(Stage.isFailure)` gives failures, each with its `error`, apart from the
 * rest.
 *
 * @since 0.1.0
 * @category guards
 */
export const isFailure = <A>(value: A): value is Narrowed<A, Failure> =>
  (Predicate.isTagged(value, "Rejected") || Predicate.isTagged(value, "Unusable")) &&
  Predicate.hasProperty(value, "error")
