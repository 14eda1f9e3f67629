/** Messages between the host and a lane: jobs and their answers. Everything here survives a structured clone. */
import * as Schema from "effect/Schema"
import type { Extension } from "../internal/base/fileType.ts"
import type { Page, PageBlocks, ParseData } from "../internal/base/parseResponse.ts"
import type { Reading } from "../internal/reading/contract.ts"
import type { FileContent } from "../service/Engine.ts"
import type { PiiEntity, ReplaceStyle } from "../service/ParseOptions.ts"
import type { OcrSettings } from "./ocr/PageOcr.ts"
import type { Box } from "./Png.ts"

/** Extensions that the office parser takes. */
export type OfficeExtension = Exclude<Extension, "pdf" | "html" | "htm" | "xhtml">

/** Members of an answer that are written from a tree of HTML. */
export type TreeMember = "html" | "rawHtml" | "links" | "images"

/** The members to write from a tree of HTML, and the options that they depend on. */
export interface TreeOptions {
  /** Members of the answer to compute; the others cost nothing. */
  readonly members: ReadonlyArray<TreeMember>
  readonly onlyMainContent: boolean
  readonly includeTags: ReadonlyArray<string>
  readonly excludeTags: ReadonlyArray<string>
  readonly removeBase64Images: boolean
  readonly blockAds: boolean
}

/** Converts an office document to Markdown, and to the requested members. */
export interface OfficeJob extends TreeOptions {
  readonly kind: "office"
  readonly bytes: Uint8Array
  readonly extension: OfficeExtension
  /** Returns the slides of a presentation as pages; default false. */
  readonly pages?: boolean | undefined
}

/** Converts a web page to the requested members. */
export interface HtmlJob extends Omit<TreeOptions, "members"> {
  readonly kind: "html"
  readonly bytes: Uint8Array
  readonly extension: "html" | "htm" | "xhtml"
  /** Members of the answer to compute; the others cost nothing. */
  readonly members: ReadonlyArray<TreeMember | "markdown">
}

/** Converts a PDF to Markdown, pages, blocks, and the requested members. */
export interface PdfJob extends TreeOptions {
  readonly kind: "pdf"
  readonly bytes: Uint8Array
  /**
   * `fast` fails on a document without a text layer; `auto` recognises the text of pages without one, `ocr` that of all pages. Without a
   * recogniser these pages are `partial`.
   */
  readonly mode: "fast" | "auto" | "ocr"
  /** `later`: if there are such pages, they are recognised in another lane, for whose memory this one makes room by ending. */
  readonly ocr: OcrSettings | "later" | undefined
  readonly maxPages: number | undefined
  /** Fill `pages`. Never changes `markdown`. */
  readonly pages: boolean
  /** Fill `blocks`. Never changes `markdown`. */
  readonly blocks: boolean
  /** Write page markers into the Markdown; a table that goes on over several pages then has its head on each. */
  readonly pageMarkers: boolean
  /**
   * Milliseconds from the start of the job after which no further pages are read. Undefined: all are read, and the lane says with a
   * {@link Part} when it begins each part of the work.
   */
  readonly budget: number | undefined
  /** The lane says with {@link Pages} how many pages are done. */
  readonly tellsPages: boolean
}

/** Counts the pages of a PDF without reading any. */
export interface PagesJob {
  readonly kind: "pages"
  readonly bytes: Uint8Array
}

/** Draws a page of a PDF as it is shown. */
export interface PictureJob {
  readonly kind: "picture"
  readonly bytes: Uint8Array
  /** 1-based. */
  readonly page: number
  /** Pixels; of the box, where one is given. */
  readonly width: number
  /** The part of the page to give, `[x0, y0, x1, y1]` of its width and height; default all of it. */
  readonly box?: Box | undefined
}

