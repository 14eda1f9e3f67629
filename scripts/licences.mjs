/** Licences of the packages whose code a bundle holds, as one text. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folderOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(file)?.[0]

const licenceOf = (folder) => {
  const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)/iu.test(name))
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`
  return `${name} ${version} (${license})${text}\n`
}

/** `metafile` is esbuild's; its inputs are relative to `root`. */
export const licences = (root, metafile) => {
  const packages = new Set(Object.keys(metafile.inputs).flatMap((file) => folderOf(file) ?? []))
  return [...packages]
    .toSorted()
    .map((folder) => licenceOf(join(root, folder)))
    .join(`\n${"-".repeat(80)}\n\n`)
}
