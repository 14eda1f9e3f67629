/**
 * Pages with known main text, in the manner of many kinds of sites. `data-t` marks elements of the main text, `data-f` furniture inside them; both
 * marks are removed before a page is given to an extractor.
 */
import { make, type Prose } from "./prose.ts"

/** How a site names its elements: by purpose, with prefixes, by hashes, or by the look. */
const namings = ["plain", "prefixed", "hashed", "utility"] as const

interface Site extends Prose {
  /** An element of a purpose: its tag, or a `div`, with the site's kind of class name. */
  readonly el: (purpose: string, content: string, attributes?: string) => string
  readonly ps: (count: number, attributes?: string) => string
  readonly links: (count: number) => string
  readonly list: (count: number) => string
}

const synonyms: Readonly<Record<string, ReadonlyArray<string>>> = {
  header: ["site-header", "page-header", "masthead", "header", "top-bar", "globalHeader"],
  nav: ["main-nav", "navbar", "site-navigation", "menu", "nav-primary", "topmenu", "primary-menu"],
  footer: ["site-footer", "footer", "page-footer", "colophon", "footer-bottom", "siteFooter"],
  aside: ["sidebar", "side-column", "widget-area", "rail", "secondary", "right-rail"],
  toc: ["toc", "table-of-contents", "on-this-page", "page-toc"],
  breadcrumb: ["breadcrumb", "breadcrumbs", "crumbs", "path", "you-are-here"],
  related: ["related-posts", "related", "more-stories", "recommended", "you-may-also-like", "read-next"],
  share: ["share-bar", "social-share", "share-buttons", "sharing", "social-links"],
  newsletter: ["newsletter", "newsletter-box", "signup-box", "subscribe", "email-signup"],
  cookie: ["cookie-banner", "cookie-notice", "consent-banner", "gdpr-notice", "cookieBar"],
  ad: ["ad-slot", "advertisement", "ad-container", "adsbygoogle", "sponsored"],
  comments: ["comments", "comment-list", "comments-area", "disqus_thread", "discussion"],
  pager: ["pager", "pagination", "prev-next", "post-navigation", "page-links"],
  main: ["main", "content", "content-area", "page-body", "primary"],
  article: ["post", "entry", "article", "story", "article-body"]
}

const tags: Readonly<Record<string, string>> = {
  header: "header",
  nav: "nav",
  footer: "footer",
  aside: "aside",
  main: "main",
  article: "article"
}

const site = (seed: number): Site => {
  const prose = make(seed)
  const naming = prose.pick(namings)
  const semantic = prose.next() < 0.5
  const hash = (): string => Math.floor(prose.next() * 2_000_000_000).toString(36)
  const nameOf = (purpose: string): string => {
    const own = prose.pick(synonyms[purpose] ?? [purpose])
    switch (naming) {
      case "plain":
        return own
      case "prefixed":
        return `${prose.pick(["c-", "td-", "wp-block-", "m-", "app__"])}${own}${prose.pick(["", "-wrapper", "__inner", " js-hook"])}`
      case "hashed":
        return `css-${hash()} ${prose.pick(["sc-", "_"])}${hash()}`
      default:
        return prose.pick(["flex px-4 py-2 text-sm", "grid gap-4 mt-8", "max-w-3xl mx-auto", "w-full border-t py-6"])
    }
  }
  const el = (purpose: string, content: string, attributes = ""): string => {
    const tag = semantic ? (tags[purpose] ?? "div") : "div"
    return `<${tag} class="${nameOf(purpose)}"${attributes === "" ? "" : ` ${attributes}`}>${content}</${tag}>\n`
  }
  const links = (count: number): string =>
    Array.from({ length: count }, () => `<a href="/${hash()}">${prose.word()} ${prose.word().toLowerCase()}</a>`).join(
      prose.pick([" ", " | ", " · "])
    )
  return {
    ...prose,
    el,
    links,
    list: (count) => `<ul>${Array.from({ length: count }, () => `<li>${links(1)}</li>`).join("")}</ul>`,
    ps: (count, attributes = "") =>
      Array.from({ length: count }, () => `<p ${attributes}>${prose.paragraph()}</p>\n`).join("")
  }
}

