import * as Either from "effect/Either"
import { DocumentChunk, type MetadataValue } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import * as flat from "../base/flatMetadata.ts"
import { members as places } from "./cite/Places.ts"
import { type Chunked, ChunkingError } from "./contract.ts"

type Flat = Readonly<Record<string, MetadataValue>>

const members = ["title", "description", "keywords", "language", "contentType", "sourceURL"] as const

/** Members of a chunk, and those that a chunker of this package sets in its metadata. */
export const reserved: ReadonlySet<string> = new Set([
  ...Object.keys(DocumentChunk.fields),
  ...members,
  ...places,
  "layoutConfidence",
  "ocrConfidence",
  "blockSources"
])

/**
 * The document's members that every chunk carries, where they are text or texts. Of a file that was read here all members that are flat: the
 * values of its front matter.
 */
export const inherited = ({ metadata, origin }: Pick<ParsedDocument, "metadata" | "origin">): Flat => {
  const found: Record<string, MetadataValue> = {}
  for (const member of origin === "local" ? Object.keys(metadata) : members) {
    const value: unknown = metadata[member]
    if (typeof value === "string" && value !== "") found[member] = value
    if (origin === "local" && (typeof value === "number" || typeof value === "boolean")) found[member] = value
    if (!Array.isArray(value)) continue
    const texts = value.filter((item: unknown) => typeof item === "string")
    if (texts.length > 0) found[member] = texts
  }
  return found
}

/**
 * Metadata that a function of the user gave for a document, or for one chunk of it, without the members that are undefined.
 * Every other value that is not flat is an `InvalidChunk`, named by its field.
 */
export const given = (source: string, metadata: unknown, index?: number): Either.Either<Flat, ChunkingError> =>
  Either.mapLeft(flat.check(metadata === undefined ? {} : flat.withoutUndefined(metadata)), (problem) =>
    invalid(source, flat.fieldOf(problem), flat.inWords(problem), index)
  )

/** The error of a member, `problem` in words that begin with it. */
export const invalid = (source: string, field: string, problem: string, index?: number): ChunkingError =>
  new ChunkingError({ source, reason: "InvalidChunk", field, problem, ...(index !== undefined && { index }) })

/** Refuses chunks whose metadata are not flat, as a chunker without types can make them. */
export const checked = (document: ParsedDocument, chunked: Chunked): Either.Either<Chunked, ChunkingError> => {
  let last: DocumentChunk["metadata"] | null = null
  for (const [at, { metadata }] of chunked.chunks.entries()) {
    // The chunks of one document often share one object.
    if (metadata === last) continue
    last = metadata
    const problem = flat.problemOf(metadata)
    if (problem !== null) {
      return Either.left(invalid(document.source, flat.fieldOf(problem), flat.inWords(problem), at))
    }
  }
  return Either.right(chunked)
}
