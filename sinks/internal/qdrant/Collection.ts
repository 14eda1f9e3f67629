import { checkSpace, type EmbeddingSpace, SinkError, type StoreStamp } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { storeId } from "../shared/Stamp.ts"
import * as Stamped from "../shared/Stamped.ts"
import * as Uuid from "../shared/Uuid.ts"
import * as QdrantRest from "./Rest.ts"

/** The collection as a whole. */
export interface QdrantCollection {
  /** Makes or checks the collection; gives its store id. */
  readonly prepare: (space: EmbeddingSpace | null) => Effect.Effect<string, SinkError>
  /** Of a collection that is not there, or empty: null. Makes nothing. */
  readonly stamp: Effect.Effect<StoreStamp | null, SinkError>
  /** Deletes it; one that is not there is no error. */
  readonly drop: Effect.Effect<void, SinkError>
}

const distances = { cosine: "Cosine", dot: "Dot", euclidean: "Euclid" } as const

const Exists = Schema.Struct({ exists: Schema.Boolean })

const Info = Schema.Struct({
  config: Schema.Struct({ params: Schema.Struct({ vectors: Schema.optional(Schema.Unknown) }) })
})

const OneVector = Schema.Struct({ size: Schema.Number, distance: Schema.String })

const Count = Schema.Struct({ count: Schema.Int })

const Stamps = Schema.Array(Schema.Struct({ payload: Schema.Struct({ docsluice: Schema.Unknown }) }))

export const make = (rest: QdrantRest.QdrantRest, sink: string, name: string): QdrantCollection => {
  const path = `/collections/${encodeURIComponent(name)}`
  const drop = rest.call("DELETE", path, undefined, Schema.Boolean).pipe(
    Effect.asVoid,
    Effect.catchIf(
      ({ reason }) => reason === "Mismatch",
      () => Effect.void
    )
  )
  const mismatch = (problem: string) => new SinkError({ sink, reason: "Mismatch", problem })

  const stampWith = Effect.fnUntraced(function* (storeId: string, space: EmbeddingSpace | null) {
    yield* rest.call("PUT", `${path}/index?wait=true`, { field_name: "tags", field_schema: "keyword" }, QdrantRest.Done)
    const vector = space === null ? {} : Array.from({ length: space.dimensions }, (_, at) => (at === 0 ? 1 : 0))
    const point = { id: Uuid.ofStamp, vector, payload: { docsluice: Stamped.encode(storeId, space) } }
    yield* rest.call("PUT", `${path}/points?wait=true`, { points: [point] }, QdrantRest.Done)
    return storeId
  })
  const create = Effect.fnUntraced(function* (storeId: string, space: EmbeddingSpace | null) {
    const vectors = space === null ? {} : { size: space.dimensions, distance: distances[space.metric] }
    yield* rest.call("PUT", path, { vectors }, Schema.Literal(true))
    return yield* stampWith(storeId, space)
  })
  /** A collection with no point in it, of somebody else or of a run that was killed before it stamped it. */
  const adopt = Effect.fnUntraced(function* (space: EmbeddingSpace | null) {
    const { vectors } = (yield* rest.call("GET", path, undefined, Info)).config.params
    const one = Schema.is(OneVector)(vectors) ? vectors : null
    const fits =
      space === null
        ? one === null
        : one !== null && one.size === space.dimensions && one.distance === distances[space.metric]
    return fits
      ? yield* stampWith(yield* storeId, space)
      : yield* mismatch(
          "the collection is there, empty, with vectors of another size or metric; use another name, or delete it"
        )
  })

  const stamp = Effect.flatMap(
    rest.call("POST", `${path}/points`, { ids: [Uuid.ofStamp], with_payload: true, with_vector: false }, Stamps),
    ([found]) => Stamped.decode(sink, "collection", found?.payload.docsluice)
  )
  const count = Effect.map(rest.call("POST", `${path}/points/count`, { exact: true }, Count), ({ count }) => count)
  const there = Effect.map(rest.call("GET", `${path}/exists`, undefined, Exists), ({ exists }) => exists)

  return {
    drop,
    stamp: Effect.gen(function* () {
      return (yield* there) && (yield* count) > 0 ? yield* stamp : null
    }),
    prepare: (space) =>
      Effect.gen(function* () {
        if (!(yield* there)) return yield* create(yield* storeId, space)
        const points = yield* count
        if (points === 0) return yield* adopt(space)
        const stamped = yield* stamp
        const empty = points === 1
        yield* checkSpace({ sink, stamped: stamped.space, asked: space, empty })
        if (!empty || Stamped.sameSpace(stamped.space, space)) return stamped.storeId
        yield* drop
        return yield* create(stamped.storeId, space)
      })
  }
}
