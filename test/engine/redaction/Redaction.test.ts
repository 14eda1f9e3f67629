import { assert, describe, it } from "@effect/vitest"
import type { Block, ParseData } from "docsluice/ParsedDocument"
import { PiiEntity, ReplaceStyle } from "docsluice/service/ParseOptions"
import { FastCheck as fc } from "effect"
import * as Redaction from "../../../src/engine/redaction/Redaction.ts"
import { runs } from "../../fixtures/seed.ts"
import { leaks } from "./leaks.ts"

const all = PiiEntity.literals

const redact = (data: Partial<ParseData>, request: Partial<Redaction.Request> = {}): ParseData =>
  Redaction.redact(
    { metadata: {}, ...data },
    { rules: "fast", entities: all, replaceStyle: "tag", terms: [], ...request }
  )

const markdown = `# Contract

Dear Ms Holloway,

**Desmond** Okafor (desmond\\_okafor@example.com) lives at 12 Maple Street, Springfield.
Call +1 916 552 1234, or [write](mailto:desmond_okafor@example.com "Desmond Okafor").

| Name | Card | IBAN |
| --- | --- | --- |
| Priya Pemberton | 4111 1111 1111 1111 | DE89370400440532013000 |

Password: Tiger42!x
`

const values = [
  "Desmond Okafor",
  "desmond_okafor@example.com",
  "12 Maple Street, Springfield",
  "+1 916 552 1234",
  "Priya Pemberton",
  "4111 1111 1111 1111",
  "DE89370400440532013000",
  "Tiger42!x",
  "Holloway"
]

const block = (content: string, start: number, id = "p1.b0"): Block => ({
  id,
  type: "text",
  label: null,
  bbox: [0, 0, 1, 1],
  content,
  markdownSpan: [start, start + content.length],
  readingOrder: 0,
  source: "native_text",
  confidence: { layout: null, ocr: null }
})

const pageOf = (items: ReadonlyArray<Block>) => ({ pageNumber: 1, width: 100, height: 100, status: "ok", items })

/** Each paragraph of the text as a block. */
const blocksOf = (text: string): ReadonlyArray<Block> => {
  let at = 0
  return text.split("\n\n").map((content, index) => {
    const start = at
    at += content.length + 2
    return block(content, start, `p1.b${index}`)
  })
}

const answer: ParseData = {
  markdown,
  pages: [{ pageNumber: 1, markdown: markdown.slice(0, 160) }],
  blocks: [pageOf(blocksOf(markdown))],
  summary: "Desmond Okafor signed; DESMOND OKAFOR paid with 4111111111111111.",
  html: '<p title="Desmond Okafor"><b>Desmond</b> Okafor, <a href="mailto:desmond_okafor%40example.com">desmond&#95;okafor@example.com</a></p>',
  rawHtml:
    '<!-- call +1 916 552 1234 --><script>var mail = "desmond_okafor@example.com"</script><meta name="author" content="Priya Pemberton"><p>Ms Holloway</p>',
  links: ["mailto:desmond_okafor@example.com", "tel:+19165521234", "https://example.com/people/desmond-okafor"],
  images: ["https://example.com/Priya%20Pemberton.png", "data:image/png;base64,AAAA"],
  json: { tenant: "Priya Pemberton", phone: 19165521234, "Desmond Okafor": [{ iban: "DE89370400440532013000" }] },
  metadata: {
    title: "Contract of Desmond Okafor",
    author: "Priya Pemberton",
    keywords: ["Tiger42!x", "contract"],
    sourceURL: "Desmond_Okafor-contract.pdf",
    statusCode: 200,
    numPages: 1
  },
  warning: "the page of Desmond Okafor is empty",
  rawBase64: "RGVzbW9uZA=="
}

