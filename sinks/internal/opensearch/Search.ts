import type { EmbeddingSpace, Hit, Query, SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Damaged from "../shared/Damaged.ts"
import { depth, fuse, weightOf, words } from "../shared/Fusion.ts"
import type { Index } from "./Index.ts"
import type { Rest } from "./Rest.ts"

const Found = Schema.Struct({
  hits: Schema.Struct({
    hits: Schema.Array(
      Schema.Struct({ _id: Schema.String, _source: Schema.Record({ key: Schema.String, value: Schema.Unknown }) })
    )
  })
})

type Row = (typeof Found.Type)["hits"]["hits"][number]

const source = { _source: ["chunk_id", "text", "docsluice"] }

/** BM25 over text and headings, and the nearest vectors, both at the same time; joined by rank. */
export const search = Effect.fnUntraced(function* (
  rest: Rest,
  sink: string,
  index: Index,
  space: EmbeddingSpace | null,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  const limit = depth(query.limit)
  const text = words(ChunkRecord.plain(query.text)).join(" ")
  const ranked = (body: object): Effect.Effect<ReadonlyArray<Row>, SinkError> =>
    Effect.map(rest.call("POST", `/${index.path}/_search`, { ...body, ...source }, Found), ({ hits }) => hits.hits)
  const byText =
    text === ""
      ? Effect.succeed([])
      : ranked({
          size: limit,
          query: { multi_match: { query: text, fields: ["text", "headings"], type: "most_fields", operator: "or" } }
        })
  const { vector } = query
  const byVector =
    vector === undefined || space === null
      ? Effect.succeed([])
      : Effect.flatMap(index.dialect, ({ nearest }) => ranked(nearest(Array.from(vector), limit)))
  const [texts, vectors] = yield* Effect.all([byText, byVector], { concurrency: 2 })
  const rows = new Map([...texts, ...vectors].map((row) => [row._id, row._source]))
  const rankings = [
    { keys: texts.map(({ _id }) => _id), weight: 1 },
    { keys: vectors.map(({ _id }) => _id), weight: weightOf(space) }
  ]
  const best = fuse(rankings, query.limit).flatMap(({ key, score }) => {
    const row = rows.get(key)
    return row === undefined ? [] : [{ score, row }]
  })
  return yield* Damaged.hits(
    sink,
    best.map(({ row, score }) => ({
      id: row["chunk_id"],
      score,
      chunk: ChunkRecord.decode({ text: row["text"], record: row["docsluice"] })
    }))
  )
})
