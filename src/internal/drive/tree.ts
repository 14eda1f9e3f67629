/** Paths of files from items that know the folder they are in. */
import type { Item } from "./service.ts"

/** A file with its path below the folder. */
export interface Placed {
  readonly path: string
  readonly item: Item & { readonly file: NonNullable<Item["file"]> }
}

const isFile = (item: Item): item is Placed["item"] => item.file !== undefined

/** Characters of an id that tell files of one name apart. */
const few = 8

/** The name with a part of the id before its extension. */
const marked = (name: string, id: string): string => {
  const [, base = name, extension = ""] = /^(.+?)(\.[a-z0-9]{1,8})?$/isu.exec(name) ?? []
  return `${base} (${id})${extension}`
}

/** A name that no other has in its folder: of two that are equal, the one with the greater id has a part of it in its name. */
const nameIn = (taken: Set<string>, { id, name }: Item): string => {
  const plain = name.replaceAll("/", "_")
  const free = [plain, marked(plain, id.slice(0, few)), marked(plain, id)].find((one) => !taken.has(one)) ?? id
  taken.add(free)
  return free
}

const byId = (left: Item, right: Item): number => (left.id < right.id ? -1 : 1)

/** All files below the folder, in the order of their paths, each with a path of its own. A slash in a name is `_`. */
export const filesBelow = (items: Iterable<Item>, folder: string): ReadonlyArray<Placed> => {
  const children = new Map<string, Array<Item>>()
  for (const item of items) {
    const siblings = children.get(item.parent)
    if (siblings === undefined) children.set(item.parent, [item])
    else siblings.push(item)
  }
  const files: Array<Placed> = []
  const left: Array<readonly [id: string, prefix: string]> = [[folder, ""]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [id, prefix] = next
    const taken = new Set<string>()
    for (const item of children.get(id)?.toSorted(byId) ?? []) {
      const path = `${prefix}${nameIn(taken, item)}`
      if (isFile(item)) files.push({ path, item })
      else if (item.id !== folder) left.push([item.id, `${path}/`])
    }
    // A folder that is said to be in itself is visited once.
    children.delete(id)
  }
  return files.toSorted((left, right) => (left.path < right.path ? -1 : 1))
}
