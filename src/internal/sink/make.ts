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
  type Opened,
  type Plan,
  type Query,
  type Service,
  SinkError,
  type StoreStamp
} from "./contract.ts"
import * as FilterCheck from "./filterCheck.ts"
import type { Operations } from "./hits.ts"
import * as Holder from "./holder.ts"
import * as Ownership from "./ownership.ts"
import type { EmbeddingSpace } from "./space.ts"
import * as Stamps from "./stamp.ts"

/** Loaded by the first search: a sink that only writes needs no stemmers. */
const completing = Effect.promise(() => import("./hits.ts"))

const defaults = { maxCount: 1000, maxBytes: 8 * 1024 * 1024, concurrent: 1 } as const

/**
 * A sink from its definition.
 *
 * It owns the one open handle: `prepare` opens it, a second `prepare` tidies the target and opens it again, the end of the scope
 * closes it, and an operation without it is `Rejected`. Batches above the limits are split, in order, and a batch that the engine
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
  return Effect.gen(function* () {
    const { clear, contents, count, finish, frequencies, id, inspect, list, name, range } = definition
    const { read, remove, replaceAll, search } = definition
    const semaphore = yield* Effect.makeSemaphore(definition.concurrent ?? defaults.concurrent)
    const vectors = definition.vectors ?? "any"
    const operators = search === undefined ? [] : (definition.filter ?? [])
    const limits: Limits = {
      maxCount: Math.max(1, definition.limits?.maxCount ?? defaults.maxCount),
      maxBytes: Math.max(1, definition.limits?.maxBytes ?? defaults.maxBytes)
    }
    const failure = (reason: SinkError["reason"], problem: string) => new SinkError({ sink: id, reason, problem })
    const { failures, removed, written } = Metrics.sinkOf(name)
    const run = <A>(call: string, chunks: number, effect: Effect.Effect<A, SinkError>) =>
      traced(
        spans.sink,
        { [attributes.sink]: name, [attributes.call]: call, [attributes.chunks]: chunks },
        semaphore.withPermits(1)(Effect.tapError(effect, () => Metric.increment(failures)))
      )

    let space: EmbeddingSpace | null = null
    let opened: Opened | null = null
    const holder = Holder.make<Handle, SinkError>({
      notOpen: Effect.fail(
        failure("Rejected", "it was not prepared: call `prepare` first, as `ChunkSink.toSink` does")
      ),
      read:
        read === undefined
          ? null
          : Effect.flatMap(readable(id, inspect), (stamp) => {
              space = stamp.space
              return read(stamp)
            }),
      finish: finish ?? (() => Effect.void)
    })
    yield* atEnd(
      Effect.catchAll(holder.end, (error) =>
        Effect.logError(`${error.message}; the next run that opens it puts it in order`)
      )
    )
    const emptied = clear && Effect.zipRight(holder.close, clear)

    const prepare = Effect.fnUntraced(function* (asked: EmbeddingSpace | null, claim: Claim | undefined) {
      opened = null
      space = asked
      if (claim?.rebuild === true) {
        if (!(yield* rebuildable(id, inspect, claim, emptied)))
          return yield* open(asked, { ...claim, rebuild: false }, true)
      }
      return yield* open(asked, claim, false)
    })
    const open = Effect.fnUntraced(function* (asked: EmbeddingSpace | null, claim: Claim | undefined, ofOwn: boolean) {
      let decided: Ownership.Plan | null = null
      const decide = (found: Found) =>
        Effect.map(decision(id, found, claim, asked), (plan): Plan => {
          decided = plan
          return { action: plan.action, stamp: Stamps.encode(plan.stamp) }
        })
      yield* holder.open(definition.open({ space: asked, decide }))
      const { compare, ...found } = openedAs(decided, claim)
      opened = { ...found, compare: compare || ofOwn }
      if (ofOwn) yield* removeOwn(opened)
      return opened.stamp?.storeId ?? null
    })
    const removeOwn = ({ isOthers }: Opened) =>
      list === undefined || remove === undefined
        ? failure(
            "Unsupported",
            "what is this state's own cannot be taken out of a store that is shared; remove it yourself"
          )
        : Effect.flatMap(holder.changing, (handle) =>
            list(handle).pipe(
              Stream.filter(({ documentId }) => !isOthers(documentId)),
              Stream.map((chunk) => chunk.id),
              Stream.runCollect,
              Effect.flatMap((ids) =>
                Effect.forEach(
                  cut(Chunk.toReadonlyArray(ids), limits.maxCount, Infinity),
                  (part) => remove(handle, part),
                  {
                    discard: true
                  }
                )
              )
            )
          )

    const check = (chunks: ReadonlyArray<DocumentChunk>) =>
      Effect.suspend(() => {
        const problem = ChunkChecks.problemOf(chunks, vectors, space)
        return problem === null ? Effect.void : failure("Rejected", problem)
      })
    const checkedQuery = (query: Query) =>
      Effect.suspend(() => {
        const problem = ChunkChecks.memberProblem(query)
        return problem === null ? FilterCheck.checked(id, operators, query) : failure("Rejected", problem)
      })
    const halving = <A>(call: (items: ReadonlyArray<A>) => Effect.Effect<void, SinkError>) => {
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
    const writePart = halving((part: ReadonlyArray<DocumentChunk>) =>
      Effect.zipRight(
        run(
          "write",
          part.length,
          Effect.flatMap(holder.changing, (handle) => definition.write(handle, part))
        ),
        Metric.incrementBy(written, part.length)
      )
    )
    const replacing =
      replaceAll &&
      Effect.fnUntraced(function* (call: string, documents: ReadonlyArray<DocumentChunks>) {
        const problem = documents.map(({ chunks, documentId }) => ChunkChecks.strangerOf(documentId, chunks))
        const stranger = problem.find((one) => one !== null)
        if (stranger) return yield* failure("Rejected", stranger)
        const whole = documents.map(({ chunks, documentId }) => ({ documentId, chunks: distinct(chunks) }))
        for (const { chunks } of whole) yield* check(chunks)
        const chunks = whole.reduce((sum, one) => sum + one.chunks.length, 0)
        const replaced = Effect.flatMap(holder.changing, (handle) => replaceAll(handle, whole))
        yield* run(call, chunks, replaced)
        return yield* Metric.incrementBy(written, chunks)
      })

    const service: Service = {
      id,
      name,
      capabilities: {
        remove: remove !== undefined,
        replace: replaceAll !== undefined,
        list: list !== undefined,
        search: search !== undefined,
        filter: operators,
        ...(search !== undefined && definition.terms === true && { terms: true }),
        stamp: inspect !== undefined
      },
      limits,
      prepare: (asked, claim) => run("prepare", 0, prepare(asked, claim)),
      opened: Effect.sync(() => opened),
      write: (batch) =>
        Effect.suspend(() => {
          const chunks = distinct(batch)
          const write = Effect.suspend(() =>
            Effect.forEach(cut(chunks, limits.maxCount, limits.maxBytes), writePart, { discard: true })
          )
          return Effect.zipRight(check(chunks), write)
        })
    }
    return {
      ...service,
      ...(inspect && {
        stamp: Effect.flatMap(inspect, (found) => stampOf(id, found)),
        look: (claim) => Effect.flatMap(inspect, (found) => lookedAt(id, found, claim))
      }),
      ...(remove && {
        remove: (ids) => {
          const removePart = halving((part: ReadonlyArray<ChunkId>) =>
            Effect.zipRight(
              run(
                "remove",
                part.length,
                Effect.flatMap(holder.changing, (handle) => remove(handle, part))
              ),
              Metric.incrementBy(removed, part.length)
            )
          )
          return Effect.forEach(cut(ids, limits.maxCount, Infinity), removePart, { discard: true })
        }
      }),
      ...(replacing && {
        replace: (documentId, chunks) => replacing("replace", [{ documentId, chunks }]),
        replaceAll: (documents) => (documents.length === 0 ? Effect.void : replacing("replaceAll", documents))
      }),
      ...(list && { list: Stream.unwrap(Effect.map(holder.looking, list)) }),
      ...(contents && { contents: Stream.unwrap(Effect.map(holder.looking, contents)) }),
      ...(count && { count: run("count", 0, Effect.flatMap(holder.looking, count)) }),
      ...(search && {
        search: (query) =>
          run(
            "search",
            0,
            Effect.flatMap(checkedQuery(query), ({ filter }) =>
              Effect.flatMap(holder.looking, (handle) => {
                const problem = ChunkChecks.queryProblem(query.vector, vectors, space)
                if (problem !== null) return failure("Mismatch", problem)
                const operations: Operations = {
                  sink: id,
                  space,
                  search: (asked) => {
                    const { filter: _, ...rest } = asked
                    return search(handle, { ...rest, ...(filter && { filter }) })
                  },
                  range: range && ((asked) => range(handle, asked)),
                  frequencies: frequencies && ((groups) => frequencies(handle, groups))
                }
                return Effect.flatMap(completing, (hits) => hits.search(operations, query))
              })
            )
          )
      }),
      ...(finish && { finish: run("finish", 0, holder.finish) }),
      ...(emptied && { clear: run("clear", 0, Effect.zipRight(clearable(id, inspect), emptied)) })
    }
  })
}

/** Runs the effect at the end of the scope, if there is one: a sink that acquires nothing needs none. */
const atEnd = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(Effect.serviceOption(Scope.Scope), (scope) =>
    Option.isNone(scope) ? Effect.void : Scope.addFinalizer(scope.value, effect)
  )

