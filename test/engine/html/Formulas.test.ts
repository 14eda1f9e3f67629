import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expectAll, markdown, parse } from "./page.ts"

const math = (inner: string, attributes = ""): string => `<math${attributes}>${inner}</math>`

const annotated = (tex: string, attributes = ""): string =>
  math(`<semantics><mi>x</mi><annotation encoding="application/x-tex">${tex}</annotation></semantics>`, attributes)

describe("formulas", () => {
  it.effect("of MathML are TeX: what the page states, otherwise converted", () =>
    expectAll([
      [`<p>a ${math("<mfrac><mi>a</mi><mi>b</mi></mfrac>")} b</p>`, String.raw`a $\frac{a}{b}$ b`],
      [`<p>${annotated("x^2")}</p>`, "$x^2$"],
      [`<p>${math("<mi>x</mi>", ' alttext="x squared plus one"')}</p>`, "$x$"],
      [math("<mi>x</mi>", ' display="block"'), "$$x$$"]
    ])
  )

  it.effect("of KaTeX, MathJax and MediaWiki stand once", () =>
    expectAll([
      [
        `<p><span class="katex"><span class="katex-mathml">${annotated("x^2")}</span><span class="katex-html" aria-hidden="true">x2</span></span></p>`,
        "$x^2$"
      ],
      [
        `<span class="katex-display"><span class="katex"><span class="katex-mathml">${annotated("x^2")}</span><span class="katex-html">x2</span></span></span>`,
        "$$x^2$$"
      ],
      [
        '<p>a <span class="MathJax_Preview">x2</span><span class="MathJax" id="m">x2</span><script type="math/tex">x^2</script> b</p>',
        "a $x^2$ b"
      ],
      ['<div><script type="math/tex; mode=display">x < y</script></div>', "$$x < y$$"],
      [
        `<mjx-container display="true"><mjx-math></mjx-math><mjx-assistive-mml>${math("<mi>x</mi>")}</mjx-assistive-mml></mjx-container>`,
        "$$x$$"
      ],
      [
        String.raw`<p><span class="mwe-math-element"><span style="display: none;"><math alttext="{\displaystyle x^{2}}"><mi>x</mi></math></span><img class="mwe-math-fallback-image-inline" alt="{\displaystyle x^{2}}" src="x.svg"></span></p>`,
        "$x^{2}$"
      ],
      [String.raw`<p><img class="math" src="x.png" alt="\frac{1}{2}"></p>`, String.raw`$\frac{1}{2}$`]
    ])
  )

  it.effect("between delimiters are not escaped, and prices are no formulas", () =>
    expectAll([
      [String.raw`<p>so <span class="math inline">\(a_1 * b_2\)</span> and \(c_3\)</p>`, "so $a_1 * b_2$ and $c_3$"],
      [String.raw`<div class="math notranslate">\[x_1\]</div>`, "$$x_1$$"],
      ["<p>$$ or $$ a head, $5 to $6</p>", "$$ or $$ a head, $5 to $6"],
      [String.raw`<pre>\(x\)</pre>`, "```\n\\(x\\)\n```"]
    ])
  )

  it.effect("keep the cells of a table apart", () =>
    Effect.gen(function* () {
      const text = yield* markdown(
        `<table><tr><th>a</th><th>b</th></tr><tr><td>${annotated("|x|")}</td><td>1</td></tr></table>`
      )
      assert.include(text, String.raw`| $\vert x\vert $ | 1 |`)
    })
  )

  it.effect("of scripts stand in the HTML as MathML", () =>
    Effect.gen(function* () {
      const { html } = yield* parse('<p><script type="math/tex">x^2</script></p>')
      assert.include(
        html,
        '<math><semantics><annotation encoding="application/x-tex">x^2</annotation></semantics></math>'
      )
    })
  )
})
