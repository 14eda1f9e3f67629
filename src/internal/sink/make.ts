/** A sink from its definition: see `ChunkSink.make`. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ChunkId, DocumentChunk } from "../../DocumentChunk.ts"
import { attributes, spans } from "../../Telemetry.ts"
import { cut, distinct } from "../base/batch.ts"
import { loaded } from "../base/loaded.ts"
import { oneEffect } from "../base/oneEffect.ts"
import * as Metrics from "../telemetry/metrics.ts"
import { traced } from "../telemetry/spans.ts"
import * as ChunkChecks from "./checks.ts"
import {
  type Claim,
  type Definition,
  type DocumentChunks,
  type Found,
  type Limits,
  type Made,
  type Plan,
  type Prepared,
  type Service,
  type Store
} from "./contract.ts"
import * as FilterCheck from "./filterCheck.ts"
import * as Generations from "./generations.ts"
import type { Operations } from "./hits.ts"
import * as Holder from "./holder.ts"
import * as Opening from "./opening.ts"
import type * as Ownership from "./ownership.ts"
import { SinkError } from "./sinkError.ts"
import { type EmbeddingSpace, sameSpace } from "./space.ts"
import * as Stamps from "./stamp.ts"
import * as Tenants from "./tenants.ts"

/** Loaded by the first search: a sink that only writes needs no stemmers. */
const completing = loaded(() => import("./hits.ts"))

const defaults = { maxCount: 1000, maxBytes: 8 * 1024 * 1024, concurrent: 1 } as const

/**
 * A sink from its definition.
 *
 * It owns the one open handle: `prepare` opens it, a second `prepare` tidies the target and opens it again, the end of the scope
 * closes it, and a call on a store that is closed is a `Mismatch`. Batches above the limits are split, in order, and a batch that the engine
 * calls too large is halved down to single chunks. A chunk that no store can hold (a vector or a number that is not finite,
 * metadata that are not flat) is `Rejected` before the engine sees it. If an id comes twice, the last chunk counts. Calls run one
 * after another unless `concurrent` is above 1. Each call is a span, and chunks and failures are counted, see `Telemetry`.
 *
 * @since 0.1.0
 * @category constructors
 */
export function make<Handle, R extends Scope.Scope, D>(
  definition: Definition<Handle, R> & D & { readonly [K in Exclude<keyof D, keyof Definition<Handle>>]: never }
): Effect.Effect<Made<D>, never, R>
export function make<Handle>(definition: Definition<Handle, Scope.Scope>): Effect.Effect<Service, never, Scope.Scope> {
  const { beside } = definition
  const first = single(definition)
  return beside === undefined
    ? first
    : Effect.flatMap(first, (made) =>
        Generations.make({ definition: { ...definition, beside }, first: made, make: single })
      )
}

/** The sink of a definition at its own place alone. */
const single = <Handle>(definition: Definition<Handle, Scope.Scope>): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    yield* oneEffect
    const { contents, count, id, inspect, list, name, search } = definition
    const ranged = definition.range ?? (contents && rangeOf(contents))
    const open = yield* openHandle(definition)
    const { holder, limits, run } = open
    const ofTenant = yield* Tenants.make(definition, () => service)
    const service: Service = {
      id,
      name,
      capabilities: {
        remove: definition.remove !== undefined,
        replace: definition.replaceAll !== undefined,
        list: list !== undefined,
        search: search !== undefined,
        filter: operatorsOf(definition),
        ...(search !== undefined && definition.terms === true && { terms: true }),
        stamp: inspect !== undefined
      },
      limits,
      ...preparing(open),
      ...(list && { list: Stream.unwrap(Effect.map(holder.looking, ({ handle }) => list(handle))) }),
      ...(contents && { contents: Stream.unwrap(Effect.map(holder.looking, ({ handle }) => contents(handle))) }),
      ...(count && {
        count: run(
          "count",
          0,
          Effect.flatMap(holder.looking, ({ handle }) => count(handle))
        )
      }),
      ...(search && { search: choosing(() => service, searching(open, search)) }),
      ...(ranged && {
        range: (range) =>
          run(
            "range",
            0,
            Effect.flatMap(holder.looking, ({ handle }) => ranged(handle, range))
          )
      }),
      ...(ofTenant && { ofTenant })
    }
    return service
  })

