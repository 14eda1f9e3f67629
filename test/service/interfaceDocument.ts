import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** A table's rows, keyed by its column titles; cells as they are written. */
export type Table = ReadonlyArray<Readonly<Record<string, string>>>

const text = readFileSync(fileURLToPath(new URL("../fixtures/service-interface.md", import.meta.url)), "utf8")

const cells = (line: string): ReadonlyArray<string> =>
  line
    .slice(1, line.lastIndexOf("|"))
    .split("|")
    .map((cell) => cell.trim())

const tableOf = (lines: ReadonlyArray<string>): Table => {
  const [head, , ...rows] = lines.map(cells)
  return rows.map((row) => Object.fromEntries((head ?? []).map((title, index) => [title, row[index] ?? ""])))
}

/** Every table of the document with the heading that it stands below, in order. */
export const allTables = (): ReadonlyArray<{ readonly heading: string; readonly rows: Table }> =>
  text.split(/\n(?=#)/).flatMap((part) => {
    const heading = (/^#+ (.*)/.exec(part)?.[1] ?? "").trim()
    return tablesIn(part).map((rows) => ({ heading, rows }))
  })

/** The part of the document below the heading that starts with these words, up to the next heading. */
export const section = (heading: string): string => {
  const found = text.split(/\n(?=#)/).find((part) => part.replace(/^#+ /, "").startsWith(heading))
  if (found === undefined) throw new Error(`no heading ${heading}`)
  return found
}

/** The tables below a heading, in order. */
export const tables = (heading: string): ReadonlyArray<Table> => tablesIn(section(heading))

const tablesIn = (part: string): ReadonlyArray<Table> =>
  part
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.split("\n").filter((line) => line.startsWith("|")))
    .filter((lines) => lines.length > 0)
    .map(tableOf)

export const table = (heading: string, index = 0): Table => {
  const found = tables(heading)[index]
  if (found === undefined) throw new Error(`no table ${index} below ${heading}`)
  return found
}

/** The code spans of a cell, without their quotes. */
export const code = (cell = ""): ReadonlyArray<string> =>
  Array.from(cell.matchAll(/`([^`]+)`/g), (match) => match[1] ?? "")

/** The code spans of one column, all rows. */
export const column = (rows: Table, title: string): ReadonlyArray<string> => rows.flatMap((row) => code(row[title]))

/** Every number of a cell, thousands separators aside. */
export const numbers = (cell = ""): ReadonlyArray<number> =>
  Array.from(cell.matchAll(/\d+/g), (match) => Number(match[0]))
