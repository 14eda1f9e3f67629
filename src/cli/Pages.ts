/**
 * Help pages and the version as the build wrote them, next to the compiled command line. From source there is no such file, and
 * the command line library renders them. Loads nothing, so that a page takes no longer than the start of Node.
 */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Colour from "./Colour.ts"

/** The output of a command line that only prints. */
export interface Page {
  /** Words after the program's name. */
  readonly words: ReadonlyArray<string>
  /** With colour codes, and a line break at its end. */
  readonly text: string
}

/** Name of the file, in the folder of the entry module. */
export const file = "pages.json"

const isPage = (value: unknown): value is Page =>
  typeof value === "object" && value !== null && "words" in value && Array.isArray(value.words) && "text" in value

const written = (): ReadonlyArray<Page> => {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const pages: unknown = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []
  return Array.isArray(pages) ? pages.filter(isPage) : []
}

/** `-h` is `--help`, and no word at all asks for help. */
const spelledOut = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.length === 0 ? ["--help"] : words.map((word) => (word === "-h" ? "--help" : word))

/** The page that these words ask for, in the form for that screen; undefined when a command has to run. */
export const find = (words: ReadonlyArray<string>, screen: Colour.Screen): string | undefined => {
  const asked = spelledOut(words)
  if (!asked.includes("--help") && !asked.includes("--version")) return undefined
  const page = written().find(
    (page) => page.words.length === asked.length && page.words.every((word, at) => word === asked[at])
  )
  if (page === undefined) return undefined
  return Colour.plain(screen) ? Colour.without(page.text) : page.text
}
