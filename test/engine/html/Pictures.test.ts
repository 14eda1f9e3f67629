import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expectAll, markdown } from "./page.ts"

describe("images that a script loads", () => {
  it.effect("have the address that the script would use, the largest where there are several", () =>
    expectAll([
      ['<p><img src="img/spacer.gif" data-src="a.jpg" alt="a"></p>', "![a](a.jpg)"],
      ['<p><img src="data:image/gif;base64,R0" data-lazy-src="a.jpg" alt="a"></p>', "![a](a.jpg)"],
      ['<p><img data-srcset="s.jpg 300w, l.jpg 900w" alt="a"></p>', "![a](l.jpg)"],
      ['<p><img src="a.jpg" data-image="42" alt="a"></p>', "![a](a.jpg)"]
    ])
  )

  it.effect("are replaced by their copy for readers without scripts, and stand once", () =>
    expectAll([
      [
        '<p><img src="data:image/gif;base64,R0" alt="a"><noscript><img src="a.jpg" alt="a"></noscript></p>',
        "![a](a.jpg)"
      ],
      ['<p><img data-src="a.jpg" alt="a"><noscript><img src="a.jpg" alt="a"></noscript></p>', "![a](a.jpg)"],
      ['<p>x <noscript><img src="a.jpg" alt="a">Turn on scripts</noscript></p>', "x ![a](a.jpg)"]
    ])
  )

  it.effect("in a picture come from its sources where the image has only a placeholder", () =>
    expectAll([
      [
        '<picture><source srcset="s.webp 1x, l.webp 2x"><img src="data:image/gif;base64,R0" alt="a"></picture>',
        "![a](l.webp)"
      ],
      ['<picture><source data-srcset="l.webp"><img alt="a"></picture>', "![a](l.webp)"],
      ['<picture><source srcset="x.webp"><img src="a.jpg" alt="a"></picture>', "![a](a.jpg)"]
    ])
  )

  it.effect("of one pixel count visits and are left out", () =>
    Effect.gen(function* () {
      const text = yield* markdown(
        '<p>x<img src="http://count.test/p.gif" width="1" height="1"></p><noscript><img width=1 height=1 src="http://count.test/q.gif"></noscript>'
      )
      assert.strictEqual(text, "x")
    })
  )
})

describe("lines of text", () => {
  it.effect("have no signs that lead to where they stand, or back from a note", () =>
    expectAll([
      ['<h2>Use<a class="headerlink" href="#use" title="Link to this heading">¶</a></h2>', "## Use"],
      ['<h2><a class="anchor" href="#use"><svg></svg></a>Use</h2>', "## Use"],
      ['<h2><a href="#use">Use</a></h2>', "## [Use](#use)"],
      ['<p>Note <a href="#fnref:1" role="doc-backlink">back</a> <a href="#fnref1">↩︎</a></p>', "Note"]
    ])
  )

  it.effect("have the readings of ruby in parentheses, once", () =>
    expectAll([
      ["<p><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby></p>", "漢(kan)字(ji)"],
      ["<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>", "漢(kan)"]
    ])
  )
})
