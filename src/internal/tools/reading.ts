/** The tool `read`. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Cursor from "./cursor.ts"
import type { Document } from "./documents.ts"
import * as Fence from "./fence.ts"
import { charactersPerToken, type Library } from "./library.ts"
import * as Outline from "./outline.ts"
import * as Part from "./part.ts"
import { pagesIn, stretchOn } from "./places.ts"
import * as ToolErrors from "./toolError.ts"

export interface Asked {
  readonly source: string
  readonly pages?: { readonly from: number; readonly to?: number | undefined } | undefined
  readonly heading?: string | undefined
  readonly chunk?: string | undefined
  readonly neighbours?: number | undefined
  readonly maxTokens?: number | undefined
  readonly cursor?: string | undefined
}

const defaults = { tokens: 2000 } as const

const place = Cursor.make(
  Schema.Struct({
    at: Schema.NonNegativeInt,
    end: Schema.NonNegativeInt,
    /** The chunk in which `at` lies, which shows that the document is the same. */
    chunk: Schema.String
  })
)

type Stretched = Effect.Effect<Part.Stretch, ToolErrors.ToolError>

/** The chunk in which the rest of a document from here on begins. */
const chunkAt = ({ passages }: Document, at: number) => passages.find(({ end }) => end > at)

const resumed = (document: Document, cursor: string): Stretched =>
  Effect.flatMap(place.read(cursor), ({ at, chunk, end }) =>
    chunkAt(document, at)?.id === chunk
      ? Effect.succeed({ start: at, end })
      : ToolErrors.make(
          "Changed",
          "The document was changed since that part was read.",
          "Call outline, and read what you need again without the cursor."
        )
  )

const ofPages = ({ passages }: Document, first: number, last: number): Stretched => {
  const parts = passages.flatMap((chunk) => stretchOn(chunk, first, last) ?? [])
  const [begin, end] = [parts[0], parts.at(-1)]
  if (begin !== undefined && end !== undefined) return Effect.succeed({ start: begin.start, end: end.end })
  const known = passages.flatMap(({ pages }) => pages)
  return ToolErrors.make(
    "UnknownPlace",
    known.length === 0 ? "The document has no pages." : `The document has no text on these pages.`,
    known.length === 0
      ? "Read by heading or chunk, or leave out pages."
      : `Its pages are ${Math.min(...known)} to ${Math.max(...known)}; call outline to see them.`
  )
}

const plain = (text: string): string => text.replaceAll(/\s+/gu, " ").trim().toLowerCase()

const ofHeading = (document: Document, heading: string): Stretched => {
  const wanted = plain(heading)
  const sections = Outline.sections(document)
  const exact = sections.filter(({ heading: { text }, path }) =>
    [text, path.join(" > ")].some((one) => plain(one) === wanted)
  )
  const found = exact.length > 0 ? exact : sections.filter(({ heading: { text } }) => plain(text).includes(wanted))
  const [section, other] = found
  if (section === undefined) {
    return ToolErrors.make(
      "UnknownPlace",
      "The document has no such heading.",
      "Call outline, and copy `heading` from its result; a document without headings is read by pages."
    )
  }
  if (other === undefined) return Effect.succeed(section)
  const paths = found.slice(0, 5).map(({ path }) => JSON.stringify(Fence.named(path.join(" > "))))
  const distinct = new Set(paths).size > 1
  return ToolErrors.make(
    "Ambiguous",
    `${found.length} sections have this heading.`,
    distinct
      ? `Give the heading with those above it: ${paths.join(", ")}.`
      : `Read by chunk instead: ${found
          .slice(0, 5)
          .map(({ chunk }) => chunk.id)
          .join(", ")}.`
  )
}

const ofChunk = ({ passages }: Document, chunk: string, neighbours: number): Stretched => {
  const at = passages.findIndex(({ id }) => id === chunk)
  const [first, last] = [
    passages[Math.max(0, at - neighbours)],
    passages[Math.min(passages.length - 1, at + neighbours)]
  ]
  return at < 0 || first === undefined || last === undefined
    ? ToolErrors.make(
        "UnknownPlace",
        "The document has no such passage.",
        "Take `chunk` from search or outline; if it is from there, the document was changed: ask again."
      )
    : Effect.succeed({ start: first.start, end: last.end })
}

const stretchOf = (document: Document, { chunk, cursor, heading, neighbours = 0, pages }: Asked): Stretched => {
  if ([pages, heading, chunk].filter((one) => one !== undefined).length > 1) {
    return ToolErrors.make("Arguments", "pages, heading and chunk exclude each other.", "Give one of them.")
  }
  if (cursor !== undefined) return resumed(document, cursor)
  if (pages !== undefined) return ofPages(document, pages.from, Math.max(pages.from, pages.to ?? pages.from))
  if (heading !== undefined) return ofHeading(document, heading)
  if (chunk !== undefined) return ofChunk(document, chunk, neighbours)
  const { passages } = document
  return Effect.succeed({ start: passages[0].start, end: passages.at(-1)?.end ?? passages[0].end })
}

export const read =
  ({ documents, onShown, room, tokenizer }: Library) =>
  (asked: Asked) =>
    Effect.gen(function* () {
      const document = yield* documents.find(asked.source)
      const { end, start } = yield* stretchOf(document, asked)
      const { passages } = document
      const tokens = Math.min(asked.maxTokens ?? defaults.tokens, Math.floor(room / charactersPerToken))
      const begin =
        asked.cursor === undefined
          ? Part.beginning(passages, start, Math.floor(tokens / 2), tokenizer)
          : { start, head: "" }
      const opening = tokenizer.count(begin.head)
      const part = Part.take(passages, { start: begin.start, end }, Math.max(1, tokens - opening), tokenizer)
      const rest = chunkAt(document, part.end)
      const isWhole = part.end >= end || part.end <= begin.start || rest === undefined
      const fence = Fence.make()
      const { chunks } = part
      onShown(chunks)
      return {
        notice: fence.notice,
        source: document.source,
        headings: (chunks[0]?.headingPath ?? []).map(({ text }) => Fence.named(text)),
        pages: [...new Set(chunks.flatMap((chunk) => pagesIn(chunk, part)))].toSorted((left, right) => left - right),
        chunks: chunks.map(({ id }) => id),
        text: fence.around(begin.head + part.text),
        tokens: part.tokens + opening,
        next: isWhole ? null : place.write({ at: part.end, end, chunk: rest.id })
      }
    })
