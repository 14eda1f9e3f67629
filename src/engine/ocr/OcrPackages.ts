/** The optional packages that recognise text in pictures: `tesseract.js`, and one `@tesseract.js-data/LANGUAGE` for each language. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { placeOf } from "../../internal/base/packageFiles.ts"
import { engine, scope } from "./OcrInstall.ts"

/** Installed packages. Survives `postMessage`. */
export interface OcrPackages {
  /** Folder of `tesseract.js`. */
  readonly folder: string
  readonly version: string
  /** Folder of the data of each language, by its code of three letters or more; `eng` first, then by name. */
  readonly languages: Readonly<Record<string, string>>
}

/** The data that recognise best at the speed of the integer models. */
const variant = "4.0.0_best_int"

/** Major version whose worker is spoken to. */
const major = "7."

/** `osd` tells the direction of a page only. `equ` finds formulas only. */
const noLanguages: ReadonlySet<string> = new Set(["osd", "equ"])

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const languagesIn = (folders: ReadonlyArray<string>): Readonly<Record<string, string>> => {
  const found = new Map<string, string>()
  for (const folder of folders) {
    for (const name of namesIn(join(folder, scope))) {
      const data = join(folder, scope, name, variant)
      if (noLanguages.has(name) || found.has(name) || !existsSync(join(data, `${name}.traineddata.gz`))) continue
      found.set(name, data)
    }
  }
  const rank = ([name]: readonly [string, string]): string => (name === "eng" ? "" : name)
  return Object.fromEntries([...found].toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)))
}

const versionOf = (manifest: string): string => {
  const read: unknown = JSON.parse(readFileSync(manifest, "utf8"))
  return typeof read === "object" && read !== null && "version" in read ? String(read.version) : ""
}

/**
 * The packages as `importer`, an address or a path, finds them; the data of languages also in the working directory. Undefined without
 * `tesseract.js` 7 or without a language. Reads a few folders.
 */
export const find = (importer: string | undefined): OcrPackages | undefined => {
  const from = createRequire(placeOf(importer))
  try {
    const manifest = from.resolve(`${engine}/package.json`)
    const version = versionOf(manifest)
    const here = createRequire(join(process.cwd(), "package.json"))
    const folders = [from, here].flatMap((place) => place.resolve.paths(engine) ?? [])
    const languages = languagesIn(folders)
    if (!version.startsWith(major) || Object.keys(languages).length === 0) return undefined
    return { folder: dirname(manifest), version, languages }
  } catch {
    return undefined
  }
}

/** The languages of `wanted` without data; an entry of several, joined by `+`, counts as each of them. */
export const missing = (packages: OcrPackages | undefined, wanted: ReadonlyArray<string>): ReadonlyArray<string> =>
  wanted.flatMap((entry) => entry.split("+")).filter((language) => packages?.languages[language] === undefined)
