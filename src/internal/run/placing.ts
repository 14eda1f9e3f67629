/** The generations that a run writes to: the serving one of each store, or the one beside it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ChunkSink, describeSpace, type EmbeddingSpace, type Generations, SinkError } from "../../ChunkSink.ts"
import type { LedgerError } from "../../Ledger.ts"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import * as Held from "../sink/generations.ts"
import { sameSpace } from "../sink/space.ts"
import * as Claim from "./claim.ts"
import type { LedgerOptions } from "./options.ts"

/** The sinks of a run. */
export interface Placed {
  /** In the order of the targets. */
  readonly sinks: ReadonlyArray<ChunkSink.Service>
  /** To be run once everything was written: generations that were filled are whole from then on. */
  readonly filled: Effect.Effect<void, SinkError>
}

/** The generations that serve. */
export const present = (sinks: ReadonlyArray<ChunkSink.Service>): Effect.Effect<Placed, SinkError> =>
  Effect.map(Effect.forEach(sinks, Held.serving), (all) => ({ sinks: all, filled: Effect.void }))

/** As {@link present}, or with `beside` the generations that are filled; nothing is begun where one of the stores refuses. */
export const make = (
  sinks: ReadonlyArray<ChunkSink.Service>,
  options: LedgerOptions | undefined,
  space: EmbeddingSpace | null
): Effect.Effect<Placed, SinkError | LedgerError> =>
  Effect.gen(function* () {
    if (options?.beside !== true) return yield* present(sinks)
    const held = yield* Effect.forEach(sinks, generationsOf)
    yield* Effect.forEach(held, (generations) => fits(generations, options, space), { discard: true })
    const fillings = yield* Effect.forEach(held, ({ fill }) => fill)
    return {
      sinks: fillings.map(({ sink }) => sink),
      filled: Effect.forEach(fillings, ({ filled }) => filled, { discard: true })
    }
  })

/** Fails for a sink that holds one generation. */
export const generationsOf = (sink: ChunkSink.Service): Effect.Effect<Generations, SinkError> => {
  const generations = Held.held(sink)
  return generations === undefined ? oneOnly(sink.id) : Effect.succeed(generations)
}

const oneOnly = (sink: string): SinkError =>
  new SinkError({
    sink,
    reason: "Unsupported",
    problem: "it holds one generation; a store of libsql, pgvector, lancedb, qdrant or opensearch can hold a second one"
  })

/** Fails for a store of another state, and for a generation beside the serving one that has another model's vectors. */
const fits = (
  { list }: Generations,
  options: LedgerOptions,
  space: EmbeddingSpace | null
): Effect.Effect<void, SinkError | LedgerError> =>
  Effect.gen(function* () {
    const [current, other] = yield* list
    const asked = { how: options.claim ?? "own", roots: [options.scope.root], rebuild: false } as const
    yield* permitted(options.ledger, current.sink, asked)
    if (other === undefined) return undefined
    yield* permitted(options.ledger, other.sink, asked)
    const stamp = yield* other.sink.stamp ?? Effect.succeedNone
    if (options.rebuild === true || Option.isNone(stamp) || sameSpace(stamp.value.space, space)) return undefined
    return yield* new SinkError({
      sink: current.sink.id,
      reason: "Mismatch",
      ...Message.problem(
        text`the generation next to the one that serves holds ${describeSpace(stamp.value.space)}, this run brings ${describeSpace(space)}; drop it first, or fill it anew with ${option("rebuild")}`
      )
    })
  })

/** Fails when the state may not write to the store of the sink. */
export const permitted = (
  ledger: LedgerOptions["ledger"],
  sink: ChunkSink.Service,
  asked: Claim.Asked
): Effect.Effect<void, SinkError | LedgerError> =>
  Effect.flatMap(Claim.make(ledger, sink, asked), (claim) => Effect.asVoid(sink.look?.(claim) ?? Effect.void))
