/** Documents for tests: small ones that are spelled out, and specimens that are drawn at random. */
import * as FastCheck from "effect/FastCheck"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { documentId } from "../../SourceFile.ts"
import type { Block } from "../base/parseResponse.ts"

/**
 * Unit of the offsets in `markdownSpan`, or their distortion: `shifted` is UTF-16 with 480 added in the second half, as by a
 * post-processing that left offsets wrong; `mixed` changes from code points to UTF-16 in the middle.
 *
 * @since 0.1.0
 * @category models
 */
export type SpanUnit = "utf16" | "codePoint" | "utf8" | "shifted" | "mixed"

/**
 * Join of the pages' Markdown: by page markers, by a bare rule, or by a blank line, which is missing before rows that go on with a table.
 *
 * @since 0.1.0
 * @category models
 */
export type PageJoin = "marker" | "rule" | "blank"

/**
 * A document with the facts that hold for it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Specimen {
  readonly document: ParsedDocument
  readonly join: PageJoin
  readonly unit: SpanUnit
  /** `[start, end)` of every block by its id, in UTF-16 code units. */
  readonly spans: ReadonlyMap<string, readonly [number, number]>
  /** Starts of the real page markers, in UTF-16 code units. */
  readonly markers: ReadonlyArray<number>
}

const words = FastCheck.constantFrom(
  ..."alpha beta Gamma delta. Epsilon! naïve 中文字 日本語です。 ไทยนี้ é 😀 👨‍👩‍👧 /usr/bin // don't a-b 12345 `code` **bold** 𝑥".split(
    " "
  ),
  "e\u0301",
  "x".repeat(40)
)

const sentence = FastCheck.array(words, { minLength: 1, maxLength: 24 }).map((all) => `${all.join(" ")}.`)

const paragraph = FastCheck.array(sentence, { minLength: 1, maxLength: 5 }).map((all) => all.join(" "))

const title = FastCheck.array(words, { minLength: 1, maxLength: 4 }).map((all) => all.join(" "))

/** A block's type and the Markdown that it contributes. */
interface Item {
  readonly type: string
  readonly content: string
}

const head = "| a | b |"
const delimiter = "|---|---|"

const rows = FastCheck.array(FastCheck.tuple(words, words), { maxLength: 40 })

