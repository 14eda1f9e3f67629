/** Parts that several sinks need: rows of chunks, tags, stamps, durable writes, optional packages. */
import { Box, ChunkId, DocumentChunk, Heading, Metadata } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
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

/**
 * A chunk as columns, in this order. Lists, headings and metadata are JSON; `embed_text` is null where it is the text
 * itself. Strings are escaped as `PlainText` says.
 */
export const columns: ReadonlyArray<Column> = [
  { member: "id", name: "id", kind: "text", required: true, encode: ({ id }) => escape(id) },
  {
    member: "documentId",
    name: "document_id",
    kind: "text",
    required: true,
    encode: ({ documentId }) => escape(documentId)
  },
  { member: "source", name: "source", kind: "text", required: true, encode: ({ source }) => escape(source) },
  { member: "index", name: "chunk_index", kind: "integer", required: true, encode: ({ index }) => index },
  { member: "text", name: "text", kind: "text", required: true, encode: ({ text }) => escape(text) },
  {
    member: "embedText",
    name: "embed_text",
    kind: "text",
    required: false,
    encode: ({ embedText, text }) => (embedText === text ? null : escape(embedText))
  },
  { member: "tokens", name: "tokens", kind: "integer", required: true, encode: ({ tokens }) => tokens },
  { member: "start", name: "span_start", kind: "integer", required: true, encode: ({ start }) => start },
  { member: "end", name: "span_end", kind: "integer", required: true, encode: ({ end }) => end },
  { member: "pages", name: "pages", kind: "json", required: true, encode: ({ pages }) => listJson(pages) },
  { member: "boxes", name: "boxes", kind: "json", required: true, encode: ({ boxes }) => listJson(boxes) },
  {
    member: "headingPath",
    name: "heading_path",
    kind: "json",
    required: true,
    encode: ({ headingPath }) => listJson(headingPath)
  },
  { member: "kinds", name: "kinds", kind: "json", required: true, encode: ({ kinds }) => listJson(kinds) },
  { member: "blockIds", name: "block_ids", kind: "json", required: true, encode: ({ blockIds }) => listJson(blockIds) },
  {
    member: "parentId",
    name: "parent_id",
    kind: "text",
    required: false,
    encode: ({ parentId }) => (parentId === undefined ? null : escape(parentId))
  },
  { member: "notes", name: "notes", kind: "json", required: true, encode: ({ notes }) => listJson(notes) },
  { member: "metadata", name: "metadata", kind: "json", required: true, encode: ({ metadata }) => toJson(metadata) }
]

const listJson = (list: ReadonlyArray<unknown>): string => (list.length === 0 ? "[]" : toJson(list))

const Text = Schema.transform(Schema.String, Schema.String, { strict: true, decode: unescape, encode: escape })

const json = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.compose(
    Schema.transform(Schema.String, Schema.String, { strict: true, decode: fromJson, encode: (text) => text }),
    Schema.parseJson(schema)
  )

const Stored = Schema.Struct({
  id: Schema.compose(Text, ChunkId),
  documentId: Schema.compose(Text, DocumentId),
  source: Text,
  index: Schema.Int,
  text: Text,
  embedText: Schema.NullOr(Text),
  tokens: Schema.Int,
  start: Schema.Int,
  end: Schema.Int,
  pages: json(Schema.Array(Schema.Int)),
  boxes: json(Schema.Array(Box)),
  headingPath: json(Schema.Array(Heading)),
  kinds: json(Schema.Array(Schema.String)),
  blockIds: json(Schema.Array(Schema.String)),
  parentId: Schema.NullOr(Schema.compose(Text, ChunkId)),
  notes: json(Schema.Array(Schema.String)),
  metadata: json(Metadata)
})

/** Values of members for which a table has no column. */
const absent: Readonly<Record<string, unknown>> = {
  source: "",
  index: 0,
  text: "",
  embedText: null,
  tokens: 0,
  start: 0,
  end: 0,
  pages: "[]",
  boxes: "[]",
  headingPath: "[]",
  kinds: "[]",
  blockIds: "[]",
  parentId: null,
  notes: "[]",
  metadata: "{}"
}

/** The chunk of a row that was read member by member, JSON as text; members that were not read, or are null, are empty. */
export const decode = (row: Readonly<Record<string, unknown>>): Effect.Effect<DocumentChunk, ParseError> => {
  const whole: Record<string, unknown> = { ...absent }
  for (const member in row) if (row[member] !== null) whole[member] = row[member]
  return Effect.map(
    Schema.decodeUnknown(Stored)(whole),
    ({ embedText, parentId, ...stored }) =>
      new DocumentChunk({
        ...stored,
        embedText: embedText ?? stored.text,
        ...(parentId !== null && { parentId })
      })
  )
}
