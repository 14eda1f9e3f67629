/**
 * `node scripts/bundle.mjs FOLDER` writes the command line into a folder: what it loads in few files, its help pages as text, and the
 * licences of the packages that the files hold. Node takes most of a command's start to find and read a thousand modules.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import { licences } from "./licences.mjs"
import { vendor } from "./vendor.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/** CommonJS, native code and WebAssembly, which load files of their own, and packages that a user installs. */
const external = [
  "@firecrawl/anydoc",
  "@lancedb/lancedb",
  "@llamaindex/liteparse-wasm",
  "apache-arrow",
  "bullmq",
  "chromadb",
  "docsluice/package.json",
  "ioredis",
  "libsql",
  "pg",
  "undici"
]

/** All in one folder: a module finds its lanes' entries, and `main` its pages, next to itself. */
const entryPoints = [
  "src/cli/main.ts",
  "src/cli/renderPages.ts",
  "src/engine/laneEntry.ts",
  "src/engine/parserEntry.ts"
].map((file) => join(root, file))

/** 5 MB that the library has too. */
const vocabularies = {
  name: "vocabularies",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^gpt-tokenizer\// }, ({ path }) => ({
      path: relative(outdir, join(root, `dist/vendor/${path}.js`)).replaceAll("\\", "/"),
      external: true
    }))
  }
}

const outdir = resolve(process.argv[2] ?? join(root, "dist/src/cli"))
rmSync(outdir, { recursive: true, force: true })
mkdirSync(outdir, { recursive: true })

if (!existsSync(join(root, "dist/vendor"))) await vendor()

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
  alias: { "#entry": join(root, "src/engine/lanes/Entry.ts") },
  mainFields: ["module", "main"],
  external,
  plugins: [vocabularies],
  charset: "utf8",
  // Packages in CommonJS, such as `ws`, require modules of Node.
  banner: {
    js: 'import { createRequire as requireHere } from "node:module"; const require = requireHere(import.meta.url)'
  },
  legalComments: "none",
  minifyWhitespace: true,
  metafile: true,
  logLevel: "warning"
})

writeFileSync(join(outdir, "LICENSES.txt"), licences(root, metafile))

// The pages are rendered as for a terminal with colours; `main` removes these where they are not wanted.
delete process.env.NO_COLOR
const { renderPages } = await import(pathToFileURL(join(outdir, "renderPages.js")).href)
writeFileSync(join(outdir, "pages.json"), JSON.stringify(await renderPages()))
rmSync(join(outdir, "renderPages.js"))
