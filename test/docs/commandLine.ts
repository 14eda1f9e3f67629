/** The command line and programs of pages in few files each: they start in a tenth of the time that they take from their sources. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { build, type BuildOptions } from "esbuild"
import { root } from "./pages.ts"

export interface CommandLine {
  /** Path of the program. */
  readonly main: string
  /** Path of a program with that text, which imports the library as an installed one does. */
  readonly program: (name: string, code: string) => Promise<string>
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

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  conditions: ["docsluice:source"],
  alias: { "#entry": join(root, "src/engine/lanes/Entry.ts") },
  mainFields: ["module", "main"],
  external: [...external],
  banner: {
    js: 'import { createRequire as requireHere } from "node:module"; const require = requireHere(import.meta.url)'
  },
  logLevel: "error"
} as const satisfies BuildOptions

/** Builds it below the package, whose name its modules use. */
export const make = async (): Promise<CommandLine> => {
  mkdirSync(join(root, "dist"), { recursive: true })
  const outdir = mkdtempSync(join(root, "dist/guides-"))
  await build({
    ...options,
    entryPoints: ["src/cli/main.ts", "src/cli/renderPages.ts", "src/engine/laneEntry.ts", "src/engine/parserEntry.ts"],
    outdir,
    entryNames: "[name]",
    splitting: true
  })
  return {
    main: join(outdir, "main.js"),
    program: async (name, code) => {
      const source = join(mkdtempSync(join(outdir, "program-")), name)
      const outfile = join(outdir, `${basename(dirname(source))}.mjs`)
      writeFileSync(source, code)
      await build({ ...options, entryPoints: [source], outfile })
      return outfile
    },
    remove: () => rmSync(outdir, { recursive: true, force: true })
  }
}
