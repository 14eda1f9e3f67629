/** Parts that several sinks need: rows of chunks, conditions, hits, REST calls, tags, stamps, durable writes, optional packages. */
import type { Listed } from "docsluice/ChunkSink"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { escape, fromJson, toJson, unescape } from "./PlainText.ts"

/** A member of a chunk that a table has a column for, the vector left out. */
export type Member = Exclude<keyof typeof DocumentChunk.fields, "embedding">

/** One column. */
export interface Column {
  readonly member: Member
  /** Name in the sink's own tables. */
  readonly name: string
  readonly kind: "text" | "integer" | "json"
  readonly required: boolean
  readonly encode: (chunk: DocumentChunk) => string | number | null
}

const text = (member: "id" | "documentId" | "source" | "text", name: string): Column => ({
  member,
  name,
  kind: "text",
  required: true,
  encode: (chunk) => escape(chunk[member])
})

/** A column of text that is null where `of` gives none. */
const optional = (
  member: "embedText" | "parentId",
  name: string,
  of: (chunk: DocumentChunk) => string | undefined
): Column => ({
  member,
  name,
  kind: "text",
  required: false,
  encode: (chunk) => {
    const value = of(chunk)
    return value === undefined ? null : escape(value)
  }
})

const integer = (member: "index" | "tokens" | "start" | "end", name: string): Column => ({
  member,
  name,
  kind: "integer",
  required: true,
  encode: (chunk) => chunk[member]
})

const list = (member: "pages" | "boxes" | "headingPath" | "kinds" | "blockIds" | "notes", name: string): Column => ({
  member,
  name,
  kind: "json",
  required: true,
  encode: (chunk) => (chunk[member].length === 0 ? "[]" : toJson(chunk[member]))
})

/**
 * A chunk as columns, in this order. Lists, headings and metadata are JSON; `embed_text` is null where it is the text
 * itself. Strings are escaped as `PlainText` says.
 */
export const columns: ReadonlyArray<Column> = [
  text("id", "id"),
  text("documentId", "document_id"),
  text("source", "source"),
  integer("index", "chunk_index"),
  text("text", "text"),
  optional("embedText", "embed_text", ({ embedText, text }) => (embedText === text ? undefined : embedText)),
  integer("tokens", "tokens"),
  integer("start", "span_start"),
  integer("end", "span_end"),
  list("pages", "pages"),
  list("boxes", "boxes"),
  list("headingPath", "heading_path"),
  list("kinds", "kinds"),
  list("blockIds", "block_ids"),
  optional("parentId", "parent_id", ({ parentId }) => parentId),
  list("notes", "notes"),
  { member: "metadata", name: "metadata", kind: "json", required: true, encode: ({ metadata }) => toJson(metadata) }
]

const { embedding: _, ...members } = DocumentChunk.fields

/** In one pass over values that were made of the columns by hand: a Schema that takes each column apart is fifteen times as slow. */
const check = Schema.decodeUnknown(Schema.Struct(members))

const json = Schema.decodeUnknownOption(Schema.parseJson())

/** What is no JSON stays a text, which is no list and no metadata either. */
const parsed = (value: unknown): unknown =>
  value === "[]" ? [] : typeof value === "string" ? Option.getOrElse(json(fromJson(value)), () => value) : value

/** Values of members for which a table has no column; `id` and `documentId` are always there. */
const absent: Readonly<Record<string, unknown>> = Object.fromEntries(
  columns.flatMap(({ kind, member, required }): ReadonlyArray<readonly [string, unknown]> => {
    if (member === "id" || member === "documentId") return []
    if (!required) return [[member, null]]
    return [[member, kind === "text" ? "" : kind === "integer" ? 0 : member === "metadata" ? "{}" : "[]"]]
  })
)

/** The chunk of a row that was read member by member, JSON as text; members that were not read, or are null, are empty. */
export const decode = (row: Readonly<Record<string, unknown>>): Effect.Effect<DocumentChunk, ParseError> => {
  const whole: Record<string, unknown> = {}
  for (const { kind, member } of columns) {
    const value = row[member] ?? absent[member]
    if (value === null) continue
    whole[member] = kind === "json" ? parsed(value) : typeof value === "string" ? unescape(value) : value
  }
  whole["embedText"] ??= whole["text"]
  return Effect.map(check(whole), (chunk) => new DocumentChunk(chunk, true))
}

/** The names in a row of a document and a chunk. */
export const listed = (documentId: unknown, id: unknown): Listed => ({
  documentId: DocumentId.make(unescape(String(documentId))),
  id: ChunkId.make(unescape(String(id)))
})
