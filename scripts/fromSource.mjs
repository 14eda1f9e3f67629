/**
 * Starts entry modules as TypeScript, when tests and examples run without a build: the module `#entry` under the condition
 * `docsluice:source`. See `src/engine/lanes/Entry.ts`, which is what users run.
 */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"

const { resolve } = createRequire(import.meta.url)

/** In a run of tests the entry of its build, once that is there: it starts in a fraction of the time. */
export const entryBeside = (name, importer) => {
  const folder = process.env.DOCSLUICE_TEST_BUILD
  return folder !== undefined && existsSync(join(folder, "built"))
    ? pathToFileURL(join(folder, `${name}.js`))
    : new URL(`./${name}.ts`, importer)
}

export const processArguments = (entry) =>
  entry.pathname.endsWith(".ts")
    ? ["--import", pathToFileURL(resolve("tsx")).href, "--conditions=docsluice:source", "--no-warnings"]
    : ["--no-warnings"]

/** Registers the loader before it imports the entry, since Node 20 ignores `--import` for threads. */
export const startThread = (entry, options) => {
  const loader = pathToFileURL(resolve("tsx/esm/api").replace(/\.cjs$/, ".mjs")).href
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}) })`
  const { execArgv = [] } = options
  return new Worker(code, { ...options, execArgv: [...execArgv, "--conditions=docsluice:source"], eval: true })
}
