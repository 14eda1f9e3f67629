import { createServer, type IncomingMessage } from "node:http"
import { Effect, Schema } from "effect"
import { checkIndexes, type Collection, Filter, matches, type Point, Refused } from "./qdrantFilter.ts"

/**
 * A double of Qdrant's REST interface, from its published description: collections with one unnamed vector or none, and named sparse
 * vectors, points by UUID, payload filters of `match`, `range`, `is_empty` and `has_id`, nested, scrolling by id. It answers as the interface says and refuses what it
 * says is refused, and unless it is told otherwise, also what strict mode refuses: filters without an index. It is no search engine.
 */
export interface QdrantDouble {
  readonly url: string
  /** Stored points by collection, the stamp's among them. */
  readonly collections: Map<string, Collection>
  /** Method and path of every request. */
  readonly requests: Array<string>
  /** Answers the next request with this status, text and headers instead. */
  readonly failNext: (status: number, body: string, headers?: Readonly<Record<string, string>>) => void
  /** Refuses connections, and takes them again at the same port. */
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

const Vectors = Schema.Struct({ size: Schema.Int, distance: Schema.Literal("Cosine", "Dot", "Euclid") })
const Create = Schema.Struct({
  vectors: Schema.Union(Vectors, Schema.Struct({})),
  sparse_vectors: Schema.optional(
    Schema.Record({
      key: Schema.String,
      value: Schema.Struct({ modifier: Schema.optional(Schema.Literal("none", "idf")) })
    })
  )
})
const Uuid = Schema.UUID
/** Indices are unsigned numbers of 32 bits, none of them twice, each with a value. */
const Sparse = Schema.Struct({
  indices: Schema.Array(Schema.Int.pipe(Schema.between(0, 2 ** 32 - 1))),
  values: Schema.Array(Schema.JsonNumber)
}).pipe(
  Schema.filter(
    ({ indices, values }) =>
      (indices.length === values.length && new Set(indices).size === indices.length) ||
      "must be the same length as indices, which must be unique"
  )
)

type Sparse = typeof Sparse.Type

const Dense = Schema.Array(Schema.JsonNumber)

const isDense = Schema.is(Dense)
const isSparse = Schema.is(Sparse)

const Upsert = Schema.Struct({
  points: Schema.Array(
    Schema.Struct({
      id: Uuid,
      vector: Schema.Union(Dense, Schema.Record({ key: Schema.String, value: Schema.Union(Dense, Sparse) })),
      payload: Schema.Record({ key: Schema.String, value: Schema.Unknown })
    })
  )
})

const Selected = {
  with_payload: Schema.Union(Schema.Boolean, Schema.Array(Schema.String)),
  with_vector: Schema.Boolean
}
const Delete = Schema.Union(Schema.Struct({ points: Schema.Array(Uuid) }), Schema.Struct({ filter: Filter }))
const Retrieve = Schema.Struct({ ids: Schema.Array(Uuid), ...Selected })
const Count = Schema.Struct({ exact: Schema.Boolean, filter: Schema.optional(Filter) })
const Index = Schema.Struct({
  field_name: Schema.String,
  field_schema: Schema.Union(
    Schema.Literal("keyword", "integer", "float", "bool", "datetime"),
    Schema.Struct({ type: Schema.Literal("keyword"), is_tenant: Schema.Boolean })
  )
})
const Scroll = Schema.Struct({
  limit: Schema.Int,
  offset: Schema.optional(Uuid),
  filter: Schema.optional(Filter),
  ...Selected
})
const Query = Schema.Struct({
  query: Schema.Union(Dense, Sparse),
  using: Schema.optional(Schema.String),
  limit: Schema.Int,
  filter: Schema.optional(Filter),
  ...Selected
})

const decoded = <A, I>(schema: Schema.Schema<A, I>, body: unknown): A => {
  const result = Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })(body)
  if (result._tag === "Left") throw new Refused(400, `Format error in JSON body: ${result.left.message.slice(0, 200)}`)
  return result.right
}

const shown = (
  point: Point,
  asked: { readonly with_payload: boolean | ReadonlyArray<string>; readonly with_vector: boolean }
) => {
  const { with_payload: members } = asked
  const payload =
    typeof members === "boolean"
      ? members
        ? point.payload
        : null
      : Object.fromEntries(Object.entries(point.payload).filter(([key]) => members.includes(key)))
  return { id: point.id, payload, ...(asked.with_vector && { vector: vectorsOf(point) }) }
}

/** One vector without a name as it is, several by their names. */
const vectorsOf = ({ sparse, vector }: Point) =>
  sparse.size === 0
    ? (vector ?? {})
    : {
        ...(vector && { "": vector }),
        ...Object.fromEntries(
          [...sparse].map(([name, values]) => [name, { indices: [...values.keys()], values: [...values.values()] }])
        )
      }

