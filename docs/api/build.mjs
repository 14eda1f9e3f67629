/** Writes the reference of the public modules to `dist/docs-api`. Exits with 1 on a warning of the tool and on a dead link. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Application, Comment, CommentTag, Converter, ReflectionKind, TSConfigReader, TypeDocReader } from "typedoc"
import { deadLinks } from "./deadLinks.mjs"

const app = await Application.bootstrapWithPlugins({}, [new TypeDocReader(), new TSConfigReader()])

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
})

const project = await app.convert()
if (project !== undefined) {
  app.validate(project)
  await app.generateOutputs(project)
}
if (project === undefined || app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1)

const out = fileURLToPath(new URL("../../dist/docs-api", import.meta.url))
const { checked, dead } = deadLinks(out)
for (const link of dead) console.error(`dead link: ${link}`)
console.log(`${project.children?.length ?? 0} modules, ${checked} links, ${dead.length} dead`)
process.exitCode = dead.length === 0 ? 0 : 1
