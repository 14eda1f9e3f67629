/** Qdrant: the collection, its points and the REST calls. */
import { type EmbeddingSpace, type Found, type Opening, SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Uuid from "../shared/Uuid.ts"
import * as QdrantPoints from "./Points.ts"
import * as QdrantRest from "./Rest.ts"

/** The collection as a whole. */
export interface QdrantCollection {
  readonly inspect: Effect.Effect<Found, SinkError>
  /** Creates the collection, or uses the existing one. */
  readonly prepare: (opening: Opening) => Effect.Effect<void, SinkError>
  /** Number of chunks. */
  readonly count: Effect.Effect<number, SinkError>
  /** Deletes it; a missing one is not an error. */
  readonly drop: Effect.Effect<void, SinkError>
}

const distances = { cosine: "Cosine", dot: "Dot", euclidean: "Euclid" } as const

const Exists = Schema.Struct({ exists: Schema.Boolean })

const Info = Schema.Struct({
  config: Schema.Struct({ params: Schema.Struct({ vectors: Schema.optional(Schema.Unknown) }) })
})

const OneVector = Schema.Struct({ size: Schema.Number, distance: Schema.String })

const Count = Schema.Struct({ count: Schema.Int })

const Stamps = Schema.Array(Schema.Struct({ payload: Schema.Struct({ docsluice: Schema.String }) }))

export const make = (rest: QdrantRest.QdrantRest, sink: string, name: string): QdrantCollection => {
  const path = `/collections/${encodeURIComponent(name)}`
  const drop = rest.call("DELETE", path, undefined, Schema.Boolean).pipe(
    Effect.asVoid,
    Effect.catchIf(
      ({ reason }) => reason === "Mismatch",
      () => Effect.void
    )
  )
  const points = Effect.map(rest.call("POST", `${path}/points/count`, { exact: true }, Count), ({ count }) => count)
  const there = Effect.map(rest.call("GET", `${path}/exists`, undefined, Exists), ({ exists }) => exists)
  const stamp = Effect.map(
    rest.call("POST", `${path}/points`, { ids: [Uuid.ofStamp], with_payload: true, with_vector: false }, Stamps),
    ([found]) => found?.payload.docsluice ?? null
  )
  const inspect: Effect.Effect<Found, SinkError> = Effect.gen(function* () {
    if (!(yield* there)) return { _tag: "Absent" }
    const count = yield* points
    if (count === 0) return { _tag: "Unstamped", chunks: [] }
    const text = yield* stamp
    if (text !== null) return { _tag: "Stamped", stamp: text, empty: count === 1, changed: false }
    const chunks = yield* QdrantPoints.sample(rest, `${path}/points`)
    return chunks === null
      ? {
          _tag: "Foreign",
          problem: "the collection holds points that are no chunks; nothing was changed, use another name"
        }
      : { _tag: "Unstamped", chunks, vectors: true }
  })

  const writeStamp = Effect.fnUntraced(function* (text: string, space: EmbeddingSpace | null) {
    const vector = space === null ? {} : Array.from({ length: space.dimensions }, (_, at) => (at === 0 ? 1 : 0))
    const point = { id: Uuid.ofStamp, vector, payload: { docsluice: text } }
    yield* rest.call("PUT", `${path}/points?wait=true`, { points: [point] }, QdrantRest.Done)
  })
  const indexTags = rest.call(
    "PUT",
    `${path}/index?wait=true`,
    { field_name: "tags", field_schema: "keyword" },
    QdrantRest.Done
  )
  /** Fails when the collection's vectors are not of the space. */
  const checkVectors = Effect.fnUntraced(function* (space: EmbeddingSpace | null) {
    const { vectors } = (yield* rest.call("GET", path, undefined, Info)).config.params
    const one = Schema.is(OneVector)(vectors) ? vectors : null
    const fits =
      space === null
        ? one === null
        : one !== null && one.size === space.dimensions && one.distance === distances[space.metric]
    if (fits) return undefined
    return yield* new SinkError({
      sink,
      reason: "Mismatch",
      problem: "the collection is there, with vectors of another size or metric; use another name, or delete it"
    })
  })

  return {
    inspect,
    drop,
    count: Effect.map(points, (count) => Math.max(0, count - 1)),
    prepare: ({ decide, space }) =>
      Effect.gen(function* () {
        const found = yield* inspect
        const { action, stamp } = yield* decide(found)
        if (action === "open") return
        if (action === "create") {
          if (found._tag !== "Absent") yield* drop
          const vectors = space === null ? {} : { size: space.dimensions, distance: distances[space.metric] }
          yield* rest.call("PUT", path, { vectors }, Schema.Literal(true))
        } else {
          yield* checkVectors(space)
        }
        yield* indexTags
        yield* writeStamp(stamp, space)
      })
  }
}
