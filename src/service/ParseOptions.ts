/**
 * The `options` part of a parse request.
 *
 * Source: interface document, "ParseOptions", "Formats", "PDF parser object", "RedactPIIOptions", "AuditMetadata".
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Limits from "./Limits.ts"

/**
 * Names of the formats without members of their own, in the order of the interface document.
 *
 * @since 0.1.0
 * @category formats
 */
export const PlainFormatType = Schema.Literal("markdown", "summary", "html", "rawHtml", "links", "images")

/**
 * Structured output by a JSON Schema and a prompt.
 *
 * @since 0.1.0
 * @category formats
 */
export const JsonFormat = Schema.Struct({
  type: Schema.Literal("json"),
  /** JSON Schema that describes the output. */
  schema: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  /** What to extract, in words. */
  prompt: Schema.optional(Schema.String)
})

/**
 * One item of `formats`. Only `json` takes more members.
 *
 * @since 0.1.0
 * @category formats
 */
export const Format = Schema.Union(Schema.Struct({ type: PlainFormatType }), JsonFormat)

/**
 * @since 0.1.0
 * @category formats
 */
export type Format = typeof Format.Type

/**
 * The seven values of a format's `type`.
 *
 * @since 0.1.0
 * @category formats
 */
export type FormatType = Format["type"]

/**
 * Text layer only, text layer with OCR where it is missing, or OCR on every page.
 *
 * @since 0.1.0
 * @category parsers
 */
export const PdfMode = Schema.Literal("fast", "auto", "ocr")

/**
 * The PDF parser; `pages`, `blocks` and `pageMarkers` cost nothing extra.
 *
 * @since 0.1.0
 * @category parsers
 */
export const PdfParser = Schema.Struct({
  type: Schema.Literal("pdf"),
  /** Default `auto`. */
  mode: Schema.optional(PdfMode),
  /** Caps the pages parsed; 1 to 10000, default none. */
  maxPages: Schema.optional(Schema.Int.pipe(Schema.between(Limits.maxPages.min, Limits.maxPages.max))),
  /** Fill `data.pages`; default false. */
  pages: Schema.optional(Schema.Boolean),
  /** Fill `data.blocks`; default false. */
  blocks: Schema.optional(Schema.Boolean),
  /** Join pages by `---` and `<!-- page N -->`, none before page 1; default false. */
  pageMarkers: Schema.optional(Schema.Boolean)
})

/**
 * @since 0.1.0
 * @category parsers
 */
export type PdfParser = typeof PdfParser.Type

/**
 * Buckets of personally identifiable information, in the order of the interface document.
 *
 * @since 0.1.0
 * @category redaction
 */
export const PiiEntity = Schema.Literal("PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET")

/**
 * How to redact; `redactPII: true` stands for all defaults.
 *
 * @since 0.1.0
 * @category redaction
 */
export const RedactPIIOptions = Schema.Struct({
  /** Model only, model and heuristics, or heuristics only; default `accurate`. */
  mode: Schema.optional(Schema.Literal("accurate", "aggressive", "fast")),
  /** Restricts redaction to these buckets; default all. */
  entities: Schema.optional(Schema.Array(PiiEntity)),
  /** `<EMAIL>`, `*****` or nothing in place of the span; default `tag`. */
  replaceStyle: Schema.optional(Schema.Literal("tag", "mask", "remove"))
})

/**
 * Attribution for audit logging.
 *
 * @since 0.1.0
 * @category auditing
 */
export const AuditMetadata = Schema.Struct({
  /** At most 1024 characters. */
  username: Schema.String.pipe(Schema.maxLength(Limits.maxUsernameLength))
})

