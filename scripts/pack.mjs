/**
 * `node scripts/pack.mjs FOLDER` builds the package and writes the tarball that is published into a folder. Its manifest leaves out what
 * only a checkout has: scripts, development dependencies, and the condition that runs the sources. Declarations that no public module
 * leads to are left out too.
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const staged = join(root, "dist/package")
const outdir = resolve(process.argv[2] ?? join(root, "dist"))

/** Members and conditions that only a checkout has. */
const left = new Set(["devDependencies", "overrides", "scripts", "docsluice:source"])

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const published = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, inner]) => (left.has(key) ? [] : [[key, published(inner)]]))
      )
    : value

const declarations = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".d.ts"))
    .map(({ name, parentPath }) => join(parentPath, name))

/** Declarations of the modules that `exports` lists, below `dist`. */
const listed = new Set(Object.values(manifest.exports).flatMap(({ types }) => (types === undefined ? [] : [types])))

const isPublic = (file, dist) => listed.has(`./dist/${file.slice(dist.length + 1)}`)

const imports = /(?:from |import\()"(\.[^"]+)"/gu

/** Removes what no public declaration leads to: files of 4 KB that a user would install for nothing. */
const prune = (dist) => {
  const all = declarations(dist)
  const reached = new Set(all.filter((file) => isPublic(file, dist)))
  for (const file of reached) {
    for (const [, specifier] of readFileSync(file, "utf8").matchAll(imports)) {
      const target = `${resolve(dirname(file), specifier).replace(/(?:\.d)?\.[jt]sx?$/u, "")}.d.ts`
      if (existsSync(target)) reached.add(target)
    }
  }
  for (const file of all) if (!reached.has(file)) rmSync(file)
}

execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" })
rmSync(staged, { recursive: true, force: true })
for (const name of ["README.md", "LICENSE", ...manifest.files]) {
  cpSync(join(root, name), join(staged, name), {
    recursive: true,
    filter: (file) => basename(file) !== "components.json"
  })
}
prune(join(staged, "dist"))
writeFileSync(join(staged, "package.json"), `${JSON.stringify(published(manifest), null, 2)}\n`)
mkdirSync(outdir, { recursive: true })
execFileSync("npm", ["pack", "--silent", "--pack-destination", outdir], { cwd: staged, stdio: "inherit" })