const mismatch = (sink: string, problem: string) => new SinkError({ sink, reason: "Mismatch", problem })

const unreadable = "its stamp is not one that this version reads; nothing was changed: name another target"

/** The stamp found; null for a missing store and for one without a stamp. */
const stampOf = (sink: string, found: Found): Effect.Effect<StoreStamp | null, SinkError> => {
  if (found._tag === "Foreign") return mismatch(sink, found.problem)
  if (found._tag !== "Stamped") return Effect.succeed(null)
  return Effect.mapError(Stamps.decode(found.stamp), () => mismatch(sink, unreadable))
}

/** The store that `prepare` with the claim would open, with its own space; null when there is none. */
const lookedAt = Effect.fnUntraced(function* (
  sink: string,
  found: Found,
  claim: Claim | undefined
): Effect.fn.Return<Opened | null, SinkError> {
  if (found._tag === "Absent") return null
  const stamp = yield* stampOf(sink, found)
  return openedAs(yield* decision(sink, found, claim, stamp?.space ?? null), claim)
})

const unstamped: StoreStamp = { format: 2, storeId: "none", space: null, owner: null, shared: false, roots: {} }

/** The stamp with which a store is read; a store that lost its stamp is read as chunks without vectors. */
const readable = (
  sink: string,
  inspect: Effect.Effect<Found, SinkError> | undefined
): Effect.Effect<StoreStamp, SinkError> =>
  Effect.flatMap(inspect ?? Effect.succeed({ _tag: "Absent" } as const), (found) =>
    Effect.flatMap(stampOf(sink, found), (stamp) =>
      stamp === null && (found._tag !== "Unstamped" || found.chunks.length === 0)
        ? mismatch(sink, "there is no store; ingest makes it")
        : Effect.succeed(stamp ?? unstamped)
    )
  )

