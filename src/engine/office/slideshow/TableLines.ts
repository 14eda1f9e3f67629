/** Tables in the place of the lines in which the parser wrote their cells one after another. */
import * as Tally from "../../Tally.ts"
import type { SlideTable } from "./SlideTables.ts"

/** Letters and digits of a line: what is left when all Markdown is taken away. */
const keyOf = (text: string): string =>
  text
    .replace(/^[\s>]*(?:[-*+] |\d{1,9}[.)] )*/u, "")
    .replaceAll(/\]\([^()\s]*\)|<br>|<a id="[^"]*"><\/a>/gu, "")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")

const delicate = /[\\`*_[\]<>|~]/gu

/** A cell as it stands between two pipes. */
const cell = (text: string): string =>
  text
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replaceAll(/\s+/gu, " ")
        .replaceAll(delicate, String.raw`\$&`)
    )
    .filter((line) => line !== "")
    .join("<br>")

const row = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`

const written = ({ rows }: SlideTable): string => {
  const [head = [], ...body] = rows
  return [row(head), `| ${head.map(() => "---").join(" | ")} |`, ...body.map(row)].join("\n")
}

/** Most lines that are looked at, for each line of the Markdown, before the rest of the tables is left out. */
const mostSteps = 50

/** The last line of those that spell the text, from a line on; undefined where they do not. */
const spelled = (keys: ReadonlyArray<string>, from: number, text: string, step: () => boolean): number | undefined => {
  let place = 0
  for (let at = from; at < keys.length && step(); at++) {
    const key = keys[at] ?? ""
    if (!text.startsWith(key, place)) return undefined
    place += key.length
    if (place === text.length) return at
  }
  return undefined
}

/**
 * The Markdown with each table where the lines hold the texts of all of its cells, in order and nothing else; tables that stand nowhere
 * are left out.
 */
export const placed = (markdown: string, tables: ReadonlyArray<SlideTable>): string => {
  if (tables.length === 0) return markdown
  const lines = markdown.split("\n")
  const keys = lines.map(keyOf)
  const places = new Map<string, Array<number>>()
  for (const [at, key] of keys.entries()) {
    if (key !== "") Tally.gather(places, key, at)
  }
  let left = mostSteps * lines.length
  const step = () => left-- > 0
  for (const table of tables) {
    const wanted = table.texts.flatMap((text) => text.split("\n").map(keyOf)).filter((key) => key !== "")
    const text = wanted.join("")
    for (const first of places.get(wanted[0] ?? "") ?? []) {
      if (keys[first] === "") continue
      const last = spelled(keys, first, text, step)
      if (last === undefined) continue
      for (let at = first; at <= last; at++) {
        lines[at] = ""
        keys[at] = ""
      }
      lines[first] = `\n${written(table)}\n`
      break
    }
  }
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trimStart()
}
