import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import type { ParseData } from "docsluice/ParsedDocument"
import { Limits } from "docsluice/service/Client"
import type { Format, FormatType, ParseOptions, PdfParser } from "docsluice/service/ParseOptions"
import type { Case, Ending } from "./exchange.ts"

export const example = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../../../examples/documents/${name}`, import.meta.url)))

/** The data of an answer, which there must be. */
export const dataOf = (ending: Ending): ParseData => {
  assert.strictEqual(ending.status, 200, ending.error)
  assert.isDefined(ending.data)
  return ending.data ?? { metadata: {} }
}

export const withMarkdown =
  (check: (markdown: string, data: ParseData) => void): Case["ends"] =>
  (ending) => {
    const data = dataOf(ending)
    check(data.markdown ?? "", data)
  }

const formats = (...types: ReadonlyArray<Exclude<FormatType, "json">>): ParseOptions => ({
  formats: types.map((type): Format => ({ type }))
})

const pdf = (
  title: string,
  rows: ReadonlyArray<string>,
  parser: Omit<PdfParser, "type">,
  ends: Case["ends"]
): Case => ({
  title,
  rows: rows.map((row) => `PDF parser: ${row}`),
  name: "handbook.pdf",
  bytes: example("handbook.pdf"),
  options: { parsers: [{ type: "pdf", ...parser }] },
  ends
})

const asUsual = withMarkdown((markdown) => {
  assert.include(markdown, "# The stations")
  assert.include(markdown, "Tarn House")
})

/** An option that a parser without a network accepts, and that changes nothing. */
const accepted = (row: keyof ParseOptions, options: ParseOptions): Case => ({
  title: `${row} is accepted and changes nothing`,
  rows: [`ParseOptions: ${row}`],
  options,
  ends: asUsual
})

const schema = { type: "object", properties: { station: { type: "string" } }, required: ["station"] }

/** Uploads for the rows of a request: its parts, the options, the formats, the parser. */
export const optionCases: ReadonlyArray<Case> = [
  {
    title: "file and options are the two parts of a request",
    rows: ["Parse request: file", "Parse request: options", "POST /parse: 200"],
    options: { onlyMainContent: true },
    ends: asUsual
  },
  {
    title: "formats name the members of the answer, Markdown when there are none",
    rows: ["ParseOptions: formats", "Formats: markdown", "Parse response: markdown"],
    options: { formats: [] },
    ends: withMarkdown((markdown, data) => {
      assert.include(markdown, "# The stations")
      assert.deepStrictEqual(Object.keys(data).toSorted(), ["markdown", "metadata"])
    })
  },
  {
    title: "onlyMainContent leaves out what stands around the content",
    rows: ["ParseOptions: onlyMainContent"],
    ends: withMarkdown((markdown) => assert.notMatch(markdown, /Menu words|Footer words/))
  },
  {
    title: "onlyMainContent: false keeps what stands around the content",
    rows: ["ParseOptions: onlyMainContent"],
    options: { onlyMainContent: false },
    ends: withMarkdown((markdown) => assert.match(markdown, /Menu words[^]*Footer words/))
  },
  {
    title: "includeTags takes these tags alone",
    rows: ["ParseOptions: includeTags"],
    options: { includeTags: ["table"] },
    ends: withMarkdown((markdown) => {
      assert.include(markdown, "Tarn House")
      assert.notInclude(markdown, "Six stations")
    })
  },
  {
    title: "excludeTags leaves these tags out",
    rows: ["ParseOptions: excludeTags"],
    options: { excludeTags: ["table"] },
    ends: withMarkdown((markdown) => {
      assert.notInclude(markdown, "Tarn House")
      assert.include(markdown, "Six stations")
    })
  },
  accepted("headers", { headers: { "X-Station": "1" } }),
  accepted("skipTlsVerification", { skipTlsVerification: false }),
  accepted("proxy", { proxy: "basic" }),
  accepted("proxy", { proxy: "auto" }),
  accepted("origin", { origin: "rows" }),
  accepted("integration", { integration: "_rows" }),
  accepted("integration", { integration: null }),
  accepted("zeroDataRetention", { zeroDataRetention: true }),
  accepted("timeout", { timeout: Limits.maxTimeout }),
  accepted("parsers", { parsers: [{ type: "pdf" }] }),
  {
    title: "auditMetadata with a name of 1024 characters is accepted and changes nothing",
    rows: ["ParseOptions: auditMetadata", "AuditMetadata: username", "Limits: auditMetadata.username"],
    options: { auditMetadata: { username: "x".repeat(Limits.maxUsernameLength) } },
    ends: asUsual
  },
  {
    title: "timeout ends a parse that takes longer with a 408",
    rows: ["ParseOptions: timeout", "Limits: timeout", "General errors: 408 Request Timeout"],
    server: { engine: { scripts: { "page.html": { delay: "1 minute" } } } },
    options: { timeout: 50 },
    ends: (ending) => assert.deepInclude(ending, { status: 408, error: "Request Timeout", code: "SCRAPE_TIMEOUT" })
  },
  {
    title: "removeBase64Images leaves the alternative text of an image",
    rows: ["ParseOptions: removeBase64Images"],
    options: formats("markdown", "html"),
    ends: withMarkdown((markdown, data) => {
      assert.notInclude(markdown + (data.html ?? ""), "data:image")
      assert.include(markdown, "a dot")
    })
  },
  {
    title: "removeBase64Images: false keeps the data of an image",
    rows: ["ParseOptions: removeBase64Images"],
    options: { ...formats("markdown", "html", "images"), removeBase64Images: false },
    ends: withMarkdown((_, data) => {
      assert.include(data.html, "data:image/png;base64,iVBORw0KGgo=")
      assert.include([...(data.images ?? [])], "data:image/png;base64,iVBORw0KGgo=")
    })
  },
  {
    title: "blockAds leaves out the notice of cookies",
    rows: ["ParseOptions: blockAds"],
    options: { onlyMainContent: false },
    ends: withMarkdown((markdown) => assert.notInclude(markdown, "Accept all cookies"))
  },
  {
    title: "blockAds: false keeps the notice of cookies",
    rows: ["ParseOptions: blockAds"],
    options: { onlyMainContent: false, blockAds: false },
    ends: withMarkdown((markdown) => assert.include(markdown, "Accept all cookies"))
  },
  {
    title: "parsers with the PDF parser's defaults give Markdown without pages, blocks and markers",
    rows: ["ParseOptions: parsers", "PDF parser: type"],
    name: "handbook.pdf",
    bytes: example("handbook.pdf"),
    options: { parsers: [{ type: "pdf" }] },
    ends: withMarkdown((markdown, data) => {
      assert.include(markdown, "# Station Handbook")
      assert.notInclude(markdown, "<!-- page")
      assert.doesNotHaveAnyKeys(data, ["pages", "blocks"])
    })
  },
  pdf(
    "mode fast reads the text of a PDF",
    ["mode"],
    { mode: "fast" },
    withMarkdown((markdown) => assert.include(markdown, "# Station Handbook"))
  ),
  pdf(
    "mode auto reads the text of a PDF",
    ["mode"],
    { mode: "auto" },
    withMarkdown((markdown) => assert.include(markdown, "# Station Handbook"))
  ),
  pdf(
    "mode ocr reads the picture of each page",
    ["mode"],
    { mode: "ocr", maxPages: 1 },
    withMarkdown((markdown) => assert.include(markdown, "# Station Handbook"))
  ),
  {
    title: "maxPages caps the pages",
    rows: ["PDF parser: maxPages", "Limits: PDF maxPages", "data.metadata: numPages", "data.metadata: totalPages"],
    name: "handbook.pdf",
    bytes: example("handbook.pdf"),
    options: { parsers: [{ type: "pdf", maxPages: 2 }] },
    ends: withMarkdown((_, { metadata }) => assert.deepInclude(metadata, { numPages: 2, totalPages: 4 }))
  },
  {
    title: "maxPages of 10000 is allowed",
    rows: ["Limits: PDF maxPages"],
    options: { parsers: [{ type: "pdf", maxPages: Limits.maxPages.max }] },
    ends: asUsual
  },
  pdf(
    "pageMarkers join the pages by comments with their numbers",
    ["pageMarkers"],
    { pageMarkers: true },
    withMarkdown((markdown) => {
      assert.include(markdown, "\n\n---\n\n<!-- page 2 -->\n\n")
      assert.notInclude(markdown, "<!-- page 1 -->")
    })
  ),
  {
    title: "pages and blocks give each page on its own",
    rows: ["PDF parser: pages", "PDF parser: blocks", "Parse response: pages", "Parse response: blocks"],
    name: "handbook.pdf",
    bytes: example("handbook.pdf"),
    options: { parsers: [{ type: "pdf", pages: true, blocks: true }] },
    ends: withMarkdown((_, { blocks, pages }) => {
      assert.deepStrictEqual(
        pages?.map((page) => page.pageNumber),
        [1, 2, 3, 4]
      )
      assert.include(pages?.[0]?.markdown, "# Station Handbook")
      assert.strictEqual(blocks?.length, 4)
    })
  },
  {
    title: "html is clean, rawHtml is the page as it was sent",
    rows: ["Formats: html", "Formats: rawHtml", "Parse response: html", "Parse response: rawHtml"],
    options: formats("html", "rawHtml"),
    ends: withMarkdown((_, { html, rawHtml }) => {
      assert.include(html, "<h1>The stations</h1>")
      assert.notMatch(html ?? "", /<script|<meta|<head|Menu words/)
      assert.match(rawHtml ?? "", /^<!doctype html>[^]*<script>alert\(1\)<\/script>[^]*Menu words/)
    })
  },
  {
    title: "links and images are the addresses of the page's content",
    rows: ["Formats: links", "Formats: images", "Parse response: links"],
    options: formats("links", "images"),
    ends: withMarkdown((_, { images, links }) => {
      assert.deepStrictEqual(links, ["https://example.com/handbook"])
      assert.deepStrictEqual(images, ["https://example.com/map.png"])
    })
  },
  {
    title: "summary is the model's",
    rows: ["Formats: summary", "Parse response: summary"],
    options: formats("summary"),
    ends: withMarkdown((_, { summary }) => assert.strictEqual(summary, "Stations and their weather."))
  },
  {
    title: "summary consists of the document's own sentences where there is no model, with a warning",
    rows: ["Formats: summary", "Parse response: summary", "Parse response: warning"],
    server: "without a model",
    options: formats("summary"),
    ends: withMarkdown((_, { summary, warning }) => {
      assert.include(summary, "Six stations measure wind")
      assert.match(warning ?? "", /own sentences/)
    })
  },
  {
    title: "json is the model's, by schema and prompt",
    rows: ["Formats: json", "Formats: schema", "Formats: prompt", "Parse response: json output"],
    options: { formats: [{ type: "json", schema, prompt: "the station" }] },
    ends: withMarkdown((_, { json, metadata }) => {
      assert.deepStrictEqual(json, { station: "Tarn House" })
      assert.strictEqual(metadata["creditsUsed"], 5)
    })
  },
  {
    title: "json names in its warning what was not found",
    rows: ["Parse response: warning"],
    options: { formats: [{ type: "json", schema: { type: "object", properties: { station: {}, due: {} } } }] },
    ends: withMarkdown((_, { warning }) => assert.strictEqual(warning, "Nothing was found for due."))
  }
]

/** The model of the shared server: knows one station, and fails to tell about the moon. */
export const answerOf = (prompt: string): string => {
  if (prompt.includes("the moon")) return "I cannot say."
  return prompt.includes("summarize") ? "Stations and their weather." : '{"station": "Tarn House"}'
}

/** Options that break a rule or that the interface does not know, at each level, and the start of the refusal. */
export const refused: ReadonlyArray<readonly [options: unknown, error: RegExp]> = [
  [[], /^options is an array/],
  [{ nonsense: 1 }, /^nonsense is not an option/],
  [{ waitFor: 1 }, /^waitFor is not an option/],
  [{ formats: "markdown" }, /^formats is /],
  [{ formats: ["screenshot"] }, /^formats\[0\]\.type/],
  [{ formats: [{ type: "changeTracking" }] }, /^formats\[0\]\.type/],
  [{ formats: [{}] }, /^formats\[0\]\.type/],
  [{ formats: [{ type: "markdown", prompt: "x" }] }, /^formats\[0\]\.prompt/],
  [{ formats: [{ type: "json", schema: {}, other: 1 }] }, /^formats\[0\]\.other/],
  [{ formats: [{ type: "json", schema: [] }] }, /^formats\[0\]\.schema/],
  [{ formats: [{ type: "json", prompt: 1 }] }, /^formats\[0\]\.prompt/],
  [{ formats: [{ type: "json", checkPromptInjection: "yes" }] }, /^formats\[0\]\.checkPromptInjection/],
  [{ onlyMainContent: "yes" }, /^onlyMainContent is "yes"/],
  [{ includeTags: "p" }, /^includeTags is "p"/],
  [{ excludeTags: [1] }, /^excludeTags/],
  [{ headers: { a: 1 } }, /^headers/],
  [{ timeout: 0 }, /^timeout is 0; expected an integer from 1 to 300000/],
  [{ timeout: 300_001 }, /^timeout is 300001; expected an integer from 1 to 300000/],
  [{ timeout: 1.5 }, /^timeout is 1\.5/],
  [{ parsers: ["docx"] }, /^parsers\[0\]/],
  [{ parsers: [{ type: "image" }] }, /^parsers\[0\]\.type/],
  [{ parsers: [{ type: "pdf", other: 1 }] }, /^parsers\[0\]\.other/],
  [{ parsers: [{ type: "pdf", mode: "slow" }] }, /^parsers\[0\]\.mode/],
  [{ parsers: [{ type: "pdf", maxPages: 0 }] }, /^parsers\[0\]\.maxPages is 0; expected an integer from 1 to 10000/],
  [{ parsers: [{ type: "pdf", maxPages: 10_001 }] }, /^parsers\[0\]\.maxPages is 10001/],
  [{ parsers: [{ type: "pdf", pages: 1 }] }, /^parsers\[0\]\.pages/],
  [{ skipTlsVerification: 1 }, /^skipTlsVerification/],
  [{ removeBase64Images: null }, /^removeBase64Images/],
  [{ blockAds: "no" }, /^blockAds/],
  [{ redactPII: "yes" }, /^redactPII/],
  [{ redactPII: { other: 1 } }, /^redactPII\.other/],
  [{ redactPII: { mode: "slow" } }, /^redactPII\.mode/],
  [{ redactPII: { entities: ["PET"] } }, /^redactPII\.entities/],
  [{ redactPII: { replaceStyle: "blur" } }, /^redactPII\.replaceStyle/],
  [{ proxy: "stealth" }, /^proxy/],
  [{ origin: 1 }, /^origin/],
  [{ integration: 1 }, /^integration/],
  [{ auditMetadata: {} }, /^auditMetadata\.username/],
  [{ auditMetadata: { username: "x", other: 1 } }, /^auditMetadata\.other/],
  [{ auditMetadata: { username: "x".repeat(1025) } }, /^auditMetadata\.username/],
  [{ zeroDataRetention: 1 }, /^zeroDataRetention/]
]
