/**
 * The answer of a parse (status 200).
 *
 * The strict schemas here document the answer and are the oracle of the tests. Answers from the network are read by
 * the tolerant `decode` (`internal/response`): members may be missing, null, unknown or new at any time.
 *
 * Source: interface document, "Parse response body", "`data.blocks` page object", "`data.metadata`".
 */
import * as Schema from "effect/Schema"

/**
 * One physical page.
 *
 * @since 0.1.0
 * @category models
 */
export const Page = Schema.Struct({
  /** 1-based physical page. */
  pageNumber: Schema.Int.pipe(Schema.positive()),
  markdown: Schema.String
})

/**
 * @since 0.1.0
 * @category models
 */
export type Page = typeof Page.Type

/**
 * The block types that the interface document names. New ones may appear over time: `Block.type` is any string.
 *
 * @since 0.1.0
 * @category constants
 */
export const blockTypes = [
  "title",
  "section_header",
  "text",
  "table",
  "formula",
  "figure",
  "caption",
  "page_number",
  "page_header",
  "page_footer"
] as const

const UnitInterval = Schema.Number.pipe(Schema.between(0, 1))

/**
 * One layout block of a page.
 *
 * @since 0.1.0
 * @category models
 */
export const Block = Schema.Struct({
  /** `p<page>.b<index in reading order>`; stable within one answer. */
  id: Schema.String,
  /** One of {@link blockTypes}, or a new one. */
  type: Schema.String,
  /** Raw label of the layout model. */
  label: Schema.NullOr(Schema.String),
  /** `[x0, y0, x1, y1]`, 0 to 1 relative to page width and height; null when the page's dimensions are unknown. */
  bbox: Schema.NullOr(Schema.Tuple(UnitInterval, UnitInterval, UnitInterval, UnitInterval)),
  /** The Markdown fragment that the block contributed. */
  content: Schema.String,
  /** `[start, end)` character offsets into the document Markdown, of a unit that the interface does not name; null when a transform rewrote the fragment. */
  markdownSpan: Schema.NullOr(Schema.Tuple(Schema.NonNegativeInt, Schema.NonNegativeInt)),
  /** 0-based. */
  readingOrder: Schema.Int,
  /** Pipeline path that produced the block, for example `native_text` or `layout_ocr`. */
  source: Schema.NullOr(Schema.String),
  /** 0 to 1; null when that analysis did not run. */
  confidence: Schema.Struct({ layout: Schema.NullOr(UnitInterval), ocr: Schema.NullOr(Schema.Number) })
})

/**
 * @since 0.1.0
 * @category models
 */
export type Block = typeof Block.Type

/**
 * The blocks of one page.
 *
 * @since 0.1.0
 * @category models
 */
export const PageBlocks = Schema.Struct({
  /** 1-based physical page. */
  pageNumber: Schema.Int.pipe(Schema.positive()),
  /** Render size in px; null for a page that never rendered. */
  width: Schema.NullOr(Schema.Number),
  /** Render size in px; null for a page that never rendered. */
  height: Schema.NullOr(Schema.Number),
  /** `ok`, `partial` or `failed`; others may appear. */
  status: Schema.String,
  items: Schema.Array(Block)
})

/**
 * @since 0.1.0
 * @category models
 */
export type PageBlocks = typeof PageBlocks.Type

const TextOrTexts = Schema.Union(Schema.String, Schema.Array(Schema.String))

/**
 * Metadata of the document. Keys that are not named here carry a string or an array of strings.
 *
 * @since 0.1.0
 * @category models
 */
