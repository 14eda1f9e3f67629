/** Links of a folder of HTML pages that lead to no file or to no element of it. */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"

/** Texts of HTML attributes, decoded as far as addresses need it. */
const decoded = (text) => decodeURIComponent(text.replaceAll("&amp;", "&"))

/**
 * @param {string} folder
 * @returns {{ checked: number, dead: ReadonlyArray<string> }} `dead` names page and target of each.
 */
export const deadLinks = (folder) => {
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
  )
  const pages = new Map(
    [...files].filter((file) => file.endsWith(".html")).map((file) => [file, readFileSync(join(folder, file), "utf8")])
  )
  const ids = new Map(
    [...pages].map(([page, html]) => [
      page,
      new Set(Array.from(html.matchAll(/\sid="([^"]*)"/gu), ([, id]) => decoded(id)))
    ])
  )
  const dead = []
  let checked = 0
  for (const [page, html] of pages) {
    for (const [, target] of html.matchAll(/\s(?:href|src)="([^"]*)"/gu)) {
      if (URL.canParse(target)) continue
      checked += 1
      const [path, anchor] = target.split("#")
      const file = path === "" ? page : posix.join(posix.dirname(page), decoded(path))
      const found = files.has(file) && (!anchor || !ids.has(file) || ids.get(file).has(decoded(anchor)))
      if (!found) dead.push(`${page}: ${target}`)
    }
  }
  return { checked, dead }
}
