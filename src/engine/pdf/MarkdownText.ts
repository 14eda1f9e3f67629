/** Writes text as Markdown: escapes characters with a meaning, and writes links. */
import * as BareAddresses from "../BareAddresses.ts"
import type { Run } from "./TextLine.ts"

const inText =
  /[\\`*]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=.*~)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\[(?=[^\]]*\]\()|\](?=\()/gu
const inLink = new RegExp(`${inText.source}|[[\\]]`, "gu")
const atStart = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|\||~{3,}|={2,}\s*$|(?:-\s*){2,}$)/
const numberAtStart = /^(\d{1,9})([.)])(?=\s|$)/

/** Escapes text for the inside of a line, so that Markdown shows it unchanged; nothing in an address. */
export const escapeInline = (text: string): string =>
  BareAddresses.unescaped(text.replace(inText, (found) => `\\${found}`))

/** Escapes the start of a line, so that it is not a heading, list, quotation, table or rule. */
export const escapeStart = (markdown: string): string =>
  markdown.replace(atStart, (found) => `\\${found}`).replace(numberAtStart, "$1\\$2")

/** Escapes the start of each line of a text. */
export const escapeStarts = (markdown: string): string => markdown.split("\n").map(escapeStart).join("\n")

const address = (link: string): string =>
  link.replace(/[\s()<>\\]/g, (found) => encodeURIComponent(found).replace("(", "%28").replace(")", "%29"))

/** Brackets and quotation marks before a text. */
const opening = /^[([{<"“„‘]*/u

/** Longest run of signs behind a printed address: a bracket, a quotation mark, and a stop. */
const mostBehind = 4

/** What of a link's text stands before, in and behind the address that it shows; all of it in the link where it shows none. */
const parts = (text: string, link: string): readonly [before: string, shown: string, behind: string] => {
  const before = opening.exec(text)?.[0] ?? ""
  for (let behind = 0; behind <= mostBehind && !link.includes(text); behind++) {
    const shown = text.slice(before.length, text.length - behind)
    if (/\w[.@/:]/u.test(shown) && link.includes(shown)) return [before, shown, text.slice(text.length - behind)]
    if (!/[)\]}>"”’.,;:!?]$/u.test(shown)) break
  }
  return ["", text, ""]
}

/** Writes runs as Markdown, links as `[text](address)`; signs around a printed address, under the same link, stand beside it. */
export const fromRuns = (runs: ReadonlyArray<Run>): string =>
  runs
    .map(({ link, text }) => {
      if (link === undefined || text.trim() === "") return escapeInline(text)
      const [before, shown, behind] = parts(text, link)
      const label = shown.replace(inLink, (found) => `\\${found}`)
      return `${escapeInline(before)}[${label}](${address(link)})${escapeInline(behind)}`
    })
    .join("")

/** Writes a cell of a table, whose text is Markdown already: on one line, without a bare `|`. */
export const cell = (markdown: string): string =>
  markdown
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(\\*)\|/g, (found, slashes: string) => (slashes.length % 2 === 1 ? found : `${slashes}\\|`))
