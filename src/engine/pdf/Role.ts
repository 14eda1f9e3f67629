/**
 * Roles of the texts of a document: title, heading with its level, caption, formula, or plain text. Determined for the whole document,
 * since a size is large only in comparison.
 */
import type { Draft, TextDraft } from "./Draft.ts"
import * as ContentsEntries from "./lines/ContentsEntries.ts"
import * as CountedHeadings from "./lines/CountedHeadings.ts"
import type { DocumentStyle } from "./lines/DocumentStyle.ts"
import * as HeadingLevels from "./lines/HeadingLevels.ts"
import * as HeadingRules from "./lines/HeadingRules.ts"
import * as LineLook from "./lines/LineLook.ts"
import type { Kinds } from "./lines/LineModel.ts"
import * as TextSigns from "./lines/TextSigns.ts"
import type { Bookmark } from "./Outline.ts"

export type Role =
  | { readonly type: "title" | "section_header"; readonly level: number }
  | { readonly type: "caption" | "contents" | "formula" | "text" }

/** Text with its list marker, which is the number of a heading if the text is one. */
export const wholeText = (draft: TextDraft): string =>
  draft.marker === undefined ? draft.text : `${draft.marker.text} ${draft.text}`

/** Longest heading: a longer text is a paragraph. */
const longestHeading = 300

const depthOf = (text: string): number => {
  const number = /^(\d{1,3}(?:\.\d{1,3})*)[.):]?\s/u.exec(text)
  return number === null ? 0 : (number[1] ?? "").split(".").length
}

/** Facts about a document that its texts' roles depend on. */
interface Known {
  readonly style: DocumentStyle
  readonly kinds: ReadonlyMap<TextDraft, Kinds>
  readonly bookmarks: ReadonlyArray<Bookmark>
  /** The headings of its structure tree are sound. */
  readonly tags: boolean
}

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Depths of bookmarks by their titles, without their numbers too. */
const depthsOf = (bookmarks: ReadonlyArray<Bookmark>): ReadonlyMap<string, number> => {
  const depths = new Map<string, number>()
  for (const { depth, title } of bookmarks) {
    for (const key of [plain(title), plain(title.replace(/^[\d.]+\s+/u, ""))]) {
      if (key.length > 1 && !depths.has(key)) depths.set(key, depth)
    }
  }
  return depths
}

/** Least probability of being a heading: for any text, for one that the rules read as a heading, for one that a bookmark names. */
const probable = 0.5
const possible = 0.03
const likely = 0.05

/** Share of the characters from which a style is that of the text: without a number, nothing in it is a heading. */
const common = 0.5

/** Size over the usual one from which a heading may begin with a small letter or be an option. */
const large = 1.14

