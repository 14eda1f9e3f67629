/** Addresses and navigation of the site, and what its pages have beside those of TypeDoc's theme. */
import { DefaultTheme, JSX, KindRouter, Models, PageEvent } from "typedoc"
import { groups, nameOf, sectionsOf } from "./guides.mjs"

/** Guides are in `guides` under the names of their files, the reference is in `api`, sections are anchors of guides. */
export class Router extends KindRouter {
  #sections = new Map()

  getIdealBaseName(reflection) {
    return reflection.isDocument() ? `guides/${nameOf(reflection)}` : `api/${super.getIdealBaseName(reflection)}`
  }

  getFullUrl(target) {
    return this.#sections.get(target) ?? super.getFullUrl(target)
  }

  /** The sections of all guides, as the search takes them. */
  sections(project) {
    for (const document of project.documents) {
      for (const { anchor, section } of sectionsOf(document)) {
        this.#sections.set(section, `${super.getFullUrl(document)}#${anchor}`)
      }
    }
    return [...this.#sections.keys()]
  }
}

/** The guides as `docs/README.md` groups them, then the modules. What has entries below it is no link: a button cannot hold one. */
export class Theme extends DefaultTheme {
  buildNavigation(project) {
    const leaf = ({ children, path, ...entry }) =>
      path === undefined ? { ...entry, children: children.map(leaf) } : { ...entry, path }
    const modules = super.buildNavigation(project).filter(({ kind }) => kind !== Models.ReflectionKind.Document)
    return [
      ...groups.map(({ guides, title }) => ({
        text: title,
        children: guides.map(({ label, name }) => ({ text: label, path: `guides/${name}.html` }))
      })),
      { text: "API", children: [{ text: "All modules", path: "modules.html" }, ...modules.map(leaf)] }
    ]
  }
}

/** A page whose headings skip no level for those who hear it. */
const inOrder = (html) => {
  let last = 0
  return html.replaceAll(/<h([1-6])/gu, (heading, digit) => {
    const level = Number(digit)
    last = Math.min(level, last + 1)
    return level === last ? heading : `${heading} aria-level="${last}"`
  })
}

/** A page whose accordions hold no links to themselves. */
const withoutLinksInButtons = (html) =>
  html.replaceAll(/<summary[\s\S]*?<\/summary>/gu, (summary) =>
    summary.replaceAll(/<a [^>]*class="tsd-anchor-icon"[\s\S]*?<\/a>/gu, "")
  )

const landmarks = {
  '<div class="col-content">': '<div class="col-content" role="main" id="content" tabindex="-1">',
  '<div class="page-menu">': '<div class="page-menu" role="complementary" aria-label="On this page">',
  '<nav class="tsd-navigation">': '<nav class="tsd-navigation" aria-label="Pages">',
  '<nav id="tsd-sidebar-links"': '<nav id="tsd-sidebar-links" aria-label="Elsewhere"'
}

/** The lists of guides are open until a visitor closes them. */
const open = groups.map(({ title }) => `localStorage["tsd-accordion-${title}"] ??= true`).join("\n")

/** Landmarks, an order of headings, a way past the navigation, and tables that scroll in a box of their own. */
export const complete = ({ options, renderer }) => {
  renderer.hooks.on("body.begin", () => [
    JSX.createElement("a", { class: "skip", href: "#content" }, "Skip to the content"),
    JSX.createElement("script", null, JSX.createElement(JSX.Raw, { html: open }))
  ])
  renderer.on(PageEvent.END, (page) => {
    for (const [bare, named] of Object.entries(landmarks)) page.contents = page.contents.replace(bare, named)
    page.contents = inOrder(withoutLinksInButtons(page.contents))
  })
  options.setValue("markdownItLoader", ({ core, renderer: { rules } }) => {
    rules.table_open = () => '<div class="table"><table>'
    rules.table_close = () => "</table></div>"
    // A header that says nothing heads nothing.
    core.ruler.push("empty-headers", ({ tokens }) => {
      tokens.forEach((token, at) => {
        if (token.type === "th_open" && tokens[at + 1].content === "") token.tag = tokens[at + 2].tag = "td"
      })
    })
  })
}
