import { SinkError } from "docsluice/ChunkSink"
import { ChunkId, type DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Pages from "../shared/Pages.ts"
import { Lines, meaning, mostWords } from "../shared/Rest.ts"
import * as Tags from "../shared/Tags.ts"
import * as Uuid from "../shared/Uuid.ts"
import * as Words from "../shared/Words.ts"
import * as Dialect from "./Dialect.ts"
import * as Facts from "./Facts.ts"
import type { Index } from "./Index.ts"
import { dialect, inWords, Problem } from "./Rest.ts"

/** A chunk as a document: the parts that are searched, and everything else as one JSON text. */
const encode = (chunk: DocumentChunk, version: Terms.Version, tenant: string | null) => {
  const { record, text } = ChunkRecord.encode(chunk)
  const terms = Terms.fields(chunk, version)
  return {
    key: Uuid.ofChunk(chunk.id, tenant),
    ...(tenant !== null && { tenant }),
    chunk_id: ChunkRecord.plain(chunk.id),
    document_id: ChunkRecord.plain(chunk.documentId),
    source: ChunkRecord.plain(chunk.source),
    chunk_index: chunk.index,
    text,
    headings: chunk.headingPath.map((heading) => ChunkRecord.plain(heading.text)),
    tags: Tags.ofChunk(chunk),
    facts: Facts.ofChunk(chunk),
    [Words.nameOf(version)]: [...terms.text, ...terms.headings, ...terms.source].join(" "),
    docsluice: record,
    ...(chunk.embedding && { embedding: Array.from(chunk.embedding) })
  }
}

const Item = Schema.Struct({ status: Schema.Int, error: Schema.optional(Problem) })

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
  const worst = failed.find(({ status }) => meaning(dialect, status)[0] === "Unavailable") ?? failed[0]
  if (worst === undefined) return null
  const [reason, problem] = meaning(dialect, worst.status)
  const said = inWords(worst.error).slice(0, mostWords)
  return new SinkError({ sink, reason, problem: `${problem} (${failed.length} of ${items.length} chunks: ${said})` })
}

const bulk = ({ path, rest }: Index, lines: ReadonlyArray<unknown>): Effect.Effect<void, SinkError> =>
  Effect.flatMap(
    rest.call("POST", `/${path}/_bulk`, new Lines(lines), Bulk),
    (answer) => failureOf(rest.sink, answer) ?? Effect.void
  )

export const write = (
  index: Index,
  terms: Terms.Version,
  chunks: ReadonlyArray<DocumentChunk>
): Effect.Effect<void, SinkError> =>
  bulk(
    index,
    chunks.flatMap((chunk) => [
      { index: { _id: Uuid.ofChunk(chunk.id, index.tenant) } },
      encode(chunk, terms, index.tenant)
    ])
  )

export const remove = (index: Index, ids: ReadonlyArray<ChunkId>): Effect.Effect<void, SinkError> =>
  bulk(
    index,
    ids.map((id) => ({ delete: { _id: Uuid.ofChunk(id, index.tenant) } }))
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
export const list = ({ dialect: dialectOf, own, path, rest }: Index) =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const { closePoint, openPoint } = yield* dialectOf
      const opened = yield* Effect.acquireRelease(
        Effect.map(rest.call("POST", openPoint(path), undefined, Dialect.Point), (point) =>
          "pit_id" in point ? point.pit_id : point.id
        ),
        (id) => Effect.ignore(rest.call("DELETE", ...closePoint(id), Schema.Struct({})))
      )
      return Pages.stream(null, (after: ReadonlyArray<unknown> | null) => {
        const asked = {
          size: page,
          query: own ?? { match_all: {} },
          pit: { id: opened, keep_alive: "2m" },
          sort: [{ key: "asc" }],
          _source: ["chunk_id", "document_id"],
          ...(after !== null && { search_after: after })
        }
        return Effect.map(rest.call("POST", "/_search", asked, Page), ({ hits: { hits } }) => [
          hits.map(({ _source }) => ({ documentId: _source.document_id, id: _source.chunk_id })),
          hits.length < page ? null : hits.at(-1)?.sort
        ])
      })
    })
  )
