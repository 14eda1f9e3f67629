/**
 * `node scripts/vendor.mjs` writes the packages that the library imports and does not depend on into `dist/vendor`, one module for each
 * import, and makes the modules of `dist/src` and `dist/sinks` import them from there. A user then installs few packages. With `--list`
 * it prints their names instead.
 *
 * These are the development dependencies that `src` and `sinks` import as values, optional peers excepted. All others stay imports: peers,
 * since a program shares them with this package; native code and WebAssembly, which load files of their own.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { licences } from "./licences.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const dist = join(root, "dist")
const folder = join(dist, "vendor")

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const installed = { ...manifest.dependencies, ...manifest.peerDependencies }

const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)?.[0]

const isVendored = (specifier) => {
  const name = packageOf(specifier)
  return manifest.devDependencies[name] !== undefined && installed[name] === undefined
}

/** Imports of packages in a module's text; those of types have no code. */
const imports = /(?:^(?:import|export) (?!type )(?:[\w$\s{},*]+ from )?|\bimport\()"([^"./#][^"]*)"/gmu

const codeOf = (text) => text.replaceAll(/^\s*\*.*$/gmu, "")

const filesBelow = (place, ending, without) =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => !file.startsWith(without))

/** The imports of packages that `dist/vendor` is to hold. */
const specifiers = () => {
  const files = ["src", "sinks"].flatMap((name) => filesBelow(join(root, name), ".ts", join(root, "src/cli/")))
  const found = files.flatMap((file) =>
    Array.from(codeOf(readFileSync(file, "utf8")).matchAll(imports), ([, specifier]) => specifier)
  )
  return new Set(found.filter(isVendored))
}

const entryOf = (specifier) => `${specifier.replace(/\.js$/u, "")}.js`

/** Names of CommonJS are found by loading it; esbuild would give them as one object. What was a module before has no `default` of its own. */
const reExport = async (specifier) => {
  const found = Object.keys(await import(specifier)).filter((name) => /^[\w$]+$/u.test(name) && name !== "module")
  const names = found.includes("__esModule")
    ? found.filter((name) => name !== "__esModule" && name !== "default")
    : found
  return `export { ${names.join(", ")} } from ${JSON.stringify(specifier)}\n`
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
    external: Object.keys(installed).flatMap((name) => [name, `${name}/*`]),
    // CommonJS requires modules of Node, for which any place will do: a bundle of a user's in CommonJS has no `import.meta`.
    banner: {
      js: 'import { createRequire as requireHere } from "node:module"; const require = requireHere(import.meta.url ?? `${process.cwd()}/`);'
    },
    charset: "utf8",
    minifyWhitespace: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning"
  })
  rmSync(entries, { recursive: true })
  writeFileSync(join(folder, "LICENSES.txt"), licences(root, metafile))
  return found
}

/** Makes what the compiler wrote import from `dist/vendor`. */
const redirect = (found) => {
  const files = ["src", "sinks"].flatMap((name) => filesBelow(join(dist, name), ".js", join(dist, "src/cli/")))
  for (const file of files) {
    const text = readFileSync(file, "utf8")
    const next = text.replace(imports, (line, specifier) => {
      if (!found.has(specifier)) return line
      const path = relative(dirname(file), join(folder, entryOf(specifier))).replaceAll("\\", "/")
      return `${line.slice(0, -specifier.length - 2)}"${path}"`
    })
    if (next !== text) writeFileSync(file, next)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === "--list") console.log([...new Set([...specifiers()].map(packageOf))].join("\n"))
  else redirect(await vendor())
}
