/**
 * Documents without a truth whose bookmarks name their headings, such as manuals in packages of a distribution. Only the headings are
 * known: the other kinds are those that a first model finds.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Composition from "../../src/engine/pdf/Composition.ts"
import type { TextDraft } from "../../src/engine/pdf/Draft.ts"
import * as DraftFeatures from "../../src/engine/pdf/lines/DraftFeatures.ts"
import * as LineLook from "../../src/engine/pdf/lines/LineLook.ts"
import * as LineModel from "../../src/engine/pdf/lines/LineModel.ts"
import * as Outline from "../../src/engine/pdf/Outline.ts"
import type { PageItems } from "../../src/engine/pdf/PageItem.ts"
import type * as PageLayout from "../../src/engine/pdf/PageLayout.ts"
import { objectsOf } from "../../src/engine/pdf/PdfObjects.ts"
import * as Role from "../../src/engine/pdf/Role.ts"
import type { Case } from "./trainBoost.ts"
import { pagesOf } from "./trainDocuments.ts"
import { kinds, wordsOf } from "./trainTruth.ts"

export interface Outlined {
  readonly name: string
  readonly pages: ReadonlyArray<PageItems>
  /** Titles of its bookmarks, as words without numbers. */
  readonly titles: ReadonlySet<string>
  readonly split: "learn" | "judge"
}

/** Most pages of a document that are learnt from. */
const mostPages = 12

/** Fewest bookmarks of a document that is used. */
const fewest = 5

const key = (text: string): string =>
  wordsOf(text)
    .filter((word) => !/^(?:\d+|[ivx]+)$/u.test(word))
    .join(" ")

/** One document in two is for learning: by the first letters of its name, so that relatives are in one split. */
const splitOf = (name: string): "learn" | "judge" => {
  let sum = 0
  for (const char of name
    .replace(/[^a-z]/giu, "")
    .slice(0, 4)
    .toLowerCase())
    sum = (sum * 31 + char.charCodeAt(0)) % 997
  return sum % 2 === 0 ? "learn" : "judge"
}

/** All documents below a folder that have enough bookmarks. */
export const outlined = async (folder: string, cache: string): Promise<ReadonlyArray<Outlined>> => {
  const found: Array<Outlined> = []
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith(".pdf"))
    .toSorted()) {
    const bookmarks = Outline.read(objectsOf(readFileSync(join(folder, name)), false))
    if (bookmarks.length < fewest) continue
    // oxlint-disable-next-line no-await-in-loop -- the engine reads one document at a time
    const pages = await pagesOf(join(folder, name), cache)
    const titles = new Set(bookmarks.map(({ title }) => key(title)).filter((title) => title !== ""))
    if (pages.length > 0) found.push({ name, pages, titles, split: splitOf(name) })
  }
  return found
}

interface LaidOut {
  readonly pages: ReadonlyArray<PageLayout.LaidOut>
  readonly style: ReturnType<typeof Composition.styleOf>
  readonly kinds: ReadonlyMap<TextDraft, LineModel.Kinds>
}

const layOut = ({ pages }: Outlined, model: LineModel.LineModel): LaidOut => {
  const style = Composition.styleOf(pages)
  const laidOut = Composition.layOut(pages, style, LineModel.joinsOf(model.joins, style, false))
  return { pages: laidOut, style, kinds: LineModel.kindsOf(model.roles, laidOut, style) }
}

/**
 * Cases of a document: texts that are bookmarks are headings, and so are those that a first model thinks headings in the same style; in
 * another style they are text, on the first page unknown.
 */
export const outlinedCases = (document: Outlined, first: LineModel.LineModel): ReadonlyArray<Case> => {
  const { kinds: found, pages, style } = layOut(document, first)
  const features = DraftFeatures.ofDocument(pages, style)
  const styleOf = (draft: TextDraft) => LineLook.fromLines(draft.lines, style.body).style
  const isNamed = (draft: TextDraft) => document.titles.has(key(draft.text))
  const drafts = pages
    .slice(0, mostPages)
    .flatMap((page, at) => page.drafts.flatMap((draft) => (draft.kind === "text" ? [{ draft, first: at === 0 }] : [])))
  const headingStyles = new Set(
    drafts.flatMap(({ draft }) => (isNamed(draft) && found.get(draft)?.kind === "heading" ? [styleOf(draft)] : []))
  )
  const weight = Math.min(1, 12 / Math.sqrt(Math.max(1, drafts.length)))
  return drafts.flatMap(({ draft, first: onFirst }) => {
    const values = features.get(draft)
    const kind = found.get(draft)?.kind ?? "text"
    if (values === undefined) return []
    const heading = kind === "heading" || kind === "title"
    if (isNamed(draft) && kind !== "contents" && kind !== "furniture") {
      return [{ values, label: kinds.indexOf("heading"), weight }]
    }
    if (heading && onFirst) return []
    const label = !heading ? kind : headingStyles.has(styleOf(draft)) ? "heading" : "text"
    return [{ values, label: kinds.findIndex((each) => each === label), weight: weight / 2 }]
  })
}

/** F1 of the headings that bookmarks name on the pages that were read, bookmarks themselves left out of sight. */
export const outlinedScore = (document: Outlined, model: LineModel.LineModel): number | undefined => {
  const { kinds: found, pages, style } = layOut(document, model)
  const roles = Role.assign(pages, { style, kinds: found, bookmarks: [], tags: false })
  const present = new Set<string>()
  const answered = new Set<string>()
  pages.forEach(({ drafts }) => {
    for (const draft of drafts) {
      if (draft.kind !== "text") continue
      const text = key(draft.text)
      // A line alone may carry the title: paragraphs with wrongly joined titles count as misses.
      for (const line of [text, ...draft.lines.map((each) => key(each.text))])
        if (document.titles.has(line)) present.add(line)
      if (roles.get(draft)?.type === "section_header") answered.add(text)
    }
  })
  if (present.size < fewest) return undefined
  const hits = [...answered].filter((text) => present.has(text)).length
  return (2 * hits) / (present.size + answered.size)
}
