/**
 * The `options` part of a parse request.
 *
 * Source: interface document, "ParseOptions", "Formats", "PDF parser object", "RedactPIIOptions", "AuditMetadata".
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { dual } from "effect/Function"
import * as Schema from "effect/Schema"
import { canonicalJson } from "../internal/base/canonicalJson.ts"
import * as Limits from "../internal/base/limits.ts"
import * as rules from "../internal/base/rules.ts"
import { json } from "../internal/base/wireFields.ts"

/**
 * Names of the formats that have no options, in the order of the interface document.
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
  /** Description of the wanted data, in words. */
  prompt: Schema.optional(Schema.String),
  /** Stop with 403 `SCRAPE_PROMPT_INJECTION_DETECTED` when the text tries to instruct the model; default false. Source: its error row. */
  checkPromptInjection: Schema.optional(Schema.Boolean)
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
  /**
   * Join pages by `---` and `<!-- page N -->`, none before page 1; default false. In the embedded service a table over several pages is one
   * table without them, and a table on each page, each with the head, with them.
   */
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
 * Method that finds personally identifiable information: model only, model and heuristics, or heuristics only.
 *
 * @since 0.1.0
 * @category redaction
 */
export const RedactPIIMode = Schema.Literal("accurate", "aggressive", "fast")

/**
 * Replacement of a redacted span: `<EMAIL>`, `*****` or nothing.
 *
 * @since 0.1.0
 * @category redaction
 */
export const ReplaceStyle = Schema.Literal("tag", "mask", "remove")

/**
 * Options of redaction; `redactPII: true` stands for all defaults.
 *
 * @since 0.1.0
 * @category redaction
 */
export const RedactPIIOptions = Schema.Struct({
  /** Model only, model and heuristics, or heuristics only; default `accurate`. */
  mode: Schema.optional(RedactPIIMode),
  /** Restricts redaction to these buckets; default all. */
  entities: Schema.optional(Schema.Array(PiiEntity)),
  /** `<EMAIL>`, `*****` or nothing in place of the span; default `tag`. */
  replaceStyle: Schema.optional(ReplaceStyle)
})

/**
 * Attribution for audit logging.
 *
 * @since 0.1.0
 * @category auditing
 */
export const AuditMetadata = Schema.Struct({
  /** At most 1024 characters (code points). */
  username: Schema.String.pipe(
    Schema.filter((text) => rules.hasAtMost(text, Limits.maxUsernameLength), {
      jsonSchema: { maxLength: Limits.maxUsernameLength }
    })
  )
})

/**
 * The proxies that parse supports.
 *
 * @since 0.1.0
 * @category models
 */
export const Proxy = Schema.Literal("basic", "auto")

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
  proxy: Schema.optional(Proxy),
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
 * The options with every default of the interface document filled in; the input of an engine.
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
  /**
   * True when `timeout` bounds each part of the work (reading some pages, recognising one, redaction, the model), so that the whole may
   * take as long as the document is long. Asked only of an engine with the ability `parts`.
   */
  readonly inParts?: boolean | undefined
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

/**
 * Types of the formats that the options ask for; an absent or empty `formats` asks for Markdown.
 *
 * @since 0.1.0
 * @category accessors
 */
export const formatsOf = ({ formats = [] }: ParseOptions): ReadonlyArray<FormatType> =>
  formats.length === 0 ? ["markdown"] : formats.map(({ type }) => type)

/**
 * Options that break a rule of the interface document; nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>("docsluice/InvalidOptions")("InvalidOptions", {
  /** At least one, in the order of the members. */
  issues: Schema.Array(
    Schema.Struct({
      /** `parsers[0].maxPages`; empty when the options are no object. */
      field: Schema.String,
      /** The given value; left out where it may be secret. */
      value: json,
      /** Accepted values: `an integer from 1 to 10000`. */
      bound: Schema.String,
      /** Field, value and bound in one line. */
      message: Schema.String
    })
  )
}) {
  override get message(): string {
    return this.issues.map((issue) => issue.message).join("; ")
  }
}

const tags = rules.arrayOf(rules.string, "an array of strings")

const redaction = rules.struct({
  what: "true, false or an object",
  optional: {
    mode: rules.oneOf(RedactPIIMode.literals),
    entities: rules.arrayOf(rules.oneOf(PiiEntity.literals), "an array of entities"),
    replaceStyle: rules.oneOf(ReplaceStyle.literals)
  }
})

const formatTypes = [...PlainFormatType.literals, "json"]

const plainFormat = rules.struct({ what: "a format", required: { type: rules.oneOf(formatTypes) } })

const jsonFormat = rules.struct({
  what: "a format",
  required: { type: rules.oneOf(formatTypes) },
  optional: { schema: rules.record, prompt: rules.string, checkPromptInjection: rules.boolean }
})

