/** Writes the guides and the reference of the public modules to `dist/site`. Exits with 1 on a warning of the tool and on a dead link. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import {
  Application,
  Comment,
  CommentTag,
  Converter,
  IndexEvent,
  ReflectionKind,
  TSConfigReader,
  TypeDocReader
} from "typedoc"
import { deadLinks } from "./deadLinks.mjs"
import { guides, read, settle } from "./guides.mjs"
import { landing, pictures } from "./landing.mjs"
import { complete, Router, Theme } from "./theme.mjs"

const projectDocuments = guides.map(({ path }) => path)
const app = await Application.bootstrapWithPlugins({ projectDocuments }, [new TypeDocReader(), new TSConfigReader()])
app.renderer.defineRouter("site", Router)
app.renderer.defineTheme("site", Theme)
complete(app)

/** Prose with its links apart, which TypeDoc resolves. */
const partsOf = (text) =>
  text
    .split(/(\{@link [^}]+\})/u)
    .map((part) =>
      part.startsWith("{@link ")
        ? { kind: "inline-tag", tag: "@link", text: part.slice("{@link ".length, -1) }
        : { kind: "text", text: part }
    )

/** The comment that a file begins with. TypeDoc takes it for the module's own only with a tag that our sources do not have. */
const headerOf = (file) => {
  const [, header = ""] = /^\/\*\*\n([\s\S]*?)\*\//u.exec(readFileSync(file, "utf8")) ?? []
  const lines = header.split("\n").map((line) => line.replace(/^ \* ?/u, ""))
  const since = lines.find((line) => line.startsWith("@since "))?.slice("@since ".length)
  const text = lines
    .filter((line) => !line.startsWith("@since "))
    .join("\n")
    .trim()
  return new Comment(
    partsOf(text),
    since === undefined ? [] : [new CommentTag("@since", [{ kind: "text", text: since }])]
  )
}

// A module is named as it is imported: `service/Client`, `sinks/Jsonl`.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    module.comment ??= headerOf(fileURLToPath(new URL(`../../${module.name}.ts`, import.meta.url)))
    module.name = module.name.replace(/^src\//u, "")
  }
  // As a title, `docsluice 0.1.0`.
  project.name = `${project.name} ${project.packageVersion}`
  project.packageVersion = undefined
  project.comment = new Comment(partsOf(/^## API\n\n(.*)$/mu.exec(read("docs/site/README.md"))[1]))
  for (const document of project.documents) settle(document)
  project.readme = [{ kind: "text", text: landing }]
})

app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
  event.searchResults.push(...app.renderer.router.sections(project))
})

// The guides have lists of their own.
app.converter.on(Converter.EVENT_END, ({ project }) => {
  project.groups = project.groups.filter(({ title }) => title !== "Documents")
})

const project = await app.convert()
if (project !== undefined) {
  app.validate(project)
  await app.generateOutputs(project)
}
if (project === undefined || app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1)

const out = fileURLToPath(new URL("../../dist/site/", import.meta.url))
mkdirSync(`${out}media`, { recursive: true })
for (const name of pictures) copyFileSync(new URL(`../images/${name}`, import.meta.url), `${out}media/${name}`)
const { checked, dead } = deadLinks(out)
for (const link of dead) console.error(`dead link: ${link}`)
console.log(
  `${project.documents.length} guides, ${project.children.length} modules, ${checked} links, ${dead.length} dead`
)
process.exitCode = dead.length === 0 ? 0 : 1
