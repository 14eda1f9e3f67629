import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TagScan from "../../src/engine/html/TagScan.ts"
import type { HtmlJob } from "../../src/engine/jobs.ts"
import { markdown, parse } from "./html/page.ts"

const expectMarkdown = (content: string | Uint8Array, expected: string, options?: Partial<HtmlJob>) =>
  Effect.map(markdown(content, options), (actual) => assert.strictEqual(actual, expected))

describe("Markdown of a page", () => {
  it.effect("has headings, lists, code, quotes and emphasis", () =>
    expectMarkdown(
      `<h1> </h1><h2>Two <br>lines</h2><ul><li>a<ul><li>b</ul><li>c</ul><ol start=3><li>x</ol><pre><code class="language-js">let a = 1
</code></pre><blockquote><p>q</blockquote><p>a <b>bold </b>text</p>`,
      "## Two lines\n\n- a\n  - b\n- c\n\n3. x\n\n```js\nlet a = 1\n```\n\n> q\n\na **bold** text"
    )
  )

  it.effect("escapes only what would be read as Markdown", () =>
    expectMarkdown(
      "<p>AT&amp;T snake_case [1] &amp;amp; *x*</p><p>1. no list</p>",
      String.raw`AT&T snake_case [1] \&amp; \*x\*` + "\n\n" + String.raw`1\. no list`
    )
  )

  it.effect("has addresses as they are", () =>
    expectMarkdown(
      `<p>john.smith@example.com, _j_@x.org, https://example.com/~ada/_b_?c=d_#e~f, www.example.com; x~y~z</p>
       <p><a href="mailto:j_s@x.com">j_s@x.com</a> *http://a.b/*</p>`,
      String.raw`john.smith@example.com, _j_@x.org, https://example.com/~ada/_b_?c=d_#e~f, www.example.com; x\~y\~z` +
        "\n\n" +
        String.raw`[j_s@x.com](mailto:j_s@x.com) \*http://a.b/*`
    )
  )

  it.effect("has emphasis inside of words, and no marks where they would be characters", () =>
    expectMarkdown(
      `<p>un<i>believ</i>able f<b>oo</b>d <i>a</i><b>b</b><i>c</i> x<b><i>y</i></b>z, <i><b>p</b> q</i>r,
       j<b>ane.d</b>oe<i>@split</i>mail.com</p><p>これは<b>「強調」</b>です <b>強</b>い</p>`,
      "un*believ*able f**oo**d _a_**b**_c_ x*y*z, **p** qr, j**ane.d**oe@splitmail.com\n\nこれは「強調」です **強**い"
    )
  )

  it.effect("makes paragraphs of lines with empty lines between them", () =>
    expectMarkdown("<p>one<br>two<br><br>three</p>", "one  \ntwo\n\nthree")
  )

  it.effect("keeps every cell of a table with spans and blocks, each once, in its column", () =>
    expectMarkdown(
      "<table><caption>Cap</caption><tr><th>A<th>B<th>C</tr><tr><td rowspan=2>1<td colspan=2>2|3<ul><li>a<li>b</ul></tr><tr><td>p<td>q</table>",
      'Cap\n\n<table>\n<thead>\n<tr><th>A</th><th>B</th><th>C</th></tr>\n</thead>\n<tbody>\n<tr><td rowspan="2">1</td><td colspan="2">2|3<br>• a<br>• b</td></tr>\n<tr><td>p</td><td>q</td></tr>\n</tbody>\n</table>'
    )
  )

  it.effect("does not grow with the spans that a table claims", () =>
    Effect.gen(function* () {
      const row = "<tr><td colspan=1000 rowspan=60000>x</td><td>y</td></tr>"
      const text = yield* markdown(`<table>${row.repeat(2000)}</table>`)
      assert.isBelow(text?.length ?? 0, 2 * 2000 * row.length)
    })
  )

  it.effect("does not fill up the rows of a table that is one long row and many short ones", () =>
    Effect.gen(function* () {
      const source = (rows: number) =>
        `<table><tr>${"<th>a".repeat(rows)}</tr>${"<tr><td>b</td><td>c</td></tr>".repeat(rows)}</table>`
      const text = yield* markdown(source(1000))
      assert.isBelow(text?.length ?? 0, 2 * source(1000).length)
      assert.match(text ?? "", /^(?:\| a ){1000}\|\n(?:\| --- ){1000}\|\n(?:\| b \| c \|\n?){1000}$/)
      yield* expectMarkdown(
        "<table><tr><th>a<th>b<th>c<tr><td>1</table>",
        "| a | b | c |\n| --- | --- | --- |\n| 1 |  |  |"
      )
    })
  )

  it.effect("grows with the page, not with its square or with the depth of its tags", () =>
    Effect.gen(function* () {
      const text = yield* markdown(`<p>${"<b>".repeat(500)}${"deep ".repeat(20_000)}`)
      assert.isBelow(text?.length ?? 0, 110_000)
      const marks = yield* markdown(`<p>x${"<b><i>".repeat(250)}y${"</i></b>".repeat(250)}z`)
      assert.match(marks ?? "", /^x[*_]*y[*_]*z$/)
      const links = yield* markdown(`<p>a ${"<a></a><code></code> ".repeat(20_000)}b`)
      assert.match(links ?? "", /^a .*b$/s)
    })
  )

  it.effect("keeps the boxes of a list of tasks", () =>
    expectMarkdown(
      "<ul><li><input type=checkbox checked>done<li><input type=checkbox><p><b>open</b> yet</ul>",
      "- [x] done\n\n- [ ] **open** yet"
    )
  )

  it.effect("takes a table that only places things as its contents", () =>
    expectMarkdown(
      "<table><tr><td><h2>Left</h2><p>text</p></td><td><table><tr><td>inner</td></tr></table></td></tr></table>",
      "## Left\n\ntext\n\ninner"
    )
  )

  it.effect("keeps raised and lowered numbers apart, and formulas as TeX", () =>
    expectMarkdown(
      `<p>10<sup>9</sup> 10<sup>−6</sup> H<sub>2</sub>O Na<sup>+</sup> x<sup><i>n</i></sup> x<sub>half</sub> 4<sup>th</sup> T<sup>®</sup>
       a<sup>[2]</sup> b<sup>1,2</sup> c<sup><a href="#n">3</a></sup> <math alttext="x^2_i"><mi>x</mi></math></p>`,
      "10⁹ 10⁻⁶ H₂O Na⁺ x*ⁿ* x<sub>half</sub> 4th T® a[2] b<sup>1,2</sup> c[³](#n) $x^2_i$"
    )
  )

  it.effect("keeps the alternative text of an image without its base64 data", () =>
    Effect.gen(function* () {
      const page = '<p><img src="data:image/png;base64,AAAA" alt="a pic"> end</p>'
      const removed = yield* parse(page)
      assert.strictEqual(removed.markdown?.trim(), "![a pic](<Base64-Image-Removed>) end")
      assert.strictEqual(removed.html, '<html><body><p><img alt="a pic"> end</p></body></html>')
      const kept = yield* markdown(page, { removeBase64Images: false })
      assert.strictEqual(kept, "![a pic](data:image/png;base64,AAAA) end")
    })
  )

  it.effect("leaves out what a reader does not see", () =>
    expectMarkdown(
      `<p>seen</p><p hidden>1</p><p style="color:red; display: none">2</p><template>3</template><noscript>4</noscript>
       <script>5</script><style>6</style><svg><title>7</title></svg><dialog>8</dialog><!-- 9 -->`,
      "seen"
    )
  )
})

