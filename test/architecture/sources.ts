/** The imports of this package's own files, as they are written. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { Graph, Import } from "./rules.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** `import … from "x"`, `export … from "x"` at a line's start; group 1: the names, group 2: the module. */
const declared = /^(?:import|export)\s([^;"]*?)\s?from\s*"([^"]+)"/gmu

/** `import "x"`, `import("x")`, also as a type, and `new URL("./x.ts", import.meta.url)`. */
const named = /(?:^import\s|\bimport\(|new URL\()\s*"((?:\.[^"]+\.tsx?|[^"./][^"]*))"/gmu

/** Only types are taken: `type A`, `type { A }`, `{ type A, type B }`. */
const isType = (taken: string): boolean =>
  taken.startsWith("type ") ||
  (taken.startsWith("{") &&
    taken
      .slice(1, -1)
      .split(",")
      .every((name) => name.trim() === "" || name.trim().startsWith("type ")))

const comment = /^\s*(?:\*|\/[/*]).*$/gmu

/** The imports in a file's text, as written. */
export const importsOf = (source: string): ReadonlyArray<Import> => {
  const text = source.replaceAll(comment, "")
  return [
    ...Array.from(text.matchAll(declared), ([, taken = "", to = ""]) => ({ to, type: isType(taken) })),
    ...Array.from(text.matchAll(named), ([, to = ""]) => ({ to, type: false }))
  ]
}

/** All files of `src` and `sinks` with what they import. */
export const sources = (): Graph => {
  const files = ["src", "sinks"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter(({ name }) =>
      /\.tsx?$/u.test(name)
    )
  )
  const below = (path: string): string => relative(root, path).replaceAll("\\", "/")
  return new Map(
    files.map(({ name, parentPath }) => {
      const imports = importsOf(readFileSync(join(parentPath, name), "utf8"))
      const target = (to: string): string => (to.startsWith(".") ? below(resolve(parentPath, to)) : to)
      return [below(join(parentPath, name)), imports.map(({ to, type }) => ({ to: target(to), type }))]
    })
  )
}