/** Chunks of a document, from all chunks of a store. */
const rangeOf =
  <Handle>(contents: NonNullable<Definition<Handle>["contents"]>): NonNullable<Definition<Handle>["range"]> =>
  (handle, { documentId, from, to }) =>
    contents(handle).pipe(
      Stream.filter((chunk) => chunk.documentId === documentId && chunk.index >= from && chunk.index <= to),
      Stream.runCollect,
      Effect.map((chunks) => Chunk.toReadonlyArray(chunks).toSorted((left, right) => left.index - right.index))
    )

/** A handle, and the space of the vectors in its store. */
interface Opened<Handle> {
  readonly handle: Handle
  readonly space: EmbeddingSpace | null
}

/** The one open handle of a definition, and the calls on it. */
interface Open<Handle> {
  readonly definition: Definition<Handle, Scope.Scope>
  readonly target: Opening.Target
  readonly holder: Holder.Holder<Opened<Handle>, SinkError>
  readonly limits: Limits
  readonly metrics: ReturnType<typeof Metrics.sinkOf>
  /** Runs a call in its turn, as a span; a failure is counted. */
  readonly run: <A>(call: string, chunks: number, effect: Effect.Effect<A, SinkError>) => Effect.Effect<A, SinkError>
  readonly failure: (reason: SinkError["reason"], problem: string) => SinkError
  /** Failure of a change of a store that is not open any more. */
  readonly closed: SinkError
}

const operatorsOf = <Handle>({ filter = [], search }: Definition<Handle, Scope.Scope>) =>
  search === undefined ? [] : filter

const openHandle = <Handle>(
  definition: Definition<Handle, Scope.Scope>
): Effect.Effect<Open<Handle>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { finish, id, inspect, limits, name, read } = definition
    const semaphore = yield* Effect.makeSemaphore(definition.concurrent ?? defaults.concurrent)
    const failure: Open<Handle>["failure"] = (reason, problem) => new SinkError({ sink: id, reason, problem })
    const target = Opening.targetOf(id, inspect)
    const metrics = Metrics.sinkOf(name)
    const closed = failure(
      "Mismatch",
      "its store is not open any more: it was closed, cleared, or prepared for another one; write to what `prepare` gives now"
    )
    const holder = Holder.make<Opened<Handle>, SinkError>({
      notOpen: failure("Rejected", "it cannot be read before it is prepared: call `prepare` first"),
      closed,
      read:
        read === undefined
          ? null
          : Effect.flatMap(target.readable, (stamp) =>
              Effect.map(read(stamp), (handle) => ({ handle, space: stamp.space }))
            ),
      finish: finish === undefined ? () => Effect.void : ({ handle }, changed) => finish(handle, changed)
    })
    yield* atEnd(
      Effect.catchAll(holder.end, (error) =>
        Effect.logError(`${error.message}; the next run that opens it puts it in order`)
      )
    )
    return {
      definition,
      target,
      holder,
      limits: {
        maxCount: Math.max(1, limits?.maxCount ?? defaults.maxCount),
        maxBytes: Math.max(1, limits?.maxBytes ?? defaults.maxBytes)
      },
      metrics,
      run: (call, chunks, effect) =>
        traced(
          spans.sink,
          { [attributes.sink]: name, [attributes.call]: call, [attributes.chunks]: chunks },
          semaphore.withPermits(1)(Effect.tapError(effect, () => Metric.increment(metrics.failures)))
        ),
      failure,
      closed
    }
  })

/** Runs the effect at the end of the scope, if there is one: a sink that acquires nothing needs none. */
const atEnd = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(Effect.serviceOption(Scope.Scope), (scope) =>
    Option.isNone(scope) ? Effect.void : Scope.addFinalizer(scope.value, effect)
  )

/** The store that prepared values write to: those of one space and one store share it. */
interface Written {
  readonly space: EmbeddingSpace | null
  readonly storeId: Option.Option<string>
}

