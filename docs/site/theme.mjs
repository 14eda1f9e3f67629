/** Addresses and navigation of the site. */
import { DefaultTheme, KindRouter, Models } from "typedoc"
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

/** The guides as `docs/README.md` groups them, then the modules. */
export class Theme extends DefaultTheme {
  buildNavigation(project) {
    const modules = super.buildNavigation(project).filter(({ kind }) => kind !== Models.ReflectionKind.Document)
    return [
      ...groups.map(({ guides, title }) => ({
        text: title,
        children: guides.map(({ label, name }) => ({ text: label, path: `guides/${name}.html` }))
      })),
      { text: "API", path: "modules.html", children: modules }
    ]
  }
}
