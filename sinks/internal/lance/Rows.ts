import type * as Arrow from "apache-arrow"
import { type EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Tags from "../shared/Tags.ts"
import * as Words from "../shared/Words.ts"

/** The package, loaded when the sink is prepared. */
export type ArrowPackage = typeof Arrow

/** Name of the schema's own metadata that holds the stamp. */
export const stampKey = "docsluice"

/** Name of the column that holds a stamp which was changed after the table was made. */
export const stampedColumn = "id"

/** Column of the tenant, whose metadata hold the stamp of each. */
export const tenantColumn = "tenant"

/** Key of a tenant's stamp. */
export const stampKeyOf = (tenant: string): string => `${stampKey}#${tenant}`

/** Columns that no two rows have the same values in. */
export const keyOf = (tenant: string | null): Array<string> => (tenant === null ? ["id"] : [tenantColumn, "id"])

/** True when a table has tenants. */
export const hasTenants = ({ fields }: Arrow.Schema): boolean => fields.some(({ name }) => name === tenantColumn)

/** Stamps of tenants that a table has. */
export const tenantStamps = ({ fields }: Arrow.Schema): ReadonlyMap<string, string> =>
  fields.find(({ name }) => name === tenantColumn)?.metadata ?? new Map()

/** The text of the stamp, of a tenant's with its name; null without one. */
export const stampOf = (schema: Arrow.Schema, tenant: string | null): string | null =>
  tenant === null ? ownStamp(schema) : (tenantStamps(schema).get(stampKeyOf(tenant)) ?? null)

const ownStamp = ({ fields, metadata }: Arrow.Schema): string | null =>
  fields.find(({ name }) => name === stampedColumn)?.metadata.get(stampKey) ?? metadata.get(stampKey) ?? null

/** True when a table has the columns of chunks. */
export const isOurs = ({ fields }: Arrow.Schema): boolean =>
  ["id", "document_id", "source", "chunk_index", "text", "headings", "tags", "chunk"].every((column) =>
    fields.some(({ name }) => name === column)
  )

/** Version of the terms in a table's column for them, which is null in rows that an earlier version wrote; null without such a column. */
export const versionOf = ({ fields }: Arrow.Schema): Terms.Version | null =>
  Words.versionOf(fields.map(({ name }) => name))

/** Name of the column of terms in a schema of this sink. */
export const termsOf = (schema: Arrow.Schema): string => Words.nameOf(versionOf(schema) ?? Terms.version)

const textOf = (chunk: DocumentChunk, version: Terms.Version): string => {
  const { headings, source, text } = Terms.texts(chunk, version)
  return `${headings} ${text} ${source}`.trim()
}

/** Ids of chunks and their terms as an Arrow table, which changes nothing else of the rows. */
export const terms = (
  arrow: ArrowPackage,
  version: Terms.Version,
  chunks: ReadonlyArray<{ readonly id: string; readonly chunk: DocumentChunk | null }>,
  tenant: string | null
): Arrow.Table => {
  const termsColumn = Words.nameOf(version)
  const texts = (all: ReadonlyArray<string>) => arrow.vectorFromArray([...all], new arrow.Utf8())
  return new arrow.Table(
    new arrow.Schema([
      ...(tenant === null ? [] : [new arrow.Field(tenantColumn, new arrow.Utf8(), false)]),
      new arrow.Field("id", new arrow.Utf8(), false),
      new arrow.Field(termsColumn, new arrow.Utf8(), true)
    ]),
    {
      ...(tenant !== null && { [tenantColumn]: texts(chunks.map(() => tenant)) }),
      id: texts(chunks.map(({ id }) => id)),
      [termsColumn]: texts(chunks.map(({ chunk }) => (chunk === null ? "" : textOf(chunk, version))))
    }
  )
}

export const hasVectors = ({ fields }: Arrow.Schema): boolean => fields.some(({ name }) => name === "vector")

/** Fails with `Mismatch` when the table's vectors are not of the space. */
export const checkVectors = (
  sink: string,
  { fields }: Arrow.Schema,
  space: EmbeddingSpace | null
): Effect.Effect<void, SinkError> => {
  const type = String(fields.find(({ name }) => name === "vector")?.type ?? "")
  return type === (space === null ? "" : `FixedSizeList[${space.dimensions}]<Float32>`)
    ? Effect.void
    : Effect.fail(
        new SinkError({
          sink,
          reason: "Mismatch",
          problem: "the table is there, with vectors of another size; use another name"
        })
      )
}

const tagsOf = (arrow: ArrowPackage) => new arrow.List(new arrow.Field("item", new arrow.Utf8(), true))

const vectorOf = (arrow: ArrowPackage, dimensions: number) =>
  new arrow.FixedSizeList(dimensions, new arrow.Field("item", new arrow.Float32(), true))

/** The columns of a table; 0 dimensions leave out the one for vectors. */
export const schema = (
  arrow: ArrowPackage,
  dimensions: number,
  stamp: string,
  version: Terms.Version = Terms.version,
  tenant: string | null = null
): Arrow.Schema =>
  new arrow.Schema(
    [
      ...(tenant === null
        ? []
        : [new arrow.Field(tenantColumn, new arrow.Utf8(), false, new Map([[stampKeyOf(tenant), stamp]]))]),
      new arrow.Field("id", new arrow.Utf8(), false),
      new arrow.Field("document_id", new arrow.Utf8(), false),
      new arrow.Field("source", new arrow.Utf8(), false),
      new arrow.Field("chunk_index", new arrow.Int32(), false),
      new arrow.Field("text", new arrow.Utf8(), false),
      new arrow.Field("headings", new arrow.Utf8(), false),
      new arrow.Field("tags", tagsOf(arrow), false),
      new arrow.Field("chunk", new arrow.Utf8(), false),
      ...(dimensions > 0 ? [new arrow.Field("vector", vectorOf(arrow, dimensions), true)] : []),
      new arrow.Field(Words.nameOf(version), new arrow.Utf8(), true)
    ],
    new Map(tenant === null ? [[stampKey, stamp]] : [])
  )

/** The chunks as one Arrow table; a vector that is not of the schema's dimensions is never given to it. */
export const table = (
  arrow: ArrowPackage,
  schema: Arrow.Schema,
  dimensions: number,
  chunks: ReadonlyArray<DocumentChunk>,
  tenant: string | null = null
): Arrow.Table => {
  const texts = (of: (chunk: DocumentChunk) => string) => arrow.vectorFromArray(chunks.map(of), new arrow.Utf8())
  const records = chunks.map((chunk) => ChunkRecord.encode(chunk))
  const version = versionOf(schema) ?? Terms.version
  return new arrow.Table(schema, {
    ...(tenant !== null && { [tenantColumn]: texts(() => tenant) }),
    id: texts(({ id }) => ChunkRecord.plain(id)),
    document_id: texts(({ documentId }) => ChunkRecord.plain(documentId)),
    source: texts(({ source }) => ChunkRecord.plain(source)),
    chunk_index: arrow.vectorFromArray(
      chunks.map(({ index }) => index),
      new arrow.Int32()
    ),
    text: arrow.vectorFromArray(
      records.map(({ text }) => text),
      new arrow.Utf8()
    ),
    headings: texts(({ headingPath }) => ChunkRecord.plain(headingPath.map(({ text }) => text).join("\n"))),
    tags: arrow.vectorFromArray(chunks.map(Tags.ofChunk), tagsOf(arrow)),
    chunk: arrow.vectorFromArray(
      records.map(({ record }) => record),
      new arrow.Utf8()
    ),
    ...(dimensions > 0 && { vector: vectors(arrow, dimensions, chunks) }),
    [Words.nameOf(version)]: texts((chunk) => textOf(chunk, version))
  })
}

const vectors = (arrow: ArrowPackage, dimensions: number, chunks: ReadonlyArray<DocumentChunk>) => {
  const values = new Float32Array(chunks.length * dimensions)
  const present = new Uint8Array((chunks.length + 7) >> 3)
  let nullCount = 0
  for (const [row, { embedding }] of chunks.entries()) {
    if (embedding === undefined) nullCount += 1
    else {
      present[row >> 3] = (present[row >> 3] ?? 0) | (1 << (row & 7))
      values.set(embedding, row * dimensions)
    }
  }
  const items = arrow.makeData({ type: new arrow.Float32(), length: values.length, data: values })
  const type = vectorOf(arrow, dimensions)
  return arrow.makeVector(arrow.makeData({ type, length: chunks.length, nullCount, nullBitmap: present, child: items }))
}
