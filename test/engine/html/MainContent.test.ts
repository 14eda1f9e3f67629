import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fromParse5 } from "hast-util-from-parse5"
import * as Parse5 from "parse5"
import * as TreeMembers from "../../../src/engine/html/TreeMembers.ts"
import { treeOptions } from "../documents.ts"
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

/** A page whose head says that it is one article. */
const article = (body: string, head = "") =>
  `<html><head><title>The title of the page - Acme</title><meta property="og:type" content="article">${head}</head><body>${body}</body></html>`

const dated = `<meta property="article:published_time" content="2024-05-01">`

const teasers = Array.from(
  { length: 6 },
  (_, at) => `<li class="card"><h3><a href="/t${at}">Another headline ${at}</a></h3><div>${text}</div></li>`
).join("")

const comment = (name: string) => `<li class="css-9"><b>${name}</b><div><p>${text} Says ${name}.</p></div></li>`

describe("an article", () => {
  splits(
    "has no labels, bylines, tags, notes on its author or teasers around it, though they have more text",
    article(`<div class="top"><div class="a1"><a href="/">Front page</a></div></div>
      <div class="x1"><div class="x2"><a href="/world">World news</a><h1>The title of the page</h1><div class="post-meta">By A. Writer, May 1st</div>
      <div class="x3"><p>${text}</p><p>${text}</p><p>A short end.</p></div><ul class="tags"><li><a href="/t">Rivers</a></li></ul>
      <div class="author-bio"><p>${text.slice(0, 90)} Biography.</p></div></div></div><div class="x9"><h5>From the desk</h5><ul>${teasers}</ul></div>`),
    ["# The title of the page", text, "A short end."],
    ["Front page", "World news", "A. Writer", "Rivers", "Biography", "From the desk", "Another headline"]
  )

  splits(
    "has no comments and categories below it when it is short, and no head that says so",
    `<body><article><h1>Title</h1><p>${text.slice(0, 130)}</p></article><div class="cat-links">Filed under <a href="/c">Bridges</a></div>
     <div id="comments"><h2>2 thoughts</h2><ol>${comment("Ann")}${comment("Ben")}</ol><form><textarea></textarea></form></div></body>`,
    ["# Title", text.slice(0, 130)],
    ["Bridges", "2 thoughts", "Says Ann", "Says Ben"]
  )

  splits(
    "has no line in it that leads to another one, and no list of links below a heading for such",
    article(`<article><h1>The title of the page</h1><div><p>${text}</p><p>READ MORE: <a href="/a">A flood in another valley</a></p>
      <p>${text}</p><h3>Related</h3><ul><li><a href="/b">Second flood</a></li><li><a href="/c">Third flood</a></li></ul>
      <h3>Sources</h3><ul><li><a href="/d">Report of the committee</a></li></ul><p>${text}</p><p>Related <span class="tags">words</span> stay in a sentence.</p></div></article>`),
    [text, "Sources", "Report of the committee", "Related words stay"],
    ["another valley", "Second flood", "Third flood"]
  )

  splits(
    "that is dated has photographs without their captions, and numbered figures with them",
    article(
      `<article><h1>The title of the page</h1><div><p>${text}</p><figure><img src="/1.png" alt="A bridge"><figcaption>The bridge in May. Photo: Acme</figcaption></figure>
       <p>${text}</p><figure><img src="/2.png" alt="Levels"><figcaption>Figure 2. Levels of water</figcaption></figure><p>${text}</p></div></article>`,
      dated
    ),
    ["A bridge", "Figure 2. Levels of water"],
    ["Photo: Acme"]
  )

  splits(
    "keeps captions where it has no date",
    article(
      `<article><h1>The title of the page</h1><div><p>${text}</p><figure><img src="/1.png"><figcaption>Parts of a lock</figcaption></figure><p>${text}</p></div></article>`
    ),
    ["Parts of a lock"],
    []
  )

  splits(
    "keeps its standfirst, other than one that the metadata has as the description",
    article(
      `<article><header><h1>The title of the page</h1><h2>The council votes on the old bridge this week.</h2><p>The old bridge closes for the whole of the summer.</p><p>A second standfirst that is nowhere else, with some words.</p></header>
       <div><p>${text}</p><p>${text}</p></div></article>`,
      `<meta name="description" content="The council votes on the old bridge this week. The old bridge closes for the whole of the summer.">`
    ),
    ["A second standfirst"],
    ["The council votes", "closes for the whole"]
  )

  splits(
    "keeps all its parts where they are side by side",
    article(`<div class="row"><div class="col"><h1>The title of the page</h1><p>${text} First.</p><p>${text}</p></div></div>
      <div class="row"><div class="col"><p>${text} Second.</p></div></div><div class="row"><div class="col"><p>${text} Third.</p></div></div>`),
    ["First.", "Second.", "Third."],
    []
  )

  splits(
    "keeps what has names of parts beside it when that is most of its text",
    article(
      `<article><h1>The title of the page</h1>${["a", "b", "c"].map((name) => `<div class="latest"><p>${text} ${name}.</p></div>`).join("")}</article>`
    ),
    ["a.", "b.", "c."],
    []
  )

  splits(
    "keeps lists, tables and code behind its text",
    article(`<article><h1>The title of the page</h1><div><p>${text}</p><p>${text}</p></div>
      <div><h2>You need</h2><ul>${Array.from({ length: 12 }, (_, at) => `<li>${at} ripe plums</li>`).join("")}</ul></div>
      <div><h2>Data</h2><table><tr><th>Year</th></tr><tr><td>1987</td></tr></table></div><div><pre>make all</pre></div></article>`),
    ["11 ripe plums", "1987", "make all"],
    []
  )
})

