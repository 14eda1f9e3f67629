import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Capabilities, ChunkSink, type EmbeddingSpace } from "../../ChunkSink.ts"
import { ChunkId, DocumentChunk } from "../../DocumentChunk.ts"
import { DocumentId } from "../../SourceFile.ts"
import type { Target } from "../../testing/SinkConformance.ts"
import type { Case } from "./cases.ts"

export class ConformanceFailure extends Schema.TaggedError<ConformanceFailure>("docsluice/ConformanceFailure")(
  "ConformanceFailure",
  {
    /** Name of the case. */
    case: Schema.String,
    problem: Schema.String,
    cause: Schema.optional(Schema.Defect)
  }
) {
  override get message(): string {
    return `${this.case}: ${this.problem}`
  }
}

/** What a case works with; every effect fails with `ConformanceFailure` only. */
export interface World {
  readonly target: Target
  readonly space: EmbeddingSpace | null
  readonly can: Capabilities
  /** Opens the sink, prepares it, and closes it when the work is done. */
  readonly session: <A, E>(
    work: (sink: ChunkSink.Service, stamp: string | null) => Effect.Effect<A, E>
  ) => Effect.Effect<A, ConformanceFailure>
  /** Opens the sink without preparing it. */
  readonly unprepared: <A, E>(
    work: (sink: ChunkSink.Service) => Effect.Effect<A, E>
  ) => Effect.Effect<A, ConformanceFailure>
  /** Fails unless exactly these chunks are stored, by `list` in a new session and by `read` where there is one. */
  readonly expect: (chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, ConformanceFailure>
  readonly fail: (problem: string, cause?: unknown) => Effect.Effect<never, ConformanceFailure>
  readonly chunk: (document: string, index: number, more?: Partial<DocumentChunk>) => DocumentChunk
  readonly document: (document: string, count: number, generation?: string) => ReadonlyArray<DocumentChunk>
}

const build = (target: Target): Effect.Effect<ChunkSink.Service, unknown, Scope.Scope> =>
  Effect.map(Layer.build(Layer.fresh(target.layer)), (context) => Context.get(context, ChunkSink))

export const describe = <E>(
  target: Target<E>
): Effect.Effect<{ readonly name: string; readonly capabilities: Capabilities }, E, Scope.Scope> =>
  Effect.map(Layer.build(Layer.fresh(target.layer)), (context) => Context.get(context, ChunkSink))

export const run = <E>(
  row: Case,
  target: Target<E>
): Effect.Effect<"passed" | "skipped", ConformanceFailure | E, Scope.Scope> =>
  Effect.gen(function* () {
    const { capabilities } = yield* Effect.scoped(describe(target))
    const world = make(row.name, target, capabilities)
    if (!row.applies(world)) return "skipped"
    yield* row.run(world)
    return "passed"
  })

const make = (name: string, target: Target, can: Capabilities): World => {
  const space = target.space ?? null
  const fail: World["fail"] = (problem, cause) => Effect.fail(new ConformanceFailure({ case: name, problem, cause }))
  const failed = (problem: string) => (cause: unknown) =>
    cause instanceof ConformanceFailure
      ? cause
      : new ConformanceFailure({
          case: name,
          problem: `${problem}: ${cause instanceof Error ? cause.message : String(cause)}`,
          cause
        })
  const unprepared: World["unprepared"] = (work) =>
    Effect.mapError(Effect.scoped(Effect.flatMap(build(target), work)), failed("the sink failed"))
  const session: World["session"] = (work) =>
    unprepared((sink) =>
      Effect.gen(function* () {
        const stamp = yield* sink.prepare(space)
        const value = yield* work(sink, stamp)
        yield* sink.finish ?? Effect.void
        return value
      })
    )
  const chunk: World["chunk"] = (document, index, more = {}) => {
    const text = more.text ?? `text ${index} of ${document}`
    return new DocumentChunk({
      id: ChunkId.make(`${document.replaceAll(/[^a-z0-9]/gu, "")}-${index}`),
      documentId: DocumentId.make(`conformance/${document}`),
      source: document,
      index,
      embedText: text,
      tokens: 1 + index,
      start: 10 * index,
      end: 10 * index + text.length,
      pages: [],
      boxes: [],
      headingPath: [],
      kinds: ["paragraph"],
      blockIds: [],
      notes: [],
      metadata: {},
      ...(space && { embedding: vector(space, index + document.length) }),
      ...more,
      text
    })
  }
  return {
    target,
    space,
    can,
    session,
    unprepared,
    fail,
    chunk,
    document: (document, count, generation = "") =>
      Array.from({ length: count }, (_, index) =>
        generation === ""
          ? chunk(document, index)
          : chunk(document, index, {
              id: ChunkId.make(`${document.replaceAll(/[^a-z0-9]/gu, "")}-${generation}-${index}`),
              text: `text ${index} of ${document}, generation ${generation}`
            })
      ),
    expect: (chunks) =>
      Effect.gen(function* () {
        if (can.list) {
          const listed = yield* session((sink) => Stream.runCollect(sink.list ?? Stream.empty))
          const problem = difference(
            chunks.map(({ documentId, id }) => `${documentId} ${id}`),
            Chunk.toReadonlyArray(listed).map(({ documentId, id }) => `${documentId} ${id}`)
          )
          if (problem !== null) return yield* fail(`list gives something else than what was stored: ${problem}`)
        }
        if (target.read) {
          const stored = yield* Effect.mapError(target.read, failed("what is stored could not be read"))
          const problem = difference(chunks.map(canonical), stored.map(canonical))
          if (problem !== null) return yield* fail(`something else is stored than what was written: ${problem}`)
        }
        return undefined
      })
  }
}

/** Unit vectors of single precision, so that every store gives back what it was given. */
const vector = (space: EmbeddingSpace, seed: number): ReadonlyArray<number> =>
  Array.from({ length: space.dimensions }, (_, at) => (at === seed % space.dimensions ? 1 : 0))

const difference = (expected: ReadonlyArray<string>, actual: ReadonlyArray<string>): string | null => {
  const missing = without(expected, actual)
  const extra = without(actual, expected)
  if (missing.length === 0 && extra.length === 0) return null
  const show = (items: ReadonlyArray<string>) =>
    items
      .slice(0, 3)
      .map((item) => item.slice(0, 300))
      .join("; ")
  return `${missing.length} missing (${show(missing)}), ${extra.length} extra (${show(extra)})`
}

/** What is in the one and not in the other, as often as it is there. */
const without = (all: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const item of others) counts.set(item, (counts.get(item) ?? 0) + 1)
  return all.filter((item) => {
    const left = counts.get(item) ?? 0
    counts.set(item, left - 1)
    return left <= 0
  })
}

/** Text that is the same for two chunks exactly when they are; the order of metadata does not count. */
const canonical = (chunk: DocumentChunk): string =>
  JSON.stringify(
    {
      ...chunk,
      metadata: Object.entries(chunk.metadata).toSorted(([left], [right]) => (left < right ? -1 : 1)),
      boxes: chunk.boxes.map(({ page, bbox }) => [page, bbox]),
      headingPath: chunk.headingPath.map(({ depth, text }) => [depth, text])
    },
    Object.keys(DocumentChunk.fields).toSorted()
  )
