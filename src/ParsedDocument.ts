/**
 * A document as the service parsed it, with its source.
 *
 * @since 0.1.0
 */
import type { FigureError } from "./internal/base/figureError.ts"
import { extensionOf } from "./internal/base/fileType.ts"
import * as Limits from "./internal/base/limits.ts"
import { numberRanges } from "./internal/base/numberRanges.ts"
import type { Metadata, Page, PageBlocks, ParseData } from "./internal/base/parseResponse.ts"
import { formatsOf, type FormatType, type ParseOptions } from "./service/ParseOptions.ts"
import type { DocumentId } from "./SourceFile.ts"

export {
  Actions,
  Block,
  blockTypes,
  ChangeTracking,
  Metadata,
  Page,
  PageBlocks,
  ParseData,
  ParseResponse
} from "./internal/base/parseResponse.ts"

/**
 * The members that a format adds to a document. Source: interface document, "Formats", "Parse response body".
 *
 * @since 0.1.0
 * @category models
 */
export interface FormatMembers {
  /** Clean HTML, without what the options leave out; null when the service has none. */
  readonly html: string | null
  /** HTML of the document as it is; null when the service has none. */
  readonly rawHtml: string | null
  /** Addresses of the document's links. */
  readonly links: ReadonlyArray<string>
  /** Addresses of the document's images. */
  readonly images: ReadonlyArray<string>
  /** Null when the service has none. */
  readonly summary: string | null
  /** Output of the `json` format, of the shape that its schema describes; null when nothing was extracted. */
  readonly json: unknown
}

/**
 * A document parsed with certain options: the members of the formats that they name are present.
 *
 * @since 0.1.0
 * @category models
 */
export type ParsedWith<Options extends ParseOptions> = ParsedDocument &
  Pick<FormatMembers, NamedFormat<Options> & keyof FormatMembers>

type NamedFormat<Options extends ParseOptions> = Options extends {
  readonly formats: ReadonlyArray<{ readonly type: infer Type }>
}
  ? Type
  : never

/**
 * @since 0.1.0
 * @category models
 */
export interface ParsedDocument extends Partial<FormatMembers> {
  readonly documentId: DocumentId
  /** POSIX path below the root. */
  readonly source: string
  /** SHA-256 of the bytes that were parsed, lower-case hexadecimal. */
  readonly contentHash: string
  /** The service's Markdown, unchanged; every chunk's span refers to it, in UTF-16 code units. Empty when `formats` leaves it out. */
  readonly markdown: string
  /** In page order; null when the answer had none. */
  readonly pages: ReadonlyArray<Page> | null
  /** In page order; null when the answer had none. */
  readonly blocks: ReadonlyArray<PageBlocks> | null
  readonly metadata: Metadata
  /**
   * Problems that the answer reports: `warning`, `metadata.error`, failed or partial pages, truncation, empty Markdown. Pages that `warning`
   * names already are not named again, and that there is no text is said only where nothing else is.
   */
  readonly warnings: ReadonlyArray<string>
  /** True when fewer pages were parsed than the document has, or a page is `failed` or `partial`. */
  readonly truncated: boolean
  /** The answer's further members, as they came; absent when there are none. */
  readonly others?: Readonly<Record<string, unknown>> | undefined
  /**
   * The blocks of a text that was read on this machine, in order and disjoint; text that no block covers is a paragraph. Chunkers follow
   * them in place of the marks of Markdown. Absent when all of the text is Markdown, as in every answer of the service.
   */
  readonly structure?: ReadonlyArray<TextBlock> | undefined
  /** Figures that a describer was asked for and that have no description; absent when there are none. */
  readonly undescribed?: ReadonlyArray<FigureError> | undefined
  /** `service` when the answer was paid for now, `cache` when it came from the cache, `local` when the file was read on this machine. */
  readonly origin: "service" | "cache" | "local"
}

/**
 * A block of a text that is not, or not all, Markdown.
 *
 * @since 0.1.0
 * @category models
 */
