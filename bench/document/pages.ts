/** The files of the bench `document`: HTML pages of 2.6 KB, each with words of its own. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const words =
  "harbour ledger winter current engine measure paper signal garden bridge copper valley morning transfer index record window market letter number station river forest bottle season picture weather machine answer summer village border silver circle button journey kitchen teacher shadow pattern".split(
    " "
  )

/** A small generator of numbers, the same on every machine. */
const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0 || 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const sentence = (random: () => number): string =>
  `${Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(" ")} ${Math.floor(random() * 1e6)}.`

const bytes = 2600

const page = (seed: number): string => {
  const random = randomOf(seed * 7919 + 13)
  const parts = [`<!doctype html><html><head><title>Page ${seed}</title></head><body><h1>Page ${seed}</h1>`]
  let length = parts[0]?.length ?? 0
  for (let at = 0; length < bytes - 20; at++) {
    const heading = at % 3 === 0 ? `<h2>Part ${at / 3 + 1} of ${seed}</h2>\n` : ""
    const part = `${heading}<p>${sentence(random)} ${sentence(random)} ${sentence(random)}</p>\n`
    parts.push(part)
    length += part.length
  }
  return `${parts.join("")}</body></html>`
}

const nameOf = (at: number): string => `folder-${Math.floor(at / 100)}/page-${at}.html`

/** Writes the pages into the folder. */
export const plant = (folder: string, files: number): void => {
  for (let at = 0; at < files; at++) {
    const path = join(folder, nameOf(at))
    if (at % 100 === 0) mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, page(at))
  }
}

/** Gives one page in a hundred another content. */
export const change = (folder: string, files: number, round: number): void => {
  for (let at = 50; at < files; at += 100) writeFileSync(join(folder, nameOf(at)), page(at + files * (round + 1)))
}

/** The Markdown of a page, which holds headings and paragraphs only. */
export const markdownOf = (page: string): string =>
  page
    .slice(page.indexOf("<body>") + 6, page.indexOf("</body>"))
    .replaceAll("<h1>", "# ")
    .replaceAll("<h2>", "## ")
    .replaceAll(/<\/(?:h1|h2|p)>/g, "\n")
    .replaceAll(/<[^>]+>/g, "")
    .trim()
