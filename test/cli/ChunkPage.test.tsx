// @jsxRuntime automatic @jsxImportSource preact
import { assert, describe, it } from "@effect/vitest"
import * as AutoChunker from "docsluice/AutoChunker"
import type { Chunked } from "docsluice/Chunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import { DocumentId } from "docsluice/SourceFile"
import { specimen } from "docsluice/testing/Arbitraries"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import { renderToString } from "preact-render-to-string"
import rehypeParse from "rehype-parse"
import { unified } from "unified"
import * as ChunkPage from "../../src/cli/page/ChunkPage.tsx"
import { css } from "../../src/cli/page/style.ts"
import { plain, Shown } from "../../src/view/parts/Shown.tsx"
import { runs } from "../fixtures/seed.ts"

/** A node of the independent parser, as far as it is looked at. */
interface Node {
  readonly type: string
  readonly value?: string
  readonly tagName?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly children?: ReadonlyArray<Node>
}

const parser = unified().use(rehypeParse).freeze()

const parse = (source: string): Node => parser.parse(source)

const elements = (node: Node): ReadonlyArray<Node> => [
  ...(node.tagName === undefined ? [] : [node]),
  ...(node.children ?? []).flatMap(elements)
]

const withClass = (node: Node, name: string): ReadonlyArray<Node> =>
  elements(node).filter(({ properties }) => {
    const names = properties?.["className"]
    return Array.isArray(names) && names.includes(name)
  })

/** The text that a node shows, signs read as the characters that they stand for. */
const textOf = (node: Node): string => {
  const sign = node.properties?.["dataU"]
  return typeof sign === "string"
    ? String.fromCodePoint(Number.parseInt(sign, 16))
    : (node.value ?? (node.children ?? []).map(textOf).join(""))
}

const tags = new Set(
  (
    "html head meta title style body a div nav h1 h2 h3 ol li span b i bdi header p dl dt dd small section ul svg rect line " +
    "symbol use text figure figcaption main article pre code mark details summary"
  ).split(" ")
)

/** Attributes that may hold what comes from the document, and what they may then look like. */
const patterns: Readonly<Record<string, RegExp>> = {
  href: /^#[a-z]+(-?\d+)?$/,
  id: /^[a-z]+(-?\d+)?(-name)?$/
}

const assertHarmless = (page: Node): void => {
  const ids = new Set<unknown>()
  const targets: Array<string> = []
  for (const { properties, tagName } of elements(page)) {
    assert.isTrue(tags.has(tagName ?? ""), `<${tagName}> is not of the page`)
    for (const [name, value] of Object.entries(properties ?? {})) {
      assert.notMatch(name, /^(on|src|action|data$|style$|xlink|formAction|background|poster|ping)/i)
      const pattern = patterns[name]
      if (pattern !== undefined) assert.match(String(value), pattern)
    }
    if (properties?.["id"] !== undefined) {
      assert.isFalse(ids.has(properties["id"]), "an id stands twice")
      ids.add(properties["id"])
    }
    if (typeof properties?.["href"] === "string") targets.push(properties["href"].slice(1))
  }
  for (const target of targets) assert.isTrue(ids.has(target), `nothing is at #${target}`)
  const styles = elements(page).filter(({ tagName }) => tagName === "style")
  assert.deepStrictEqual(
    styles.map((style) => textOf(style).trim()),
    [css.trim()]
  )
  const policy = elements(page).find(({ properties }) => Array.isArray(properties?.["httpEquiv"]))
  assert.match(String(policy?.properties?.["content"]), /^default-src 'none'; style-src 'unsafe-inline';/)
}

const terms = { chunker: "auto", maxTokens: 64, overlap: 16, tokenizer: "o200k_base" }

const pageOf = (document: ParsedDocument, chunked: Chunked) =>
  parse([...ChunkPage.parts(document, chunked, terms)].join(""))

const split = (document: ParsedDocument) =>
  AutoChunker.make({ maxTokens: terms.maxTokens, overlapTokens: terms.overlap }).chunk(document)

/** The page shows exactly the chunks, character by character, and everything else that is no white space as in no chunk. */
const assertComplete = (page: Node, { markdown }: ParsedDocument, { chunks }: Chunked): void => {
  const articles = elements(page).filter(({ tagName }) => tagName === "article")
  assert.deepStrictEqual(
    articles.map((article) => withClass(article, "text").map(textOf)),
    chunks.map(({ end, start }) => [markdown.slice(start, end)])
  )
  const expected = chunks.map(({ start }, at) =>
    markdown.slice(start, Math.max(start, chunks[at - 1]?.end ?? 0)).replace(/\r$/, "")
  )
  assert.deepStrictEqual(
    articles.map((article) => withClass(article, "overlap").map(textOf).join("").replace(/\r$/, "")),
    expected
  )
  let rest = ""
  let end = 0
  for (const chunk of chunks) {
    rest += markdown.slice(end, Math.max(end, chunk.start))
    end = chunk.end
  }
  const shownRest = withClass(page, "gap").map((gap) => elements(gap).filter(({ tagName }) => tagName === "pre"))
  assert.strictEqual(
    shownRest.flat().map(textOf).join("").replace(/\s+/g, ""),
    (rest + markdown.slice(end)).replace(/\s+/g, "")
  )
}

