/** Starts an entry module in a separate process or thread. Imported as `#entry`, which is `scripts/fromSource.mjs` without a build. */
import { Worker, type WorkerOptions } from "node:worker_threads"
import { moduleBeside } from "../../internal/base/packageFiles.ts"

/** Address of the entry module with that name. Throws `PackageFilesMissing` in a bundled program without the installed package. */
export const entryBeside = (name: string, importer: string | undefined): URL =>
  moduleBeside(`./${name}.js`, `dist/src/engine/${name}.js`, importer)

/** Arguments of Node before the entry module. */
export const processArguments = (): ReadonlyArray<string> => ["--no-warnings"]

/** Starts a thread. */
export const startThread = (entry: URL, options: WorkerOptions): Worker => new Worker(entry, options)