export interface TextBlock {
  /**
   * `heading` opens a section. `lines` is text of which each line stands for itself, as of a log: it is cut between lines, as `code` is;
   * `table` between lines too, and `paragraph`, `list` and `quote` at sentences. The blocks inside `markdown` are found by its own marks.
   * `omitted` is in no chunk: front matter, of which the values are in the metadata.
   */
  readonly kind: "heading" | "paragraph" | "lines" | "code" | "list" | "quote" | "table" | "markdown" | "omitted"
  /** `[start, end)` in UTF-16 code units of the document's text. */
  readonly start: number
  readonly end: number
  /** Depth of a heading, 1 for the outermost, without a greatest; default 1. In a chunk's `headingPath` it is at most 6. */
  readonly depth?: number | undefined
  /** Text of a heading in `headingPath`; default: the text of the block, on one line. */
  readonly title?: string | undefined
  /** End of the first lines of a table, which are repeated in the chunks that hold later rows; default: nothing is repeated. */
  readonly headEnd?: number | undefined
  /**
   * The whole path of headings above the block, outermost first, where they do not stand in the text as headings: the keys above a value.
   * A path that differs from that of the block before opens sections. Default: the headings before the block.
   */
  readonly path?: ReadonlyArray<string> | undefined
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
 * in `warnings`, as is a format of `options` that the answer lacks. A cached answer may have been given for another name of the same
 * bytes: `sourceURL`, and a title or URL that repeats the name, are then replaced by this file's; with
 * redaction they stay, since the file's name would bring back what was redacted.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromData = (
  file: { readonly documentId: DocumentId; readonly path: string },
  contentHash: string,
  data: ParseData,
  {
    options = {},
    origin = "service"
  }: { readonly options?: ParseOptions; readonly origin?: ParsedDocument["origin"] } = {}
): ParsedDocument => {
  const asked = formatsOf(options)
  const incomplete = incompletePages(data)
  const markdown = data.markdown ?? ""
  const missing = asked.filter((type) => type !== "markdown" && (data[type] === undefined || data[type] === null))
  const told = [
    ...(data.warning ? [data.warning] : []),
    ...(data.metadata.error ? [data.metadata.error] : []),
    ...incompletePages(data, pagesIn(data.warning ?? ""))
  ]
  const warnings = [
    ...told,
    ...(asked.includes("markdown") && markdown.trim() === "" && told.length === 0 ? ["the document has no text"] : []),
    ...missing.map((type) => `the answer has no ${type}, which was asked for`)
  ]
  return {
    ...membersOf(data, asked),
    documentId: file.documentId,
    source: file.path,
    contentHash,
    markdown,
    pages: data.pages ?? null,
    blocks: data.blocks ?? null,
    metadata: origin === "cache" && !redacts(options) ? renamed(data.metadata, baseName(file.path)) : data.metadata,
    warnings,
    truncated: incomplete.length > 0,
    ...othersOf(data),
    origin
  }
}

/**
 * True when the options ask for redaction.
 *
 * @since 0.1.0
 * @category predicates
 */
export const redacts = ({ redactPII = false }: ParseOptions): boolean => redactPII !== false

/** Values of a format's member where an answer has none. */
const absent: FormatMembers = { html: null, rawHtml: null, links: [], images: [], summary: null, json: null }

const memberNames = ["html", "rawHtml", "links", "images", "summary", "json"] as const

/** The members of the formats that were asked for, and those that the service gave unasked. */
const membersOf = (data: ParseData, asked: ReadonlyArray<FormatType>): Partial<FormatMembers> =>
  Object.fromEntries(
    memberNames
      .filter((name) => asked.includes(name) || data[name] !== undefined)
      .map((name) => [name, data[name] ?? absent[name]])
  )

const described: ReadonlySet<string> = new Set([...memberNames, "markdown", "pages", "blocks", "metadata", "warning"])

const othersOf = (data: ParseData): Pick<ParsedDocument, "others"> => {
  const others = Object.entries(data).filter(([name]) => !described.has(name))
  return others.length === 0 ? {} : { others: Object.fromEntries(others) }
}

