/**
 * Starts an entry module in a process or thread of its own, from source or compiled.
 *
 * @since 0.1.0
 */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Worker, type WorkerOptions } from "node:worker_threads"

const fromSource = import.meta.url.endsWith(".ts")

const { resolve } = createRequire(import.meta.url)

/**
 * URL of the module with that name next to the importing one: TypeScript when run from source, JavaScript when compiled.
 *
 * @since 0.1.0
 * @category constructors
 */
export const entryBeside = (name: string, importer: string): URL =>
  new URL(`./${name}${fromSource ? ".ts" : ".js"}`, importer)

/**
 * Arguments of Node before the entry module: from source, the option that loads TypeScript.
 *
 * @since 0.1.0
 * @category constructors
 */
export const processArguments = (): ReadonlyArray<string> =>
  fromSource ? ["--import", pathToFileURL(resolve("tsx")).href, "--no-warnings"] : ["--no-warnings"]

/**
 * Starts a thread. From source it registers the loader before it imports the entry, since Node 20 ignores `--import` for threads.
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
