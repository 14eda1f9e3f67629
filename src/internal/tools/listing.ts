/** The tools `list` and `outline`. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { ListedDocument } from "../target/readOnlyCorpus.ts"
import { most } from "./contract.ts"
import * as Cursor from "./cursor.ts"
import * as Fence from "./fence.ts"
import { fitting, type Library } from "./library.ts"
import * as Outline from "./outline.ts"

const defaults = { documents: 20 } as const

/** True if the pattern, in which `*` stands for any characters, fits the whole text; without `*` a part of it. Upper and lower case alike. */
export const fits = (pattern: string, text: string): boolean => {
  const whole = text.toLowerCase()
  const parts = pattern.toLowerCase().split(/\*+/u)
  const [first = "", ...others] = parts
  const last = others.pop()
  if (last === undefined) return whole.includes(first)
  if (!whole.startsWith(first) || !whole.endsWith(last) || whole.length < first.length + last.length) return false
  let at = first.length
  const end = whole.length - last.length
  for (const part of others) {
    const found = whole.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

const textOf = (chunk: DocumentChunk, member: string): string | null => {
  const value = chunk.metadata[member]
  return typeof value === "string" && value !== "" ? Fence.named(value) : null
}

const shown = ({ chunks, documentId }: ListedDocument, first: DocumentChunk, last: DocumentChunk) => ({
  source: first.source,
  documentId,
  title: textOf(first, "title"),
  pages: Math.max(0, ...first.pages, ...last.pages) || null,
  date: textOf(first, "date"),
  language: textOf(first, "language"),
  passages: chunks
})

const after = Cursor.make(Schema.Struct({ after: Schema.String }))

export const list = (library: Library) => {
  const { documents, scope } = library
  const listedOf = (one: ListedDocument) =>
    Effect.gen(function* () {
      if (scope.condition === undefined) {
        const first = yield* documents.at(one, 0)
        return first === undefined ? null : shown(one, first, (yield* documents.at(one, one.chunks - 1)) ?? first)
      }
      const seen = yield* documents.seen(one)
      if (seen === null) return null
      const { passages } = seen
      return shown({ ...one, chunks: passages.length }, passages[0], passages.at(-1) ?? passages[0])
    })
  return ({
    cursor,
    limit = defaults.documents,
    pattern
  }: {
    readonly pattern?: string | undefined
    readonly limit?: number | undefined
    readonly cursor?: string | undefined
  }) =>
    Effect.gen(function* () {
      const begun = cursor === undefined ? "" : (yield* after.read(cursor)).after
      const found: Array<ReturnType<typeof shown>> = []
      for (const one of yield* documents.all) {
        // An id begins with the name of its root.
        const name = one.documentId.slice(one.documentId.indexOf("/") + 1)
        if (one.documentId <= begun || (pattern !== undefined && !fits(pattern, name))) continue
        const listed = yield* listedOf(one)
        if (listed !== null) found.push(listed)
        // One more than are given: a document that may not be seen is no reason to go on.
        if (found.length > limit) break
      }
      const given = fitting(library, found.slice(0, limit))
      const last = found.length > given.length ? given.at(-1) : undefined
      return {
        notice: Fence.make().notice,
        documents: given,
        next: last === undefined ? null : after.write({ after: last.documentId })
      }
    })
}

const from = Cursor.make(Schema.Struct({ from: Schema.NonNegativeInt }))

export const outline =
  (library: Library) =>
  ({ cursor, source }: { readonly source: string; readonly cursor?: string | undefined }) =>
    Effect.gen(function* () {
      const begun = cursor === undefined ? 0 : (yield* from.read(cursor)).from
      const document = yield* library.documents.find(source)
      const all = Outline.sections(document)
      const allPages = all.length === 0 ? Outline.pages(document) : []
      const sections = all.slice(begun, begun + most.sections).map(({ chunk, heading, pages, tokens }) => ({
        heading: Fence.named(heading.text),
        depth: heading.depth,
        pages,
        tokens,
        chunk: chunk.id
      }))
      const given = fitting(library, sections)
      const pages = fitting(library, allPages.slice(begun, begun + most.sections))
      const end = begun + Math.max(given.length, pages.length)
      return {
        notice: Fence.make().notice,
        source: document.source,
        title: textOf(document.passages[0], "title"),
        tokens: document.passages.reduce((sum, { tokens }) => sum + tokens, 0),
        sections: given,
        pages,
        next: Math.max(all.length, allPages.length) > end ? from.write({ from: end }) : null
      }
    })
