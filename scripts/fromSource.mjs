import { createRequire } from "node:module"
/**
 * Starts entry modules as TypeScript, when tests and examples run without a build: the module `#entry` under the condition
 * `docsluice:source`. See `src/engine/lanes/Entry.ts`, which is what users run.
 */
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"

const { resolve } = createRequire(import.meta.url)

export const entryBeside = (name, importer) => new URL(`./${name}.ts`, importer)

export const processArguments = () => [
  "--import",
  pathToFileURL(resolve("tsx")).href,
  "--conditions=docsluice:source",
  "--no-warnings"
]

/** Registers the loader before it imports the entry, since Node 20 ignores `--import` for threads. */
export const startThread = (entry, options) => {
  const loader = pathToFileURL(resolve("tsx/esm/api").replace(/\.cjs$/, ".mjs")).href
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}) })`
  const { execArgv = [] } = options
  return new Worker(code, { ...options, execArgv: [...execArgv, "--conditions=docsluice:source"], eval: true })
}