const length = (vector: ReadonlyArray<number>) => Math.hypot(...vector)
const dot = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
const scores = {
  Cosine: (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => dot(a, b) / (length(a) * length(b) || 1),
  Dot: dot,
  Euclid: (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => length(a.map((value, at) => value - (b[at] ?? 0)))
}

const dimensions = (collection: Collection, given: number): void => {
  const expected = collection.vectors?.size ?? 0
  if (given !== expected) {
    throw new Refused(400, `Wrong input: Vector dimension error: expected dim: ${expected}, got ${given}`)
  }
}

const noVector = (name: string) => new Refused(400, `Wrong input: Not existing vector name error: ${name}`)

const denseIn = (collection: Collection, vector: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (collection.vectors === null) throw noVector("")
  dimensions(collection, vector.length)
  const norm = collection.vectors.distance === "Cosine" ? length(vector) || 1 : 1
  return vector.map((value) => value / norm)
}

const mapOf = ({ indices, values }: Sparse): ReadonlyMap<number, number> =>
  new Map(indices.map((index, at) => [index, values[at] ?? 0]))

const stored = (
  collection: Collection,
  given: ReadonlyArray<number> | Readonly<Record<string, ReadonlyArray<number> | Sparse>>
): Pick<Point, "vector" | "sparse"> => {
  if (isDense(given)) return { vector: denseIn(collection, given), sparse: new Map() }
  const sparse = new Map<string, ReadonlyMap<number, number>>()
  let vector: ReadonlyArray<number> | null = null
  for (const [name, one] of Object.entries(given)) {
    if (isDense(one)) {
      if (name !== "") throw noVector(name)
      vector = denseIn(collection, one)
    } else {
      if (!collection.sparse.has(name)) throw noVector(name)
      sparse.set(name, mapOf(one))
    }
  }
  return { vector, sparse }
}

/** Points that share an index with the query, by the product of both; with the modifier `idf`, of rare indices the more. */
const bySparse = (collection: Collection, using: string, query: Sparse, among: ReadonlyArray<Point>) => {
  const idf = collection.sparse.get(using)
  if (idf === undefined) throw noVector(using)
  const vectors = [...collection.points.values()].flatMap((point) => point.sparse.get(using) ?? [])
  const weight = (index: number): number => {
    const holding = vectors.filter((vector) => vector.has(index)).length
    return idf ? Math.log((vectors.length - holding + 0.5) / (holding + 0.5) + 1) : 1
  }
  const wanted = [...mapOf(query)].map(([index, value]) => [index, value * weight(index)] as const)
  return among.flatMap((point) => {
    const vector = point.sparse.get(using)
    if (vector === undefined || !wanted.some(([index]) => vector.has(index))) return []
    return [{ point, score: wanted.reduce((sum, [index, value]) => sum + value * (vector.get(index) ?? 0), 0) }]
  })
}

const pointCall = (collection: Collection, call: string, body: unknown, wait: boolean, strict: boolean): unknown => {
  const { indexes } = collection
  const passing = (filter: Filter | undefined) => {
    if (strict) checkIndexes(indexes, filter)
    return all.filter((point) => matches(indexes, point, filter))
  }
  const change = (apply: () => void) => {
    if (wait) apply()
    else setTimeout(apply, 50)
    return { operation_id: 1, status: wait ? "completed" : "acknowledged" }
  }
  const all = [...collection.points.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  switch (call) {
    case "PUT /points": {
      const { points } = decoded(Upsert, body)
      const ready = points.map(({ id, payload, vector }) => Object.assign(stored(collection, vector), { id, payload }))
      return change(() => ready.forEach((point) => collection.points.set(point.id, point)))
    }
    case "POST /points/delete": {
      const asked = decoded(Delete, body)
      const ids = "points" in asked ? asked.points : passing(asked.filter).map(({ id }) => id)
      return change(() => ids.forEach((id) => collection.points.delete(id)))
    }
    case "POST /points": {
      const asked = decoded(Retrieve, body)
      return all.filter(({ id }) => asked.ids.includes(id)).map((point) => shown(point, asked))
    }
    case "POST /points/count": {
      const { filter } = decoded(Count, body)
      return { count: passing(filter).length }
    }
    case "POST /points/scroll": {
      const asked = decoded(Scroll, body)
      const from = passing(asked.filter).filter((point) => point.id >= (asked.offset ?? ""))
      return {
        points: from.slice(0, asked.limit).map((point) => shown(point, asked)),
        next_page_offset: from[asked.limit]?.id ?? null
      }
    }
    case "POST /points/query": {
      const asked = decoded(Query, body)
      const { query, using = "" } = asked
      const among = passing(asked.filter)
      if (isSparse(query)) {
        const ranked = bySparse(collection, using, query, among).toSorted((a, b) => b.score - a.score)
        const points = ranked.map(({ point, score }) => Object.assign(shown(point, asked), { version: 1, score }))
        return { points: points.slice(0, asked.limit) }
      }
      if (using !== "" || collection.vectors === null) throw noVector(using)
      dimensions(collection, query.length)
      const { distance } = collection.vectors
      const found = among
        .filter((point) => point.vector !== null)
        .map((point) =>
          Object.assign(shown(point, asked), { version: 1, score: scores[distance](point.vector ?? [], query) })
        )
        .toSorted((a, b) => (distance === "Euclid" ? a.score - b.score : b.score - a.score))
      return { points: found.slice(0, asked.limit) }
    }
    case "PUT /index": {
      const { field_name: key, field_schema: schema } = decoded(Index, body)
      return change(() => indexes.set(key, typeof schema === "string" ? schema : schema.type))
    }
    default:
      throw new Refused(404, "")
  }
}

const collectionCall = (
  collections: Map<string, Collection>,
  method: string,
  path: string,
  body: unknown,
  wait: boolean,
  strict: boolean
): unknown => {
  const [, name = "", rest = ""] = /^\/collections\/([^/]+)(\/.*)?$/u.exec(path) ?? []
  const key = decodeURIComponent(name)
  const found = collections.get(key)
  if (rest === "/exists") return { exists: found !== undefined }
  if (rest === "" && method === "PUT") {
    if (found !== undefined) throw new Refused(409, `Wrong input: Collection \`${key}\` already exists!`)
    const { sparse_vectors: named = {}, vectors } = decoded(Create, body)
    const sparse = new Map(Object.entries(named).map(([one, { modifier }]) => [one, modifier === "idf"]))
    const dense = "size" in vectors ? vectors : null
    collections.set(key, { vectors: dense, sparse, points: new Map(), indexes: new Map() })
    return true
  }
  if (rest === "" && method === "DELETE") return collections.delete(key)
  if (found === undefined) throw new Refused(404, `Not found: Collection \`${key}\` doesn't exist!`)
  if (rest === "" && method === "GET") {
    const schema = [...found.indexes].map(([key, data_type]) => [key, { data_type, points: found.points.size }])
    const sparse = [...found.sparse].map(([one, idf]) => [one, idf ? { modifier: "idf" } : {}])
    const params = {
      vectors: found.vectors ?? {},
      ...(sparse.length > 0 && { sparse_vectors: Object.fromEntries(sparse) })
    }
    return { status: "green", config: { params }, payload_schema: Object.fromEntries(schema) }
  }
  return pointCall(found, `${method} ${rest}`, body, wait, strict)
}

const mostBytes = 32 * 1024 * 1024

const read = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(Buffer.from(part))
  const bytes = Buffer.concat(parts)
  if (bytes.length > mostBytes) throw new Refused(413, "Payload too large")
  const text = bytes.toString("utf8")
  if (text === "") return undefined
  // The real server's JSON reader knows no halves of surrogate pairs.
  const body: unknown = JSON.parse(text, (_, value: unknown) => {
    if (typeof value === "string" && /\p{Surrogate}/u.test(value)) {
      throw new Refused(400, "Format error in JSON body: lone surrogate")
    }
    return value
  })
  return body
}

/** A server of its own, which ends with the scope; with a key, it refuses requests without it; in strict mode unless told otherwise. */
export const qdrantDouble = ({ key, strict = true }: { readonly key?: string; readonly strict?: boolean } = {}) =>
  Effect.acquireRelease(
    Effect.async<QdrantDouble & { readonly close: () => void }>((resume) => {
      const collections = new Map<string, Collection>()
      const requests: Array<string> = []
      let failure: {
        readonly status: number
        readonly body: string
        readonly headers: Readonly<Record<string, string>>
      } | null = null
      const answer = async (request: IncomingMessage): Promise<Answer> => {
        const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
        requests.push(`${request.method} ${pathname}`)
        const body = await read(request)
        if (key !== undefined && request.headers["api-key"] !== key) throw new Refused(401, "Invalid API key")
        const wait = searchParams.get("wait") === "true"
        const result = collectionCall(collections, request.method ?? "", pathname, body, wait, strict)
        return { status: 200, body: { result, status: "ok", time: 0.001 } }
      }
      const server = createServer((request, response) => {
        const failed = failure
        failure = null
        const send = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) => {
          response.writeHead(status, { "content-type": "application/json", ...headers }).end(text)
        }
        if (failed !== null) {
          request.resume()
          return send(failed.status, failed.body, failed.headers)
        }
        return void answer(request).then(
          ({ body, status }) => send(status, JSON.stringify(body)),
          (cause: unknown) => {
            const status = cause instanceof Refused ? cause.status : 400
            const error = cause instanceof Error ? cause.message : String(cause)
            send(status, JSON.stringify({ status: { error }, time: 0.001 }))
          }
        )
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${port}`,
            collections,
            requests,
            failNext: (status, body, headers = {}) => {
              failure = { status, body, headers }
            },
            stop: Effect.async((stopped) => {
              server.close(() => stopped(Effect.void))
              server.closeAllConnections()
            }),
            start: Effect.async((started) => {
              server.listen(port, "127.0.0.1", () => started(Effect.void))
            }),
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      })
    }),
    (double) => Effect.sync(() => double.close())
  )
