import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { bytes as hashBytes, sha256 as hash } from "../base/sha256.ts"

let last = { configuration: "", tokenizer: "", digest: "" }

/** Digest of a chunker's configuration under a tokenizer; the last one is remembered. */
export const configurationDigest = (configuration: string, tokenizer: string): string => {
  if (last.digest === "" || last.configuration !== configuration || last.tokenizer !== tokenizer) {
    last = { configuration, tokenizer, digest: hash(JSON.stringify([configuration, tokenizer])) }
  }
  return last.digest
}

/** The same for a chunker with its name: a digest of all that changes what it makes of a document. */
export const chunkerDigest = (
  { configuration, name }: { readonly name: string; readonly configuration: string },
  tokenizer: string
): string => configurationDigest(JSON.stringify([name, configuration]), tokenizer)

/**
 * Record of all that changes what is stored of a document: {@link chunkerDigest}, with the names of the `steps` that change documents
 * before they are chunked, then a hyphen and a digest of the chunker's `annotations`, where it has any.
 */
export const recordDigest = (
  chunker: { readonly name: string; readonly configuration: string; readonly annotations?: string | undefined },
  tokenizer: string,
  steps: ReadonlyArray<string> = []
): string => {
  const own = chunkerDigest(chunker, tokenizer)
  const digest = steps.length === 0 ? own : hash(JSON.stringify([own, ...steps]))
  return chunker.annotations === undefined ? digest : `${digest}-${hash(chunker.annotations)}`
}

/** True when two records differ in nothing but the annotations. */
export const sameChunks = (left: string, right: string): boolean => left.split("-", 1)[0] === right.split("-", 1)[0]

/** Most bytes of a UTF-16 code unit in UTF-8. */
const widest = 3

/** Bytes of {@link idPrefix}. */
const prefixBytes = 32

/** The prefix and four numbers of 32 bits. */
const headBytes = prefixBytes + 16

/** The common start of the ids of a document's chunks, or of a chunk's children; `digest` is a hash. */
export const idPrefix = (digest: string, name: string): Uint8Array => hashBytes(digest + name)

const encoder = new TextEncoder()

/** Place for the hashed bytes: text that is joined first is copied twice more. */
const common = new DataView(new ArrayBuffer(65_536))

/** An embedText in its three parts. */
interface Embedded {
  readonly before: string
  readonly text: string
  readonly closing: string
}

/**
 * Chunk id: one hash over document id and configuration digest (the prefix), start, end and embedText (`before`, text and
 * `closing`) with the place of the text in it, which names both texts.
 */
export const chunkId = (
  prefix: Uint8Array,
  start: number,
  end: number,
  { before, closing, text }: Embedded
): string => {
  const length = before.length + text.length + closing.length
  const most = headBytes + length * widest
  const view = most > common.byteLength ? new DataView(new ArrayBuffer(most)) : common
  const bytes = new Uint8Array(view.buffer)
  bytes.set(prefix)
  for (const [index, number] of [start, end, before.length, length].entries()) {
    view.setUint32(prefixBytes + index * 4, number, true)
  }
  let at = headBytes
  for (const part of [before, text, closing]) {
    at += part === "" ? 0 : encoder.encodeInto(part, bytes.subarray(at)).written
  }
  return hash(bytes.subarray(0, at))
}

/** The members of a chunk that its id is made of. */
export interface Identified {
  readonly id: string
  readonly documentId: string
  readonly parentId?: string | undefined
  readonly start: number
  readonly end: number
  readonly text: string
  readonly embedText: string
}

/** Configurations that a chunker chooses from, after its name. */
export const decodeChoosing = Schema.decodeOption(
  Schema.parseJson(Schema.Tuple([Schema.Literal("auto")], Schema.String))
)

/** Digests that ids of a chunker's chunks may begin from: its own, or those of the chunkers that it chooses from. */
export const digestsOf = (configuration: string, tokenizer: string): ReadonlyArray<string> => {
  const chosen = Option.getOrNull(decodeChoosing(configuration))
  const all = chosen === null ? [configuration] : chosen.slice(1)
  return all.map((one) => configurationDigest(one, tokenizer))
}

const partsOf = (embedText: string, text: string, at: number): Embedded => ({
  before: embedText.slice(0, at),
  text,
  closing: embedText.slice(at + text.length)
})

/** True when the id is the one that a chunker of this package gives these texts; `digest`: {@link configurationDigest}. */
export const isIdOf = (chunk: Identified, digest: string): boolean => {
  const { embedText, end, start, text } = chunk
  const prefix = chunk.parentId === undefined ? idPrefix(digest, chunk.documentId) : idPrefix(chunk.parentId, "")
  // The text may stand in the text with its context more than once.
  for (let at = embedText.indexOf(text); at >= 0 && at <= embedText.length - text.length;) {
    if (chunkId(prefix, start, end, partsOf(embedText, text, at)) === chunk.id) return true
    const next = embedText.indexOf(text, at + 1)
    if (next === at) return false
    at = next
  }
  return false
}

/** Chunk id of a span whose embedText need not hold the text: where it does not, the text is a part of the prefix. */
export const spanId = (
  documentId: string,
  digest: string,
  span: { readonly start: number; readonly end: number; readonly text: string; readonly embedText: string }
): string => {
  const { embedText, end, start, text } = span
  const prefix = idPrefix(digest, documentId)
  const at = embedText.indexOf(text)
  return at === -1
    ? chunkId(idPrefix(hash(digest + documentId), text), start, end, { before: "", text: embedText, closing: "" })
    : chunkId(prefix, start, end, partsOf(embedText, text, at))
}
