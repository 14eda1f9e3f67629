/**
 * Arbitrary answers of the service, for property tests.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { ParseData } from "../internal/base/parseResponse.ts"
import * as SampleDocument from "../internal/sample/sampleDocument.ts"

export { type PageJoin, type SpanUnit, type Specimen, specimen } from "../internal/sample/specimen.ts"

/**
 * Words as in real documents: several scripts, characters outside the BMP, combining marks, right-to-left text.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const word: FastCheck.Arbitrary<string> = FastCheck.oneof(
  { arbitrary: FastCheck.stringMatching(/^[a-zA-Z]{1,12}$/), weight: 8 },
  {
    arbitrary: FastCheck.constantFrom(
      "数据",
      "строка",
      "🙂",
      "👩‍👩‍👧",
      "é",
      "résumé",
      "שלום",
      "a|b",
      "`code`",
      "\\",
      "<b>"
    ),
    weight: 3
  },
  {
    arbitrary: FastCheck.fullUnicodeString({ minLength: 1, maxLength: 4 }).filter((text) => !/\s/.test(text)),
    weight: 1
  }
)

/**
 * A line of at least one word.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const line: FastCheck.Arbitrary<string> = FastCheck.array(word, { minLength: 1, maxLength: 12 }).map((words) =>
  words.join(" ")
)

const lines = FastCheck.array(line, { minLength: 1, maxLength: 6 })

const heading = FastCheck.tuple(FastCheck.integer({ min: 1, max: 6 }), line).map(
  ([depth, text]) => `${"#".repeat(depth)} ${text}`
)

const table = FastCheck.array(FastCheck.tuple(word, word), { minLength: 1, maxLength: 8 }).map((rows) =>
  ["| name | value |", "| --- | --- |", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n")
)

const fence = lines.map((code) => ["```ts", ...code, "```"].join("\n"))

/** Content that looks like a page marker but is not one. */
const quotedMarker = FastCheck.integer({ min: 1, max: 20 }).map(
  (page) => `\`\`\`\n---\n\n<!-- page ${page} -->\n\`\`\``
)

const typed = (type: string, content: FastCheck.Arbitrary<string>): FastCheck.Arbitrary<SampleDocument.SampleBlock> =>
  content.map((content) => ({ type, content }))

/**
 * A block of any type that the interface names, or of an unknown type.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const block: FastCheck.Arbitrary<SampleDocument.SampleBlock> = FastCheck.oneof(
  typed(
    "title",
    line.map((text) => `# ${text}`)
  ),
  typed("section_header", heading),
  typed(
    "text",
    lines.map((text) => text.join("\n"))
  ),
  typed(
    "text",
    lines.map((text) => text.map((item) => `- ${item}`).join("\n"))
  ),
  typed("text", fence),
  typed("text", quotedMarker),
  typed("table", table),
  typed(
    "formula",
    word.map((name) => `$$${name} = 1$$`)
  ),
  typed(
    "figure",
    word.map((name) => `![${name}](figure.png)`)
  ),
  typed("caption", line),
  typed("page_number", FastCheck.nat(99).map(String)),
  typed("page_header", line),
  typed("page_footer", line),
  typed("a_new_type", line)
)

const blocks = FastCheck.array(block, { minLength: 0, maxLength: 6 })

/**
 * Pages in order. Numbers start at 1 or later and may skip pages that were merged across a break; a page may be empty.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const pages: FastCheck.Arbitrary<ReadonlyArray<SampleDocument.SamplePage>> = FastCheck.array(
  FastCheck.tuple(FastCheck.constantFrom(1, 1, 1, 1, 2, 3), blocks),
  { minLength: 1, maxLength: 6 }
).map((steps) => {
  let pageNumber = 0
  return steps.map(([step, blocks]) => {
    pageNumber += step
    return { pageNumber, blocks }
  })
})

/**
 * Options of {@link SampleDocument.make}.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const sampleOptions: FastCheck.Arbitrary<SampleDocument.SampleOptions> = FastCheck.record({
  pages,
  withPages: FastCheck.boolean(),
  withBlocks: FastCheck.boolean(),
  pageMarkers: FastCheck.boolean()
}).map(({ pageMarkers, pages, withBlocks, withPages }) => {
  const last = pages.at(-1)?.pageNumber ?? 0
  return {
    pages,
    withPages,
    withBlocks,
    pageMarkers,
    metadata: { numPages: last, totalPages: last, statusCode: 200 }
  }
})

/**
 * The `data` of a well-formed answer: pages, blocks, spans (in UTF-16 code units) and markers agree with the Markdown.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const parseData: FastCheck.Arbitrary<ParseData> = sampleOptions.map(SampleDocument.make)
