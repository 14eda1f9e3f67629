/** The texts of an answer: every string in every member, keys included. */
import type { Block, Metadata, PageBlocks, ParseData } from "../../internal/base/parseResponse.ts"
import { isRecord } from "../../internal/base/rules.ts"

/** One string of an answer. */
export interface Text {
  readonly kind: "markdown" | "html" | "value" | "fileName"
  readonly text: string
  /** Name of the member that holds a `value`; empty without one. */
  readonly key: string
}

/** Returns the string to put in place of the given one. */
export type Rewrite = (text: Text) => string

/** Bytes as an address are no text. */
const isBytes = (text: string): boolean => /^data:[\w.+/-]{0,100};base64,/.test(text)

/** Any JSON value. A number that would have to be changed becomes null. */
const value = (each: Rewrite, input: unknown, key: string): unknown => {
  if (typeof input === "string") return isBytes(input) ? input : each({ kind: "value", text: input, key })
  if (typeof input === "number") {
    const text = String(input)
    return each({ kind: "value", text, key }) === text ? input : null
  }
  if (Array.isArray(input)) return input.map((item: unknown) => value(each, item, key))
  if (!isRecord(input)) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, item]) => [each({ kind: "value", text: name, key: "" }), value(each, item, name)])
  )
}

const strings = (each: Rewrite, list: ReadonlyArray<string>): ReadonlyArray<string> =>
  list.map((text) => (isBytes(text) ? text : each({ kind: "value", text, key: "" })))

/** Keys of metadata that the service writes itself. */
const own = new Set([
  "statusCode",
  "numPages",
  "totalPages",
  "contentType",
  "creditsUsed",
  "concurrencyLimited",
  "concurrencyQueueDurationMs"
])

const metadata = (each: Rewrite, { sourceURL, ...input }: Metadata): Metadata => {
  const entries = Object.entries(input).map(([key, item]): [string, unknown] =>
    own.has(key) ? [key, item] : [each({ kind: "value", text: key, key: "" }), value(each, item, key)]
  )
  return {
    ...Object.fromEntries(entries),
    ...(sourceURL !== undefined && { sourceURL: each({ kind: "fileName", text: sourceURL, key: "" }) })
  }
}

const nullable = (each: Rewrite, kind: Text["kind"], text: string | null): string | null =>
  text === null ? null : each({ kind, text, key: "" })

const pageOf = (page: PageBlocks, block: (block: Block) => Block): PageBlocks => ({
  ...page,
  items: page.items.map(block)
})

/**
 * The answer with each of its strings rewritten; blocks by a separate function, after the Markdown. Members without text are kept, but
 * the original bytes, which hold all of it, are null.
 */
export const rewrite = (data: ParseData, each: Rewrite, block: (block: Block) => Block): ParseData => {
  // Members with a type are named; the rest may be any JSON.
  const {
    blocks,
    html,
    images,
    links,
    markdown,
    metadata: properties,
    pages,
    rawBase64,
    rawHtml,
    summary,
    ...others
  } = data
  const text = (kind: Text["kind"], input: string): string => each({ kind, text: input, key: "" })
  const rest = Object.entries(others).map(([name, item]): [string, unknown] => [name, value(each, item, "")])
  return {
    ...Object.fromEntries(rest),
    ...(markdown !== undefined && { markdown: text("markdown", markdown) }),
    ...(pages !== undefined && {
      pages: pages?.map(({ markdown, pageNumber }) => ({ pageNumber, markdown: text("markdown", markdown) })) ?? null
    }),
    ...(blocks !== undefined && {
      blocks: blocks?.map((page) => pageOf(page, block)) ?? null
    }),
    ...(summary !== undefined && { summary: nullable(each, "markdown", summary) }),
    ...(html !== undefined && { html: nullable(each, "html", html) }),
    ...(rawHtml !== undefined && { rawHtml: nullable(each, "html", rawHtml) }),
    ...(links !== undefined && { links: strings(each, links) }),
    ...(images !== undefined && { images: strings(each, images) }),
    ...(rawBase64 !== undefined && { rawBase64: null }),
    metadata: metadata(each, properties)
  }
}