/**
 * True when the document has the members of every format that the options ask for, as those of `Parser.make` do.
 *
 * @since 0.1.0
 * @category predicates
 */
export const hasFormats = <Options extends ParseOptions>(
  document: ParsedDocument,
  options: Options
): document is ParsedDocument & ParsedWith<Options> =>
  formatsOf(options).every((type) => type === "markdown" || type in document)

/**
 * Descriptions of missing content: pages beyond `maxPages`, pages that failed or were parsed in part.
 *
 * @since 0.1.0
 * @category accessors
 */
export const truncation = (document: ParsedDocument): ReadonlyArray<string> =>
  incompletePages({ metadata: document.metadata, blocks: document.blocks ?? undefined })

/**
 * What the service lacked to read all of the document: `ocr`, and `time N` where N milliseconds were not enough. Only the embedded service
 * and `docsluice serve` tell.
 *
 * @since 0.1.0
 * @category accessors
 */
export const lacked = ({ metadata, origin }: Pick<ParsedDocument, "metadata" | "origin">): ReadonlyArray<string> => {
  const told = origin === "local" ? undefined : metadata["lacked"]
  return Array.isArray(told) ? told.filter((one) => one === "ocr" || /^time \d+$/u.test(one)) : []
}

/**
 * What a service can do for a document.
 *
 * @since 0.1.0
 * @category models
 */
export interface Means {
  /** True when the text of scans is recognised; false when that is not known. */
  readonly ocr: boolean
  /** Milliseconds that a document may take; null: as long as each of its parts ends. */
  readonly timeout: number | null
}

/**
 * True when a service with these means can now do what it {@link lacked}.
 *
 * @since 0.1.0
 * @category predicates
 */
export const overcomes = ({ ocr, timeout }: Means, lack: string): boolean =>
  lack === "ocr" ? ocr : Number(lack.replace(/^time /u, "")) < (timeout ?? Limits.maxTimeout)

/** The pages that a warning names: `page 1-3, 7`. */
const pagesIn = (warning: string): ReadonlySet<number> =>
  new Set(
    Array.from(warning.matchAll(/\bpages? (\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*)/giu), ([, ranges = ""]) => ranges)
      .flatMap((ranges) => ranges.split(", "))
      .flatMap((range) => {
        const [first = 0, last = first] = range.split("-").map(Number)
        return Array.from({ length: Math.min(Limits.maxPages.max, last - first + 1) }, (_, at) => first + at)
      })
  )

/** `named`: pages that need not be named again. */
const incompletePages = (
  data: Pick<ParseData, "metadata" | "blocks">,
  named: ReadonlySet<number> = new Set()
): ReadonlyArray<string> => {
  const { numPages, totalPages } = data.metadata
  const cut =
    numPages !== undefined && totalPages !== undefined && totalPages > numPages
      ? [`only ${numPages} of ${totalPages} pages were parsed`]
      : []
  const unread = ["failed", "partial"].flatMap((status) => {
    const numbers = (data.blocks ?? []).flatMap((page) => (page.status === status ? [page.pageNumber] : []))
    return numbers.every((number) => named.has(number))
      ? []
      : [
          `page${numbers.length === 1 ? "" : "s"} ${numberRanges(numbers)} ${numbers.length === 1 ? "is" : "are"} ${status}`
        ]
  })
  return [...cut, ...unread]
}

/** Presentations: their pages are slides, which are no pages to pay for. */
const slides: ReadonlySet<string> = new Set(["pptx", "pptm", "ppt", "odp"])

/**
 * Number of pages parsed; 0 where the format has none, as a presentation, whose slides are not counted.
 *
 * @since 0.1.0
 * @category accessors
 */
export const pageCount = (document: ParsedDocument): number =>
  document.metadata.numPages ??
  (slides.has(extensionOf(document.source)) ? 0 : undefined) ??
  document.pages?.length ??
  document.blocks?.length ??
  0
