import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { markdown } from "./page.ts"

const text = "A sentence of running text that is long enough to be the content of a page, and another clause. "
  .repeat(4)
  .trim()

const list =
  "<ul><li><a href='/a'>First entry</a></li><li><a href='/b'>Second entry</a></li><li><a href='/c'>Third</a></li></ul>"

/** The pages keep `kept`, and have nothing of `dropped`. */
const splits = (title: string, page: string, kept: ReadonlyArray<string>, dropped: ReadonlyArray<string>) =>
  it.effect(title, () =>
    Effect.gen(function* () {
      const found = yield* markdown(page)
      for (const part of kept) assert.include(found, part)
      for (const part of dropped) assert.notInclude(found, part)
    })
  )

describe("main content without names or tags that say so", () => {
  splits(
    "has no lists of links before the title and after the text",
    `<div class="css-1"><a href="/">Acme</a>${list}</div><h1>Title</h1><p>${text}</p><p>${text}</p><div class="css-2">${list}</div>`,
    ["# Title", text],
    ["Acme", "First entry"]
  )

  splits(
    "keeps lists of links between its paragraphs, and sections of links that look like its other sections",
    `<h1>Title</h1><div class="s"><p>${text}</p></div><div>${list}</div><div class="s"><p>${text}</p></div><div class="s"><h2>See also</h2>${list}</div>`,
    ["# Title", "First entry", "See also"],
    []
  )

  splits(
    "has no small forms, bars that share the page or notices of copyright",
    `<h1>Title</h1><div><a href="https://www.facebook.com/sharer/x">Post it</a><a href="#">Like it</a></div><p>${text}</p>
     <div><h3>Stay in touch</h3><form><input type="email"><button>Go</button></form></div><p>${text}</p><div>© 2024 Acme. <a href="/p">Privacy</a></div>`,
    ["# Title", text],
    ["Post it", "Stay in touch", "Acme"]
  )

  splits(
    "is one cell of a table that places the parts of a page",
    `<table><tr><td colspan="2"><a href="/">Home</a> <a href="/x">Index</a></td></tr><tr><td><a href="/1">One</a><br><a href="/2">Two</a></td>
     <td><font><b>Headline</b></font><p>${text}</p><p>${text}</p></td></tr></table>`,
    ["Headline", text],
    ["Home", "One"]
  )

  splits(
    "is not judged on a page that is a list of links",
    `<h1>Packages</h1>${list}`,
    ["# Packages", "First entry", "Third"],
    []
  )

  splits(
    "has no parts with a name for furniture inside a longer one",
    `<div class="td-breadcrumb__inner"><a href="/">Start</a> <a href="/x">Section</a></div><h1>Title</h1><p>${text}</p>
     <div class="c-related-posts-wrapper"><h3>More</h3>${list}</div><p>${text}</p>`,
    ["# Title", text],
    ["Section", "First entry"]
  )
})

describe("parts of the main content", () => {
  splits(
    "are notes in asides, other than lists of links",
    `<main><h1>Title</h1><p>${text}</p><aside class="callout"><p>Mind the step.</p></aside><p>${text}</p><aside>${list}</aside></main>`,
    ["Mind the step."],
    ["First entry"]
  )

  splits(
    "are headings whose link is named as a header, and titles without a heading of the first level",
    `<div class="header"><div class="title">Class Reference</div></div><h2><a class="header" href="#a">Usage</a></h2><p>${text}</p>`,
    ["Class Reference", "Usage"],
    []
  )
})
