import * as fs from "node:fs"
import * as path from "node:path"
import ignore from "ignore"

interface Rules {
  /** Absolute path of the folder whose `.gitignore` holds the rules. */
  readonly folder: string
  readonly rules: ignore.Ignore | null
  readonly above: Rules | null
}

/** Tests paths by every `.gitignore` from the top of the working tree down to their folder. */
export interface Gitignore {
  /** True if `name` in the absolute `folder` is ignored; the folder itself is assumed not to be. */
  readonly ignores: (folder: string, name: string, isFolder: boolean) => boolean
  /** True if an absolute path below `root`, or a folder between the two, is ignored. */
  readonly ignoresPath: (absolute: string, isFolder: boolean) => boolean
}

/**
 * Reads each `.gitignore` once, on the first query about its folder. The top is the nearest folder at or above `root` that holds `.git`,
 * or `root`. A `.gitignore` that cannot be read counts as empty.
 */
export const make = (root: string): Gitignore => {
  const top = workTree(root)
  const known = new Map<string, Rules>()

  const rulesOf = (folder: string): Rules => {
    const found = known.get(folder)
    if (found !== undefined) return found
    const parent = path.dirname(folder)
    const above = folder === top || parent === folder ? null : rulesOf(parent)
    const made = { folder, rules: load(folder), above }
    // A folder without rules of its own shares the entry of the folder above.
    const entry = made.rules === null && above !== null ? above : made
    known.set(folder, entry)
    return entry
  }

  const ignores = (folder: string, name: string, isFolder: boolean): boolean => {
    for (let rules: Rules | null = rulesOf(folder); rules !== null; rules = rules.above) {
      if (rules.rules === null) continue
      const below = posix(path.relative(rules.folder, folder))
      const verdict = rules.rules.test(`${below === "" ? "" : `${below}/`}${name}${isFolder ? "/" : ""}`)
      if (verdict.ignored) return true
      if (verdict.unignored) return false
    }
    return false
  }

  const ignoresPath = (absolute: string, isFolder: boolean): boolean => {
    const segments = path.relative(root, absolute).split(path.sep)
    let folder = root
    for (const [index, name] of segments.entries()) {
      if (name === "") continue
      if (ignores(folder, name, index < segments.length - 1 || isFolder)) return true
      folder = path.join(folder, name)
    }
    return false
  }

  return { ignores, ignoresPath }
}

const posix = (text: string): string => (path.sep === "/" ? text : text.replaceAll(path.sep, "/"))

const load = (folder: string): ignore.Ignore | null => {
  try {
    return ignore().add(fs.readFileSync(path.join(folder, ".gitignore"), "utf8"))
  } catch {
    return null
  }
}

const workTree = (root: string): string => {
  for (let folder = root; ;) {
    if (fs.existsSync(path.join(folder, ".git"))) return folder
    const parent = path.dirname(folder)
    if (parent === folder) return root
    folder = parent
  }
}
