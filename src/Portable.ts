/**
 * Documents without Node: texts, web pages and PDFs as Markdown in browsers, in workers and at the edge, for the chunkers, which run there
 * too.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as PageParser from "./engine/html/PageParser.ts"
import type { TreeOptions } from "./engine/jobs.ts"
import type { WasmModule } from "./engine/pdf/WasmModule.ts"
import * as FileType from "./internal/base/fileType.ts"
import { loaded } from "./internal/base/loaded.ts"
import { sha256 } from "./internal/base/sha256.ts"
import { metadataOf, readingOf } from "./internal/reading/readBytes.ts"
import { fromData, type ParsedDocument } from "./ParsedDocument.ts"
import { Readers } from "./Readers.ts"
import { resolve } from "./service/ParseOptions.ts"
import { bytes, type FileError, type SourceFile, TextUnreadable, UnsupportedFile } from "./SourceFile.ts"

/** Mail is read with Node's buffers. */
const ofNode: ReadonlySet<string> = new Set(["eml", "msg"])

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * WebAssembly of the PDF parser: the file `liteparse_wasm_bg.wasm` of `@llamaindex/liteparse-wasm`, compiled by the caller, as
   * `WebAssembly.compileStreaming(fetch(url))` gives it in a browser and an import of the file in a worker. Without it PDFs fail as
   * `UnsupportedFile`.
   */
  readonly pdf?: WasmModule | undefined
}

const { blockAds, excludeTags, includeTags, onlyMainContent, removeBase64Images } = resolve({})

const treeOptions = { onlyMainContent, includeTags, excludeTags, removeBase64Images, blockAds }

const unreadable = (file: SourceFile, problem: string): TextUnreadable =>
  new TextUnreadable({ path: file.path, reason: "Reader", problem })

const pdfEngine = loaded(() => import("./engine/pdf/PdfEngine.ts"))
const pdfMembers = loaded(() => import("./engine/pdf/PdfMembers.ts"))

/** The parser's memory is one for all documents. */
const oneAtATime = Effect.unsafeMakeSemaphore(1).withPermits(1)

const pdf = Effect.fnUntraced(function* (file: SourceFile, all: Uint8Array, module: WasmModule) {
  const { parsePdf } = yield* pdfEngine
  const { completed } = yield* pdfMembers
  const options = { mode: "fast", pages: true, blocks: true, pageMarkers: false } as const
  const parsed = yield* oneAtATime(Effect.promise(() => parsePdf(all, options, { module })))
  if (parsed.kind === "failure") return yield* unreadable(file, parsed.error)
  const members: TreeOptions = { ...treeOptions, members: [] }
  const result = yield* Effect.promise(() => completed(parsed, members))
  if (result.kind === "failure") return yield* unreadable(file, result.error)
  const { blocks, markdown, metadata, pages, warning } = result
  return {
    data: {
      markdown,
      ...(pages && { pages }),
      ...(blocks && { blocks }),
      ...(warning !== undefined && { warning }),
      metadata: { ...metadata, ...metadataOf(file.path, "application/pdf") }
    },
    warnings: [],
    structure: undefined
  }
})

const page = (file: SourceFile, all: Uint8Array, extension: "html" | "htm" | "xhtml") =>
  Effect.map(
    Effect.tryPromise({
      try: () => PageParser.parse({ kind: "html", members: ["markdown"], ...treeOptions, bytes: all, extension }),
      catch: (cause) => unreadable(file, cause instanceof Error ? cause.message : String(cause))
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
 * Parses a file in the thread that calls: web pages (`html`, `htm`, `xhtml`) to the Markdown of their main content, texts by `Readers`, as
 * `Parser.texts` does, and PDFs with pages and blocks, in mode `fast`: the text of scans is not recognised. Mail messages, and other types
 * that the service takes, fail with `UnsupportedFile`; a PDF that cannot be read, or is a scan, with `TextUnreadable`. A PDF of 100 pages
 * holds the thread for a second or so: in a page, parse in a worker.
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
export const parse: {
  (options?: Options): (file: SourceFile) => Effect.Effect<ParsedDocument, FileError>
  (file: SourceFile, options?: Options): Effect.Effect<ParsedDocument, FileError>
} = dual(
  ([first]) => typeof first === "object" && "documentId" in first,
  Effect.fnUntraced(function* (file: SourceFile, { pdf: module }: Options = {}) {
    const extension = FileType.extensionOf(file.path)
    const all = yield* bytes(file)
    const isPage = extension === "html" || extension === "htm" || extension === "xhtml"
    const { data, structure, warnings } = isPage
      ? yield* page(file, all, extension)
      : extension === "pdf" && module !== undefined
        ? yield* pdf(file, all, module)
        : yield* text(file, all, extension)
    const document = fromData(file, sha256(all), data, { origin: "local" })
    return { ...document, warnings: [...warnings, ...document.warnings], ...(structure && { structure }) }
  })
)
