/**
 * `node scripts/bundle.mjs FOLDER` writes the command line into a folder: what it loads in few files, its help pages as text, and the
 * licences of the packages that the files hold. Node takes most of a command's start to find and read a thousand modules.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))

/** CommonJS, native code and WebAssembly, which load files of their own, and packages that a user installs. */
const external = [
  "@firecrawl/anydoc",
  "@lancedb/lancedb",
  "@llamaindex/liteparse-wasm",
  "apache-arrow",
  "chromadb",
  "docsluice/package.json",
  "fast-glob",
  "ignore",
  "libsql",
  "pg",
  "undici",
  "yaml"
]

/** All in one folder: a module finds its lanes' entries, and `main` its pages, next to itself. */
const entryPoints = [
  "src/cli/main.ts",
  "src/cli/renderPages.ts",
  "src/engine/laneEntry.ts",
  "src/engine/parserEntry.ts"
].map((file) => join(root, file))

const folderOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(file)?.[0]

const licenceOf = (folder) => {
  const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)/iu.test(name))
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`
  return `${name} ${version} (${license})${text}\n`
}

const outdir = resolve(process.argv[2] ?? join(root, "dist/src/cli"))
rmSync(outdir, { recursive: true, force: true })
mkdirSync(outdir, { recursive: true })

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints,
  outdir,
  entryNames: "[name]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node20.18",
  format: "esm",
  conditions: ["docsluice:source"],
  mainFields: ["module", "main"],
  external,
  // Packages in CommonJS, such as `ws`, require modules of Node.
  banner: {
    js: 'import { createRequire as requireHere } from "node:module"; const require = requireHere(import.meta.url)'
  },
  legalComments: "none",
  metafile: true,
  logLevel: "warning"
})

const packages = new Set(Object.keys(metafile.inputs).flatMap((file) => folderOf(file) ?? []))
const licences = [...packages].toSorted().map((folder) => licenceOf(join(root, folder)))
writeFileSync(join(outdir, "LICENSES.txt"), licences.join(`\n${"-".repeat(80)}\n\n`))

// The pages are rendered as for a terminal with colours; `main` removes these where they are not wanted.
delete process.env.NO_COLOR
const { renderPages } = await import(pathToFileURL(join(outdir, "renderPages.js")).href)
writeFileSync(join(outdir, "pages.json"), JSON.stringify(await renderPages()))
rmSync(join(outdir, "renderPages.js"))