describe("Redaction", () => {
  for (const replaceStyle of ReplaceStyle.literals) {
    for (const rules of ["fast", "aggressive"] as const) {
      it(`leaves no value in any member: ${rules}, ${replaceStyle}`, () => {
        assert.deepStrictEqual(leaks(answer, values), values)
        assert.deepStrictEqual(leaks(redact(answer, { rules, replaceStyle }), values), [])
      })
    }
  }

  it("replaces by the bucket, as text where the member is HTML", () => {
    const { html, links, markdown: text, metadata } = redact(answer)
    assert.include(text, "**<PERSON>** (<EMAIL>) lives at <LOCATION>.")
    assert.include(text, "Call <PHONE>, or [write](mailto:<EMAIL> ")
    assert.include(text, "| <PERSON> | <FINANCIAL> | <FINANCIAL> |")
    assert.include(text, "Password: <SECRET>")
    assert.include(
      html,
      '<p title="&lt;PERSON&gt;"><b>&lt;PERSON&gt;</b>, <a href="mailto:&lt;EMAIL&gt;">&lt;EMAIL&gt;</a>'
    )
    assert.deepStrictEqual(links, ["mailto:<EMAIL>", "tel:<PHONE>", "https://example.com/people/<PERSON>"])
    assert.strictEqual(metadata.sourceURL, "<PERSON>-contract.pdf")
    assert.deepStrictEqual(metadata.keywords, ["<SECRET>", "contract"])
    assert.strictEqual(metadata.statusCode, 200)
  })

  it("makes null of a number of JSON, renames a key, and returns no original bytes", () => {
    const { json, rawBase64 } = redact(answer)
    assert.deepStrictEqual(json, { tenant: "<PERSON>", phone: null, "<PERSON>": [{ iban: "<FINANCIAL>" }] })
    assert.isNull(rawBase64)
  })

  it("masks each sign but white space, or removes the value", () => {
    const text = "Dear Ms Holloway,\n\ncall +1 916 552 1234 now"
    assert.strictEqual(
      redact({ markdown: text }, { replaceStyle: "mask" }).markdown,
      "Dear Ms ********,\n\ncall ** *** *** **** now"
    )
    assert.strictEqual(redact({ markdown: text }, { replaceStyle: "remove" }).markdown, "Dear Ms ,\n\ncall  now")
  })

  for (const entity of all) {
    it(`redacts ${entity} alone when no other bucket is asked for`, () => {
      const text = redact({ markdown }, { entities: [entity] }).markdown ?? ""
      assert.include(text, `<${entity}>`)
      for (const other of all) if (other !== entity) assert.notInclude(text, `<${other}>`)
    })
  }

  it("changes nothing when no bucket is asked for", () => {
    assert.strictEqual(redact({ markdown }, { entities: [] }).markdown, markdown)
  })

  it("keeps the spans of blocks right, and drops that of a block that a value crosses", () => {
    for (const replaceStyle of ReplaceStyle.literals) {
      const { blocks, markdown: text = "" } = redact(answer, { replaceStyle })
      const items = blocks?.[0]?.items ?? []
      assert.strictEqual(items.length, 5)
      for (const { content, markdownSpan } of items) {
        assert.isNotNull(markdownSpan)
        if (markdownSpan !== null) assert.strictEqual(text.slice(...markdownSpan), content)
      }
    }
    const text = "Call +1 916 552 1234 today"
    const cut = redact({ markdown: text, blocks: [pageOf([block(text.slice(0, 14), 0), block(text.slice(14), 14)])] })
    assert.deepStrictEqual(
      cut.blocks?.[0]?.items.map(({ markdownSpan }) => markdownSpan),
      [null, null]
    )
  })

  it("redacts a block without a place in the Markdown by itself", () => {
    const header = { ...block("Page of Desmond Okafor", 0), markdownSpan: null }
    const { blocks } = redact({ markdown: "Nothing here", blocks: [pageOf([header])] })
    assert.strictEqual(blocks?.[0]?.items[0]?.content, "Page of <PERSON>")
  })

  it("finds a value of one member again in another, in any case and with other spaces", () => {
    const data = redact({
      markdown: "Mitarbeiter: Xaver Qorb",
      summary: "XAVER  qorb, xaver\nqorb and Xaver&nbsp;Qorb",
      links: ["https://example.com/xaver-qorb"]
    })
    assert.strictEqual(data.summary, "<PERSON>, <PERSON> and <PERSON>")
    assert.deepStrictEqual(data.links, ["https://example.com/<PERSON>"])
  })

  it("does not take a single word for a name inside of another word", () => {
    const data = redact({ markdown: "Dear Ms Cross,\n\nthe crossing at Crossroads, says Cross." })
    assert.strictEqual(data.markdown, "Dear Ms <PERSON>,\n\nthe crossing at Crossroads, says <PERSON>.")
  })

  it("redacts a document that was redacted before", () => {
    const text = "Dear Ms PERSON,\n\nDear <PERSON>, write to <EMAIL>. Call *** ***."
    for (const replaceStyle of ReplaceStyle.literals) redact({ markdown: text }, { replaceStyle })
    const once = redact({ markdown: text })
    assert.deepStrictEqual(redact(once), once)
  })

  it("throws rather than return a value that it cannot remove", () => {
    const text = `<PERSON>${" b".repeat(20)}`
    assert.throws(() =>
      redact({ markdown: text }, { rules: "none", terms: [{ entity: "PERSON", text: "<PERSON> b" }] })
    )
  })

  it("takes what a model found and looks for nothing else", () => {
    const data = redact(
      { markdown: "Xaver wrote to a@example.com", summary: "Xaver wrote" },
      { rules: "none", terms: [{ entity: "PERSON", text: "Xaver" }] }
    )
    assert.strictEqual(data.markdown, "<PERSON> wrote to a@example.com")
    assert.strictEqual(data.summary, "<PERSON> wrote")
  })

  it("looks again where a removed value joins two halves of another", () => {
    const data = redact({ markdown: "a@b.example\n\na@b.exaa@b.examplemple" }, { replaceStyle: "remove" })
    assert.deepStrictEqual(leaks(data, ["a@b.example"]), [])
  })

  const value = fc.constantFrom(...values, "Ms Holloway", "desmond_okafor%40example.com", "Hollo&shy;way")
  const markup = fc.constantFrom(
    " ",
    "\n",
    "**",
    "_",
    "<b>",
    "</b>",
    "<p title='",
    "'>",
    "|",
    "`",
    "&amp;",
    "\\",
    "x",
    "<!--",
    '"'
  )
  const text = fc.array(fc.oneof(value, markup)).map((parts) => parts.join(""))

  it("leaves no value in any mixture of values and markup", () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(...ReplaceStyle.literals), (first, second, replaceStyle) => {
        const data = redact(
          { markdown: `${markdown}\n\n${first}`, html: second, json: { first, second }, links: [first] },
          { replaceStyle, rules: "aggressive" }
        )
        assert.deepStrictEqual(leaks(data, values.slice(0, -1)), [])
      }),
      { numRuns: runs(60) }
    )
  })
})
