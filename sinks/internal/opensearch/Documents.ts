import { SinkError } from "docsluice/ChunkSink"
import { ChunkId, type DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Terms from "docsluice/Terms"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Tags from "../shared/Tags.ts"
import * as Uuid from "../shared/Uuid.ts"
import * as Dialect from "./Dialect.ts"
import * as Facts from "./Facts.ts"
import { type Index, termsField } from "./Index.ts"
import { Lines, meaning, type Rest } from "./Rest.ts"

/** A chunk as a document: the parts that are searched, and everything else as one JSON text. */
const encode = (chunk: DocumentChunk) => {
  const { record, text } = ChunkRecord.encode(chunk)
  const terms = Terms.fields(chunk)
  return {
    key: Uuid.ofChunk(chunk.id),
    chunk_id: ChunkRecord.plain(chunk.id),
    document_id: ChunkRecord.plain(chunk.documentId),
    source: ChunkRecord.plain(chunk.source),
    chunk_index: chunk.index,
    text,
    headings: chunk.headingPath.map((heading) => ChunkRecord.plain(heading.text)),
    tags: Tags.ofChunk(chunk),
    facts: Facts.ofChunk(chunk),
    [termsField]: [...terms.text, ...terms.headings, ...terms.source].join(" "),
    docsluice: record,
    ...(chunk.embedding && { embedding: Array.from(chunk.embedding) })
  }
}

const Item = Schema.Struct({
  status: Schema.Int,
  error: Schema.optional(Schema.Struct({ type: Schema.String, reason: Schema.optional(Schema.NullOr(Schema.String)) }))
})

const Bulk = Schema.Struct({
  errors: Schema.Boolean,
  items: Schema.Array(Schema.Struct({ index: Schema.optional(Item), delete: Schema.optional(Item) }))
})

/** The first failure that may pass, so that the whole is sent again; otherwise the first one. */
const failureOf = (sink: string, { items }: typeof Bulk.Type): SinkError | null => {
  const failed = items.flatMap((item) => {
    const one = item.index ?? item.delete
    return one?.error === undefined ? [] : [{ status: one.status, error: one.error }]
  })
  const worst = failed.find(({ status }) => meaning(status)[0] === "Unavailable") ?? failed[0]
  if (worst === undefined) return null
  const [reason, problem] = meaning(worst.status)
  const said = `${worst.error.type}${worst.error.reason ? `, ${worst.error.reason}` : ""}`.slice(0, 300)
  return new SinkError({ sink, reason, problem: `${problem} (${failed.length} of ${items.length} chunks: ${said})` })
}

const bulk = (rest: Rest, sink: string, index: Index, lines: ReadonlyArray<unknown>): Effect.Effect<void, SinkError> =>
  Effect.flatMap(
    rest.call("POST", `/${index.path}/_bulk`, new Lines(lines), Bulk),
    (answer) => failureOf(sink, answer) ?? Effect.void
  )

export const write = (rest: Rest, sink: string, index: Index, chunks: ReadonlyArray<DocumentChunk>) =>
  bulk(
    rest,
    sink,
    index,
    chunks.flatMap((chunk) => [{ index: { _id: Uuid.ofChunk(chunk.id) } }, encode(chunk)])
  )

export const remove = (rest: Rest, sink: string, index: Index, ids: ReadonlyArray<ChunkId>) =>
  bulk(
    rest,
    sink,
    index,
    ids.map((id) => ({ delete: { _id: Uuid.ofChunk(id) } }))
  )

const Page = Schema.Struct({
  pit_id: Schema.optional(Schema.String),
  hits: Schema.Struct({
    hits: Schema.Array(
      Schema.Struct({
        _source: Schema.Struct({ chunk_id: ChunkId, document_id: DocumentId }),
        sort: Schema.Array(Schema.Unknown)
      })
    )
  })
})

const page = 1000

/** In pages, in the order of the keys, as all was when the listing began. */
export const list = (rest: Rest, index: Index) =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const dialect = yield* index.dialect
      const opened = yield* Effect.acquireRelease(
        Effect.map(rest.call("POST", dialect.openPoint(index.path), undefined, Dialect.Point), (point) =>
          "pit_id" in point ? point.pit_id : point.id
        ),
        (id) => {
          const [path, body] = dialect.closePoint(id)
          return Effect.ignore(rest.call("DELETE", path, body, Schema.Struct({})))
        }
      )
      return Stream.paginateChunkEffect<
        ReadonlyArray<unknown> | null,
        { readonly documentId: DocumentId; readonly id: ChunkId },
        SinkError,
        never
      >(null, (after) =>
        Effect.map(
          rest.call(
            "POST",
            "/_search",
            {
              size: page,
              query: { match_all: {} },
              pit: { id: opened, keep_alive: "2m" },
              sort: [{ key: "asc" }],
              _source: ["chunk_id", "document_id"],
              ...(after !== null && { search_after: after })
            },
            Page
          ),
          ({ hits: { hits } }) => [
            Chunk.unsafeFromArray(
              hits.map(({ _source }) => ({ documentId: _source.document_id, id: _source.chunk_id }))
            ),
            hits.length < page ? Option.none() : Option.fromNullable(hits.at(-1)?.sort)
          ]
        )
      )
    })
  )