describe("main content", () => {
  const page = `<header><h2>Site</h2></header><nav>Menu</nav><div class="sidebar">Side</div><main><article><header><h1>Title</h1></header>
    <p>Body</p><footer>Author</footer></article></main><div id="cookie-banner">Cookies?</div><footer>Imprint</footer>`

  it.effect("is what is left without header, navigation, footer, sidebar and banner", () =>
    expectMarkdown(page, "# Title\n\nBody\n\nAuthor")
  )

  it.effect("is the whole page, advertising left out, when it is not asked for", () =>
    expectMarkdown(page, "## Site\n\nMenu\n\nSide\n\n# Title\n\nBody\n\nAuthor\n\nImprint", { onlyMainContent: false })
  )

  it.effect("keeps advertising when nothing is to be blocked", () =>
    Effect.gen(function* () {
      assert.include(yield* markdown(page, { onlyMainContent: false, blockAds: false }), "Cookies?")
    })
  )

  it.effect("is never nothing: a page of navigation alone stays", () =>
    expectMarkdown(`<nav><p>${"only navigation ".repeat(40)}</p></nav>`, "only navigation ".repeat(40).trim())
  )

  it.effect("is exactly the chosen tags, without the excluded ones", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* markdown(page, { includeTags: ["nav", "h1"] }), "Menu\n\n# Title")
      assert.strictEqual(yield* markdown(page, { excludeTags: ["article > footer", "*titl*"] }), "# Title\n\nBody")
      assert.strictEqual(yield* markdown(page, { includeTags: [".absent"] }), "")
    })
  )
})

