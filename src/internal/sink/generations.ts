/** A store that holds generations: its sink follows the one that serves, and changes which one that is. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Message from "../base/message.ts"
import type { Definition, Filling, Found, Generation, Generations, Place, Prepared, Service } from "./contract.ts"
import * as Opening from "./opening.ts"
import * as Pointers from "./pointer.ts"
import { SinkError } from "./sinkError.ts"

/** Suffix of the place that holds no chunks: its stamp is the pointer. */
const pointerSuffix = "_g0"

const mark = ";generation="

const placeOf = (id: string, number: number): Place => ({ id: `${id}${mark}${number}`, suffix: `_g${number}` })

/** Id of the target that a generation's sink is of; any other id as it is. */
export const targetOf = (sink: string): string => sink.replace(/;generation=\d+$/u, "")

/** The sinks that generations were made for. */
const owners = new WeakMap<object, object>()

/** The sink with these generations. */
export const holding = <P extends Prepared>(sink: Service<P>, generations: Generations<P> | undefined): Service<P> => {
  const { generations: _, ...rest } = sink
  if (generations === undefined) return rest
  const whole = { ...rest, generations }
  owners.set(generations, whole)
  return whole
}

/**
 * The generations of a sink. A sink that was changed by hand, as `{ ...sink, prepare }`, does what it says for the one that serves, and
 * holds no other one: what fills that would go around the change.
 */
export const held = <P extends Prepared>(sink: Service<P>): Generations<P> | undefined => {
  const { generations, ...changed } = sink
  if (generations === undefined || owners.get(generations) === sink) return generations
  return {
    ...generations,
    list: Effect.map(generations.list, ([first, ...rest]) => [
      { ...first, sink: { ...changed, id: first.sink.id } },
      ...rest
    ]),
    fill: new SinkError({
      sink: sink.id,
      reason: "Unsupported",
      problem: "a sink that was changed by hand cannot fill another generation; change it with `ChunkSink.mapPrepared`"
    })
  }
}

/** The sink of the generation that serves now; a sink without generations itself. */
export const serving = (sink: Service): Effect.Effect<Service, SinkError> =>
  Effect.map(all(sink), ([first = sink]) => first)

/** All generations of a sink, the serving one first; a sink without generations itself. */
export const all = (sink: Service): Effect.Effect<ReadonlyArray<Service>, SinkError> => {
  const generations = held(sink)
  return generations === undefined
    ? Effect.succeed([sink])
    : Effect.map(generations.list, (each) => each.map((generation) => generation.sink))
}

/**
 * Reads from the generation that serves, or from `first`, which did a moment ago. When that fails or gives nothing, and another one serves
 * by then, that one is read: the former one may have been dropped meanwhile.
 */
export const following = <A, E, R>(
  sink: Service,
  use: (serving: Service) => Effect.Effect<A, E, R>,
  isNothing: (result: A) => boolean,
  first?: Service
): Effect.Effect<A, E | SinkError, R> =>
  sink.generations === undefined ? use(sink) : follow(serving(sink), use, isNothing, first)

const follow = <A, E, R>(
  now: Effect.Effect<Service, SinkError>,
  use: (serving: Service) => Effect.Effect<A, E, R>,
  isNothing: (result: A) => boolean,
  first?: Service
): Effect.Effect<A, E | SinkError, R> => {
  const from = (current: Service): Effect.Effect<A, E | SinkError, R> =>
    Effect.flatMap(Effect.either(use(current)), (result) =>
      Either.isRight(result) && !isNothing(result.right)
        ? Effect.succeed(result.right)
        : Effect.flatMap(now, (next) => (next.id === current.id ? result : from(next)))
    )
  return first === undefined ? Effect.flatMap(now, from) : from(first)
}

/** The same generations with other sinks. */
export const mapped = <P extends Prepared, Q extends Prepared>(
  generations: Generations<P>,
  f: (sink: Service<P>) => Service<Q>
): Generations<Q> => {
  const change = (generation: Generation<P>): Generation<Q> => ({ ...generation, sink: f(generation.sink) })
  return {
    ...generations,
    list: Effect.map(generations.list, ([first, ...rest]) => [change(first), ...rest.map(change)] as const),
    fill: Effect.map(generations.fill, (filling) => ({ ...filling, sink: f(filling.sink) }))
  }
}

/** Where a definition with generations keeps them. */
interface Parts<Handle> {
  readonly definition: Definition<Handle, Scope.Scope> & {
    readonly beside: NonNullable<Definition<Handle, Scope.Scope>["beside"]>
  }
  /** The sink of the first generation. */
  readonly first: Service
  /** Makes the sink of a definition. */
  readonly make: (definition: Definition<Handle, Scope.Scope>) => Effect.Effect<Service, never, Scope.Scope>
}

