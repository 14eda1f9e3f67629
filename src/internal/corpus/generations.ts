/** The generations of stores, as a state sees them: which of them is whole, and the changes that it may make. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type ChunkSink, type EmbeddingSpace, type Generation, SinkError } from "../../ChunkSink.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import * as Claim from "../run/claim.ts"
import { generationsOf, permitted } from "../run/placing.ts"
import { asItIs } from "../sink/asItIs.ts"
import * as Held from "../sink/generations.ts"
import type { LedgerEntry } from "../state/ledger/entry.ts"
import { ofRun, type RunLedger } from "../state/ledger/runLedger.ts"

/**
 * A generation of a store.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoreGeneration extends Omit<Generation, "sink"> {
  /** Id of the target. */
  readonly store: string
  /** Null when its chunks have no vectors, and where nothing is stored. */
  readonly space: EmbeddingSpace | null
  /** Number of its chunks. */
  readonly chunks: number | null
  /**
   * Documents that the serving generation has and this one lacks, or has as they were before, as far as the state knows; 0 for the
   * serving one.
   */
  readonly behind: number
}

/** A change of the generations of a store. */
export type GenerationChange = "switch" | "rollback" | "drop"

type Failure = SinkError | LedgerError

/** All generations of a sink, the serving one first. */
export const list = (sink: ChunkSink.Service): Effect.Effect<ReadonlyArray<StoreGeneration>, Failure, Ledger> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const held = yield* generationsOf(sink)
    const [current, other] = yield* held.list
    const behind = other === undefined ? [] : yield* lagging(ledger, current.sink, other.sink)
    return yield* Effect.forEach(other === undefined ? [current] : [current, other], (generation) =>
      Effect.gen(function* () {
        const { number, since, standing } = generation
        const stamp = yield* generation.sink.stamp ?? Effect.succeedNone
        const chunks = Option.isNone(stamp) || generation.sink.count === undefined ? null : yield* generation.sink.count
        const space = Option.match(stamp, { onNone: () => null, onSome: (one) => one.space })
        return {
          store: sink.id,
          number,
          standing,
          since,
          space,
          chunks,
          behind: generation === other ? behind.length : 0
        }
      })
    )
  })

/** Makes the change, as far as the store is this state's; `adopt`: whoever owns it. Returns the generations after it. */
export const change = (
  what: GenerationChange,
  sink: ChunkSink.Service,
  adopt: boolean
): Effect.Effect<ReadonlyArray<StoreGeneration>, Failure, Ledger> =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger)
    const held = yield* generationsOf(sink)
    const [current, other] = yield* held.list
    const asked = { how: adopt ? "adopt" : "own", roots: [], rebuild: false } as const
    yield* permitted(ledger, current.sink, asked)
    if (other !== undefined) {
      yield* permitted(ledger, other.sink, asked)
      yield* prepared(what, ledger, sink.id, { current, other, asked })
    }
    yield* what === "drop" ? held.drop(other && forgotten(ledger, other.sink)) : held[what]
    return yield* list(sink)
  })

interface Pair {
  readonly current: Generation
  readonly other: Generation
  readonly asked: Claim.Asked
}

/** What has to be right before the change: nothing where the store itself refuses it. */
const prepared = (
  what: GenerationChange,
  ledger: Ledger.Service & RunLedger<LedgerError>,
  id: string,
  { asked, current, other }: Pair
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    if (what === "switch" && other.standing === "whole") {
      const behind = yield* lagging(ledger, current.sink, other.sink)
      if (behind.length > 0) yield* Held.incomplete(id, behind)
    }
    if (what === "rollback" && other.standing === "former") yield* cleansed(ledger, { asked, current, other })
  })

const storeId = ({ stamp = Effect.succeedNone }: ChunkSink.Service) =>
  Effect.map(stamp, Option.match({ onNone: () => null, onSome: (one) => one.storeId }))

/** Paths of the documents that are in the one generation and not, or not as they are there, in the other. */
const lagging = (
  ledger: Ledger.Service,
  current: ChunkSink.Service,
  other: ChunkSink.Service
): Effect.Effect<ReadonlyArray<string>, Failure> =>
  Effect.gen(function* () {
    const [from, to] = [yield* storeId(current), yield* storeId(other)]
    const has = ({ stored }: LedgerEntry, sink: string, store: string | null) =>
      stored?.acknowledged.some((ack) => ack.sink === sink && ack.store === store) === true
    const found = Stream.filter(
      ledger.entries("all"),
      (entry) => has(entry, current.id, from) && !has(entry, other.id, to)
    )
    return (yield* Stream.runCollect(found)).pipe((entries) => [...entries].map(({ path }) => path))
  })

/** Chunks of each document that the sink may hold. */
const holdings = (ledger: Ledger.Service, sink: string) =>
  Stream.filterMapEffect(ledger.entries("all"), (entry) =>
    Option.some(
      Effect.map(ledger.holding(entry), (holding) => {
        const held = Option.match(holding, { onNone: () => [], onSome: (one) => one.held })
        const ids = held.find((one) => one.sink === sink)?.chunkIds ?? []
        return {
          entry,
          ids,
          isKnown: held.some((one) => one.sink === sink),
          sinks: held.flatMap((one) => (one.chunkIds.length > 0 ? [one.sink] : []))
        }
      })
    )
  )

/** Removes the documents from the former generation that the serving one has no more: a rollback brings nothing back that was removed. */
const cleansed = (
  ledger: Ledger.Service & RunLedger<LedgerError>,
  { asked, current, other }: Pair
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const gone = Stream.filter(
      holdings(ledger, other.sink.id),
      ({ ids, sinks }) => ids.length > 0 && !sinks.includes(current.sink.id)
    )
    const removals = [...(yield* Stream.runCollect(gone))]
    if (removals.length === 0) return
    const claim = yield* Claim.make(ledger, other.sink, asked)
    const open = yield* asItIs(other.sink).prepare(null, claim)
    for (const { entry, ids } of removals) {
      yield* open.remove?.(ids) ?? Effect.void
      yield* ledger.forget(entry, [other.sink.id])
    }
    yield* open.finish
  })

/** The ledger knows nothing of a generation that is gone. */
const forgotten = (
  ledger: Ledger.Service & RunLedger<LedgerError>,
  { id }: ChunkSink.Service
): Effect.Effect<void, SinkError> =>
  holdings(ledger, id).pipe(
    Stream.filter(({ isKnown }) => isKnown),
    Stream.runForEach(({ entry }) => ledger.forget(entry, [id])),
    Effect.mapError(
      (cause) =>
        new SinkError({
          sink: id,
          reason: "Unavailable",
          problem: `it was dropped, and the state cannot be told so; drop it again: ${cause.message}`,
          cause
        })
    )
  )
