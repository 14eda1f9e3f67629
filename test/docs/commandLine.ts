/** The command line of the sources in few files, since a page starts it a dozen times. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { root } from "./pages.ts"

export interface CommandLine {
  /** Path of the program. */
  readonly main: string
  readonly remove: () => void
}

/** Native and WebAssembly packages, which load files of their own, and packages that a user installs. */
const external = [
  "@firecrawl/anydoc",
  "@lancedb/lancedb",
  "@llamaindex/liteparse-wasm",
  "apache-arrow",
  "chromadb",
  "docsluice/package.json",
  "libsql",
  "pg",
  "tesseract.js",
  "undici"
]

/** Builds it below the package, whose name its modules use. */
export const make = async (): Promise<CommandLine> => {
  mkdirSync(join(root, "dist"), { recursive: true })
  const outdir = mkdtempSync(join(root, "dist/guides-"))
  await build({
    absWorkingDir: root,
    entryPoints: ["src/cli/main.ts", "src/cli/renderPages.ts", "src/engine/laneEntry.ts", "src/engine/parserEntry.ts"],
    outdir,
    entryNames: "[name]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    conditions: ["docsluice:source"],
    alias: { "#entry": join(root, "src/engine/lanes/Entry.ts") },
    mainFields: ["module", "main"],
    external,
    banner: {
      js: 'import { createRequire as requireHere } from "node:module"; const require = requireHere(import.meta.url)'
    },
    logLevel: "error"
  })
  return { main: join(outdir, "main.js"), remove: () => rmSync(outdir, { recursive: true, force: true }) }
}