/** Returns the sizes of pages of a PDF as a viewer shows them. */
export interface SizesJob {
  readonly kind: "sizes"
  readonly bytes: Uint8Array
  /** 1-based; undefined for all. */
  readonly pages: ReadonlyArray<number> | undefined
}

/** Reads a text. */
export interface TextJob {
  readonly kind: "text"
  readonly bytes: Uint8Array
  /** That of a format that is built in, lower case, without the dot. */
  readonly extension: string
}

/** Redacts an answer. The bytes are JSON: the answer's `data`, and `terms` that are known already. */
export interface RedactJob {
  readonly kind: "redact"
  readonly bytes: Uint8Array
  /** Rules that look for further values. */
  readonly rules: "fast" | "aggressive" | "none"
  readonly entities: ReadonlyArray<typeof PiiEntity.Type>
  readonly replaceStyle: typeof ReplaceStyle.Type
}

/** Compiles a caller's JSON Schema and checks a value against it. The bytes are JSON: `schema`, and `value` if there is one. */
export interface SchemaJob {
  readonly kind: "schema"
  readonly bytes: Uint8Array
}

/** The common shape of all jobs: a kind, which names the handler, and the bytes of one document. */
export interface Job {
  readonly kind: string
  readonly bytes: Uint8Array
}

/** A document's bytes on the side of the host: in memory, or in an open file. */
export type Content = Uint8Array | FileContent

/** A job as the host sends it. The lane gets its bytes in memory. */
export type Sent<J extends Job = Job> = Omit<J, "bytes"> & { readonly bytes: Content }

/** Reason why a document cannot be parsed, as the parser reports it. */
export const RefusalReason = Schema.Literal(
  "encrypted",
  "malformed",
  "unsupported",
  "resourceLimit",
  "missingPart",
  "badOptions"
)

export type RefusalReason = typeof RefusalReason.Type

/** Answer of a lane. `footprint` is the memory in bytes that the lane holds after the job. */
export const Reply = Schema.Union(
  Schema.TaggedStruct("Done", { value: Schema.Unknown, footprint: Schema.Number }),
  /** The document is at fault; `error` is written for its owner. */
  Schema.TaggedStruct("Refused", { reason: RefusalReason, error: Schema.String, footprint: Schema.Number }),
  /** The parser threw an undocumented error. */
  Schema.TaggedStruct("Threw", { error: Schema.String, footprint: Schema.Number }),
  /** The parser's modules could not be loaded: the installation is at fault. */
  Schema.TaggedStruct("Unloaded", { error: Schema.String, footprint: Schema.Number })
)

export type Reply = typeof Reply.Type

/** Message of a lane before its answer: it begins a part of its job that may take `within` milliseconds, whatever the parts before took. */
export const Part = Schema.TaggedStruct("Part", { within: Schema.Positive })

export type Part = typeof Part.Type

/** Message of a lane before its answer: so many of the pages are read, or of those without a text layer are recognised. */
export const Pages = Schema.TaggedStruct("Pages", {
  step: Schema.Literal("read", "recognised"),
  done: Schema.NonNegativeInt,
  of: Schema.NonNegativeInt
})

export type Pages = typeof Pages.Type

/** Metadata keys of the document's own, in addition to those of the interface document. */
export const Properties = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Array(Schema.String))
})

export type Properties = typeof Properties.Type

const treeMembers = {
  html: Schema.optional(Schema.String),
  rawHtml: Schema.optional(Schema.String),
  links: Schema.optional(Schema.Array(Schema.String)),
  images: Schema.optional(Schema.Array(Schema.String))
}

/** Does not check the items: our own writer made them, and checking every block again would cost the host more than reading it. */
const listOf = <A>() => Schema.declare((value): value is ReadonlyArray<A> => Array.isArray(value))

export const OfficeResult = Schema.Struct({
  markdown: Schema.String,
  ...treeMembers,
  pages: Schema.optional(listOf<Page>()),
  /** Sentences about parts of the document that are not in the Markdown. */
  warning: Schema.optional(Schema.String),
  properties: Properties
})