const pdfParser = rules.struct({
  what: "a parser",
  required: { type: rules.oneOf(["pdf"]) },
  optional: {
    mode: rules.oneOf(PdfMode.literals),
    maxPages: rules.integer(Limits.maxPages.min, Limits.maxPages.max),
    pages: rules.boolean,
    blocks: rules.boolean,
    pageMarkers: rules.boolean
  }
})

const rule = rules.struct({
  what: "an object",
  optional: {
    formats: rules.arrayOf(
      rules.choose((value) => (rules.isRecord(value) && value["type"] === "json" ? jsonFormat : plainFormat)),
      "an array of formats"
    ),
    onlyMainContent: rules.boolean,
    includeTags: tags,
    excludeTags: tags,
    headers: rules.recordOf(rules.secret, "an object of strings"),
    timeout: rules.integer(1, Limits.maxTimeout),
    parsers: rules.arrayOf(pdfParser, "an array of parsers"),
    skipTlsVerification: rules.boolean,
    removeBase64Images: rules.boolean,
    blockAds: rules.boolean,
    redactPII: rules.choose((value) => (typeof value === "boolean" ? rules.boolean : redaction)),
    proxy: rules.oneOf(Proxy.literals),
    origin: rules.string,
    integration: rules.stringOrNull,
    auditMetadata: rules.struct({
      what: "an object",
      required: { username: rules.shortString(Limits.maxUsernameLength) }
    }),
    zeroDataRetention: rules.boolean
  }
})

const isParseOptions = Schema.is(ParseOptions)

/** Replaces the shorthand `"markdown"` by `{ type: "markdown" }`; values that are not strings are returned unchanged. */
const withoutShorthand = (input: unknown): unknown => {
  if (!rules.isRecord(input)) return input
  const named = (items: unknown): unknown =>
    Array.isArray(items) ? items.map((item: unknown) => (typeof item === "string" ? { type: item } : item)) : items
  const output = { ...input }
  if ("formats" in output) output["formats"] = named(output["formats"])
  if ("parsers" in output) output["parsers"] = named(output["parsers"])
  return output
}

/**
 * Reads options from the wire or a file. A format or parser may be a plain string (`"markdown"`, `"pdf"`); a member that the interface
 * does not name is refused, at every level. Reports all faults at once.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode = (input: unknown): Either.Either<ParseOptions, InvalidOptions> => {
  const options = withoutShorthand(input)
  const issues = rules.check(rule, options)
  return issues.length === 0 && isParseOptions(options)
    ? Either.right(options)
    : Either.left(new InvalidOptions({ issues }))
}

/**
 * Checks options before anything is sent, by the same rules as {@link decode}: the types cannot express bounds.
 *
 * @since 0.1.0
 * @category decoding
 */
export const validate: (options: ParseOptions) => Either.Either<ParseOptions, InvalidOptions> = decode

/**
 * `options` merged over `defaults`, member by member; those of the PDF parser too, one by one. A member that is undefined, and an empty
 * list of parsers, keep the default.
 *
 * @since 0.1.0
 * @category combining
 */
export const merge: {
  (options: ParseOptions): (defaults: ParseOptions) => ParseOptions
  (defaults: ParseOptions, options: ParseOptions): ParseOptions
} = dual(2, (defaults: ParseOptions, options: ParseOptions): ParseOptions => {
  const parser = { ...defined(defaults.parsers?.[0]), ...defined(options.parsers?.[0]), type: "pdf" } as const
  const merged = { ...defined(defaults), ...defined(options) }
  return defaults.parsers?.length || options.parsers?.length ? { ...merged, parsers: [parser] } : merged
})

const defined = <A extends object>(members: A | undefined): Partial<A> => {
  const output: Partial<A> = { ...members }
  for (const key in output) if (output[key] === undefined) delete output[key]
  return output
}

/**
 * The options that change an answer, defaults filled in, as one text: equal texts mean equal answers. Left out:
 * `timeout`, `headers`, `proxy`, `origin`, `integration`, `auditMetadata` and `zeroDataRetention`.
 *
 * @since 0.1.0
 * @category accessors
 */
export const canonical = (options: ParseOptions): string => {
  const all = resolve(options)
  return canonicalJson({
    formats: [...new Set(all.formats.map(canonicalJson))].toSorted(),
    onlyMainContent: all.onlyMainContent,
    includeTags: all.includeTags.toSorted(),
    excludeTags: all.excludeTags.toSorted(),
    parsers: [all.pdf],
    removeBase64Images: all.removeBase64Images,
    blockAds: all.blockAds,
    redactPII: canonicalRedaction(all.redactPII),
    skipTlsVerification: all.skipTlsVerification
  })
}

const canonicalRedaction = (redact: Resolved["redactPII"]) => {
  if (redact === false) return false
  const options: typeof RedactPIIOptions.Type = redact === true ? {} : redact
  return {
    mode: options.mode ?? "accurate",
    entities: (options.entities ?? PiiEntity.literals).toSorted(),
    replaceStyle: options.replaceStyle ?? "tag"
  }
}