/** Rows in pipe form. */
const written = (all: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> =>
  all.map(([a, b]) => `| ${a} | ${b} |`)

const item = (type: string, content: FastCheck.Arbitrary<string>): FastCheck.Arbitrary<Item> =>
  content.map((text) => ({ type, content: text }))

const items: FastCheck.Arbitrary<Item> = FastCheck.oneof(
  item("text", paragraph),
  item("text", paragraph),
  item(
    "title",
    title.map((text) => `# ${text}`)
  ),
  item(
    "section_header",
    FastCheck.tuple(FastCheck.integer({ min: 1, max: 6 }), title).map(([depth, text]) => `${"#".repeat(depth)} ${text}`)
  ),
  item(
    "section_header",
    title.map((text) => `H ${text}\n---`)
  ),
  item(
    "table",
    rows.map((all) => [head, delimiter, ...written(all)].join("\n"))
  ),
  item(
    "table",
    rows.map(
      (all) => `<table>\n<tr><th>a</th></tr>\n${all.map(([a]) => `<tr><td>${a}</td></tr>`).join("\n")}\n</table>`
    )
  ),
  item(
    "formula",
    words.map((text) => `$$\n${text} = x^2\n$$`)
  ),
  item(
    "figure",
    words.map((text) => `![${text}](image.png)`)
  ),
  item(
    "caption",
    title.map((text) => `Figure 1: ${text}`)
  ),
  item("page_header", title),
  item("page_footer", title),
  item("page_number", FastCheck.integer({ min: 1, max: 999 }).map(String)),
  item(
    "code",
    FastCheck.array(sentence, { maxLength: 30 }).map((all) => `\`\`\`ts\n${["# no", ...all].join("\n")}\n\`\`\``)
  ),
  item(
    "code",
    FastCheck.integer({ min: 2, max: 9 }).map((page) => `~~~\n\n---\n\n<!-- page ${page} -->\n\n~~~`)
  ),
  item(
    "list",
    FastCheck.array(sentence, { minLength: 1, maxLength: 8 }).map((all) => all.map((text) => `- ${text}`).join("\n"))
  ),
  item(
    "quote",
    sentence.map((text) => `> ${text}\n>\n> # quoted`)
  ),
  item("unheard_of", paragraph)
)

/** Pages with their numbers, which ascend and may skip, and rows with which a page goes on with a table that ends the one before. */
const pages = FastCheck.array(
  FastCheck.tuple(FastCheck.integer({ min: 1, max: 2 }), FastCheck.array(items, { minLength: 1, maxLength: 7 }), rows),
  { minLength: 1, maxLength: 5 }
)

const joints = {
  marker: (page: number) => `\n\n---\n\n<!-- page ${page} -->\n\n`,
  rule: () => "\n\n---\n\n",
  blank: () => "\n\n"
} as const

const encoder = new TextEncoder()

const codePoints = (text: string): number => Array.from(text).length

const offsets: Readonly<Record<SpanUnit, (markdown: string, at: number) => number>> = {
  utf16: (_markdown, at) => at,
  codePoint: (markdown, at) => codePoints(markdown.slice(0, at)),
  utf8: (markdown, at) => encoder.encode(markdown.slice(0, at)).length,
  shifted: (markdown, at) => (at < markdown.length / 2 ? at : at + 480),
  mixed: (markdown, at) => (at < markdown.length / 2 ? codePoints(markdown.slice(0, at)) : at)
}

interface Numbered {
  readonly page: number
  readonly items: ReadonlyArray<Item>
  /** True if its first block is rows of the table that ends the page before, without a head. */
  readonly goesOn: boolean
}

const tableOf = (lines: ReadonlyArray<string>): Item => ({ type: "table", content: lines.join("\n") })

/** The pages with their numbers. Where blank lines join them, a table may be added to the end of a page that goes on over the next ones. */
const numberedOf = (
  drawn: ReadonlyArray<readonly [number, ReadonlyArray<Item>, ReadonlyArray<readonly [string, string]>]>,
  join: PageJoin
): ReadonlyArray<Numbered> => {
  const numbered: Array<Numbered> = []
  for (const [index, [step, own, all]] of drawn.entries()) {
    const goesOn = index > 0 && join === "blank" && all.length % 3 === 1
    const before = numbered.at(-1)
    const isWhole = before?.goesOn === true && before.items.length === 1
    if (goesOn && before !== undefined && !isWhole) {
      const table = tableOf([head, delimiter, ...written(all.slice(1))])
      numbered.splice(-1, 1, { ...before, items: [...before.items, table] })
    }
    const rest = goesOn && all.length % 2 === 0 ? [] : own
    const items = goesOn ? [tableOf(written(all)), ...rest] : own
    numbered.push({ page: before === undefined ? 1 : before.page + step, items, goesOn })
  }
  return numbered
}

/** A block whose span is known and not yet converted to the document's unit. */
interface Placed extends Item {
  readonly id: string
  readonly start: number
  readonly page: number
}

const layOut = (
  numbered: ReadonlyArray<Numbered>,
  join: PageJoin
): { readonly markdown: string; readonly placed: ReadonlyArray<Placed>; readonly markers: ReadonlyArray<number> } => {
  let markdown = ""
  const placed: Array<Placed> = []
  const markers: Array<number> = []
  numbered.forEach(({ page, items: own, goesOn }, index) => {
    if (index > 0) {
      if (join === "marker") {
        markers.push(markdown.length + 2)
      }
      markdown += goesOn ? "\n" : joints[join](page)
    }
    own.forEach((next, order) => {
      markdown += order === 0 ? "" : "\n\n"
      placed.push({ ...next, id: `p${page}.b${order}`, start: markdown.length, page })
      markdown += next.content
    })
  })
  return { markdown, placed, markers }
}

const blockOf = (placed: Placed, order: number, markdown: string, unit: SpanUnit | undefined): Block => {
  const end = placed.start + placed.content.length
  return {
    id: placed.id,
    type: placed.type,
    label: order % 2 === 0 ? placed.type : null,
    bbox: order % 3 === 0 ? null : [0.1, 0.1, 0.9, 0.2],
    content: placed.content,
    markdownSpan: unit === undefined ? null : [offsets[unit](markdown, placed.start), offsets[unit](markdown, end)],
    readingOrder: order,
    source: order % 4 === 0 ? null : "native_text",
    confidence: { layout: order % 5 === 0 ? 0.2 : null, ocr: null }
  }
}

/**
 * Documents with all features: pages, blocks with spans in some unit (one in ten null), and one kind of page join.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const specimen: FastCheck.Arbitrary<Specimen> = FastCheck.record({
  pages,
  join: FastCheck.constantFrom<PageJoin>("marker", "rule", "blank"),
  unit: FastCheck.constantFrom<SpanUnit>("utf16", "codePoint", "utf8", "shifted", "mixed"),
  withPages: FastCheck.boolean(),
  status: FastCheck.constantFrom("ok", "partial", "failed", "new"),
  nulls: FastCheck.infiniteStream(FastCheck.integer({ min: 0, max: 9 }))
}).map(({ pages: drawn, join, unit, withPages, status, nulls }) => {
  const numbered = numberedOf(drawn, join)
  const page = numbered.at(-1)?.page ?? 0
  const { markdown, placed, markers } = layOut(numbered, join)
  const blocks = placed.map((next, order) =>
    blockOf(next, order, markdown, nulls.next().value === 0 ? undefined : unit)
  )
  const document: ParsedDocument = {
    documentId: documentId("generated", "document.pdf"),
    source: "document.pdf",
    contentHash: "",
    markdown,
    pages: withPages
      ? numbered.map(({ page: pageNumber, items: own }) => ({
          pageNumber,
          markdown: own.map(({ content }) => content).join("\n\n")
        }))
      : null,
    blocks: numbered.map(({ page: pageNumber }) => ({
      pageNumber,
      width: null,
      height: null,
      status,
      items: blocks.filter((_block, index) => placed[index]?.page === pageNumber)
    })),
    metadata: { title: "Generated", totalPages: page, numPages: page },
    warnings: [],
    truncated: status === "failed",
    origin: "service"
  }
  const spans = new Map(placed.map(({ id, start, content }) => [id, [start, start + content.length] as const]))
  return { document, join, unit, spans, markers }
})