/** The sink of all generations; the later ones are closed with the scope, and when they are dropped. */
export const make = <Handle>(parts: Parts<Handle>): Effect.Effect<Service> =>
  Effect.gen(function* () {
    const { first } = parts
    const pointer = pointerOf(parts.definition)
    const sinkOf = yield* sinks(parts)
    const list: Generations["list"] = Effect.flatMap(pointer.read, ({ other, serving: number }) =>
      Effect.gen(function* () {
        yield* sinkOf.close(other === null ? [number] : [number, other.number])
        const generation: Generation = { number, standing: "serving", since: null, sink: yield* sinkOf.at(number) }
        if (other === null) return [generation] as const
        return [generation, { ...other, sink: yield* sinkOf.at(other.number) }] as const
      })
    )
    const changes = changing(first.id, pointer, list)
    const { contents, count, list: listed, look, ofTenant, range, search, stamp } = first
    const now = Effect.map(list, ([{ sink }]) => sink)
    const call = <A>(use: (sink: Service) => Effect.Effect<A, SinkError> | undefined, isNothing: (a: A) => boolean) =>
      follow(now, (sink) => use(sink) ?? unsupported(first.id), isNothing)
    const stream = <A>(use: (sink: Service) => Stream.Stream<A, SinkError> | undefined) =>
      Stream.unwrap(Effect.map(now, (sink) => use(sink) ?? Stream.fail(unsupported(first.id))))
    const follows: Service = {
      ...first,
      prepare: (space, claim) => Effect.flatMap(now, (sink) => sink.prepare(space, claim)),
      ...(look && { look: (claim) => call((sink) => sink.look?.(claim), Option.isNone) }),
      ...(stamp && { stamp: call((sink) => sink.stamp, Option.isNone) }),
      ...(listed && { list: stream((sink) => sink.list) }),
      ...(contents && { contents: stream((sink) => sink.contents) }),
      ...(count && {
        count: call(
          (sink) => sink.count,
          (counted) => counted === 0
        )
      }),
      ...(range && {
        range: (asked) =>
          call(
            (sink) => sink.range?.(asked),
            (chunks) => chunks.length === 0
          )
      }),
      ...(search && {
        search: (query) =>
          typeof query.tenant === "string" && parts.definition.ofTenant !== undefined
            ? search(query)
            : call(
                (sink) => sink.search?.(query),
                (hits) => hits.length === 0
              )
      }),
      clear: Effect.gen(function* () {
        for (const { sink } of yield* list) yield* sink.clear ?? Effect.void
        yield* pointer.clear
      }),
      // Each tenant has generations of its own; the sink of the own one is this sink.
      ...(ofTenant && {
        ofTenant: (tenant) => Effect.map(ofTenant(tenant), (part) => (part === first ? whole : part))
      })
    }
    const whole = holding(follows, { list, ...changes })
    return whole
  })

const unsupported = (sink: string): SinkError =>
  new SinkError({ sink, reason: "Unsupported", problem: "this generation lacks what the first one can" })

const mismatch = (sink: string, problem: Message.Message): SinkError =>
  new SinkError({ sink, reason: "Mismatch", ...Message.problem(problem) })

/** The sinks of generations, each made once. */
const sinks = <Handle>({ definition, first, make: made }: Parts<Handle>) =>
  Effect.gen(function* () {
    const parent = yield* Effect.serviceOption(Scope.Scope)
    const later = new Map<number, { readonly sink: Service; readonly scope: Scope.CloseableScope }>()
    const closeOf = (gone: ReadonlyArray<number>) =>
      Effect.forEach(
        gone,
        (number) => {
          const known = later.get(number)
          later.delete(number)
          return known === undefined ? Effect.void : Scope.close(known.scope, Exit.void)
        },
        { discard: true }
      )
    const end = Effect.suspend(() => closeOf([...later.keys()]))
    if (Option.isSome(parent)) yield* Scope.addFinalizer(parent.value, end)
    return {
      at: (number: number): Effect.Effect<Service> =>
        Effect.suspend(() => {
          if (number === 1) return Effect.succeed(first)
          const known = later.get(number)
          if (known !== undefined) return Effect.succeed(known.sink)
          const place = placeOf(first.id, number)
          return Effect.flatMap(Scope.make(), (scope) =>
            Effect.map(Scope.extend(made({ ...definition.beside(place), id: place.id }), scope), (sink) => {
              later.set(number, { sink, scope })
              return sink
            })
          )
        }).pipe(Effect.uninterruptible),
      /** Closes those that are not among the numbers. */
      close: (numbers: ReadonlyArray<number>): Effect.Effect<void> =>
        Effect.suspend(() => closeOf([...later.keys()].filter((number) => !numbers.includes(number))))
    }
  })

