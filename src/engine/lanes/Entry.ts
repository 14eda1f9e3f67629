/** Starts entry modules in a process or a thread. Imported as `#entry`, for which sources without a build take `scripts/fromSource.mjs`. */
import { Worker, type WorkerOptions } from "node:worker_threads"
import { moduleBeside } from "../../internal/base/packageFiles.ts"

/** Address of a built entry module. Throws `PackageFilesMissing` in a bundled program without the installed package. */
export const entryBeside = (name: string, importer: string | undefined): URL =>
  moduleBeside(`./${name}.js`, `dist/src/engine/${name}.js`, importer)

/** Arguments of Node before an entry module. */
export const processArguments = (_entry: URL): ReadonlyArray<string> => ["--no-warnings"]

export const startThread = (entry: URL, options: WorkerOptions): Worker => new Worker(entry, options)
