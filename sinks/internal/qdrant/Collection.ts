/** Qdrant: the collection, its points and the REST calls. */
import { type EmbeddingSpace, type Found, type Opening, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tenant from "../shared/Tenant.ts"
import * as Uuid from "../shared/Uuid.ts"
import * as Words from "../shared/Words.ts"
import * as QdrantFilter from "./Filter.ts"
import * as QdrantPoints from "./Points.ts"
import * as QdrantRest from "./Rest.ts"

/** The collection as a whole. */
export interface QdrantCollection {
  readonly inspect: Effect.Effect<Found, SinkError>
  /** Creates the collection, or uses the existing one, and makes the indexes that it lacks. */
  readonly prepare: (opening: Opening) => Effect.Effect<void, SinkError>
  /** Version of the terms in its sparse vector; null without one. */
  readonly terms: Effect.Effect<Terms.Version | null, SinkError>
  /** Makes the indexes that filters on the chunks' metadata need. */
  readonly index: (chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
  /** Number of chunks. */
  readonly count: Effect.Effect<number, SinkError>
  /** Deletes it; a missing one is not an error. */
  readonly drop: Effect.Effect<void, SinkError>
}

const distances = { cosine: "Cosine", dot: "Dot", euclidean: "Euclid" } as const

const Exists = Schema.Struct({ exists: Schema.Boolean })

const Sparse = Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const Info = Schema.Struct({
  config: Schema.Struct({
    params: Schema.Struct({ vectors: Schema.optional(Schema.Unknown), sparse_vectors: Schema.optional(Sparse) })
  }),
  payload_schema: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
})

/** Most metadata members that have an index, each of which costs the server memory; Qdrant Cloud allows a collection 100 indexes. */
const mostMembers = 64

const OneVector = Schema.Struct({ size: Schema.Number, distance: Schema.String })

const Count = Schema.Struct({ count: Schema.Int })

const Stamps = Schema.Array(Schema.Struct({ payload: Schema.Struct({ docsluice: Schema.String }) }))

/** Long, since it names each call to the collection once, and composes them below. */
export const make = (place: QdrantPoints.Place): QdrantCollection => {
  const { call, path, sink, tenant } = place
  const stampId = Uuid.ofStampOf(tenant)
  const all = { must: QdrantPoints.ofTenant(tenant) }
  const whole = Effect.asVoid(call("DELETE", path, undefined, Schema.Boolean))
  const countOf = (filter: object) =>
    Effect.map(call("POST", `${path}/points/count`, { exact: true, ...filter }, Count), ({ count }) => count)
  /** The collection goes with its last tenant, so that the next one may have other vectors. */
  const removal =
    tenant === null
      ? whole
      : Effect.zipRight(
          QdrantPoints.removeWhere(place, { filter: all }),
          Effect.flatMap(countOf({}), (left) => (left === 0 ? whole : Effect.void))
        )
  const drop = Effect.catchIf(
    removal,
    ({ reason }) => reason === "Mismatch",
    () => Effect.void
  )
  const points = countOf(tenant === null ? {} : { filter: all })
  const there = Effect.map(call("GET", `${path}/exists`, undefined, Exists), ({ exists }) => exists)
  /** The text of the stamp that is kept under an id. */
  const stampAt = (id: string) =>
    Effect.map(
      call("POST", `${path}/points`, { ids: [id], with_payload: true, with_vector: false }, Stamps),
      ([found]) => found?.payload.docsluice ?? null
    )
  /** A collection without points of the tenant: absent to it unless it belongs to somebody without tenants. */
  const empty: Effect.Effect<Found, SinkError> = Effect.gen(function* () {
    if (tenant === null) return { _tag: "Unstamped", chunks: [] }
    return (yield* stampAt(Uuid.ofStamp)) === null
      ? { _tag: "Absent" }
      : {
          _tag: "Foreign",
          problem: Tenant.lacking("the collection")
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
    const stamp = yield* stampAt(stampId)
    if (stamp !== null) return { _tag: "Stamped", stamp, empty: count === 1, changed: false }
    const { chunks, tenants } = yield* QdrantPoints.sample(place)
    if (tenant === null && tenants) return { _tag: "Foreign", problem: Tenant.needed, tenants }
    return chunks === null
      ? {
          _tag: "Foreign",
          problem: "the collection holds points that are no chunks; nothing was changed, use another name"
        }
      : { _tag: "Unstamped", chunks, vectors: true }
  })

  const writeStamp = (text: string, space: EmbeddingSpace | null) => {
    const vector = space === null ? {} : Array.from({ length: space.dimensions }, (_, at) => (at === 0 ? 1 : 0))
    const payload = { docsluice: text, ...(tenant !== null && { tenant }) }
    return QdrantPoints.put(place, [{ id: stampId, vector, payload }])
  }
  const info = call("GET", path, undefined, Info)
  const indexes = indexesOf(
    place,
    Effect.map(info, ({ payload_schema: found = {} }) => Object.keys(found))
  )

  return {
    inspect,
    drop,
    index: indexes.makeFor,
    terms: Effect.map(info, ({ config }) => Words.versionOf(Object.keys(config.params.sparse_vectors ?? {}))),
    count: Effect.map(points, (count) => Math.max(0, count - 1)),
    prepare: Effect.fnUntraced(function* ({ decide, space }) {
      const found = yield* inspect
      const { action, stamp } = yield* decide(found)
      if (action === "create" && found._tag !== "Absent") yield* drop
      if (action === "create" && (tenant === null || !(yield* there))) {
        const vectors = space === null ? {} : { size: space.dimensions, distance: distances[space.metric] }
        yield* call(
          "PUT",
          path,
          { vectors, sparse_vectors: { [Words.nameOf(Terms.version)]: { modifier: "idf" } } },
          Schema.Literal(true)
        )
      } else if (action !== "open") {
        yield* checkVectors(sink, (yield* info).config.params.vectors, space)
      }
      yield* indexes.makeOwn
      if (action !== "open") yield* writeStamp(stamp, space)
    })
  }
}

/** Fails when the collection's vectors are not of the space. */
const checkVectors = (sink: string, vectors: unknown, space: EmbeddingSpace | null): Effect.Effect<void, SinkError> => {
  const one = Schema.is(OneVector)(vectors) ? vectors : null
  const fits =
    space === null
      ? one === null
      : one !== null && one.size === space.dimensions && one.distance === distances[space.metric]
  return fits
    ? Effect.void
    : new SinkError({
        sink,
        reason: "Mismatch",
        problem: "the collection is there, with vectors of another size or metric; use another name, or delete it"
      })
}

type IndexSchema = QdrantFilter.IndexKind | { readonly type: "keyword"; readonly is_tenant: true }

/** The indexes of a collection, each made once; `stored` gives the keys of those that the server has. */
const indexesOf = ({ call, path, tenant }: QdrantPoints.Place, stored: Effect.Effect<Iterable<string>, SinkError>) => {
  /** Keys whose index is there, is being made, or was refused. */
  const indexed = new Set<string>()
  /** An index serves filters only: without the right to make it, chunks are written all the same. */
  const make = (key: string, schema: IndexSchema) =>
    Effect.suspend(() => {
      if (indexed.has(key)) return Effect.void
      indexed.add(key)
      return call("PUT", `${path}/index?wait=true`, { field_name: key, field_schema: schema }, QdrantRest.Done).pipe(
        Effect.asVoid,
        Effect.catchIf(
          ({ reason }) => reason === "Rejected",
          (error) => Effect.logWarning(`no index of ${key} was made, which a filter may need: ${error.message}`)
        ),
        Effect.onError(() => Effect.sync(() => indexed.delete(key)))
      )
    })
  return {
    makeOwn: Effect.gen(function* () {
      const found = yield* stored
      indexed.clear()
      for (const key of found) indexed.add(key)
      yield* Effect.forEach(QdrantFilter.ownIndexes, ([key, kind]) => make(key, kind), { discard: true })
      // Qdrant keeps the points of a tenant together, and searches them alone.
      if (tenant !== null) yield* make("tenant", { type: "keyword", is_tenant: true })
    }),
    makeFor: (chunks: ReadonlyArray<DocumentChunk>) =>
      Effect.forEach(
        QdrantFilter.metadataIndexes(chunks),
        ([key, kind]) =>
          Effect.suspend(() => {
            const members = [...indexed].filter((one) => one.startsWith("metadata."))
            return members.length < mostMembers ? make(key, kind) : Effect.void
          }),
        { discard: true }
      )
  }
}
