/** Writes the reference of the public modules to `dist/docs-api`. Exits with 1 on a warning of the tool and on a dead link. */
import { fileURLToPath } from "node:url"
import { Application, Converter, ReflectionKind, TSConfigReader, TypeDocReader } from "typedoc"
import { deadLinks } from "./deadLinks.mjs"

const app = await Application.bootstrapWithPlugins({}, [new TypeDocReader(), new TSConfigReader()])

// A module is named as it is imported: `service/Client`, `sinks/Jsonl`.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
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
