/**
 * How an entry module starts in a process or a thread of its own, from source as from what was compiled.
 *
 * @since 0.1.0
 */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Worker, type WorkerOptions } from "node:worker_threads"

const fromSource = import.meta.url.endsWith(".ts")

const { resolve } = createRequire(import.meta.url)

/**
 * The module of that name next to the importing one: TypeScript when run from source, JavaScript when compiled.
 *
 * @since 0.1.0
 * @category constructors
 */
export const entryBeside = (name: string, importer: string): URL =>
  new URL(`./${name}${fromSource ? ".ts" : ".js"}`, importer)

/**
 * Arguments of Node before the entry module: a process takes the loader of source modules as an option.
 *
 * @since 0.1.0
 * @category constructors
 */
export const processArguments = (): ReadonlyArray<string> =>
  fromSource ? ["--import", pathToFileURL(resolve("tsx")).href, "--no-warnings"] : ["--no-warnings"]

/**
 * Starts a thread. It takes no loader (Node 20 ignores `--import` there), so it registers one before it imports the entry.
 *
 * @since 0.1.0
 * @category constructors
 */
export const startThread = (entry: URL, options: WorkerOptions): Worker => {
  if (!fromSource) {
    return new Worker(entry, options)
  }
  const loader = pathToFileURL(resolve("tsx/esm/api").replace(/\.cjs$/, ".mjs")).href
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}) })`
  return new Worker(code, { ...options, eval: true })
}