export type OfficeResult = typeof OfficeResult.Type

/** The members that the job requested. */
export const HtmlResult = Schema.Struct({
  markdown: Schema.optional(Schema.String),
  ...treeMembers,
  properties: Properties
})

export type HtmlResult = typeof HtmlResult.Type

/** Number of pages of the PDF; null when it cannot be opened. */
export const PagesResult = Schema.NullOr(Schema.NonNegativeInt)

export type PagesResult = typeof PagesResult.Type

const Failed = Schema.Struct({ kind: Schema.Literal("failure"), error: Schema.String })

/** A page as a PNG. */
export const PictureResult = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("success"), png: Schema.Uint8ArrayFromSelf }),
  Failed
)

export type PictureResult = typeof PictureResult.Type

/** Sizes of pages in points, in page order; a page that cannot be read is left out. */
export const SizesResult = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("success"),
    pages: Schema.Array(Schema.Struct({ number: Schema.Int, width: Schema.Number, height: Schema.Number }))
  }),
  Failed
)

export type SizesResult = typeof SizesResult.Type

/** Result of a PDF job; the document's own faults are a result too. */
export const PdfResult = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("success"),
    markdown: Schema.String,
    ...treeMembers,
    /**
     * If requested, otherwise undefined: the pages that were read, in order. Joined by a blank line, by a line feed before one that goes on
     * with a table of the page before, or by each page's marker except before page 1, they are `markdown`.
     */
    pages: Schema.UndefinedOr(listOf<Page>()),
    /** If requested, otherwise undefined: all pages up to `maxPages`, unread ones as `failed`. Sizes are at 72 dpi. */
    blocks: Schema.UndefinedOr(listOf<PageBlocks>()),
    metadata: Schema.Struct(
      { numPages: Schema.Int, totalPages: Schema.Int },
      {
        key: Schema.String,
        value: Schema.Union(Schema.String, Schema.Array(Schema.String), Schema.Number, Schema.Undefined)
      }
    ),
    /** Missing parts, with the reason; undefined when nothing is missing. */
    warning: Schema.UndefinedOr(Schema.String),
    /** Number of pages whose text was not read for want of a recogniser. */
    unrecognised: Schema.NonNegativeInt,
    /** True when pages were not read, or not recognised, for want of time. */
    late: Schema.Boolean
  }),
  Schema.Struct({
    kind: Schema.Literal("failure"),
    /**
     * `SCRAPE_ALL_ENGINES_FAILED`: corrupt, encrypted, empty, no pages. `SCRAPE_PDF_OCR_REQUIRED`: mode `fast` and no text layer.
     * `SCRAPE_TIMEOUT`: the deadline passed before the first pages were read (a request time-out).
     */
    code: Schema.Literal("SCRAPE_ALL_ENGINES_FAILED", "SCRAPE_PDF_OCR_REQUIRED", "SCRAPE_TIMEOUT"),
    error: Schema.String
  })
)

export type PdfResult = typeof PdfResult.Type

/** A text with its structure, whose members are not checked again; the reason why the bytes are no text. */
export const TextResult = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("success"),
    reading: Schema.declare(
      (value): value is Reading => typeof value === "object" && value !== null && "markdown" in value
    )
  }),
  Failed
)

export type TextResult = typeof TextResult.Type

/** The redacted `data`; its members are not checked again. */
export const RedactResult = Schema.declare(
  (value): value is ParseData => typeof value === "object" && value !== null && "metadata" in value
)

/** `invalid`: not a JSON Schema. `checked`: the first places where the value does not conform; empty without a value. */
export const SchemaResult = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("invalid"), problem: Schema.String }),
  Schema.Struct({
    kind: Schema.Literal("checked"),
    mismatches: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
  })
)

export type SchemaResult = typeof SchemaResult.Type
