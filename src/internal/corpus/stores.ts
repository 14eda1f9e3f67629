import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { type ChunkSink, type Claim, type EmbeddingSpace, SinkError } from "../../ChunkSink.ts"
import * as Generations from "../sink/generations.ts"
import * as Tenants from "../sink/tenants.ts"
import type * as StoreSearch from "../target/storeSearch.ts"

/** A target of a corpus, open as long as the corpus. */
export interface Store {
  /**
   * The sink for one run, to be asked for while no other run writes. It is prepared once, and again only when its target is no longer the
   * one that it opened.
   */
  readonly writing: Effect.Effect<ChunkSink.Service>
  /** The sink for searches and counts, or that of a tenant; opened again when its target was replaced by another. */
  readonly reading: (tenant?: string) => Effect.Effect<Reading, SinkError, Scope.Scope>
}

export interface Reading extends StoreSearch.Opened {
  /** True when nothing was stored there yet. */
  readonly absent: boolean
}

/** Opens the sink of a target; what it acquires is released with the scope. */
export type Open<E> = Effect.Effect<ChunkSink.Service, E, Scope.Scope>

interface Prepared {
  /** Id of the sink of the generation that it is of. */
  readonly id: string
  readonly sink: ChunkSink.Prepared
  readonly space: string
  readonly storeId: string
  readonly place: string
}

interface Current {
  readonly sink: ChunkSink.Service
  readonly scope: Scope.CloseableScope
}

const spelled = (space: EmbeddingSpace | null): string => JSON.stringify(space)

/**
 * `exclusive` runs an effect while no run writes. A sink that came as a service is the caller's, and is never opened again.
 */
export const make = <E>(
  open: Open<E>,
  exclusive: <A, E2>(effect: Effect.Effect<A, E2>) => Effect.Effect<A, E2>
): Effect.Effect<Store, E, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    // Registered now: a sink that is opened again later is closed only after the calls that use it, too.
    const parent = yield* Scope.fork(yield* Scope.Scope, ExecutionStrategy.sequential)
    const opened = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential)
        const sink = yield* restore(Scope.extend(open, scope)).pipe(
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        const made: Current = { sink, scope }
        return made
      })
    )
    let current = yield* opened
    let prepared: Prepared | null = null
    /** Store ids by the ids of their generations' sinks. */
    const known = new Map<string, string>()

    /** Identity of the file or folder of a local sink, which its id names; empty for other sinks. */
    const place = Effect.suspend(() => {
      const path = /^[a-z]+:(?=\/|[A-Za-z]:[/\\])(.*)$/u.exec(current.sink.id)?.[1]
      if (path === undefined) return Effect.succeed("")
      return Effect.match(fs.stat(path), {
        onFailure: () => "missing",
        onSuccess: ({ dev, ino }) => `${dev} ${ino._tag === "Some" ? ino.value : ""}`
      })
    })

    /** The store that is open, if a run with the claim can go on with it as it is. */
    const standing = (sink: ChunkSink.Service, space: EmbeddingSpace | null, claim: Claim | undefined) =>
      Effect.gen(function* () {
        if (prepared === null || prepared.id !== sink.id || sink.look === undefined || claim?.rebuild === true)
          return null
        if (prepared.space !== spelled(space) || prepared.place !== (yield* place)) return null
        const seen = yield* Effect.orElseSucceed(sink.look(claim), Option.none)
        if (Option.isNone(seen) || seen.value.compare || Option.isNone(seen.value.stamp)) return null
        const { shared, space: stamped, storeId } = seen.value.stamp.value
        const same = !shared && storeId === prepared.storeId && spelled(stamped) === prepared.space
        return same ? { ...prepared.sink, ...seen.value } : null
      })

    const prepare = (
      of: ChunkSink.Service,
      space: EmbeddingSpace | null,
      claim: Claim | undefined
    ): Effect.Effect<ChunkSink.Prepared, SinkError> =>
      Effect.gen(function* () {
        const open = yield* standing(of, space, claim)
        if (open !== null) return open
        prepared = null
        const sink = yield* of.prepare(space, claim)
        if (Option.isSome(sink.storeId)) {
          prepared = { id: of.id, sink, space: spelled(space), storeId: sink.storeId.value, place: yield* place }
          known.set(of.id, sink.storeId.value)
        }
        return sink
      })
    const kept = (sink: ChunkSink.Service): ChunkSink.Service => {
      const generations = Generations.held(sink)
      return Generations.holding(
        { ...sink, prepare: (space, claim) => prepare(sink, space, claim) },
        generations && Generations.mapped(generations, kept)
      )
    }

    /** Several searches may notice the same replacement: the first of them opens the sink again. */
    const reopen = (id: string, storeId: string) =>
      exclusive(
        Effect.gen(function* () {
          if (known.get(id) === storeId) return
          const former = current
          current = yield* Effect.mapError(opened, (cause) => again(former.sink.id, cause))
          prepared = null
          known.clear()
          yield* Scope.close(former.scope, Exit.void)
        })
      )

    const stamped = Effect.suspend(() =>
      Generations.following(
        current.sink,
        (at) => Effect.map(at.stamp ?? Effect.succeedNone, (stamp) => ({ at, stamp })),
        ({ stamp }) => Option.isNone(stamp)
      )
    )
    const reading = Effect.gen(function* (): Effect.fn.Return<Reading, SinkError> {
      if (current.sink.stamp === undefined) return { sink: current.sink, space: undefined, absent: false }
      const { at, stamp } = yield* stamped
      if (Option.isNone(stamp)) return { sink: current.sink, space: null, absent: true }
      const { space, storeId } = stamp.value
      const isReplaced = known.has(at.id) && known.get(at.id) !== storeId
      if (isReplaced) yield* reopen(at.id, storeId)
      known.set(at.id, storeId)
      return { sink: current.sink, space, absent: false, ...(!isReplaced && { at }) }
    })

    const ofTenant = Effect.fnUntraced(function* (tenant: string): Effect.fn.Return<Reading, SinkError, Scope.Scope> {
      const sink = yield* Tenants.part(current.sink, tenant)
      const seen = yield* sink.stamp ?? Effect.succeedNone
      return { sink, space: Option.getOrNull(seen)?.space ?? null, absent: Option.isNone(seen) }
    })

    const writing = Effect.sync(() => kept(current.sink))
    return {
      writing,
      reading: (tenant) =>
        Effect.suspend(() => (tenant === undefined || current.sink.search === undefined ? reading : ofTenant(tenant)))
    }
  })

const again = (sink: string, cause: unknown): SinkError =>
  cause instanceof SinkError
    ? cause
    : new SinkError({ sink, reason: "Unavailable", problem: "it was replaced, and cannot be opened again", cause })