const fields = {
  /** Default `[{ type: "markdown" }]`. */
  formats: Schema.optional(Schema.Array(Format)),
  /** Leave out headers, navigation, footers and the like; default true. */
  onlyMainContent: Schema.optional(Schema.Boolean),
  /** Tags to include in the output; default none. */
  includeTags: Schema.optional(Schema.Array(Schema.String)),
  /** Tags to exclude from the output; default none. */
  excludeTags: Schema.optional(Schema.Array(Schema.String)),
  /** Headers of extra network requests; default none. */
  headers: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  /** Milliseconds, more than 0, at most 300000; default 30000. */
  timeout: Schema.optional(Schema.Int.pipe(Schema.between(1, Limits.maxTimeout))),
  /** Default the PDF parser with its defaults. */
  parsers: Schema.optional(Schema.Array(PdfParser)),
  /** Skip TLS certificate verification on extra requests; default true. */
  skipTlsVerification: Schema.optional(Schema.Boolean),
  /** Remove base64 images, keep their alternative texts; default true. */
  removeBase64Images: Schema.optional(Schema.Boolean),
  /** Block advertisements and cookie popups; default true. */
  blockAds: Schema.optional(Schema.Boolean),
  /** Redact personally identifiable information; `true` stands for defaults; default false. */
  redactPII: Schema.optional(Schema.Union(Schema.Boolean, RedactPIIOptions)),
  /** Only these two are supported on parse; default none. */
  proxy: Schema.optional(Schema.Literal("basic", "auto")),
  /** Identifier for analytics; default `api`. */
  origin: Schema.optional(Schema.String),
  /** Integration identifier; default none. */
  integration: Schema.optional(Schema.NullOr(Schema.String)),
  /** Default none. */
  auditMetadata: Schema.optional(AuditMetadata),
  /** Zero data retention for this parse: such an answer is never cached; default false. */
  zeroDataRetention: Schema.optional(Schema.Boolean)
}

/**
 * The options of a parse, all of them optional.
 *
 * Unknown members are refused, as the service does (use {@link decode}, not the bare schema).
 *
 * @since 0.1.0
 * @category models
 */
export const ParseOptions = Schema.Struct(fields)

/**
 * @since 0.1.0
 * @category models
 */
export type ParseOptions = typeof ParseOptions.Type

type Filled<A, K extends keyof A> = { readonly [P in K]-?: Exclude<A[P], undefined> }

/**
 * The options with every default of the interface document filled in; what an engine works by.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resolved extends Filled<
  ParseOptions,
  | "formats"
  | "onlyMainContent"
  | "timeout"
  | "skipTlsVerification"
  | "removeBase64Images"
  | "blockAds"
  | "redactPII"
  | "origin"
  | "zeroDataRetention"
> {
  readonly includeTags: ReadonlyArray<string>
  readonly excludeTags: ReadonlyArray<string>
  readonly headers: Readonly<Record<string, string>>
  readonly pdf: Filled<PdfParser, Exclude<keyof PdfParser, "maxPages">> & Pick<PdfParser, "maxPages">
  readonly proxy?: "basic" | "auto" | undefined
  readonly integration?: string | null | undefined
  readonly auditMetadata?: typeof AuditMetadata.Type | undefined
}

/**
 * Fills in the defaults of the interface document. An empty `formats` stands for `[{ type: "markdown" }]`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const resolve = (options: ParseOptions): Resolved => {
  const pdf = options.parsers?.find((parser) => parser.type === "pdf")
  return {
    formats: options.formats === undefined || options.formats.length === 0 ? [{ type: "markdown" }] : options.formats,
    onlyMainContent: options.onlyMainContent ?? true,
    includeTags: options.includeTags ?? [],
    excludeTags: options.excludeTags ?? [],
    headers: options.headers ?? {},
    timeout: options.timeout ?? Limits.defaultTimeout,
    skipTlsVerification: options.skipTlsVerification ?? true,
    removeBase64Images: options.removeBase64Images ?? true,
    blockAds: options.blockAds ?? true,
    redactPII: options.redactPII ?? false,
    origin: options.origin ?? "api",
    zeroDataRetention: options.zeroDataRetention ?? false,
    proxy: options.proxy,
    integration: options.integration,
    auditMetadata: options.auditMetadata,
    pdf: {
      type: "pdf",
      mode: pdf?.mode ?? "auto",
      maxPages: pdf?.maxPages,
      pages: pdf?.pages ?? false,
      blocks: pdf?.blocks ?? false,
      pageMarkers: pdf?.pageMarkers ?? false
    }
  }
}
