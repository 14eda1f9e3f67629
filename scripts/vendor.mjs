/**
 * `node scripts/vendor.mjs` writes the packages that are built into the library (`builtIn.mjs`) into `dist/vendor`, one module for each
 * import, and makes the modules of `dist/src` and `dist/sinks` import them from there.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build, transform } from "esbuild"
import { filesBelow, imports, importsBelow, isVendored, root } from "./builtIn.mjs"
import { record } from "./components.mjs"

const dist = join(root, "dist")
const folder = join(dist, "vendor")

/** Bundles of their own. */
const bundled = ["src/cli/", "src/view/"]

/** The imports that `dist/vendor` is to hold. */
const specifiers = () => {
  const folders = ["src", "sinks"].map((name) => join(root, name))
  const without = bundled.map((name) => join(root, name))
  return new Set(importsBelow(folders, without).flatMap(({ specifier }) => (isVendored(specifier) ? [specifier] : [])))
}

const entryOf = (specifier) => `${specifier}.js`

/** Names of CommonJS are found by loading it; esbuild would give them as one object. What was a module before has no `default` of its own. */
const reExport = async (specifier) => {
  const found = Object.keys(await import(specifier)).filter((name) => /^[\w$]+$/u.test(name) && name !== "module")
  const names = found.includes("__esModule")
    ? found.filter((name) => name !== "__esModule" && name !== "default")
    : found
  return `export { ${names.join(", ")} } from ${JSON.stringify(specifier)}\n`
}

/** The tables of tokens, in the form in which they load fast. */
const packed = {
  name: "packed",
  setup: ({ onLoad }) => {
    onLoad({ filter: /node_modules.gpt-tokenizer.+bpeRanks.+\.js$/ }, async ({ path }) => {
      const [{ pack }, { default: ranks }] = await Promise.all([ofSource("src/internal/bpe/packed.ts"), import(path)])
      return { contents: `export default ${JSON.stringify(pack(ranks))}` }
    })
  }
}

/** A module of the sources that imports none. */
const ofSource = async (file) => {
  const { code } = await transform(readFileSync(join(root, file), "utf8"), { loader: "ts" })
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

/** Writes `dist/vendor`; gives the imports that it holds. */
export const vendor = async () => {
  const found = specifiers()
  const entries = join(folder, ".entries")
  rmSync(folder, { recursive: true, force: true })
  for (const specifier of found) {
    const file = join(entries, entryOf(specifier))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, await reExport(specifier))
  }
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Array.from(found, (specifier) => join(entries, entryOf(specifier))),
    outbase: entries,
    outdir: folder,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20.18",
    format: "esm",
    mainFields: ["module", "main"],
    plugins: [packed],
    charset: "utf8",
    minifyWhitespace: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning"
  })
  rmSync(entries, { recursive: true })
  record(folder, "vendor", metafile)
  return found
}

/** Makes what the compiler wrote import from `dist/vendor`. */
const redirect = (found) => {
  const without = bundled.map((name) => join(dist, name))
  for (const file of ["src", "sinks"].flatMap((name) => filesBelow(join(dist, name), /\.js$/u, without))) {
    const text = readFileSync(file, "utf8")
    const next = text.replace(imports, (line, specifier) => {
      if (!found.has(specifier)) return line
      const path = relative(dirname(file), join(folder, entryOf(specifier))).replaceAll("\\", "/")
      return `${line.slice(0, -specifier.length - 2)}"${path}"`
    })
    if (next !== text) writeFileSync(file, next)
    const lost = Array.from(next.matchAll(/"(\.[^"]*\/vendor\/[^"]*)"/gu), ([, path]) => join(dirname(file), path))
    if (!lost.every((path) => existsSync(path))) throw new Error("dist is of an earlier list of packages: remove it")
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) redirect(await vendor())
