/** The guides, as TypeDoc takes them: names, links and sections. */
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { Models, Slugger } from "typedoc"

/** Where the files of the repository are read that are no pages of the site. */
export const repository = "https://github.com/docsluice/docsluice"

/** Text of a file below the root. */
export const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

/** The lists of `docs/README.md`, each under its title. */
export const lists = read("docs/README.md")
  .split(/^For reference:$/mu)
  .map((part, at) => ({
    title: ["Guides", "Reference"][at],
    lines: part.split("\n").filter((line) => line.startsWith("- "))
  }))

/** The guides of each list, in its order: label, name of the file without `.md`, absolute path. */
export const groups = lists.map(({ title, lines }) => ({
  title,
  guides: lines.flatMap((line) => {
    const [, label, name] = /^- \[([^\]]+)\]\(([\w-]+)\.md\)/u.exec(line) ?? []
    return name === undefined ? [] : [{ label, name, path: fileURLToPath(new URL(`../${name}.md`, import.meta.url)) }]
  })
}))

export const guides = groups.flatMap((group) => group.guides)

/** The name of a document's file without `.md`. */
export const nameOf = (document) => basename(document.project.files.getReflectionPath(document), ".md")

/** The address of a link to a file that is no page of the site. */
const elsewhere = (link) =>
  link === "site/README.md" ? "../modules.html" : new URL(link, `${repository}/blob/main/docs/`).href

/** Names a document as `docs/README.md` does, and leads its links to files that are no pages of the site to the repository. */
export const settle = (document) => {
  const name = nameOf(document)
  document.name = guides.find((guide) => guide.name === name).label
  document.content = document.content.map((part) =>
    part.kind !== "relative-link" || /^(?:[\w-]+\.md(?:#.*)?|images\/.*)$/u.test(part.text)
      ? part
      : { kind: "text", text: elsewhere(part.text) }
  )
}

/** A document for each heading below the title, which no page is made of, and its anchor. */
export const sectionsOf = (document) => {
  const slugger = new Slugger({ lowercase: true })
  const sections = []
  let fenced = false
  for (const line of document.content.flatMap((part) => part.text.split(/(?<=\n)/u))) {
    if (line.startsWith("```")) fenced = !fenced
    const [, level, title] = (!fenced && /^(#+) (.*)/u.exec(line)) || []
    if (title === undefined) sections.at(-1)?.text.push(line)
    else sections.push({ title: title.replaceAll("`", ""), anchor: slugger.slug(title), top: level === "#", text: [] })
  }
  return sections
    .filter(({ top }) => !top)
    .map(({ anchor, text, title }) => ({
      anchor,
      section: new Models.DocumentReflection(title, document, [{ kind: "text", text: text.join("") }], {})
    }))
}
