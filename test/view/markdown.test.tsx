// @jsxRuntime automatic @jsxImportSource preact
/** Rendered Markdown: harmless whatever it holds, with its place in the source, in segments that leave nothing out. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { renderToString } from "preact-render-to-string"
import rehypeParse from "rehype-parse"
import { unified } from "unified"
import { split } from "../../src/view/markdown/marks.ts"
import { Rendered } from "../../src/view/markdown/Rendered.tsx"
import { segments } from "../../src/view/markdown/segments.ts"
import { runs } from "../fixtures/seed.ts"

interface Node {
  readonly type?: string
  readonly tagName?: string
  readonly value?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly children?: ReadonlyArray<Node>
}

const parser = unified().use(rehypeParse, { fragment: true }).freeze()

const htmlOf = (markdown: string): string =>
  segments(markdown)
    .map((segment) => renderToString(<Rendered markdown={markdown} segment={segment} />))
    .join("")

const parse = (html: string): Node => parser.parse(html)

const elements = (node: Node): ReadonlyArray<Node> => [
  ...(node.tagName === undefined ? [] : [node]),
  ...(node.children ?? []).flatMap(elements)
]

const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join("")

const named = (markdown: string, tagName: string): ReadonlyArray<Node> =>
  elements(parse(htmlOf(markdown))).filter((element) => element.tagName === tagName)

const tags = new Set(
  (
    "p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code em strong del b i u s ins sub sup mark kbd br hr a table thead tbody tfoot tr th td " +
    "caption input span section div"
  ).split(" ")
)

const attributes = new Set(
  "href target rel colSpan rowSpan className start type disabled checked ariaLabel dataStart dataEnd dataU title lang role tabIndex".split(
    " "
  )
)

const assertHarmless = (html: string): void => {
  for (const { properties, tagName } of elements(parse(html))) {
    assert.isTrue(tags.has(tagName ?? ""), `<${tagName}>`)
    for (const [name, value] of Object.entries(properties ?? {})) {
      assert.isTrue(attributes.has(name), `${tagName} ${name}=${String(value)}`)
      if (name === "href") assert.match(String(value), /^(?:https?:\/\/|mailto:)/iu)
    }
  }
}

const payloads: ReadonlyArray<string> = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "![alt](http://evil.example/x.png)",
  "![alt][a]\n\n[a]: javascript:alert(1)",
  "[press](javascript:alert(1))",
  "[press](JaVaScRiPt&colon;alert(1))",
  "[press](\u0001javascript:alert(1))",
  "[press](data:text/html;base64,PHNjcmlwdD4=)",
  "[press](vbscript:msgbox(1))",
  "[press](//evil.example/x)",
  "[press](/_look/documents)",
  "<javascript:alert(1)>",
  "<svg onload=alert(1)><use href='https://evil.example/#a'/></svg>",
  "<table><tr><td><svg/onload=alert(1)></td></tr></table>",
  "<table onclick=alert(1) style='background:url(//evil.example)'><tr><td onmouseover=alert(1) colspan=2>cell</td></tr></table>",
  "<table><tr><td><img src=x onerror=alert(1)><a href=javascript:alert(1)>x</a></td></tr></table>",
  "<table><tr><td title='</td><script>alert(1)</script>'>x</td></tr></table>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<style>@import url(//evil.example/x.css)</style>",
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<a id="x" href="javascript:alert(1)">y</a>',
  "<b onclick=alert(1)>bold</b> <sub style=x>low</sub>",
  "<form action=//evil.example><input name=q autofocus onfocus=alert(1)></form>",
  '```"><script>alert(1)</script>\ncode\n```',
  "| <img src=x onerror=alert(1)> | [x](javascript:alert(1)) |\n| --- | --- |\n| <script>1</script> | \u202etxt |",
  "[^1]\n\n[^1]: <script>alert(1)</script> [x](javascript:alert(1))",
  "<!-- --><script>alert(1)</script><!-- -->",
  "<meta http-equiv=refresh content='0;url=//evil.example'><base href=//evil.example>"
]

const pieces = FastCheck.array(
  FastCheck.oneof(
    FastCheck.constantFrom(
      ...payloads,
      "\n\n",
      "\n",
      "> ",
      "- ",
      "# ",
      "| a | b |\n|---|---|\n| 1 | 2 |\n",
      "```\n",
      "<table>\n"
    ),
    FastCheck.string()
  ),
  { maxLength: 12 }
).map((all) => all.join(""))

describe("rendered Markdown", () => {
  it("has no script, handler, style, image or link but to http, https and mailto, for each payload", () => {
    for (const payload of payloads) {
      const html = htmlOf(`Before.\n\n${payload}\n\nAfter.\n`)
      assertHarmless(html)
      assert.include(textOf(parse(html)), "Before.")
    }
  })

  it("is harmless for every mixture of payloads", () => {
    FastCheck.assert(
      FastCheck.property(pieces, (markdown) => {
        const html = htmlOf(markdown)
        assertHarmless(html)
        assert.notMatch(html, /<(?:script|svg|img|iframe|style)/iu)
      }),
      { numRuns: runs(75) }
    )
  })

  it("shows the words of raw HTML that it does not take, and the alternative text of images", () => {
    const text = textOf(parse(htmlOf("A <blink>word</blink> and ![a chart](x.png).\n\n<!-- page 3 -->\n")))
    assert.include(text, "<blink>word</blink>")
    assert.include(text, "a chart")
    assert.include(text, "page 3")
  })

  it("shows tables of raw HTML with their spans, breaks and entities", () => {
    const markdown =
      '<table>\n<thead><tr><th colspan="2">A &amp; B</th></tr></thead>\n<tr><td rowspan=2>one<br>two</td><td>x<sup>2</sup></td></tr>\n<tr><td>last</td></tr>\n</table>\n'
    const [head] = named(markdown, "th")
    assert.strictEqual(textOf(head ?? {}), "A & B")
    assert.strictEqual(head?.properties?.["colSpan"], 2)
    assert.strictEqual(named(markdown, "td")[0]?.properties?.["rowSpan"], 2)
    assert.strictEqual(named(markdown, "br").length, 1)
    assert.strictEqual(named(markdown, "sup").length, 1)
    assert.strictEqual(named(markdown, "tr").length, 3)
    const [row] = named(markdown, "tr")
    const { dataEnd, dataStart } = row?.properties ?? {}
    assert.strictEqual(markdown.slice(Number(dataStart), Number(dataEnd)), '<tr><th colspan="2">A &amp; B</th></tr>')
  })

  it("gives each part its place in the Markdown, in every segment", () => {
    const markdown = Array.from(
      { length: 120 },
      (_, at) => `## Heading ${at}\n\nParagraph ${at} with **words** and \`code\`.\n\n- item ${at}\n`
    ).join("\n")
    assert.isAbove(segments(markdown).length, 1)
    const html = parse(htmlOf(markdown))
    const paragraphs = elements(html).filter(({ tagName }) => tagName === "p")
    assert.strictEqual(paragraphs.length, 120)
    for (const [at, { properties }] of paragraphs.entries()) {
      const text = markdown.slice(Number(properties?.["dataStart"]), Number(properties?.["dataEnd"]))
      assert.strictEqual(text, `Paragraph ${at} with **words** and \`code\`.`)
    }
  })

  it("shows every row of a long table and every line of a long fence once, in more than one segment", () => {
    const rows = Array.from({ length: 1200 }, (_, at) => `| r${at} | ${at * 7} |`)
    const table = `| name | value |\n|---|---|\n${rows.join("\n")}\n`
    assert.isAbove(segments(table).length, 2)
    assert.strictEqual(named(table, "td").length, 2400)
    const firsts = named(table, "tr").flatMap(({ children }) => children?.find(({ tagName }) => tagName === "td") ?? [])
    assert.deepStrictEqual(
      firsts.map(textOf),
      rows.map((_, at) => `r${at}`)
    )
    const code = Array.from({ length: 1200 }, (_, at) => `line ${at} <b>`)
    const fence = `Before\n\n~~~js\n${code.join("\n")}\n~~~\n\nAfter\n`
    const shown = named(fence, "code").map(textOf).join("").trim().split(/\n+/u)
    assert.deepStrictEqual(shown, code)
    const html = `<table>\n${rows.map((_, at) => `<tr>\n<td>h${at}</td>\n</tr>`).join("\n")}\n</table>\n`
    assert.isAbove(segments(html).length, 3)
    assert.deepStrictEqual(
      named(html, "td").map(textOf),
      rows.map((_, at) => `h${at}`)
    )
  })

  it("lies in segments without a gap, however the Markdown is made", () => {
    FastCheck.assert(
      FastCheck.property(pieces, FastCheck.integer({ min: 1, max: 400 }), (piece, times) => {
        const markdown = piece.repeat(times).slice(0, 100_000)
        let end = 0
        for (const segment of segments(markdown)) {
          assert.strictEqual(segment.start, end)
          assert.isAbove(segment.end, segment.start)
          end = segment.end
        }
        assert.strictEqual(end, markdown.length)
      }),
      { numRuns: runs(50) }
    )
  })

  it("shows Markdown that is nested too deep as its source", () => {
    const markdown = `${">".repeat(3000)} deep\n`
    assertHarmless(htmlOf(markdown))
    assert.include(textOf(parse(htmlOf(markdown))), "deep")
  })
})

describe("marks in rendered Markdown", () => {
  const words = FastCheck.stringMatching(/^[ab*_`&;|<>\\ \n#[\]().!-]{0,60}$/u)

  it("leave the text of every document as it is, wherever they are", () => {
    FastCheck.assert(
      FastCheck.property(words, FastCheck.array(FastCheck.nat(60), { maxLength: 8 }), (markdown, places) => {
        const sorted = [...new Set(places)].toSorted((left, right) => left - right)
        const marks = sorted.flatMap((start, at) => (at % 2 === 0 ? [{ start, end: sorted[at + 1] ?? start + 1 }] : []))
        const marked = segments(markdown)
          .map((segment) => renderToString(<Rendered markdown={markdown} marks={marks} segment={segment} />))
          .join("")
        assert.strictEqual(marked.replaceAll(/<\/?mark>/gu, ""), htmlOf(markdown))
      }),
      { numRuns: runs(200) }
    )
  })

  it("are found in text without its escapes, in code and in cells of HTML, and are those that were asked for", () => {
    const marked = (markdown: string, word: string, nth: number) => {
      const { index = 0 } = Array.from(markdown.matchAll(new RegExp(word, "gu")))[nth] ?? {}
      const [segment = { start: 0, end: 0, prefix: "", suffix: "" }] = segments(markdown)
      const marks = [{ start: index, end: index + word.length }]
      return renderToString(<Rendered markdown={markdown} marks={marks} segment={segment} />)
    }
    assert.include(marked("train rain", "rain", 1), "train <mark>rain</mark>")
    assert.include(marked("a\\_b &amp; rain", "rain", 0), "a_b &amp; <mark>rain</mark>")
    assert.include(marked("```js\nrain()\nrain()\n```", "rain", 1), "rain()\n<mark>rain</mark>()")
    assert.match(
      marked("<table><tr><td>rain</td><td colspan=2>rain</td></tr></table>", "rain", 1),
      /<td>rain<\/td><td colspan="2"><mark>rain<\/mark><\/td>/iu
    )
  })

  it("are split apart in order", () => {
    const range = { start: 0, end: 9 }
    const parts = split("one two a", "one two a", range, [
      { start: 0, end: 3 },
      { start: 8, end: 20 }
    ])
    assert.deepStrictEqual(parts, [
      { text: "one", match: true },
      { text: " two ", match: false },
      { text: "a", match: true }
    ])
  })
})
