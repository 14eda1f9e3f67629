/** Columns of a document, the same in both databases. */
import { bytes, integer, nullable, text } from "../columns.ts"
import { corrupted, type Row } from "../libsql.ts"
import type { Document } from "./document.ts"
import { checksum, decodeFailure, decodeReport, type Setting } from "./encoding.ts"
import type { Acknowledgement, Failure, Generation } from "./entry.ts"
import * as ChunkIds from "./packedIds.ts"
import * as Sightings from "./sighting.ts"

/** Reads the texts that many rows share. */
export interface Shared {
  readonly setting: (row: Row, column: number) => Setting
  readonly acks: (row: Row, column: number) => ReadonlyArray<Acknowledgement>
}

/** Number of columns that {@link documentOf} reads; a statement may have more. */
export const width = 16

const storedOf = (row: Row, shared: Shared): Generation | null => {
  const setting = nullable(row, 4, shared.setting)
  if (setting === null) return null
  const hash = bytes(row, 8)
  const chunks = bytes(row, 9)
  const report = text(row, 10)
  if (checksum(hash, chunks, report) !== integer(row, 11)) {
    throw corrupted(`the row of ${text(row, 1)}/${text(row, 2)} fails its checksum`)
  }
  return {
    ...Sightings.unpack(bytes(row, 6), nullable(row, 7, text)),
    ...setting,
    contentHash: Buffer.from(hash).toString("hex"),
    acknowledged: shared.acks(row, 5),
    chunkIds: ChunkIds.unpack(chunks),
    report: decodeReport(report)
  }
}

const failureOf = (row: Row): Failure | null => {
  const body = nullable(row, 12, text)
  if (body === null) return null
  return {
    ...Sightings.unpack(bytes(row, 13), nullable(row, 14, text)),
    ...decodeFailure(body),
    request: nullable(row, 15, text)
  }
}

/**
 * Reads number, root, path, generation, setting, acknowledgements, sighting and its etag, hash, chunks, report, checksum, the body of the
 * failure, its sighting, its etag and its request, in this order.
 */
export const documentOf = (
  row: Row,
  shared: Shared,
  rest: Pick<Document, "busy" | "fence" | "holder" | "pending">
): Document => ({
  id: integer(row, 0),
  root: text(row, 1),
  path: text(row, 2),
  generation: integer(row, 3),
  stored: storedOf(row, shared),
  failure: failureOf(row),
  ...rest,
  claims: [],
  change: "none",
  sinks: []
})
