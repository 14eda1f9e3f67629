/**
 * Help pages and the version as the build wrote them, next to the compiled command line. From source there is no such file, and
 * the program makes them. Loads nothing, so that a page takes no longer than the start of Node.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Colour from "./Colour.ts"
import * as Page from "./help/Page.ts"
import * as Line from "./Line.ts"

/** Name of the file, in the folder of the entry module. */
export const file = "pages.json"

const isPage = (value: unknown): value is Page.Page =>
  typeof value === "object" && value !== null && "words" in value && Array.isArray(value.words) && "blocks" in value

const written = (folder: string): ReadonlyArray<Page.Page> => {
  const path = join(folder, file)
  const pages: unknown = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []
  return Array.isArray(pages) ? pages.filter(isPage) : []
}

/** A page that a command line asks for. */
export interface Asked {
  /** The command; undefined for the program itself. */
  readonly command: string | undefined
  readonly page: "help" | "help-all" | "version"
  /** False where `--no-color` is among the words. */
  readonly colours: boolean
}

const isHelp = (word: string): boolean => word === "--help" || word === "-h"

/** Position of the command's name: that of the first word that is no flag, nor the value of the one that may stand before it. */
export const commandAt = (words: ReadonlyArray<string>): number =>
  words.findIndex((word, at) => !word.startsWith("-") && words[at - 1] !== "--log-level")

/** The page that these words ask for; undefined when a command has to run. No word at all, and `help`, ask for help. */
export const asked = (words: ReadonlyArray<string>): Asked | undefined => {
  const own = words.includes("--") ? words.slice(0, words.indexOf("--")) : words
  const colours = !own.includes("--no-color")
  const at = commandAt(own)
  const command = own[at]
  if (command === "help")
    return { command: own.slice(at + 1).find((word) => !word.startsWith("-")), page: "help", colours }
  if (own.includes("--help-all")) return { command, page: "help-all", colours }
  if (words.every((word) => word === "--no-color") || own.some(isHelp)) return { command, page: "help", colours }
  return own.includes("--version") ? { command: undefined, page: "version", colours } : undefined
}

/** A screen, with its width. */
export interface Screen extends Colour.Screen {
  readonly columns?: number | undefined
}

/** The page as it is printed there. */
export const show = (page: Page.Page, screen: Screen, colours: boolean): string => {
  const lines = Page.lines(page, screen.isTTY === true ? (screen.columns ?? 80) : 80)
  return lines.map((line) => `${Line.show(line, colours && !Colour.plain(screen))}\n`).join("")
}

/** Folder of the entry module, once built. */
const here = fileURLToPath(new URL(".", import.meta.url))

/** The page that these words ask for, in the form for that screen; undefined when it was not built, or a command has to run. */
export const find = (words: ReadonlyArray<string>, screen: Screen, folder: string = here): string | undefined => {
  const wish = asked(words)
  if (wish === undefined) return undefined
  const key = [...(wish.command === undefined ? [] : [wish.command]), `--${wish.page}`].join(" ")
  const page = written(folder).find(({ words }) => words.join(" ") === key)
  return page === undefined ? undefined : show(page, screen, wish.colours)
}
