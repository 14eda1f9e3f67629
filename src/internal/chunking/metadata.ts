import * as Either from "effect/Either"
import { DocumentChunk, type MetadataValue } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import * as flat from "../base/flatMetadata.ts"
import { ChunkingError } from "./chunkingError.ts"
import { members as places } from "./cite/Places.ts"
import type { Chunked } from "./contract.ts"
import { longestHeading } from "./pack/Outline.ts"
import { shortened } from "./tokens/cluster.ts"

type Flat = Readonly<Record<string, MetadataValue>>

const members = ["title", "description", "keywords", "language", "contentType", "sourceURL"] as const

/** The same in the order in which they get their room. */
const first: ReadonlySet<string> = new Set(["sourceURL", "contentType", "language", "title", "description", "keywords"])

/** Members of a chunk, and those that a chunker of this package sets in its metadata. */
export const reserved: ReadonlySet<string> = new Set([
  ...Object.keys(DocumentChunk.fields),
  ...members,
  ...places,
  "layoutConfidence",
  "ocrConfidence",
  "blockSources"
])

/** Code units of a title, of any other text, and of all that the chunks of a document inherit, names included. */
const longest = { title: longestHeading, text: 2000, all: 8000 } as const

/** The document's metadata that its chunks inherit; bounded, since every chunk carries it. */
class Inherited {
  readonly found = new Map<string, MetadataValue>()
  shortened = false
  private left: number = longest.all

  add(name: string, value: MetadataValue): void {
    if (name.length + 1 >= this.left) {
      this.shortened = true
      return
    }
    this.left -= name.length + 1
    if (typeof value === "string") this.found.set(name, this.text(name, value))
    else if (typeof value === "object") this.found.set(name, this.texts(name, value))
    else this.found.set(name, value)
  }

  private texts(name: string, all: ReadonlyArray<string>): ReadonlyArray<string> {
    const texts: Array<string> = []
    for (const one of all) {
      if (this.left <= 0) break
      texts.push(this.text(name, one))
      // A list of empty texts has an end as well.
      this.left -= 1
    }
    this.shortened ||= texts.length < all.length
    return texts
  }

  private text(name: string, whole: string): string {
    const text = shortened(whole, Math.min(this.left, name === "title" ? longest.title : longest.text))
    this.shortened ||= text !== whole
    this.left -= text.length
    return text
  }
}

const valueOf = (value: unknown, local: boolean): MetadataValue | undefined => {
  if (typeof value === "string") return value === "" ? undefined : value
  if (typeof value === "number" || typeof value === "boolean") return local ? value : undefined
  if (!Array.isArray(value)) return undefined
  const texts = value.filter((item: unknown) => typeof item === "string")
  return texts.length > 0 ? texts : undefined
}

/**
 * The document's members that every chunk carries, where they are text or texts. Of a file that was read here all members that are flat: the
 * values of its front matter. `shortened`: long ones are cut, which `…` shows, and those after the first 8,000 characters are left out.
 */
export const inherited = ({
  metadata,
  origin
}: Pick<ParsedDocument, "metadata" | "origin">): { readonly members: Flat; readonly shortened: boolean } => {
  const local = origin === "local"
  const names = local ? Object.keys(metadata) : members
  const kept = new Inherited()
  // The members of every document come first, so that none is left out for a long front matter.
  for (const name of [...first, ...names.filter((one) => !first.has(one))]) {
    const value = Object.hasOwn(metadata, name) ? valueOf(metadata[name], local) : undefined
    if (value !== undefined) kept.add(name, value)
  }
  const found: Record<string, MetadataValue> = {}
  for (const name of names) {
    const value = kept.found.get(name)
    if (value !== undefined) found[name] = value
  }
  return { members: found, shortened: kept.shortened }
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
