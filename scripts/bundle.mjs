/**
 * `node scripts/bundle.mjs FOLDER` writes the command line into a folder: what it loads in few files, its help pages as text, and the
 * licences of the packages that the files hold. Node takes most of a command's start to find and read a thousand modules.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { builtIn, installed, root } from "./builtIn.mjs"
import { record } from "./components.mjs"
import { vendor } from "./vendor.mjs"

/** What npm installs, except Effect, whose modules make a start slow; a name that is built in comes from `dist/vendor` or is copied. */
const external = Object.keys(installed).flatMap((name) =>
  Object.hasOwn(builtIn["src/cli"], name) ? [] : [name, `${name}/*`]
)

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
  // For the modules of Node that a copy in CommonJS requires.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module";const require = requireOf(import.meta.url);'
  },
  external: [...external, "docsluice/package.json"],
  plugins: [vocabularies],
  charset: "utf8",
  legalComments: "none",
  minifyWhitespace: true,
  metafile: true,
  logLevel: "warning"
})

record(outdir, "src/cli", metafile)

// The pages are rendered as for a terminal with colours; `main` removes these where they are not wanted.
delete process.env.NO_COLOR
const { renderPages } = await import(pathToFileURL(join(outdir, "renderPages.js")).href)
writeFileSync(join(outdir, "pages.json"), JSON.stringify(await renderPages()))
rmSync(join(outdir, "renderPages.js"))
