/**
 * `node scripts/pack.mjs FOLDER` builds the package and writes the tarball that is published into a folder. Its manifest leaves out what
 * only a checkout has: scripts, development dependencies, and the condition that runs the sources.
 */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
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

execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" })
rmSync(staged, { recursive: true, force: true })
for (const name of ["README.md", "LICENSE", ...manifest.files]) {
  cpSync(join(root, name), join(staged, name), { recursive: true })
}
writeFileSync(join(staged, "package.json"), `${JSON.stringify(published(manifest), null, 2)}\n`)
mkdirSync(outdir, { recursive: true })
execFileSync("npm", ["pack", "--silent", "--pack-destination", outdir], { cwd: staged, stdio: "inherit" })
