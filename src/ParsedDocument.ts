/**
 * A document as the service parsed it, with its source.
 *
 * @since 0.1.0
 */
import type { Metadata, Page, PageBlocks, ParseData } from "./service/ParseResponse.ts"
import type { DocumentId } from "./SourceFile.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface ParsedDocument {
  readonly documentId: DocumentId
  /** POSIX path below the root. */
  readonly source: string
  /** SHA-256 of the bytes that were parsed, lower-case hexadecimal. */
  readonly contentHash: string
  /** The service's Markdown, unchanged; every chunk's span refers to it, in UTF-16 code units. */
  readonly markdown: string
  /** In page order; null when the answer had none. */
  readonly pages: ReadonlyArray<Page> | null
  /** In page order; null when the answer had none. */
  readonly blocks: ReadonlyArray<PageBlocks> | null
  readonly metadata: Metadata
  /** Problems that the answer reports: `warning`, `metadata.error`, failed or partial pages, truncation, empty Markdown. */
  readonly warnings: ReadonlyArray<string>
  /** True when fewer pages were parsed than the document has, or a page is `failed` or `partial`. */
  readonly truncated: boolean
  /** `service` when the answer was paid for now, `cache` when it came from the cache. */
  readonly origin: "service" | "cache"
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const stem = (name: string): string => (name.lastIndexOf(".") > 0 ? name.slice(0, name.lastIndexOf(".")) : name)

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)

/** Metadata of an answer that was given for a file of another name, with that name replaced by this file's. */
const renamed = (metadata: Metadata, name: string): Metadata => {
  const { sourceURL: before } = metadata
  if (before === undefined || before === name || isAddress(before)) return metadata
  const own = (value: unknown) => (value === before ? name : value === stem(before) ? stem(name) : undefined)
  const title = own(metadata.title)
  const url = own(metadata.url)
  return {
    ...metadata,
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    sourceURL: name
  }
}

/**
 * Builds a document from an answer's `data`. Never fails: a missing member is null or empty, and incomplete content is reported
 * in `warnings`. A cached answer may have been given for another name of the same bytes: `sourceURL`, and a title or URL that
 * repeats the name, are then replaced by this file's. `renames` false keeps them: with redaction the answer's name is what is left of one,
 * and the file's would bring back what was redacted.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromData = (
  file: { readonly documentId: DocumentId; readonly path: string },
  contentHash: string,
  data: ParseData,
  origin: ParsedDocument["origin"] = "service",
  renames = true
): ParsedDocument => {
  const incomplete = incompletePages(data)
  const markdown = data.markdown ?? ""
  const warnings = [
    ...(data.warning ? [data.warning] : []),
    ...(data.metadata.error ? [data.metadata.error] : []),
    ...incomplete,
    ...(markdown.trim() === "" ? ["the document has no text"] : [])
  ]
  return {
    documentId: file.documentId,
    source: file.path,
    contentHash,
    markdown,
    pages: data.pages ?? null,
    blocks: data.blocks ?? null,
    metadata: origin === "cache" && renames ? renamed(data.metadata, baseName(file.path)) : data.metadata,
    warnings,
    truncated: incomplete.length > 0,
    origin
  }
}

/**
 * Descriptions of missing content: pages beyond `maxPages`, pages that failed or were parsed in part.
 *
 * @since 0.1.0
 * @category accessors
 */
export const truncation = (document: ParsedDocument): ReadonlyArray<string> =>
  incompletePages({ metadata: document.metadata, blocks: document.blocks ?? undefined })

const incompletePages = (data: Pick<ParseData, "metadata" | "blocks">): ReadonlyArray<string> => {
  const { numPages, totalPages } = data.metadata
  const cut =
    numPages !== undefined && totalPages !== undefined && totalPages > numPages
      ? [`only ${numPages} of ${totalPages} pages were parsed`]
      : []
  const pages = (data.blocks ?? []).filter((page) => page.status === "failed" || page.status === "partial")
  return [...cut, ...pages.map((page) => `page ${page.pageNumber} is ${page.status}`)]
}

/**
 * Number of pages parsed; 0 where the format has none.
 *
 * @since 0.1.0
 * @category accessors
 */
export const pageCount = (document: ParsedDocument): number =>
  document.metadata.numPages ?? document.pages?.length ?? document.blocks?.length ?? 0