/** Two letters next to each other, or a sign that is a word: notes of music and single letters of an index are no headings. */
const word = /\p{L}{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Options of a command with their values, and no other words: a term of their description. */
const option = /^--?[\p{L}?][\w-]*(?:(?:=|\s*[,|]\s*|\s+)(?:--?[\p{L}?][\w-]*|[<[{(].*|[\p{Lu}\d_.-]+|(?<==)\S+))*$/u

/** Kind of a text by the model and the rules together. */
const judged = (draft: TextDraft, known: Known, byRule: boolean): string => {
  const own = known.kinds.get(draft)
  if (own === undefined) return "text"
  const chance = own.of("heading") + own.of("title")
  const heading = chance > probable || (byRule && chance > possible)
  if (!heading) return own.kind === "heading" || own.kind === "title" ? "text" : own.kind
  const style = LineLook.fromLines(draft.lines, known.style.body).style
  const text = wholeText(draft)
  if (TextSigns.isNumberedCaption(text)) return "caption"
  if (!word.test(text)) return "text"
  if (depthOf(text) === 0 && known.style.styleShare(style) > common) return "text"
  if ((/^\p{Ll}{2}/u.test(text) || option.test(text)) && draft.size < large * known.style.body) return "text"
  return own.of("title") > own.of("heading") ? "title" : "heading"
}

/** Kind of a text, and the level that a tag or a bookmark gives it. A paragraph of the tree may be a heading: many are tagged so. */
const settle = (
  draft: TextDraft,
  known: Known,
  depths: ReadonlyMap<string, number>,
  byRule: boolean
): { readonly kind: string; readonly given: number | undefined } => {
  const own = known.kinds.get(draft)
  const kind = judged(draft, known, byRule)
  const { tagged } = draft
  if (known.tags && tagged !== undefined && tagged.kind !== "text") {
    const entitled = tagged.kind === "heading" && kind === "title"
    return { kind: entitled ? kind : tagged.kind, given: tagged.level === 0 ? undefined : tagged.level }
  }
  const mayBe = (own?.of("heading") ?? 0) + (own?.of("title") ?? 0) >= likely
  const depth = mayBe ? (depths.get(plain(wholeText(draft))) ?? depths.get(plain(draft.text))) : undefined
  return depth === undefined
    ? { kind, given: undefined }
    : { kind: kind === "title" ? kind : "heading", given: known.tags ? undefined : depth }
}

/** The number of a table on a line of its own, with the caption below it, as journals set them. */
const tableNumber = /^(?:table|tabelle|tableau|tabla|tabella|tabela|таблица)\s+(?:[IVXLC]+|\d+(?:\.\d+)*)\.?$/iu

/** Most lines of a caption below its number. */
const mostCaptionLines = 4

/** Numbers of tables on lines of their own and the captions below them, above a table each. */
const tableCaptions = (drafts: ReadonlyArray<Draft>): ReadonlySet<Draft> => {
  const found = new Set<Draft>()
  for (const [at, draft] of drafts.entries()) {
    if (draft.kind !== "text" || !tableNumber.test(draft.text)) continue
    const [next, afterNext] = drafts.slice(at + 1, at + 3)
    const caption = next?.kind === "text" && next.lines.length <= mostCaptionLines && afterNext?.kind === "table"
    if (next?.kind === "table" || caption) found.add(draft)
    if (caption) found.add(next)
  }
  return found
}

/** The abstract of a paper, with its text on the same line or below. */
const abstract = /^(?:abstract|résumé|resumen)\b/iu

/** Number of the drafts above the abstract of a paper, or its first section: names in larger print there are no headings. */
const frontOf = (drafts: ReadonlyArray<Draft>, counted: ReadonlyMap<TextDraft, number>): number =>
  drafts.findIndex((draft) => draft.kind === "text" && (abstract.test(draft.text) || counted.has(draft)))

const contents = { kind: "contents", given: undefined }

const caption = { kind: "caption", given: undefined }

const headingOf = (draft: TextDraft, given: number | undefined, style: DocumentStyle): HeadingLevels.Heading => {
  const look = LineLook.fromLines(draft.lines, style.body)
  const text = wholeText(draft)
  return {
    size: draft.size / style.body,
    bold: look.bold > 0.5,
    italic: look.italic > 0.5,
    capitals: /\p{Lu}.*\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text),
    depth: depthOf(text),
    given
  }
}

/**
 * Role of every text of the document: by its sound tags, by its bookmarks, by the model and the rules together. Entries of a table of
 * contents have a role of their own. At most one is the title, on the first page. The title has level 1, the highest headings level 2, or 1 in a
 * document without a title; each heading is at most one level below the one before it.
 */
export const assign = (
  pages: ReadonlyArray<{ readonly drafts: ReadonlyArray<Draft> }>,
  known: Known
): ReadonlyMap<TextDraft, Role> => {
  const roles = new Map<TextDraft, Role>()
  const headings: Array<{ readonly draft: TextDraft; readonly heading: HeadingLevels.Heading }> = []
  const depths = depthsOf(known.bookmarks)
  const byRules = HeadingRules.find(pages, known.style.body)
  const entries = ContentsEntries.find(pages)
  const counted = CountedHeadings.find(pages)
  let title: TextDraft | undefined
  let best = 0
  pages.forEach(({ drafts }, page) => {
    const captions = tableCaptions(drafts)
    const front = page === 0 ? frontOf(drafts, counted) : 0
    for (const [at, draft] of drafts.entries()) {
      if (draft.kind !== "text") continue
      const level = counted.get(draft)
      const settled = () =>
        level === undefined ? settle(draft, known, depths, byRules.has(draft)) : { kind: "heading", given: level }
      const { given, kind } = entries.has(draft) ? contents : captions.has(draft) ? caption : settled()
      if (kind === "heading" && at < front) roles.set(draft, { type: "text" })
      else if (kind === "caption" || kind === "contents" || kind === "formula") roles.set(draft, { type: kind })
      else if ((kind === "heading" || kind === "title") && draft.upright && draft.text.length <= longestHeading) {
        headings.push({ draft, heading: headingOf(draft, given, known.style) })
        const chance = kind === "title" ? Math.max(0.01, known.kinds.get(draft)?.of("title") ?? 0) : 0
        if (page === 0 && chance > best) {
          title = draft
          best = chance
        }
      } else roles.set(draft, { type: "text" })
    }
  })
  const others = headings.filter(({ draft }) => draft !== title)
  const levels = HeadingLevels.of(
    others.map(({ heading }) => heading),
    title === undefined ? 1 : 2
  )
  others.forEach(({ draft }, at) => roles.set(draft, { type: "section_header", level: levels[at] ?? 1 }))
  if (title !== undefined) roles.set(title, { type: "title", level: 1 })
  return roles
}
