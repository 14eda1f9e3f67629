import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Actions, ChangeTracking, type Metadata, type ParseData } from "../base/parseResponse.ts"
import { isRecord } from "../base/rules.ts"
import { blocksOf, isNumber, pagesOf } from "./decodeBlocks.ts"

/** Reason why a body with status 200 is not an answer, and the service's own message if it has one. */
export interface EnvelopeProblem {
  readonly reason: "NoSuccess" | "NoData" | "NoMarkdown"
  readonly error: string
}

type Unknowns = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const textOrNullOf = (value: unknown): string | null | undefined => (value === null ? null : textOf(value))

const textsOf = (value: unknown): ReadonlyArray<string> | undefined =>
  Array.isArray(value) ? value.filter((item: unknown) => typeof item === "string") : undefined

const textOrTextsOf = (value: unknown): string | ReadonlyArray<string> | undefined => textOf(value) ?? textsOf(value)

const intOf = (value: unknown): number | undefined =>
  isNumber(value) && Number.isSafeInteger(value) ? value : undefined

const numberOf = (value: unknown): number | undefined => (isNumber(value) ? value : undefined)

const isActions = Schema.is(Actions)

const isChangeTracking = Schema.is(ChangeTracking)

/**
 * `value` with the members of `known` replacing its own; members that are undefined in `known` are left out. Nothing is added only to be
 * deleted: that would make a slow object of every answer.
 */
function withKnown<A extends object>(value: Unknowns, known: A): A
function withKnown(value: Unknowns, known: Unknowns): Unknowns {
  const output: Record<string, unknown> = { ...value }
  for (const key in known) {
    if (known[key] !== undefined) output[key] = known[key]
    else if (key in output) delete output[key]
  }
  return output
}

const metadataOf = (value: unknown): Metadata => {
  const unknowns: Unknowns = isRecord(value) ? value : {}
  return withKnown(unknowns, {
    title: textOrTextsOf(unknowns["title"]),
    description: textOrTextsOf(unknowns["description"]),
    keywords: textOrTextsOf(unknowns["keywords"]),
    language: unknowns["language"] === null ? null : textOrTextsOf(unknowns["language"]),
    sourceURL: textOf(unknowns["sourceURL"]),
    url: textOf(unknowns["url"]),
    ogLocaleAlternate: textsOf(unknowns["ogLocaleAlternate"]),
    statusCode: intOf(unknowns["statusCode"]),
    numPages: intOf(unknowns["numPages"]),
    totalPages: intOf(unknowns["totalPages"]),
    contentType: textOf(unknowns["contentType"]),
    error: textOrNullOf(unknowns["error"]),
    concurrencyLimited:
      typeof unknowns["concurrencyLimited"] === "boolean" ? unknowns["concurrencyLimited"] : undefined,
    concurrencyQueueDurationMs: numberOf(unknowns["concurrencyQueueDurationMs"]),
    creditsUsed: numberOf(unknowns["creditsUsed"])
  })
}

/**
 * Decodes `data` without failing: a member of the wrong type is left out, or null where the interface allows null; unknown members are
 * kept. Well-formed blocks and pages are not copied.
 */
export const decodeData = (data: Unknowns): ParseData => {
  const markdown = textOf(data["markdown"])
  return withKnown(data, {
    markdown,
    pages: pagesOf(data["pages"]),
    blocks: blocksOf(data["blocks"], markdown),
    summary: textOrNullOf(data["summary"]),
    html: textOrNullOf(data["html"]),
    rawHtml: textOrNullOf(data["rawHtml"]),
    links: textsOf(data["links"]),
    images: textsOf(data["images"]),
    metadata: metadataOf(data["metadata"]),
    warning: textOrNullOf(data["warning"]),
    rawBase64: textOrNullOf(data["rawBase64"]),
    screenshot: textOrNullOf(data["screenshot"]),
    audio: textOrNullOf(data["audio"]),
    video: textOrNullOf(data["video"]),
    actions: data["actions"] === null || isActions(data["actions"]) ? data["actions"] : undefined,
    changeTracking:
      data["changeTracking"] === null || isChangeTracking(data["changeTracking"]) ? data["changeTracking"] : undefined
  })
}

const problem = (reason: EnvelopeProblem["reason"], body: unknown, fallback: string) =>
  Either.left({
    reason,
    error: isRecord(body) && typeof body["error"] === "string" && body["error"] !== "" ? body["error"] : fallback
  })

/**
 * Decodes the `data` of a 200. Strict about the envelope: `success` is true, `data` an object, `markdown` a string if it was requested.
 * Tolerant about everything below. Never throws.
 */
export const decodeEnvelope = (
  body: unknown,
  options: { readonly markdownRequested: boolean }
): Either.Either<ParseData, EnvelopeProblem> => {
  if (!isRecord(body)) return problem("NoSuccess", body, "the answer is not a JSON object")
  if (body["success"] !== true) return problem("NoSuccess", body, "the answer does not say that the parse succeeded")
  if (!isRecord(body["data"])) return problem("NoData", body, "the answer has no data")
  if (options.markdownRequested && typeof body["data"]["markdown"] !== "string") {
    return problem("NoMarkdown", body, "the answer has no Markdown, which was asked for")
  }
  return Either.right(decodeData(body["data"]))
}
