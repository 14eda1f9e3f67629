import { createServer, type IncomingMessage } from "node:http"
import { Effect, Schema } from "effect"
import {
  checkVector,
  holds,
  type Index,
  isNumbers,
  matching,
  nearest,
  type Ranked,
  Refused
} from "./openSearchQuery.ts"
import * as Body from "./openSearchSchema.ts"

/**
 * A double of the REST interfaces of OpenSearch and Elasticsearch, from their published descriptions: an index with a mapping, bulk
 * writes, searches by words and by vector, points in time. It refuses every member of a request that the part of the interface described
 * here does not have; writes are visible after a refresh only. It is no search engine.
 */
export interface OpenSearchDouble {
  readonly url: string
  readonly indexes: Map<string, Index>
  /** Method and path of every request. */
  readonly requests: Array<string>
  /** Points in time that are open. */
  readonly points: Map<string, Index>
  /** Answers the next request with this status, text and headers instead. */
  readonly failNext: (status: number, body: string, headers?: Readonly<Record<string, string>>) => void
  /** Fails the next document of a bulk call with this status. */
  readonly failItem: (status: number) => void
  /** Refuses connections, and takes them again at the same port. */
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}

export type Flavour = "opensearch" | "elasticsearch" | "elasticsearch 9.2"

const versions = { opensearch: "2.19.0", elasticsearch: "8.17.0", "elasticsearch 9.2": "9.2.0" }

const decoded = <A, I>(schema: Schema.Schema<A, I>, body: unknown): A => {
  const result = Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })(body)
  if (result._tag === "Left") throw new Refused(400, "parsing_exception", result.left.message.slice(0, 300))
  return result.right
}

const gone = (name: string) => new Refused(404, "index_not_found_exception", `no such index [${name}]`)

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