interface Kept {
  readonly read: Effect.Effect<Pointers.Pointer, SinkError>
  /** One write; nothing is written where the change is refused, or changes nothing. */
  readonly change: (change: Pointers.Change) => Effect.Effect<Pointers.Pointer, SinkError>
  readonly clear: Effect.Effect<void, SinkError>
}

/** The pointer of a store, which is the stamp of a place without chunks. */
const pointerOf = <Handle>({ beside, id }: Parts<Handle>["definition"]): Kept => {
  const { clear = Effect.void, inspect, open } = beside({ id, suffix: pointerSuffix })
  const unreadable = mismatch(
    id,
    "which of its generations serves was written in a form that this version does not read"
  )
  /** A place without a stamp was not made here, or not to its end. */
  const of = (found: Found): Effect.Effect<Pointers.Pointer, SinkError> => {
    if (found._tag === "Foreign") return Opening.refused(id, found)
    if (found._tag !== "Stamped") return Effect.succeed(Pointers.first)
    return Effect.mapError(Pointers.decode(found.stamp), () => unreadable)
  }
  const inspected: Effect.Effect<Found, SinkError> = inspect ?? Effect.succeed({ _tag: "Absent" })
  return {
    // What no store of this sink can be is said by the call on the first generation.
    read: Effect.flatMap(
      Effect.catchIf(
        inspected,
        ({ reason }) => reason === "Mismatch",
        () => Effect.succeed<Found>({ _tag: "Absent" })
      ),
      of
    ),
    clear,
    change: (change) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        let pointer = Pointers.first
        const decide = (found: Found) =>
          Effect.gen(function* () {
            const before = yield* of(found)
            pointer = yield* Effect.mapError(change(before, at), (problem) => mismatch(id, problem))
            const action = found._tag === "Absent" ? "create" : pointer === before ? "open" : "stamp"
            return { action, stamp: Pointers.encode(pointer) } as const
          })
        yield* Effect.scoped(open({ space: null, decide }))
        return pointer
      })
  }
}

const changing = (id: string, pointer: Kept, list: Generations["list"]): Omit<Generations, "list"> => ({
  fill: Effect.gen(function* (): Effect.fn.Return<Filling, SinkError> {
    const [{ sink: current }] = yield* list
    const stamp = yield* current.stamp ?? Effect.succeedNone
    if (Option.isNone(stamp)) {
      return yield* mismatch(
        id,
        Message.text`there is no store to fill another generation of; leave out ${Message.option("beside")}`
      )
    }
    if (stamp.value.shared) {
      return yield* mismatch(
        id,
        "several states share it, and each of them would have to fill the other generation; such a store has one"
      )
    }
    const { other } = yield* pointer.change(Pointers.begin)
    const found = (yield* list).find(({ number }) => number === other?.number)
    if (found === undefined) return yield* mismatch(id, "another process has changed its generations; try again")
    return { sink: found.sink, filled: Effect.asVoid(pointer.change(Pointers.filled(found.number))) }
  }),
  switch: Effect.gen(function* () {
    const [current, other] = yield* list
    if (other?.standing === "whole") yield* checkWhole(id, current.sink, other.sink)
    yield* pointer.change(Pointers.switched)
  }),
  rollback: Effect.asVoid(pointer.change(Pointers.rolledBack)),
  drop: (deleted = Effect.void) =>
    Effect.gen(function* () {
      const [, other] = yield* list
      yield* pointer.change(Pointers.dropping)
      yield* other?.sink.clear ?? Effect.void
      yield* deleted
      yield* pointer.change(Pointers.dropped)
    })
})

/** Documents that an error names. */
const named = 3

/** Fails when the other generation lacks a document that the serving one has. */
const checkWhole = (id: string, current: Service, other: Service): Effect.Effect<void, SinkError> =>
  Effect.gen(function* () {
    if (current.list === undefined || other.list === undefined) return undefined
    const lacking = new Set<string>()
    yield* Stream.runForEachChunk(current.list, (items) =>
      Effect.sync(() => {
        for (const { documentId } of items) lacking.add(documentId)
      })
    )
    yield* Stream.runForEachChunk(other.list, (items) =>
      Effect.sync(() => {
        for (const { documentId } of items) lacking.delete(documentId)
      })
    )
    return lacking.size > 0 ? yield* incomplete(id, [...lacking]) : undefined
  })

/** Failure of a switch to a generation that lacks documents, or has them as they were. */
export const incomplete = (id: string, documents: ReadonlyArray<string>): SinkError =>
  mismatch(
    id,
    Message.text`its other generation is not whole: it lacks ${documents.length} of the documents that the serving one has, or has them as they were before (${documents.slice(0, named).join(", ")}${documents.length > named ? ", …" : ""}); fill it again with ${Message.option("beside")}, or remove what cannot be stored`
  )