export const Metadata = Schema.Struct(
  {
    title: Schema.optional(TextOrTexts),
    description: Schema.optional(TextOrTexts),
    keywords: Schema.optional(TextOrTexts),
    language: Schema.optional(Schema.NullOr(TextOrTexts)),
    /** The address originally requested; for an upload its file name. */
    sourceURL: Schema.optional(Schema.String.annotations({ description: "The name of the uploaded file; no URI" })),
    /** The address after redirects. */
    url: Schema.optional(Schema.String),
    ogLocaleAlternate: Schema.optional(Schema.Array(Schema.String)),
    statusCode: Schema.optional(Schema.Int),
    /** PDF only: pages parsed, capped by `maxPages`. */
    numPages: Schema.optional(Schema.Int),
    /** PDF only: pages before capping; when greater than `numPages` the answer was truncated. */
    totalPages: Schema.optional(Schema.Int),
    /** MIME type. */
    contentType: Schema.optional(Schema.String),
    error: Schema.optional(Schema.NullOr(Schema.String)),
    /** The team's concurrency limit throttled this parse. */
    concurrencyLimited: Schema.optional(Schema.Boolean),
    /** Milliseconds in the queue; only with `concurrencyLimited`. */
    concurrencyQueueDurationMs: Schema.optional(Schema.Number),
    /** Price of the parse (seen in answers, not in the interface document). */
    creditsUsed: Schema.optional(Schema.Number)
  },
  { key: Schema.String, value: Schema.Unknown }
)

/**
 * @since 0.1.0
 * @category models
 */
export type Metadata = typeof Metadata.Type

/**
 * The page actions' outputs, each ordered like the requesting actions; not accepted on parse.
 *
 * @since 0.1.0
 * @category models
 */
export const Actions = Schema.Struct({
  screenshots: Schema.optional(Schema.Array(Schema.Unknown)),
  scrapes: Schema.optional(Schema.Array(Schema.Unknown)),
  javascriptReturns: Schema.optional(Schema.Array(Schema.Unknown)),
  pdfs: Schema.optional(Schema.Array(Schema.Unknown))
})

/**
 * Change tracking; not accepted on parse.
 *
 * @since 0.1.0
 * @category models
 */
export const ChangeTracking = Schema.Struct({
  previousScrapeAt: Schema.optional(Schema.NullOr(Schema.String)),
  changeStatus: Schema.optional(Schema.Literal("new", "same", "changed", "removed")),
  visibility: Schema.optional(Schema.Literal("visible", "hidden")),
  diff: Schema.optional(Schema.Unknown),
  json: Schema.optional(Schema.Unknown)
})

const TextOrNull = Schema.optional(Schema.NullOr(Schema.String))

/**
 * The `data` member.
 *
 * @since 0.1.0
 * @category models
 */
export const ParseData = Schema.Struct({
  /** Present unless `formats` left it out. */
  markdown: Schema.optional(Schema.String),
  /** When the PDF parser's `pages` was set. */
  pages: Schema.optional(Schema.NullOr(Schema.Array(Page))),
  /** When the PDF parser's `blocks` was set. */
  blocks: Schema.optional(Schema.NullOr(Schema.Array(PageBlocks))),
  summary: TextOrNull,
  html: TextOrNull,
  rawHtml: TextOrNull,
  links: Schema.optional(Schema.Array(Schema.String)),
  /** Member of the `images` format (seen in answers, not in the interface document). */
  images: Schema.optional(Schema.Array(Schema.String)),
  /** Member of the `json` format (seen in answers, not in the interface document). */
  json: Schema.optional(Schema.Unknown),
  metadata: Metadata,
  /** Issues found during extraction. */
  warning: TextOrNull,
  /** Bare Base64 of the original body; its MIME type is `metadata.contentType`. */
  rawBase64: TextOrNull,
  /** Address; expires after 24 hours. */
  screenshot: TextOrNull,
  /** Signed address; expires after 1 hour. */
  audio: TextOrNull,
  /** Signed address; expires after 1 hour. */
  video: TextOrNull,
  answer: Schema.optional(Schema.Unknown),
  highlights: Schema.optional(Schema.Unknown),
  actions: Schema.optional(Schema.NullOr(Actions)),
  changeTracking: Schema.optional(Schema.NullOr(ChangeTracking)),
  branding: Schema.optional(Schema.Unknown),
  product: Schema.optional(Schema.Unknown),
  menu: Schema.optional(Schema.Unknown)
})

/**
 * @since 0.1.0
 * @category models
 */
export type ParseData = typeof ParseData.Type

/**
 * The body of a 200.
 *
 * @since 0.1.0
 * @category models
 */
export const ParseResponse = Schema.Struct({ success: Schema.Literal(true), data: ParseData })

/**
 * @since 0.1.0
 * @category models
 */
export type ParseResponse = typeof ParseResponse.Type