const top = (s: Site): string =>
  s.el("header", `<a href="/">${s.word()} ${s.word()}</a> ${s.el("nav", s.list(s.int(4, 9)))}`)

const bottom = (s: Site): string =>
  s.el(
    "footer",
    `${s.list(s.int(3, 8))}<p>© 2024 ${s.word()} ${s.word()}. All rights reserved. <a href="/privacy">Privacy policy</a></p>`
  )

const share = (s: Site): string =>
  s.el(
    "share",
    `<a href="#">Share on Facebook</a> <a href="#">Tweet</a> <a href="#">Email</a> <a href="#">Print</a>`,
    "data-f"
  )

const newsletter = (s: Site): string =>
  s.el(
    "newsletter",
    `<h3>Never miss a story</h3><p>Get our best stories in your inbox every week.</p><form><input type="email"><button>Sign up</button></form>`,
    "data-f"
  )

const cookies = (s: Site): string =>
  s.el(
    "cookie",
    `<p>We use cookies to improve your experience. By continuing you accept our cookie policy.</p><button>Accept all</button><button>Settings</button>`
  )

const related = (s: Site): string =>
  s.el(
    "related",
    `<h3>${s.pick(["Related stories", "You may also like", "More from this section", "Read next"])}</h3>${Array.from({ length: s.int(3, 6) }, () => `<div><a href="/x"><img src="/t.jpg" alt=""></a><h4><a href="/x">${s.title()}</a></h4></div>`).join("")}`,
    "data-f"
  )

const comments = (s: Site): string =>
  s.el(
    "comments",
    `<h3>${s.int(2, 9)} comments</h3>${Array.from({ length: s.int(2, 5) }, () => `<div><b>${s.word()}</b> <time>2 days ago</time><p>${s.sentence()}</p><a href="#">Reply</a></div>`).join("")}<form><textarea></textarea><button>Post comment</button></form>`,
    "data-f"
  )

const ad = (s: Site): string =>
  s.el("ad", `<span>Advertisement</span><a href="/ad"><img src="/ad.gif" alt="Buy now"></a>`, "data-f")

const aside = (s: Site): string =>
  s.el(
    "aside",
    `<h3>Most read</h3><ol>${Array.from({ length: 5 }, () => `<li><a href="/x">${s.title()}</a></li>`).join("")}</ol><h3>Topics</h3>${s.list(6)}`
  )

const code = (s: Site): string =>
  `<pre data-t><code class="language-python">def ${s.word().toLowerCase()}(x):\n    return x + ${s.int(1, 99)}\n</code></pre>`

const sections = (s: Site, count: number): string =>
  Array.from({ length: count }, () => `<h2 data-t>${s.title()}</h2>${s.ps(s.int(1, 3), "data-t")}`).join("")

const byline = (s: Site): string => `<p data-t>By ${s.word()} ${s.word()}, ${s.int(1, 28)} March 2024</p>`

type Template = (s: Site) => string