const sameStore = (left: Written | null, right: Written): left is Written =>
  left !== null &&
  sameSpace(left.space, right.space) &&
  Option.getOrNull(left.storeId) === Option.getOrNull(right.storeId)

const preparing = <Handle>(open: Open<Handle>): Pick<Service, "prepare" | "stamp" | "look" | "clear"> => {
  const { closed, definition, failure, holder, limits, run, target } = open
  const { clear, finish, inspect, list, remove } = definition
  let written: Written | null = null
  const forgotten = Effect.sync(() => {
    written = null
  })
  const emptied = clear && Effect.zipRight(Effect.zipRight(forgotten, holder.close), clear)

  const removeOwn = ({ isOthers }: Store) =>
    list === undefined || remove === undefined
      ? failure(
          "Unsupported",
          "what is this state's own cannot be taken out of a store that is shared; remove it yourself"
        )
      : Effect.flatMap(holder.changing, ({ handle }) =>
          list(handle).pipe(
            Stream.filter(({ documentId }) => !isOthers(documentId)),
            Stream.map((chunk) => chunk.id),
            Stream.runCollect,
            Effect.flatMap((ids) =>
              Effect.forEach(
                cut(Chunk.toReadonlyArray(ids), limits.maxCount, Infinity),
                (part) => remove(handle, part),
                { discard: true }
              )
            )
          )
        )
  const prepare = Effect.fnUntraced(function* (space: EmbeddingSpace | null, claim: Claim | undefined) {
    const ofOwn = claim?.rebuild === true && !(yield* target.rebuild(claim, emptied))
    let decided: Ownership.Plan | null = null
    const decide = (found: Found) =>
      Effect.map(target.decide(found, claim, space), (plan): Plan => {
        decided = plan
        return { action: plan.action, stamp: Stamps.encode(plan.stamp) }
      })
    yield* holder.open(Effect.map(definition.open({ space, decide }), (handle) => ({ handle, space })))
    const store = Opening.storeOf(decided, claim)
    const opened = { space, storeId: store.storeId }
    const own = sameStore(written, opened) ? written : opened
    written = own
    if (ofOwn) yield* removeOwn(store)
    return {
      ...store,
      compare: store.compare || ofOwn,
      ...changing(
        open,
        space,
        Effect.suspend(() => (written === own ? holder.changing : closed))
      ),
      finish: finish
        ? run(
            "finish",
            0,
            Effect.suspend(() => (written === own ? holder.finish : Effect.void))
          )
        : Effect.void
    }
  })
  return {
    prepare: (space, claim) => run("prepare", 0, prepare(space, claim)),
    ...(inspect && { stamp: target.stamp, look: target.look }),
    ...(emptied && { clear: run("clear", 0, Effect.zipRight(target.clearable, emptied)) })
  }
}

/** Makes a call in halves, down to single items, when the engine calls it too large. */
const halving = <A>(
  call: (items: ReadonlyArray<A>) => Effect.Effect<void, SinkError>
): ((items: ReadonlyArray<A>) => Effect.Effect<void, SinkError>) => {
  const attempt = (items: ReadonlyArray<A>): Effect.Effect<void, SinkError> =>
    Effect.catchIf(
      call(items),
      (error) => error.reason === "TooLarge" && items.length > 1,
      () => {
        const half = items.length >> 1
        return Effect.zipRight(attempt(items.slice(0, half)), attempt(items.slice(half)))
      }
    )
  return attempt
}

