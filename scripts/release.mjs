/**
 * `node scripts/release.mjs TAG` fails unless the tag is the version's, the changelog has that version, and no change waits in
 * `.changeset`. Writes what the changelog says about it to `dist/notes.md`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const [tag = ""] = process.argv.slice(2)
if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, and package.json has ${version}`)

const waiting = readdirSync(join(root, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md")
if (waiting.length > 0) throw new Error(`npm run release:version has not been run: ${waiting.join(", ")}`)

const entries = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /mu)
const entry = entries.find((one) => one.startsWith(`${version}\n`))
if (entry === undefined) throw new Error(`CHANGELOG.md has no "## ${version}"`)
mkdirSync(join(root, "dist"), { recursive: true })
writeFileSync(join(root, "dist/notes.md"), entry.slice(version.length).trimStart())