export const templates: Readonly<Record<string, Template>> = {
  news: (s) =>
    top(s) +
    cookies(s) +
    s.el(
      "main",
      s.el(
        "article",
        `<h1 data-t>${s.title()}</h1>${byline(s)}${share(s)}${s.ps(3, "data-t")}${ad(s)}${s.ps(4, "data-t")}${share(s)}`
      ) +
        related(s) +
        comments(s)
    ) +
    aside(s) +
    bottom(s),
  blog: (s) =>
    top(s) +
    s.el(
      "main",
      s.el("article", `<h1 data-t>${s.title()}</h1>${byline(s)}${sections(s, 4)}`) +
        s.el("pager", `<a href="/a">← ${s.title()}</a> <a href="/b">${s.title()} →</a>`) +
        newsletter(s) +
        comments(s)
    ) +
    aside(s) +
    bottom(s),
  docs: (s) =>
    top(s) +
    s.el("aside", s.list(s.int(20, 60))) +
    s.el(
      "main",
      s.el("breadcrumb", s.links(3)) +
        `<h1 data-t>${s.title()}</h1>${sections(s, 2)}${code(s)}${sections(s, 2)}` +
        s.el("pager", `<a href="/p">Previous</a> <a href="/n">Next: ${s.title()}</a>`)
    ) +
    s.el("toc", `<h4>On this page</h4>${s.list(6)}`) +
    bottom(s),
  forum: (s) =>
    top(s) +
    s.el("breadcrumb", s.links(3)) +
    `<h1 data-t>${s.title()}</h1>` +
    Array.from({ length: s.int(4, 8) }, () =>
      s.el(
        "reply",
        `<div data-f><a href="/u">${s.word()}</a> <a href="#">Report</a> <a href="#">Quote</a></div><p data-t>${s.paragraph(2)}</p>`
      )
    ).join("") +
    bottom(s),
  product: (s) =>
    top(s) +
    s.el("breadcrumb", s.links(4)) +
    s.el(
      "main",
      `<h1 data-t>${s.title()}</h1><p data-t>€ ${s.int(5, 99)}.90</p><p data-t>${s.paragraph(3)}</p><h2 data-t>Specification</h2><table data-t><tr><th>Weight<td>${s.int(1, 9)} kg<tr><th>Width<td>${s.int(20, 90)} cm<tr><th>Colour<td>green</table><h2 data-t>Description</h2>${s.ps(2, "data-t")}`
    ) +
    s.el("related", `<h2>Customers also bought</h2>${s.list(8)}`) +
    newsletter(s) +
    bottom(s),
  recipe: (s) =>
    top(s) +
    s.el(
      "main",
      s.el(
        "article",
        `<h1 data-t>${s.title()}</h1>${share(s)}${s.ps(2, "data-t")}${ad(s)}<h2 data-t>Ingredients</h2><ul data-t>${Array.from({ length: 8 }, () => `<li>${s.int(2, 400)} g ${s.word().toLowerCase()}</li>`).join("")}</ul><h2 data-t>Method</h2><ol data-t>${Array.from({ length: 6 }, () => `<li>${s.sentence()}</li>`).join("")}</ol>`
      ) +
        newsletter(s) +
        related(s)
    ) +
    bottom(s) +
    cookies(s),
  question: (s) =>
    top(s) +
    s.el("aside", s.list(6)) +
    s.el(
      "main",
      `<h1 data-t>${s.title()}?</h1><div data-t>${s.ps(2)}<pre><code>SELECT ${s.int(1, 99)};</code></pre></div><h2 data-t>${s.int(2, 4)} Answers</h2>${Array.from({ length: 3 }, () => s.el("answer", `<div data-t>${s.ps(2)}</div><div data-f><a href="#">Share</a> <a href="#">Improve this answer</a> <a href="#">Follow</a></div>`)).join("")}`
    ) +
    s.el("related", `<h4>Hot network questions</h4>${s.list(15)}`) +
    bottom(s),
  wiki: (s) =>
    s.el("nav", s.list(20)) +
    s.el(
      "main",
      `<h1 data-t>${s.title()}</h1><div data-t>${s.ps(2)}<table><caption>${s.word()}</caption><tr><th>Born<td>${s.int(1800, 1990)}<tr><th>Known for<td>${s.word()}</table></div>` +
        s.el("toc", `<h2>Contents</h2>${s.list(6)}`, "data-f") +
        Array.from(
          { length: 5 },
          () => `<h2 data-t>${s.title()}<span data-f>[<a href="/e">edit</a>]</span></h2>${s.ps(2, "data-t")}`
        ).join("") +
        `<h2 data-t>References</h2><ol data-t>${Array.from({ length: 6 }, () => `<li>${s.sentence()} <a href="http://x.test">${s.title()}</a></li>`).join("")}</ol>`
    ) +
    bottom(s),
  notice: (s) =>
    top(s) +
    s.el("breadcrumb", s.links(3)) +
    `<div><h1 data-t>${s.title()}</h1>${s.ps(5, "data-t")}<p data-t>Applications: ${s.int(1, 28)} May, office ${s.int(100, 400)}, <a href="mailto:a@b.test">a@b.test</a></p><p>Was this page helpful? <a href="#">Yes</a> <a href="#">No</a></p></div>`.replace(
      "<p>Was",
      "<p data-f>Was"
    ) +
    bottom(s),
  landing: (s) =>
    top(s) +
    `<section data-t><h1>${s.title()}</h1><p>${s.sentence()}</p><a href="/go">Get started</a></section>${Array.from({ length: 6 }, () => `<section data-t><h2>${s.title()}</h2><p>${s.paragraph(2)}</p><a href="/m">Learn more</a></section>`).join("")}` +
    newsletter(s) +
    bottom(s) +
    cookies(s),
  changelog: (s) =>
    top(s) +
    s.el(
      "main",
      `<h1 data-t>Changelog</h1>${Array.from({ length: 8 }, (_, at) => `<h2 data-t>${9 - at}.${s.int(0, 9)}.0</h2><ul data-t>${Array.from({ length: 4 }, () => `<li>${s.sentence()} (<a href="/i">#${s.int(100, 999)}</a>)</li>`).join("")}</ul>`).join("")}`
    ) +
    bottom(s),
  reference: (s) =>
    s.el("aside", s.list(s.int(40, 120))) +
    s.el(
      "main",
      `<h1 data-t>${s.word()}</h1><p data-t>${s.sentence()}</p>${Array.from({ length: 8 }, () => `<h3 data-t>${s.word().toLowerCase()}(value, options)</h3><p data-t>${s.sentence()}</p><dl data-t><dt>value<dd>${s.sentence()}<dt>options<dd>${s.sentence()}</dl>`).join("")}`
    ) +
    bottom(s),
  listing: (s) =>
    top(s) +
    s.el(
      "main",
      `<h1 data-t>${s.title()}</h1>${Array.from({ length: 12 }, () => `<div data-t><h2><a href="/i">${s.title()}</a></h2><p>${s.sentence()}</p></div>`).join("")}` +
        s.el("pager", `<a href="?1">1</a> <a href="?2">2</a> <a href="?3">3</a> <a href="?2">Next page</a>`, "data-f")
    ) +
    aside(s) +
    bottom(s),
  index: (s) =>
    top(s) +
    `<h1 data-t>${s.title()}</h1><p data-t>${s.sentence()}</p><ul data-t>${Array.from({ length: 60 }, () => `<li><a href="/i">${s.title()}</a></li>`).join("")}</ul>` +
    bottom(s),
  tables2003: (s) =>
    `<table width="100%"><tr><td colspan="3"><img src="logo.gif" alt=""> <a href="/">Home</a> | ${s.links(5)}</td></tr><tr><td width="150" valign="top" bgcolor="#eeeeee">${Array.from({ length: 14 }, () => `${s.links(1)}<br>`).join("")}</td><td valign="top"><font size="5" data-t><b>${s.title()}</b></font><p data-t>${s.paragraph()}<br><br>${s.paragraph()}</p><p data-t>${s.paragraph()}</p>${s.ps(4, "data-t")}</td><td width="120">${Array.from({ length: 5 }, () => `<a href="/ad"><img src="b.gif" alt="Sponsor"></a><br>`).join("")}</td></tr><tr><td colspan="3" align="center"><font size="1">Copyright 2003 ${s.word()}. ${s.links(3)}</font></td></tr></table>`,
  plain: (s) => `<h1 data-t>${s.title()}</h1>${s.ps(6, "data-t")}`,
  articles: (s) =>
    top(s) +
    s.el(
      "main",
      Array.from(
        { length: 5 },
        () => `<article data-t><h2>${s.title()}</h2><p>${s.paragraph()}</p><p>${s.paragraph()}</p></article>`
      ).join("")
    ) +
    aside(s) +
    bottom(s),
  shell: (s) =>
    `<div id="root"></div><noscript data-t>You need to enable JavaScript to run ${s.word()} ${s.word()}.</noscript><script>window.__x={}</script>`,
  faq: (s) =>
    top(s) +
    s.el(
      "main",
      `<h1 data-t>${s.title()}</h1>${Array.from({ length: 9 }, () => `<details data-t><summary>${s.title()}?</summary><p>${s.paragraph(2)}</p></details>`).join("")}`
    ) +
    newsletter(s) +
    bottom(s),
  profile: (s) =>
    top(s) +
    `<h1 data-t>${s.word()} ${s.word()}</h1><p data-t>${s.sentence()}</p><h2 data-t>Publications</h2><ul data-t>${Array.from({ length: 14 }, () => `<li>${s.sentence()} <a href="/p">PDF</a></li>`).join("")}</ul>` +
    s.el("aside", `<h3>Contact</h3><p>${s.word()} street ${s.int(1, 99)}</p>${s.list(4)}`) +
    bottom(s),
  law: (s) =>
    top(s) +
    s.el("aside", s.list(30)) +
    `<div><h1 data-t>${s.title()}</h1>${Array.from({ length: 10 }, (_, at) => `<h3 data-t>§ ${at + 1}</h3><p data-t>${s.paragraph()}</p>`).join("")}</div>` +
    s.el(
      "pager",
      `<a href="/p">previous chapter</a> <a href="/t">table of contents</a> <a href="/n">next chapter</a>`
    ) +
    bottom(s),
  notes: (s) =>
    top(s) +
    s.el(
      "main",
      s.el(
        "article",
        `<h1 data-t>${s.title()}</h1>${s.ps(2, "data-t")}<aside class="note" data-t><p>Note: ${s.paragraph(2)}</p></aside>${sections(s, 3)}<aside class="callout" data-t><p>${s.paragraph(2)}</p></aside>${s.ps(1, "data-t")}<footer data-t><p>${s.sentence()}</p></footer>`
      )
    ) +
    bottom(s),
  event: (s) =>
    cookies(s) +
    top(s) +
    `<div><div data-t><h1>${s.title()}</h1><p>Date: ${s.int(1, 28)} June 2024, ${s.int(10, 20)}:00</p><p>Place: ${s.word()} hall</p>${s.ps(3)}</div>${share(s)}</div>` +
    related(s) +
    bottom(s),
  story: (s) =>
    top(s) +
    `<div><div><div><h2 data-t>${s.title()}</h2>${s.ps(2, "data-t")}<figure data-t><img src="/p.jpg" alt=""><figcaption>${s.sentence()}</figcaption></figure>${s.ps(2, "data-t")}<blockquote data-t>${s.sentence()}</blockquote>${related(s)}${s.ps(3, "data-t")}${newsletter(s)}${s.ps(2, "data-t")}</div></div>${aside(s)}</div>` +
    bottom(s)
}

/** Templates that rules and thresholds were chosen on; the others judge. */
export const learned: ReadonlySet<string> = new Set([
  "news",
  "docs",
  "forum",
  "recipe",
  "wiki",
  "landing",
  "reference",
  "tables2003",
  "plain",
  "shell",
  "law",
  "event"
])

export interface Page {
  readonly template: string
  /** With its marks. */
  readonly marked: string
  /** As an extractor gets it. */
  readonly html: string
}

/** The page of a template and a seed. */
export const page = (template: string, seed: number): Page => {
  const own = templates[template]
  if (own === undefined) throw new Error(`no template ${template}`)
  const s = site(seed)
  const title = s.title()
  const marked = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${own(s)}</body></html>`
  return { template, marked, html: marked.replaceAll(/ data-[tf](?=[ >])/g, "") }
}