describe("addresses", () => {
  it.effect("are absolute where the page names its base, and never run code", () =>
    Effect.gen(function* () {
      const page = `<head><base href="https://example.com/a/"></head><p><a href="b?x=1&amp;y=2">one</a> <a href="java
script:alert(1)">two</a> <a href="/c">three</a> <a href="b?x=1&amp;y=2">again</a> <a href="#d">four</a>
        <img alt=i src="s.png" srcset="s.png 1x, l.png 2x"></p>`
      const result = yield* parse(page)
      assert.deepStrictEqual(result.links, ["https://example.com/a/b?x=1&y=2", "https://example.com/c"])
      assert.deepStrictEqual(result.images, ["https://example.com/a/l.png"])
      assert.notInclude(result.html, "script")
      assert.include(result.markdown, "[one](https://example.com/a/b?x=1&y=2) two [three](https://example.com/c)")
      assert.include(result.markdown, "[four](#d)")
    })
  )

  it.effect("stay as written in Markdown where the base is unknown, and are no links", () =>
    Effect.gen(function* () {
      const result = yield* parse('<a href="b c(1).html">x</a> <a href="mailto:a@b.c">m</a>')
      assert.strictEqual(result.markdown?.trim(), "[x](b%20c%281%29.html) [m](mailto:a@b.c)")
      assert.deepStrictEqual(result.links, ["mailto:a@b.c"])
    })
  )
})

describe("encodings", () => {
  const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
  const cases: ReadonlyArray<readonly [string, Uint8Array]> = [
    ["a byte order mark of UTF-16", new Uint8Array(Buffer.from("\ufeff<p>naïve €</p>", "utf16le"))],
    ["UTF-16 without a mark", new Uint8Array(Buffer.from("<p>naïve €</p>", "utf16le"))],
    ["a meta element", latin('<meta charset="windows-1252"><p>na\u00efve \u0080</p>')],
    ["an XML declaration", latin('<?xml version="1.0" encoding="windows-1252"?><p>na\u00efve \u0080</p>')],
    ["no statement, in windows-1252", latin("<p>na\u00efve \u0080</p>")],
    ["no statement, in UTF-8", new TextEncoder().encode("<p>naïve €</p>")]
  ]
  for (const [name, bytes] of cases) {
    it.effect(`are read by ${name}`, () => expectMarkdown(bytes, "naïve €"))
  }
})

describe("metadata", () => {
  it.effect("names what the head says, repeated keys as arrays", () =>
    Effect.gen(function* () {
      const { properties } = yield* parse(
        `<html lang="de"><head><title> A &amp;
          B </title><meta name="Description" content="d"><meta property="og:locale:alternate" content="fr_FR">
          <meta property="article:tag" content="x"><meta property="article:tag" content="y"></head>`
      )
      assert.deepInclude(properties, {
        title: "A & B",
        language: "de",
        description: "d",
        ogLocaleAlternate: ["fr_FR"],
        articleTag: ["x", "y"]
      })
    })
  )
})

describe("sources", () => {
  it.effect("of XML may have empty elements that HTML would leave open", () =>
    expectMarkdown(
      '<?xml version="1.0"?><html><head><title/></head><body><div id="x"/><p>a<b/>b</p></body></html>',
      "ab",
      {
        extension: "xhtml"
      }
    )
  )

  it("lose the tags that nest too deeply, never their text", () => {
    const source = `${"<div>".repeat(600)}text${"</div>".repeat(600)}`
    assert.strictEqual(TagScan.bound(source, false), `${"<div>".repeat(512)}text${"</div>".repeat(512)}`)
    const flat = '<p title="a>b">x<br>'.repeat(2000)
    assert.strictEqual(TagScan.bound(flat, false), flat)
  })

  it.effect("may nest elements of any kind", () =>
    Effect.gen(function* () {
      for (const tag of ["div", "b", "ul", "blockquote", "table", "a", "section", "span"]) {
        const text = yield* markdown(`<${tag}>`.repeat(5000) + "<li>deep")
        assert.include(text, "deep")
      }
    })
  )
})