describe("pages that are no article in sentences", () => {
  splits(
    "keep all of a manual, with sections named as furniture is",
    article(`<div role="main"><h1>The title of the page</h1><section id="comments"><h2>Comments</h2><p>${text} Lines.</p></section>
      <section id="set-cookie-options"><h2>Set-Cookie options</h2><p>${text} Flags.</p><dl><dt>next</dt><dd class="next">to go on</dd></dl></section>
      <section id="see-also"><h2>See also</h2><ul><li><a href="/g">guide</a></li></ul></section><section><h2>Files</h2><pre>/etc/x</pre></section></div>`),
    ["Lines.", "Flags.", "to go on", "guide", "/etc/x"],
    []
  )

  splits(
    "keep the answers of a thread",
    `<html><head><script type="application/ld+json">{"@type": "DiscussionForumPosting", "datePublished": "2024-05-01"}</script></head><body><article><h1>Question</h1>
     <p>${text}</p></article><div class="comments"><div class="comment"><p>${text} First answer.</p></div><div class="comment"><p>${text} Second answer.</p></div></div></body></html>`,
    ["First answer.", "Second answer."],
    []
  )

  splits(
    "keep tables without a sentence",
    article(`<h1>The title of the page</h1><table><tr><th>Team</th><th>Points</th></tr>${Array.from({ length: 20 }, (_, at) => `<tr><td>Team ${at}</td><td>${at}</td></tr>`).join("")}</table>
      <table><tr><th>Next</th></tr><tr><td>Sunday</td></tr></table>`),
    ["Team 19", "Sunday"],
    []
  )

  splits(
    "keep the entries of an index",
    `<body><h1>All posts</h1>${[1, 2, 3].map((at) => `<article><h2><a href="/p${at}">Post ${at}</a></h2><p>${text} Teaser ${at}.</p></article>`).join("")}</body>`,
    ["Post 1", "Teaser 3."],
    []
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

describe("documents that are no web pages", () => {
  it.effect("keep the lists of links before their title", () =>
    Effect.sync(() => {
      const tree = fromParse5(Parse5.parse(`<div>${list}</div><h1>Title</h1><p>${text}</p><p>${text}</p>`))
      const members = tree.type === "root" ? TreeMembers.of(tree, { ...treeOptions, members: ["html"] }) : {}
      assert.include(members.html, "First entry")
    })
  )
})