export const openSearchDouble = (flavour: Flavour, authorization?: string) =>
  Effect.acquireRelease(
    Effect.async<OpenSearchDouble & { readonly close: () => void }>((resume) => {
      const indexes = new Map<string, Index>()
      const points = new Map<string, Index>()
      const requests: Array<string> = []
      let failure: {
        readonly status: number
        readonly body: string
        readonly headers: Readonly<Record<string, string>>
      } | null = null
      let itemFailure: number | null = null
      const found = (name: string): Index => {
        const index = indexes.get(name)
        if (index === undefined) throw gone(name)
        return index
      }
      const checkDocument = (index: Index, source: Readonly<Record<string, unknown>>): void => {
        for (const [field, value] of Object.entries(source)) {
          const mapped = index.mappings.properties[field]
          if (mapped === undefined && index.mappings.dynamic === "strict") {
            throw new Refused(
              400,
              "strict_dynamic_mapping_exception",
              `mapping set to strict, [${field}] is not allowed`
            )
          }
          if (field === "embedding" && isNumbers(value)) checkVector(index, value)
          const limit = mapped?.type === "keyword" && "ignore_above" in mapped ? mapped.ignore_above : undefined
          const indexed = mapped?.type === "keyword" && !("index" in mapped) && limit === undefined
          const values = Array.isArray(value) ? value : [value]
          if (indexed && values.some((one) => Buffer.byteLength(String(one)) > 32_766)) {
            throw new Refused(400, "illegal_argument_exception", `immense term in field "${field}"`)
          }
        }
      }
      const bulk = (name: string, text: string) => {
        if (!text.endsWith("\n"))
          throw new Refused(400, "illegal_argument_exception", "The bulk request must be terminated by a newline")
        // As real servers do unless they are told not to.
        if (!indexes.has(name)) {
          indexes.set(name, { mappings: { dynamic: "true", properties: {} }, documents: new Map(), visible: [] })
        }
        const index = found(name)
        const lines = text.trimEnd().split("\n")
        const items: Array<unknown> = []
        for (let at = 0; at < lines.length; at += 1) {
          const action = decoded(Schema.parseJson(Body.Action), lines[at])
          if ("delete" in action) {
            const there = index.documents.delete(action.delete._id)
            items.push({
              delete: { _id: action.delete._id, status: there ? 200 : 404, result: there ? "deleted" : "not_found" }
            })
            continue
          }
          at += 1
          const source = decoded(Schema.parseJson(Body.Meta), lines[at])
          const id = action.index._id
          try {
            const status = itemFailure
            itemFailure = null
            if (status !== null) throw new Refused(status, "rejected_execution_exception", "queue is full")
            checkDocument(index, source)
            index.documents.set(id, { id, source })
            items.push({ index: { _id: id, status: 201, result: "created" } })
          } catch (cause) {
            if (!(cause instanceof Refused)) throw cause
            items.push({ index: { _id: id, status: cause.status, error: { type: cause.type, reason: cause.message } } })
          }
        }
        return { took: 1, errors: items.some((item) => JSON.stringify(item).includes('"error"')), items }
      }
      const search = (name: string | null, body: unknown) => {
        const asked = decoded(Body.Search, body)
        if (asked.knn !== undefined && flavour === "opensearch")
          throw new Refused(400, "parsing_exception", "Unknown key for a START_OBJECT in [knn].")
        if (asked.query !== undefined && "knn" in asked.query && flavour !== "opensearch")
          throw new Refused(400, "parsing_exception", "[knn] unknown field [embedding]")
        if ((name === null) === (asked.pit === undefined))
          throw new Refused(400, "action_request_validation_exception", "[indices] cannot be used with point in time")
        const index = asked.pit === undefined ? found(name ?? "") : points.get(asked.pit.id)
        if (index === undefined) throw new Refused(404, "search_context_missing_exception", "No search context found")
        const { knn, query = { match_all: {} } } = asked
        const near = "knn" in query ? query.knn.embedding : null
        const ranked: Ranked =
          knn !== undefined
            ? nearest(index, knn.query_vector, knn.k, knn.filter)
            : near !== null
              ? nearest(index, near.vector, near.k, near.filter)
              : matching(index, query)
        const key = ({ document }: Ranked[number]) => textOf(document.source["key"])
        const [by] = asked.sort ?? []
        const sorted =
          by === undefined
            ? ranked
            : "key" in by
              ? ranked.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
              : ranked.toSorted(
                  (a, b) => Number(a.document.source["chunk_index"]) - Number(b.document.source["chunk_index"])
                )
        const selected = asked._source
        const isChoice = selected !== undefined && "exclude_vectors" in selected
        const includes = isChoice ? selected.includes : selected
        const excludes = isChoice ? selected.exclude_vectors : null
        if (excludes !== null && flavour !== "elasticsearch 9.2") {
          throw new Refused(400, "parsing_exception", "Unknown key for a VALUE_BOOLEAN in [exclude_vectors].")
        }
        const withVectors = flavour !== "elasticsearch 9.2" || excludes === false
        const shown = (field: string) =>
          (withVectors || field !== "embedding") && (selected === undefined || includes?.includes(field) === true)
        const after = asked.search_after?.[0]
        const hits = sorted
          .filter((one) => after === undefined || key(one) > after)
          .slice(0, asked.size)
          .map((one) => ({
            _index: name,
            _id: one.document.id,
            _score: asked.sort === undefined ? one.score : null,
            _source: Object.fromEntries(Object.entries(one.document.source).filter(([field]) => shown(field))),
            sort: asked.sort === undefined ? undefined : [key(one)]
          }))
        return {
          took: 1,
          timed_out: false,
          ...(asked.pit && { pit_id: asked.pit.id }),
          hits: { total: { value: sorted.length, relation: "eq" }, max_score: null, hits },
          ...(asked.aggs && {
            aggregations: {
              words: {
                buckets: asked.aggs.words.filters.filters.map((filter) => ({
                  doc_count: sorted.filter(({ document }) => holds(index, filter, document)).length
                }))
              }
            }
          })
        }
      }
      const opened = (name: string): string => {
        const id = `point-${points.size}-${requests.length}`
        points.set(id, { ...found(name) })
        return id
      }
      const pathOf = flavour === "opensearch" ? "/_search/point_in_time" : "/_pit"
      const call = (method: string, path: string, query: URLSearchParams, text: string): unknown => {
        const body: unknown = text === "" || path.endsWith("_bulk") ? undefined : JSON.parse(text)
        if (path === "/")
          return {
            name: "double",
            version: {
              number: versions[flavour],
              ...(flavour === "opensearch" && { distribution: flavour })
            }
          }
        if (path === "/_search" && method === "POST") return search(null, body)
        if (path === pathOf && method === "DELETE") {
          const ids =
            flavour === "opensearch"
              ? decoded(Schema.Struct({ pit_id: Schema.Array(Schema.String) }), body).pit_id
              : [decoded(Schema.Struct({ id: Schema.String }), body).id]
          for (const id of ids) points.delete(id)
          return flavour === "opensearch" ? { pits: [] } : { succeeded: true, num_freed: 1 }
        }
        const [, part = "", rest = ""] = /^\/([^/]+)(\/.*)?$/u.exec(path) ?? []
        const name = decodeURIComponent(part)
        const [, id] = /^\/_doc\/([^/]+)$/u.exec(rest) ?? []
        if (method === "PUT" && id !== undefined) {
          const index = found(name)
          const source = decoded(Body.Meta, body)
          checkDocument(index, source)
          const result = index.documents.has(id) ? "updated" : "created"
          index.documents.set(id, { id, source })
          return { _index: name, _id: id, _version: 1, result }
        }
        switch (`${method} ${rest}`) {
          case "PUT ": {
            if (indexes.has(name))
              throw new Refused(400, "resource_already_exists_exception", `index [${name}] already exists`)
            if (!/^[a-z0-9][^A-Z\\/*?"<>| ,#:]*$/u.test(name))
              throw new Refused(400, "invalid_index_name_exception", `Invalid index name [${name}]`)
            const { mappings, settings } = decoded(Body.Create, body)
            const kind = mappings.properties["embedding"]?.type
            const fits =
              kind === undefined ||
              (flavour === "opensearch"
                ? kind === "knn_vector" && settings["index.knn"] === true
                : kind === "dense_vector")
            if (!fits) throw new Refused(400, "mapper_parsing_exception", `No handler for type [${kind}]`)
            indexes.set(name, { mappings, documents: new Map(), visible: [] })
            return { acknowledged: true, shards_acknowledged: true, index: name }
          }
          case "DELETE ":
            if (!indexes.delete(name)) throw gone(name)
            return { acknowledged: true }
          case "GET /_mapping":
            return { [name]: { mappings: found(name).mappings } }
          case "PUT /_mapping": {
            const index = found(name)
            index.mappings = { ...index.mappings, _meta: decoded(Body.Remap, body)._meta }
            return { acknowledged: true }
          }
          case "GET /_count":
            return { count: found(name).visible.length, _shards: { total: 1, successful: 1, failed: 0 } }
          case "POST /_count": {
            const index = found(name)
            const { query: asked } = decoded(Body.ByQuery, body)
            const count = index.visible.filter((document) => holds(index, asked, document)).length
            return { count, _shards: { total: 1, successful: 1, failed: 0 } }
          }
          case "POST /_delete_by_query": {
            const index = found(name)
            const { query: asked } = decoded(Body.ByQuery, body)
            const gone = index.visible.filter((document) => holds(index, asked, document))
            for (const { id } of gone) index.documents.delete(id)
            if (query.get("refresh") === "true") index.visible = [...index.documents.values()]
            return {
              took: 1,
              timed_out: false,
              total: gone.length,
              deleted: gone.length,
              version_conflicts: 0,
              failures: []
            }
          }
          case "POST /_refresh": {
            const index = found(name)
            index.visible = [...index.documents.values()]
            return { _shards: { total: 1, successful: 1, failed: 0 } }
          }
          case "POST /_bulk":
            return bulk(name, text)
          case "POST /_search":
            return search(name, body)
          case `POST ${pathOf}`: {
            if (query.get("keep_alive") === null)
              throw new Refused(400, "action_request_validation_exception", "[keep_alive] is not specified")
            return flavour === "opensearch" ? { pit_id: opened(name), creation_time: 0 } : { id: opened(name) }
          }
          default:
            throw new Refused(
              400,
              "illegal_argument_exception",
              `no handler found for uri [${path}] and method [${method}]`
            )
        }
      }
      const answer = async (request: IncomingMessage): Promise<unknown> => {
        const parts: Array<Buffer> = []
        for await (const part of request) parts.push(Buffer.from(part))
        const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
        requests.push(`${request.method} ${pathname}`)
        if (authorization !== undefined && request.headers.authorization !== authorization)
          throw new Refused(401, "security_exception", `unable to authenticate with [${request.headers.authorization}]`)
        return call(request.method ?? "", pathname, searchParams, Buffer.concat(parts).toString("utf8"))
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
          (body) => send(200, JSON.stringify(body)),
          (cause: unknown) => {
            const { status, type } = cause instanceof Refused ? cause : { status: 400, type: "parse_exception" }
            send(
              status,
              JSON.stringify({
                error: { type, reason: cause instanceof Error ? cause.message : String(cause) },
                status
              })
            )
          }
        )
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${port}`,
            indexes,
            points,
            requests,
            failNext: (status, body, headers = {}) => {
              failure = { status, body, headers }
            },
            failItem: (status) => {
              itemFailure = status
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
