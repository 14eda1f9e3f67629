/** The documents that the tools of an agent may see: those of the filter and the tenant that no call widens. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import * as Filter from "../../Filter.ts"
import type { ListedDocument, ReadOnlyCorpus } from "../target/readOnlyCorpus.ts"
import * as ToolErrors from "./toolError.ts"

/** The limits of a server. */
export interface Scope {
  readonly filter: Filter.Filter | undefined
  readonly condition: Filter.Condition | undefined
  readonly tenant: string | undefined
}

/** A document with what may be seen of it. */
export interface Document extends ListedDocument {
  readonly source: string
  /** In order, at least one; without the small chunks of larger ones. */
  readonly passages: readonly [DocumentChunk, ...Array<DocumentChunk>]
  /** Pages on which it has passages that may not be seen. */
  readonly hidden: ReadonlySet<number>
}

export interface Documents {
  /** By their ids in order. */
  readonly all: Effect.Effect<ReadonlyArray<ListedDocument>, ToolErrors.ToolError>
  /** What may be seen of a document; null for nothing. */
  readonly seen: (listed: ListedDocument) => Effect.Effect<Document | null, ToolErrors.ToolError>
  /** The document of a path or an id. */
  readonly find: (source: string) => Effect.Effect<Document, ToolErrors.ToolError>
  /** The chunk at this place in a document, if it may be seen. */
  readonly at: (listed: ListedDocument, index: number) => Effect.Effect<DocumentChunk | undefined, ToolErrors.ToolError>
  /** What was read is not used again. */
  readonly forget: Effect.Effect<void>
}

/** Milliseconds for which what was read is used again: an agent reads a document several times in a row. */
const fresh = 5000

/** Chunks that are read at a time. */
const window = 512

/** Documents, and chunks of all of them, that are held. */
const held = { documents: 16, chunks: 20_000 } as const

export const make = (corpus: Pick<ReadOnlyCorpus, "documents" | "read">, scope: Scope): Documents => {
  const { condition, tenant } = scope
  const visible = (chunk: DocumentChunk): boolean => condition === undefined || Filter.matches(condition, chunk)
  let listed: { readonly at: number; readonly documents: ReadonlyArray<ListedDocument> } | undefined
  const read = new Map<string, { readonly at: number; readonly document: Document }>()

  const all = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    if (listed !== undefined && at - listed.at < fresh) return listed.documents
    const documents = yield* ToolErrors.ofCorpus(corpus.documents({ tenant }))
    listed = { at, documents }
    return documents
  })

  const chunksOf = ({ chunks, documentId }: ListedDocument, from: number, to: number) =>
    Effect.map(
      ToolErrors.ofCorpus(corpus.read({ documentId, from, to: Math.min(to, chunks - 1) }, { tenant })),
      (found) => found.filter((chunk) => chunk.parentId === undefined)
    )

  const remember = (document: Document, at: number): void => {
    read.delete(document.documentId)
    read.set(document.documentId, { at, document })
    let chunks = 0
    for (const [id, { document: one }] of [...read].toReversed()) {
      chunks += one.passages.length
      if (chunks > held.chunks || read.size > held.documents) read.delete(id)
    }
  }

  const seen: Documents["seen"] = (one) =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const known = read.get(one.documentId)
      if (known !== undefined && at - known.at < fresh) return known.document
      const parts: Array<ReadonlyArray<DocumentChunk>> = []
      for (let from = 0; from < one.chunks; from += window) parts.push(yield* chunksOf(one, from, from + window - 1))
      const chunks = parts.flat()
      const [first, ...others] = chunks.filter(visible)
      if (first === undefined) return null
      const hidden = new Set(chunks.flatMap((chunk) => (visible(chunk) ? [] : chunk.pages)))
      const document: Document = { ...one, source: first.source, passages: [first, ...others], hidden }
      remember(document, at)
      return document
    })

  const find: Documents["find"] = Effect.fnUntraced(function* (source) {
    const candidates = (yield* all).filter(
      ({ documentId }) => documentId === source || documentId.endsWith(`/${source}`)
    )
    const documents: Array<Document> = []
    for (const one of candidates.slice(0, window)) {
      const document = yield* seen(one)
      if (document !== null && (document.source === source || document.documentId === source)) documents.push(document)
    }
    const [document, other] = documents
    if (document === undefined) {
      return yield* ToolErrors.make(
        "UnknownDocument",
        "There is no document of this path or id.",
        "Call list, with a part of the name as pattern, and take `source` from its result."
      )
    }
    if (other === undefined) return document
    return yield* ToolErrors.make(
      "Ambiguous",
      `${documents.length} documents have this path.`,
      `Name one by its id: ${documents
        .slice(0, 5)
        .map(({ documentId }) => JSON.stringify(documentId))
        .join(", ")}.`
    )
  })

  return {
    all,
    seen,
    find,
    at: (one, index) => Effect.map(chunksOf(one, index, index), (found) => found.find(visible)),
    forget: Effect.sync(() => {
      listed = undefined
      read.clear()
    })
  }
}
