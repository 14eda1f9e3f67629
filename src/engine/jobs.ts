/**
 * What the host asks of a lane and what a lane answers; everything here survives a structured clone.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { Extension } from "../service/FileType.ts"
import type { Page, PageBlocks } from "../service/ParseResponse.ts"

/**
 * The extensions that the office parser takes.
 *
 * @since 0.1.0
 * @category models
 */
export type OfficeExtension = Exclude<Extension, "pdf" | "html" | "htm" | "xhtml">

/**
 * An office document to Markdown.
 *
 * @since 0.1.0
 * @category jobs
 */
export interface OfficeJob {
  readonly kind: "office"
  readonly bytes: Uint8Array
  readonly extension: OfficeExtension
  readonly removeBase64Images: boolean
}

/**
 * A web page to the members that were asked for.
 *
 * @since 0.1.0
 * @category jobs
 */
export interface HtmlJob {
  readonly kind: "html"
  readonly bytes: Uint8Array
  readonly extension: "html" | "htm" | "xhtml"
  /** Members of the answer to compute; what is not asked for costs nothing. */
  readonly members: ReadonlyArray<"markdown" | "html" | "rawHtml" | "links" | "images">
  readonly onlyMainContent: boolean
  readonly includeTags: ReadonlyArray<string>
  readonly excludeTags: ReadonlyArray<string>
  readonly removeBase64Images: boolean
  readonly blockAds: boolean
}

/**
 * A PDF to Markdown, pages and blocks.
 *
 * @since 0.1.0
 * @category jobs
 */
export interface PdfJob {
  readonly kind: "pdf"
  readonly bytes: Uint8Array
  readonly mode: "fast" | "auto"
  readonly maxPages: number | undefined
  readonly pages: boolean
  readonly blocks: boolean
  readonly pageMarkers: boolean
  /** Milliseconds from the start of the job after which no further pages are read. */
  readonly budget: number
}

/**
 * A PDF to the number of its pages, none of which is read.
 *
 * @since 0.1.0
 * @category jobs
 */
export interface PagesJob {
  readonly kind: "pages"
  readonly bytes: Uint8Array
}

/**
 * What every job is to a lane: a kind, which names the handler, and the bytes of one document.
 *
 * @since 0.1.0
 * @category jobs
 */
export interface Job {
  readonly kind: string
  readonly bytes: Uint8Array
}

/**
 * Why a document cannot be parsed, as the parser says it.
 *
 * @since 0.1.0
 * @category models
 */
export const RefusalReason = Schema.Literal(
  "encrypted",
  "malformed",
  "unsupported",
  "resourceLimit",
  "missingPart",
  "badOptions"
)

/**
 * @since 0.1.0
 * @category models
 */
export type RefusalReason = typeof RefusalReason.Type

/**
 * The answer of a lane. `footprint` is the memory in bytes that the lane holds after the job.
 *
 * @since 0.1.0
 * @category models
 */
export const Reply = Schema.Union(
  Schema.TaggedStruct("Done", { value: Schema.Unknown, footprint: Schema.Number }),
  /** The document's fault, in words for its owner. */
  Schema.TaggedStruct("Refused", { reason: RefusalReason, error: Schema.String, footprint: Schema.Number }),
  /** The parser threw something that it does not document. */
  Schema.TaggedStruct("Threw", { error: Schema.String, footprint: Schema.Number }),
  /** The parser's modules could not be loaded: the installation's fault. */
  Schema.TaggedStruct("Unloaded", { error: Schema.String, footprint: Schema.Number })
)

/**
 * @since 0.1.0
 * @category models
 */
export type Reply = typeof Reply.Type

/**
 * Keys that a document names itself, beside the ones of the interface document.
 *
 * @since 0.1.0
 * @category models
 */
export const Properties = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Array(Schema.String))
})

/**
 * @since 0.1.0
 * @category models
 */
export type Properties = typeof Properties.Type

/**
 * @since 0.1.0
 * @category results
 */
export const OfficeResult = Schema.Struct({ markdown: Schema.String, properties: Properties })

/**
 * @since 0.1.0
 * @category results
 */
export type OfficeResult = typeof OfficeResult.Type

/**
 * The members that the job asked for.
 *
 * @since 0.1.0
 * @category results
 */
export const HtmlResult = Schema.Struct({
  markdown: Schema.optional(Schema.String),
  html: Schema.optional(Schema.String),
  rawHtml: Schema.optional(Schema.String),
  links: Schema.optional(Schema.Array(Schema.String)),
  images: Schema.optional(Schema.Array(Schema.String)),
  properties: Properties
})

/**
 * @since 0.1.0
 * @category results
 */
export type HtmlResult = typeof HtmlResult.Type

/**
 * Pages of the PDF; null when it cannot be opened.
 *
 * @since 0.1.0
 * @category results
 */
export const PagesResult = Schema.NullOr(Schema.NonNegativeInt)

/**
 * @since 0.1.0
 * @category results
 */
export type PagesResult = typeof PagesResult.Type

/** Not looked into: our own writer made it, and to check every block again would cost the host more than to read it. */
const listOf = <A>() => Schema.declare((value): value is ReadonlyArray<A> => Array.isArray(value))

/**
 * What a PDF job comes to. The document's own faults are an answer too.
 *
 * @since 0.1.0
 * @category results
 */
export const PdfResult = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("success"),
    markdown: Schema.String,
    pages: Schema.UndefinedOr(listOf<Page>()),
    blocks: Schema.UndefinedOr(listOf<PageBlocks>()),
    metadata: Schema.Struct(
      { numPages: Schema.Int, totalPages: Schema.Int },
      {
        key: Schema.String,
        value: Schema.Union(Schema.String, Schema.Array(Schema.String), Schema.Number, Schema.Undefined)
      }
    ),
    warning: Schema.UndefinedOr(Schema.String)
  }),
  Schema.Struct({
    kind: Schema.Literal("failure"),
    code: Schema.Literal("SCRAPE_ALL_ENGINES_FAILED", "SCRAPE_PDF_OCR_REQUIRED", "SCRAPE_TIMEOUT"),
    error: Schema.String
  })
)

/**
 * @since 0.1.0
 * @category results
 */
export type PdfResult = typeof PdfResult.Type
