/** The packages whose code a bundle holds: what its folder says of them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { builtIn, root } from "./builtIn.mjs"

const folderOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(file)?.[0]

/** Folders of the packages of which a byte is in an output, sorted; `metafile` is esbuild's, its inputs relative to `root`. */
const folders = (metafile) => {
  const used = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? (folderOf(file) ?? []) : []))
  return [...new Set(used)].toSorted()
}

export const manifestIn = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))

const licenceOf = (folder) => {
  const file = readdirSync(join(root, folder)).find((name) => /^(?:licen[cs]e|copying)/iu.test(name))
  const text = file === undefined ? "" : `\n\n${readFileSync(join(root, folder, file), "utf8").trim()}`
  const { license, name, version } = manifestIn(folder)
  return `${name} ${version} (${license})${text}\n`
}

/** Names of packages that a listed one needs, the listed ones included. */
const reach = (names) => {
  const reached = new Set(names)
  for (const name of reached) {
    const folder = `node_modules/${name}`
    if (!existsSync(join(root, folder))) continue
    for (const next of Object.keys(manifestIn(folder).dependencies ?? {})) reached.add(next)
  }
  return reached
}

/**
 * Writes next to a bundle which packages it holds, with their licences: `LICENSES.txt`, and `components.json` for the list of the whole
 * package. Fails where it holds one that the list of `builtIn.mjs` does not allow in `part`; what those need is allowed, but in `vendor`.
 */
export const record = (folder, part, metafile) => {
  const found = folders(metafile)
  const listed = Object.keys(builtIn[part])
  const allowed = part === "vendor" ? new Set(listed) : reach(listed)
  const manifests = found.map(manifestIn)
  const strange = manifests.flatMap(({ name }) => (allowed.has(name) ? [] : [name]))
  if (strange.length > 0)
    throw new Error(`dist/${part} holds packages that scripts/builtIn.mjs does not name: ${strange.join(", ")}`)
  writeFileSync(join(folder, "LICENSES.txt"), found.map(licenceOf).join(`\n${"-".repeat(80)}\n\n`))
  const components = manifests.map(({ license, name, version }) => ({ name, version, license }))
  writeFileSync(join(folder, "components.json"), `${JSON.stringify(components, null, 2)}\n`)
}
