/**
 * Documents without Node: texts and web pages as Markdown in browsers, in workers and at the edge, for the chunkers, which run there too.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as PageParser from "./engine/html/PageParser.ts"
import * as FileType from "./internal/base/fileType.ts"
import { sha256 } from "./internal/base/sha256.ts"
import { metadataOf, readingOf } from "./internal/reading/readBytes.ts"
import { fromData, type ParsedDocument } from "./ParsedDocument.ts"
import { Readers } from "./Readers.ts"
import { bytes, type FileError, type SourceFile, TextUnreadable, UnsupportedFile } from "./SourceFile.ts"

/** Mail is read with Node's buffers. */
const ofNode: ReadonlySet<string> = new Set(["eml", "msg"])

/** Those of the service, where a request names none. */
const pageOptions = {
  kind: "html",
  members: ["markdown"],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true
} as const

const page = (file: SourceFile, all: Uint8Array, extension: "html" | "htm" | "xhtml") =>
  Effect.map(
    Effect.tryPromise({
      try: () => PageParser.parse({ ...pageOptions, bytes: all, extension }),
      catch: (cause) =>
        new TextUnreadable({
          path: file.path,
          reason: "Reader",
          problem: cause instanceof Error ? cause.message : String(cause)
        })
    }),
    ({ markdown = "", properties }) => ({
      data: { markdown, metadata: { ...properties, ...metadataOf(file.path, "text/html") } },
      warnings: [],
      structure: undefined
    })
  )

const text = Effect.fnUntraced(function* (file: SourceFile, all: Uint8Array, extension: string) {
  const { whoReads } = yield* Readers
  const by = whoReads(extension)
  if (by?._tag !== "Here" || ofNode.has(extension)) return yield* new UnsupportedFile({ path: file.path, extension })
  const { blocks, markdown, metadata, warnings = [] } = yield* readingOf(file, all, by.reader)
  const { mimeType } = by.reader
  return { data: { markdown, metadata: metadataOf(file.path, mimeType, metadata) }, warnings, structure: blocks }
})

/**
 * Parses a file in the thread that calls: web pages (`html`, `htm`, `xhtml`) to the Markdown of their main content, and texts by `Readers`,
 * as `Parser.texts` does. Mail messages, and types that the service takes otherwise, such as PDF, fail with `UnsupportedFile`.
 *
 * ```ts
 * import * as MarkdownChunker from "docsluice/MarkdownChunker"
 * import * as Portable from "docsluice/Portable"
 * import * as SourceFile from "docsluice/SourceFile"
 * import { Effect } from "effect"
 *
 * const chunks = (html: Uint8Array) =>
 *   Portable.parse(SourceFile.fromBytes({ root: "uploads", path: "page.html", bytes: html })).pipe(
 *     Effect.flatMap(MarkdownChunker.make().chunk)
 *   )
 * ```
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse: (file: SourceFile) => Effect.Effect<ParsedDocument, FileError> = Effect.fnUntraced(
  function* (file) {
    const extension = FileType.extensionOf(file.path)
    const all = yield* bytes(file)
    const isPage = extension === "html" || extension === "htm" || extension === "xhtml"
    const { data, structure, warnings } = isPage ? yield* page(file, all, extension) : yield* text(file, all, extension)
    const document = fromData(file, sha256(all), data, { origin: "local" })
    return { ...document, warnings: [...warnings, ...document.warnings], ...(structure && { structure }) }
  }
)