const hostile = FastCheck.oneof(
  FastCheck.constantFrom(
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</code></pre></article></main><img src=x onerror=alert(1)>",
    `" onmouseover="alert(1)`,
    "' onfocus='alert(1)' autofocus='",
    "<!-- --><![CDATA[x]]>--!>",
    "</title><base href=//evil.example>",
    "<svg><use href=https://evil.example/#a></svg>",
    "javascript:alert(1)",
    "\0",
    "\ud800",
    "\udc00\ud800",
    "\u202egnp.exe\u2066",
    "\ufeff\u200b\u00ad\u2028\u0085\u007f\uffff",
    "\r\n\r",
    "&lt;&#0;&amp;",
    "\u{e0041}\u{1f468}\u200d\u{1f469}",
    "\n\n",
    "# heading ",
    "x".repeat(3000)
  ),
  FastCheck.fullUnicodeString(),
  FastCheck.string16bits()
)

const text = FastCheck.array(hostile, { maxLength: 8 }).map((all) => all.join(""))

const number = FastCheck.oneof(FastCheck.double(), FastCheck.double({ min: 0, max: 1 }))

const attacked = FastCheck.record({
  markdown: text,
  source: text,
  words: FastCheck.array(text, { minLength: 4, maxLength: 4 }),
  bbox: FastCheck.tuple(number, number, number, number),
  size: FastCheck.tuple(number, number)
}).map(({ bbox, markdown, size, source, words }): ParsedDocument => {
  const [id = "", type = "", key = "", value = ""] = words
  const item = {
    id,
    type,
    label: null,
    bbox,
    content: markdown,
    markdownSpan: [0, markdown.length] as const,
    readingOrder: 0,
    source: value,
    confidence: { layout: null, ocr: null }
  }
  return {
    documentId: DocumentId.make("root/a"),
    source,
    contentHash: "0".repeat(64),
    markdown,
    pages: null,
    blocks: [{ pageNumber: 1, width: size[0], height: size[1], status: "ok", items: [item] }],
    metadata: { title: value, [key]: value },
    warnings: words,
    truncated: false,
    origin: "service"
  }
})

const units = FastCheck.array(FastCheck.oneof(hostile, FastCheck.char16bits())).map((all) => all.join(""))

describe("the page of chunks", () => {
  it("shows every text so that it can be read back, whatever it holds", () => {
    FastCheck.assert(
      FastCheck.property(units, (characters) => {
        const body = renderToString(
          <pre>
            <code title={plain(characters)}>
              <Shown text={characters} />
            </code>
          </pre>
        )
        const code = elements(parse(body)).find(({ tagName }) => tagName === "code")
        assert.strictEqual(code === undefined ? undefined : textOf(code), characters)
        assert.deepStrictEqual(Object.keys(code?.properties ?? {}), ["title"])
      }),
      { numRuns: runs(500) }
    )
  })

  it.effect("is harmless and complete for every document, name, block and warning", () =>
    Effect.gen(function* () {
      const tokenizer = yield* Tokenizer.Tokenizer
      FastCheck.assert(
        FastCheck.property(attacked, (document) => {
          const chunked = Effect.runSync(Effect.provideService(split(document), Tokenizer.Tokenizer, tokenizer))
          const page = pageOf(document, chunked)
          assertHarmless(page)
          assertComplete(page, document, chunked)
        }),
        { numRuns: runs(80) }
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("shows the chunks of documents with pages, blocks and markers, and what lies between them", () =>
    Effect.gen(function* () {
      const tokenizer = yield* Tokenizer.Tokenizer
      FastCheck.assert(
        FastCheck.property(specimen, ({ document }) => {
          const chunked = Effect.runSync(Effect.provideService(split(document), Tokenizer.Tokenizer, tokenizer))
          const page = pageOf(document, chunked)
          assertHarmless(page)
          assertComplete(page, document, chunked)
        }),
        { numRuns: runs(40) }
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("draws the boxes of a chunk on its page, to scale", () =>
    Effect.gen(function* () {
      const markdown = "# Title\n\nSome text."
      const block = (id: string, content: string, bbox: readonly [number, number, number, number]) => ({
        id,
        type: "text",
        label: null,
        bbox,
        content,
        markdownSpan: [markdown.indexOf(content), markdown.indexOf(content) + content.length] as const,
        readingOrder: 0,
        source: null,
        confidence: { layout: null, ocr: null }
      })
      const items = [block("p3.b0", "# Title", [0.1, 0.1, 0.5, 0.2]), block("p3.b1", "Some text.", [0.1, 0.5, 0.9, 1])]
      const document: ParsedDocument = {
        documentId: DocumentId.make("root/a.pdf"),
        source: "a.pdf",
        contentHash: "",
        markdown,
        pages: null,
        blocks: [{ pageNumber: 3, width: 600, height: 300, status: "ok", items }],
        metadata: { numPages: 1 },
        warnings: [],
        truncated: false,
        origin: "service"
      }
      const page = pageOf(document, yield* split(document))
      const article = elements(page).find(({ tagName }) => tagName === "article")
      const drawing =
        withClass(article ?? assert.fail(), "outline")
          .flatMap(elements)
          .find(({ tagName }) => tagName === "svg") ?? assert.fail()
      assert.strictEqual(drawing.properties?.["viewBox"], "0 0 1000 500")
      assert.strictEqual(drawing.properties?.["ariaLabel"], "Page 3: 2 boxes of this chunk")
      assert.deepStrictEqual(
        withClass(drawing, "held").map(({ properties }) =>
          ["x", "y", "width", "height"].map((name) => Number(properties?.[name]))
        ),
        [
          [100, 50, 400, 50],
          [100, 250, 800, 250]
        ]
      )
    }).pipe(Effect.provide(Tokenizer.layerCharacters))
  )
})
