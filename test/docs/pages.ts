/** Pages of documentation: their fences, headings and links. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import fg from "fast-glob"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** Paths of the pages that are written by hand, below the root. */
export const paths: ReadonlyArray<string> = fg.sync(
  ["README.md", "CONTRIBUTING.md", "SECURITY.md", ".changeset/README.md", "docs/**/*.md", "bench/README.md"],
  {
    cwd: root,
    ignore: ["docs/site/**"]
  }
)

export const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8")

export interface Fence {
  readonly language: string
  readonly code: string
}

export const fences = (text: string): ReadonlyArray<Fence> =>
  Array.from(text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gmu), ([, language = "", code = ""]) => ({ language, code }))

/** The text without fenced and quoted code. */
const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gmu, "").replaceAll(/`[^`\n]*`/gu, "")

/** Anchors of the headings, as GitHub makes them; a repeated heading gets a number. */
export const anchors = (text: string): ReadonlySet<string> => {
  const seen = new Map<string, number>()
  const outside = text.replaceAll(/^```[\s\S]*?^```$/gmu, "")
  return new Set(
    Array.from(outside.matchAll(/^#+ (.*)$/gmu), ([, title = ""]) => {
      const anchor = title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-")
      const times = seen.get(anchor) ?? 0
      seen.set(anchor, times + 1)
      return times === 0 ? anchor : `${anchor}-${times}`
    })
  )
}

/** Targets of the links and pictures outside of code. */
export const links = (text: string): ReadonlyArray<string> =>
  Array.from(prose(text).matchAll(/\]\(([^)\s]+)\)/gu), ([, to = ""]) => to)
