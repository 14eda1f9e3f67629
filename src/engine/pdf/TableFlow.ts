/** Tables that go on over the end of a page: their parts become one, with one head. */
import type { Draft, SilentDraft, TableDraft, TextDraft } from "./Draft.ts"
import * as TextSigns from "./lines/TextSigns.ts"
import type { LaidOut } from "./PageLayout.ts"
import { wholeText } from "./Role.ts"
import * as TablePart from "./TablePart.ts"

/** Facts about a document that its tables depend on. */
interface Known {
  /** Page markers divide its pages. */
  readonly markers: boolean
  /** Usual font height, in points. */
  readonly body: number
}

/** A table that is the last on its page, and may go on. */
interface Open {
  readonly page: LaidOut["page"]
  /** Its first part, which has the head, and its last one. */
  readonly first: TableDraft
  readonly last: TableDraft
  /** Texts above its first part. */
  readonly captions: ReadonlyArray<string>
  /** Something stands between it and the end of its page. */
  readonly followed: boolean
}

/** The top of a page, with what stands above its first table. */
interface Beginning {
  readonly page: LaidOut["page"]
  readonly texts: ReadonlyArray<TextDraft>
  readonly lines: ReadonlyArray<SilentDraft>
  readonly markers: boolean
}

/** Share of the page's height that may be empty below a table that goes on, and above its next part. */
const widestGap = 0.35

/** The same where nothing else tells that it goes on. */
const narrowGap = 0.2

const isSilent = (draft: Draft): draft is SilentDraft => !["text", "code", "table"].includes(draft.kind)

/** Most lines of a caption above a part. */
const mostLines = 4

/** True if texts above a part say no more than that it goes on, or what stands above the first part. */
const saysNothingNew = (texts: ReadonlyArray<TextDraft>, captions: ReadonlyArray<string>): boolean => {
  if (texts.reduce((sum, { lines }) => sum + lines.length, 0) > mostLines) return false
  const key = TablePart.keyOf(texts.map(wholeText).join(" "))
  if (key === "") return true
  const isStart = (caption: string) => caption.startsWith(key) && !/^\d/.test(caption.slice(key.length))
  return captions.some((caption) => caption === key || (texts.some(saysContinued) && isStart(caption)))
}

const saysContinued = ({ text }: TextDraft): boolean => text.replace(TablePart.continued, "") !== text

/** True for a line that only says that a table goes on. */
const isMerePointer = (draft: Draft): boolean =>
  isText(draft) && saysContinued(draft) && TablePart.keyOf(draft.text) === ""

const isText = (draft: Draft): draft is TextDraft => draft.kind === "text"

const silenced = (draft: Draft, kind: SilentDraft["kind"]): Draft =>
  isText(draft) ? { kind, box: draft.box, runs: [{ text: wholeText(draft), link: undefined }] } : draft

/** Largest difference between the font heights of two parts, in points. */
const sizeTolerance = 0.6

/** The table of a page as a part of the one that is open; undefined if it is another one. `texts` and `lines` stand above it. */
const partOf = (
  { first, followed, last, page: above }: Open,
  table: TableDraft,
  { lines, markers, page, texts }: Beginning
): TableDraft | undefined => {
  const gaps = [1 - last.box.y1 / above.height, table.box.y0 / page.height]
  const placed = TablePart.below(last, table)
  if (placed === undefined || gaps.some((gap) => gap > widestGap)) return undefined
  const part = placed.table
  const repeated = TablePart.repeatedRows(first, part)
  const close =
    placed.exact &&
    !followed &&
    texts.length === 0 &&
    Math.abs(last.size - part.size) < sizeTolerance &&
    gaps.every((gap) => gap < narrowGap)
  const goesOn =
    repeated > 0 || lines.some((line) => TablePart.isHeadLine(line, first)) || TablePart.isHeadless(first, part, close)
  if (!goesOn) return undefined
  const rows = part.rows.slice(repeated)
  const head = first.rows.slice(0, Math.max(1, repeated))
  return markers || followed ? { ...part, rows: [...head, ...rows] } : { ...part, rows, continues: true }
}

/** The drafts of a page that begins with a part of the table that is open, and that part; undefined if it begins with something else. */
const continuation = (open: Open, { drafts, page }: LaidOut, markers: boolean) => {
  const at = drafts.findIndex(({ kind }) => kind === "table" || kind === "code")
  const [table] = drafts.slice(at, at + 1)
  const above = drafts.slice(0, at)
  const texts = above.filter(isText)
  if (table?.kind !== "table" || page.pageNumber !== open.page.pageNumber + 1) return undefined
  if (!saysNothingNew(texts, open.captions)) return undefined
  const part = partOf(open, table, { lines: above.filter(isSilent), markers, page, texts })
  if (part === undefined) return undefined
  return { part, drafts: [...above.map((draft) => silenced(draft, "page_header")), part, ...drafts.slice(at + 1)] }
}

/** Size of notes, below the usual one. */
const noteShare = 0.95

/** True for what may stand between a table and the end of its page: notes, and turned text. */
const isNote = (draft: Draft, body: number): boolean =>
  isText(draft) && !TextSigns.isNumberedCaption(draft.text) && (!draft.upright || draft.size < body * noteShare)

/** The table that ends a page, as the part of `chain` that it may be. */
const openOf = ({ drafts, page }: LaidOut, body: number, chain: Open | undefined): Open | undefined => {
  const at = drafts.findLastIndex((draft) => !isSilent(draft) && !isNote(draft, body) && !isMerePointer(draft))
  const table = drafts[at]
  if (table?.kind !== "table") return undefined
  const followed = drafts.slice(at + 1).some((draft) => !isSilent(draft) && !isMerePointer(draft))
  if (chain?.last === table) return { ...chain, page, followed }
  const texts = drafts.slice(0, at).filter(isText).slice(-2).map(wholeText)
  const captions = [texts.slice(-1), texts].map((each) => TablePart.keyOf(each.join(" ")))
  return { page, first: table, last: table, captions, followed }
}

/**
 * The pages with the parts of each table made one. A part goes on with the table that ends the page before if it has the same columns in
 * the same places, and either repeats its head or has none. A repeated head is left out; a caption above the part that says nothing new,
 * and a line that says that the table goes on, become furniture. Where page markers or notes stand between two parts, each has the head.
 */
export const join = (pages: ReadonlyArray<LaidOut>, { body, markers }: Known): ReadonlyArray<LaidOut> => {
  let open: Open | undefined
  const joined: Array<LaidOut> = []
  for (const laidOut of pages) {
    const found = open && continuation(open, laidOut, markers)
    const before = found && joined.pop()
    if (before !== undefined) joined.push({ ...before, drafts: withoutPointer(before.drafts) })
    const own = { page: laidOut.page, drafts: found?.drafts ?? laidOut.drafts }
    open = openOf(own, body, open && found && { ...open, last: found.part })
    joined.push(own)
  }
  return joined
}

/** The drafts of a page with the line below its last table that says that it goes on as furniture. */
const withoutPointer = (drafts: ReadonlyArray<Draft>): ReadonlyArray<Draft> => {
  const end = drafts.findLastIndex(({ kind }) => kind === "table")
  return drafts.map((draft, at) => (at > end && isMerePointer(draft) ? silenced(draft, "page_footer") : draft))
}