const contentOf = Effect.fnUntraced(function* (
  found: Found,
  claim: Claim | undefined
): Effect.fn.Return<Ownership.Content, SinkError> {
  if (found._tag === "Unstamped") {
    const empty = found.chunks.length === 0
    const known = !empty && claim !== undefined && (yield* claim.knows(found.chunks))
    return { _tag: "Unstamped", empty, known, vectors: found.vectors === true }
  }
  if (found._tag !== "Stamped") return found
  const stamp = Option.getOrNull(Stamps.decode(found.stamp))
  return stamp === null ? { _tag: "Foreign", problem: unreadable } : { ...found, stamp }
})

/** The plan that the claim permits for the target found; fails with `Mismatch` when it permits none. */
const decision = Effect.fnUntraced(function* (
  sink: string,
  found: Found,
  claim: Claim | undefined,
  space: EmbeddingSpace | null
): Effect.fn.Return<Ownership.Plan, SinkError> {
  const content = yield* contentOf(found, claim)
  const fresh = yield* Stamps.freshId
  const decided = Ownership.decide({ content, claimant: claim ?? null, space, fresh })
  if (decided._tag === "Plan") return decided
  const { problem, spaces } = decided
  return yield* new SinkError({ sink, reason: "Mismatch", problem, ...(spaces && { spaces }) })
})

const openedAs = (plan: Ownership.Plan | null, claim: Claim | undefined): Opened => ({
  stamp: plan?.stamp ?? null,
  compare: plan?.compare ?? false,
  adopted: plan?.adopted ?? false,
  isOthers: Ownership.isOthers(plan?.stamp ?? null, claim?.state ?? null)
})

/** Empties the target if the claim permits it; false for a shared store, which must be opened first. */
const rebuildable = Effect.fnUntraced(function* (
  sink: string,
  inspect: Effect.Effect<Found, SinkError> | undefined,
  claim: Claim,
  emptied: Effect.Effect<void, SinkError> | undefined
): Effect.fn.Return<boolean, SinkError> {
  const found = inspect === undefined ? null : yield* inspect
  if (found?._tag === "Absent" || (found?._tag === "Unstamped" && found.chunks.length === 0)) return true
  const stamp = found === null ? null : yield* stampOf(sink, found)
  if (found !== null) {
    const { stamp: next } = yield* decision(sink, found, claim, stamp?.space ?? null)
    if (next.shared && stamp?.shared === true) return false
  }
  if (emptied === undefined) {
    return yield* new SinkError({
      sink,
      reason: "Unsupported",
      problem: "this sink does not support `rebuild`; delete its data yourself"
    })
  }
  yield* emptied
  return true
})

/** Fails for a target without a stamp of this package, unless it is absent or empty. */
const clearable = (
  sink: string,
  inspect: Effect.Effect<Found, SinkError> | undefined
): Effect.Effect<void, SinkError> =>
  Effect.flatMap(inspect ?? Effect.succeed({ _tag: "Absent" } as const), (found) =>
    found._tag === "Foreign" || (found._tag === "Unstamped" && found.chunks.length > 0)
      ? mismatch(sink, found._tag === "Foreign" ? found.problem : "no stamp says that it is ours; nothing was changed")
      : Effect.asVoid(stampOf(sink, found))
  )
