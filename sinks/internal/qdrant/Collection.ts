/** Qdrant: the collection, its points and the REST calls. */
import { type EmbeddingSpace, type Found, type Opening, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tenant from "../shared/Tenant.ts"
import * as Uuid from "../shared/Uuid.ts"
import * as QdrantFilter from "./Filter.ts"
import * as QdrantPoints from "./Points.ts"
import * as QdrantRest from "./Rest.ts"

/** The collection as a whole. */
export interface QdrantCollection {
  readonly inspect: Effect.Effect<Found, SinkError>
  /** Creates the collection, or uses the existing one, and makes the indexes that it lacks. */
  readonly prepare: (opening: Opening) => Effect.Effect<void, SinkError>
  /** Makes the indexes that filters on the chunks' metadata need. */
  readonly index: (chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
  /** Number of chunks. */
  readonly count: Effect.Effect<number, SinkError>
  /** Deletes it; a missing one is not an error. */
  readonly drop: Effect.Effect<void, SinkError>
}

const distances = { cosine: "Cosine", dot: "Dot", euclidean: "Euclid" } as const

const Exists = Schema.Struct({ exists: Schema.Boolean })

const Info = Schema.Struct({
  config: Schema.Struct({ params: Schema.Struct({ vectors: Schema.optional(Schema.Unknown) }) }),
  payload_schema: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
})

/** Most metadata members that have an index, each of which costs the server memory; Qdrant Cloud allows a collection 100 indexes. */
const mostMembers = 64

const OneVector = Schema.Struct({ size: Schema.Number, distance: Schema.String })

const Count = Schema.Struct({ count: Schema.Int })

const Stamps = Schema.Array(Schema.Struct({ payload: Schema.Struct({ docsluice: Schema.String }) }))

export const make = (
  rest: QdrantRest.QdrantRest,
  sink: string,
  name: string,
  tenant: string | null
): QdrantCollection => {
  const stampId = Uuid.ofStampOf(tenant)
  const path = `/collections/${encodeURIComponent(name)}`
  const all = { must: QdrantPoints.ofTenant(tenant) }
  const whole = rest.call("DELETE", path, undefined, Schema.Boolean)
  const pointsWith = (filter: object) =>
    Effect.map(rest.call("POST", `${path}/points/count`, { exact: true, ...filter }, Count), ({ count }) => count)
  /** The collection goes with its last tenant, so that the next one may have other vectors. */
  const removal: Effect.Effect<unknown, SinkError> =
    tenant === null
      ? whole
      : Effect.zipRight(
          rest.call("POST", `${path}/points/delete?wait=true`, { filter: all }, QdrantRest.Done),
          Effect.flatMap(pointsWith({}), (left) => (left === 0 ? whole : Effect.void))
        )
  const drop = removal.pipe(
    Effect.asVoid,
    Effect.catchIf(
      ({ reason }) => reason === "Mismatch",
      () => Effect.void
    )
  )
  const points = pointsWith(tenant === null ? {} : { filter: all })
  const there = Effect.map(rest.call("GET", `${path}/exists`, undefined, Exists), ({ exists }) => exists)
  const stamp = Effect.map(
    rest.call("POST", `${path}/points`, { ids: [stampId], with_payload: true, with_vector: false }, Stamps),
    ([found]) => found?.payload.docsluice ?? null
  )
  /** A collection without points of the tenant: absent to it unless it belongs to somebody without tenants. */
  const empty: Effect.Effect<Found, SinkError> = Effect.gen(function* () {
    if (tenant === null) return { _tag: "Unstamped", chunks: [] }
    const own = yield* rest.call(
      "POST",
      `${path}/points`,
      { ids: [Uuid.ofStamp], with_payload: true, with_vector: false },
      Stamps
    )
    return own.length === 0
      ? { _tag: "Absent" }
      : {
          _tag: "Foreign",
          problem: "the collection has no tenants; leave out the option `tenant`, or use another name"
        }
  })
  const inspect: Effect.Effect<Found, SinkError> = Effect.gen(function* () {
    yield* Tenant.check(sink, tenant)
    if (!(yield* there)) return { _tag: "Absent" }
    // A collection without an index of tenants has none; a server in strict mode refuses to look for one.
    const count = yield* Effect.catchIf(
      points,
      ({ reason }) => reason === "Unsupported" && tenant !== null,
      () => Effect.succeed(0)
    )
    if (count === 0) return yield* empty
    const text = yield* stamp
    if (text !== null) return { _tag: "Stamped", stamp: text, empty: count === 1, changed: false }
    const chunks = yield* QdrantPoints.sample(rest, `${path}/points`, tenant)
    return chunks === null
      ? {
          _tag: "Foreign",
          problem:
            "the collection holds points that are no chunks, or chunks of tenants; nothing was changed, use another name"
        }
      : { _tag: "Unstamped", chunks, vectors: true }
  })

  const writeStamp = Effect.fnUntraced(function* (text: string, space: EmbeddingSpace | null) {
    const vector = space === null ? {} : Array.from({ length: space.dimensions }, (_, at) => (at === 0 ? 1 : 0))
    const point = { id: stampId, vector, payload: { docsluice: text, ...(tenant !== null && { tenant }) } }
    yield* rest.call("PUT", `${path}/points?wait=true`, { points: [point] }, QdrantRest.Done)
  })
  const info = rest.call("GET", path, undefined, Info)
  /** Keys whose index is there, is being made, or was refused. */
  const indexed = new Set<string>()
  /** An index serves filters only: without the right to make it, chunks are written all the same. */
  const makeIndex = (key: string, schema: QdrantFilter.IndexKind | { readonly type: "keyword"; is_tenant: true }) =>
    Effect.suspend(() => {
      if (indexed.has(key)) return Effect.void
      indexed.add(key)
      const body = { field_name: key, field_schema: schema }
      return rest.call("PUT", `${path}/index?wait=true`, body, QdrantRest.Done).pipe(
        Effect.asVoid,
        Effect.catchIf(
          ({ reason }) => reason === "Rejected",
          (error) => Effect.logWarning(`no index of ${key} was made, which a filter may need: ${error.message}`)
        ),
        Effect.onError(() => Effect.sync(() => indexed.delete(key)))
      )
    })
  const makeIndexes = Effect.gen(function* () {
    const { payload_schema: found = {} } = yield* info
    indexed.clear()
    for (const key of Object.keys(found)) indexed.add(key)
    yield* Effect.forEach(QdrantFilter.ownIndexes, ([key, kind]) => makeIndex(key, kind), { discard: true })
    // Qdrant keeps the points of a tenant together, and searches them alone.
    if (tenant !== null) yield* makeIndex("tenant", { type: "keyword", is_tenant: true })
  })
  const index = (chunks: ReadonlyArray<DocumentChunk>): Effect.Effect<void, SinkError> =>
    Effect.forEach(
      QdrantFilter.metadataIndexes(chunks),
      ([key, kind]) =>
        Effect.suspend(() => {
          const members = [...indexed].filter((one) => one.startsWith("metadata."))
          return members.length < mostMembers ? makeIndex(key, kind) : Effect.void
        }),
      { discard: true }
    )
  /** Fails when the collection's vectors are not of the space. */
  const checkVectors = Effect.fnUntraced(function* (space: EmbeddingSpace | null) {
    const { vectors } = (yield* info).config.params
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
    index,
    count: Effect.map(points, (count) => Math.max(0, count - 1)),
    prepare: ({ decide, space }) =>
      Effect.gen(function* () {
        const found = yield* inspect
        const { action, stamp } = yield* decide(found)
        if (action === "create") {
          if (found._tag !== "Absent") yield* drop
          if (tenant !== null && (yield* there)) yield* checkVectors(space)
          else {
            const vectors = space === null ? {} : { size: space.dimensions, distance: distances[space.metric] }
            yield* rest.call("PUT", path, { vectors }, Schema.Literal(true))
          }
        } else if (action !== "open") {
          yield* checkVectors(space)
        }
        yield* makeIndexes
        if (action !== "open") yield* writeStamp(stamp, space)
      })
  }
}