const changing = <Handle>(
  { definition: { remove, replaceAll, vectors = "any", write }, failure, limits, metrics, run }: Open<Handle>,
  space: EmbeddingSpace | null,
  opened: Effect.Effect<Opened<Handle>, SinkError>
): Pick<Prepared, "write" | "remove" | "replace" | "replaceAll"> => {
  /** Changes the store by one call, and counts its chunks. */
  const change = (
    call: string,
    chunks: number,
    effect: (handle: Handle) => Effect.Effect<void, SinkError>,
    counter = metrics.written
  ) =>
    Effect.zipRight(
      run(
        call,
        chunks,
        Effect.flatMap(opened, ({ handle }) => effect(handle))
      ),
      Metric.incrementBy(counter, chunks)
    )
  const check = (chunks: ReadonlyArray<DocumentChunk>) =>
    Effect.suspend(() => {
      const problem = ChunkChecks.problemOf(chunks, vectors, space)
      return problem === null ? Effect.void : failure("Rejected", problem)
    })
  const writePart = halving((part: ReadonlyArray<DocumentChunk>) =>
    change("write", part.length, (handle) => write(handle, part))
  )
  const replacing =
    replaceAll &&
    Effect.fnUntraced(function* (call: string, documents: ReadonlyArray<DocumentChunks>) {
      const strangers = documents.map(({ chunks, documentId }) => ChunkChecks.strangerOf(documentId, chunks))
      const stranger = strangers.find((one) => one !== null)
      if (stranger) return yield* failure("Rejected", stranger)
      const whole = documents.map(({ chunks, documentId }) => ({ documentId, chunks: distinct(chunks) }))
      for (const { chunks } of whole) yield* check(chunks)
      const chunks = whole.reduce((sum, one) => sum + one.chunks.length, 0)
      return yield* change(call, chunks, (handle) => replaceAll(handle, whole))
    })
  return {
    write: (batch) =>
      Effect.suspend(() => {
        const chunks = distinct(batch)
        const parts = Effect.suspend(() =>
          Effect.forEach(cut(chunks, limits.maxCount, limits.maxBytes), writePart, { discard: true })
        )
        return Effect.zipRight(check(chunks), parts)
      }),
    ...(remove && {
      remove: (ids) => {
        const removePart = halving((part: ReadonlyArray<ChunkId>) =>
          change("remove", part.length, (handle) => remove(handle, part), metrics.removed)
        )
        return Effect.forEach(cut(ids, limits.maxCount, Infinity), removePart, { discard: true })
      }
    }),
    ...(replacing && {
      replace: (documentId, chunks) => replacing("replace", [{ documentId, chunks }]),
      replaceAll: (documents) => (documents.length === 0 ? Effect.void : replacing("replaceAll", documents))
    })
  }
}

/** A search of the sink of the tenant that the query names, or of `own`. */
const choosing =
  (self: () => Service, own: NonNullable<Service["search"]>): NonNullable<Service["search"]> =>
  ({ tenant, ...query }) =>
    Effect.suspend(() => {
      const whole = self()
      return typeof tenant !== "string"
        ? own({ ...query, ...(tenant !== undefined && { tenant }) })
        : Effect.scoped(
            Effect.flatMap(Tenants.part(whole, tenant), (part) =>
              part.id === whole.id || part.search === undefined ? own(query) : part.search(query)
            )
          )
    })

const searching =
  <Handle>(
    { definition, failure, holder, run }: Open<Handle>,
    search: NonNullable<Definition<Handle>["search"]>
  ): NonNullable<Service["search"]> =>
  (query) =>
    run(
      "search",
      0,
      Effect.gen(function* () {
        const { frequencies, id: sink, range, vectors = "any" } = definition
        const wrong = ChunkChecks.memberProblem(query)
        if (wrong !== null) return yield* failure("Rejected", wrong)
        const { filter } = yield* FilterCheck.checked(sink, operatorsOf(definition), query)
        const { handle, space } = yield* holder.looking
        for (const { vector } of [query, ...(query.alternatives ?? [])]) {
          const problem = ChunkChecks.queryProblem(vector, vectors, space)
          if (problem !== null) return yield* failure("Mismatch", problem)
        }
        const operations: Operations = {
          sink,
          space,
          search: (asked) => {
            const { filter: _, ...rest } = asked
            return search(handle, { ...rest, ...(filter && { filter }) })
          },
          range: range && ((asked) => range(handle, asked)),
          frequencies: frequencies && ((groups) => frequencies(handle, groups))
        }
        return yield* Effect.flatMap(completing, (hits) => hits.search(operations, query))
      })
    )
