/** Tables that go on over the end of a page: their parts become one, with one head. */
import type { Column, Draft, SilentDraft, TableDraft, TextDraft } from "./Draft.ts"
import * as TextSigns from "./lines/TextSigns.ts"
import type { LaidOut } from "./PageLayout.ts"
import * as TableRows from "./TableRows.ts"
import * as TextLine from "./TextLine.ts"

type Row = ReadonlyArray<string>

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

/** Words for a part that is not the first or not the last, as captions have them. */
const continued = new RegExp(
  [
    String.raw`[([]?(?<!\p{L})(?:cont(?:inue[ds]?|inuation|inua(?:ción|ção|zione)?|['’]?d|\.)|fortsetzung|forts\.|suite|segue|vervolg|продолжение|окончание)(?!\p{L})`,
    String.raw`(?:\s(?:on|over|from|auf|von|à|de)\s(?:the\s|der\s|la\s)?(?:(?:next|following|previous|preceding|nächsten|vorigen)\s(?:page|seite)|page\s(?:suivante|précédente)))?\.?[)\]]?`,
    "|[(（]?(?:[续續]表?|続き|계속)[)）]?"
  ].join(""),
  "giu"
)

/** Letters and digits of a text, without words that say that a table goes on. */
const keyOf = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(continued, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

const filledCells = (row: Row): number => row.filter((cell) => cell !== "").length

const isAlike = (one: Row, other: Row): boolean =>
  one.length === other.length && one.every((cell, at) => plain(cell) === plain(other[at] ?? ""))

/** A cell without white space and escapes; in one of a single signs nothing else is left. */
const plain = (cell: string): string =>
  cell
    .normalize("NFKC")
    .replace(continued, "")
    .replace(/[\s\\]+/gu, "")

const year = /^(?:19|20)\d\d$/

const isNumber = (cell: string): boolean => /\d/.test(cell) && TableRows.isNumeric(cell) && !year.test(cell.trim())

/** Number of rows at the top of both tables that are the same head: the first one, and those below it without numbers. */
const repeatedRows = (first: TableDraft, part: TableDraft): number => {
  let count = 0
  for (const row of part.rows) {
    if (!isAlike(first.rows[count] ?? [], row) || (count > 0 && row.some(isNumber))) break
    count++
  }
  return count < part.rows.length && part.rows.slice(0, count).some((row) => filledCells(row) > 1) ? count : 0
}

/** True if a running line of a page is the head of a table. */
const isHeadLine = (draft: Draft, { rows }: TableDraft): boolean =>
  draft.kind === "page_header" && keyOf(TextLine.textOf(draft.runs)) === keyOf((rows[0] ?? []).join(""))

const most = (flags: ReadonlyArray<boolean>): boolean => flags.filter((flag) => flag).length > flags.length / 2

/** True if the first row of a table is bold and the others are not. */
const hasBoldHead = ({ bold }: TableDraft): boolean => bold[0] === true && bold.length > 1 && !most(bold.slice(1))

/** Columns of numbers below a head that has none. */
const numberColumns = ({ rows: [head = [], ...rows] }: TableDraft): ReadonlyArray<number> =>
  head.flatMap((cell, at) => {
    const filled = rows.flatMap((row) => (row[at] === undefined || row[at] === "" ? [] : [row[at]]))
    return !isNumber(cell) && filled.length > 1 && most(filled.map(isNumber)) ? [at] : []
  })

/** Shortest cell that is text rather than the head of a column. */
const longCell = 60

/** True if a table has no head of its own: its first row looks like the rows below the head of the first part. */
const isHeadless = (first: TableDraft, part: TableDraft): boolean => {
  const [row = []] = part.rows
  const [bold] = part.bold
  if (filledCells(row) < 2 || bold === undefined || (bold && !most(first.bold.slice(1)))) return false
  const numbers = numberColumns(first).flatMap((at) => (row[at] === undefined || row[at] === "" ? [] : [row[at]]))
  if (numbers.some((cell) => !TableRows.isNumeric(cell))) return false
  const isLong = (cell: string) => cell.length > longCell
  return hasBoldHead(first) || numbers.some(isNumber) || (row.some(isLong) && !(first.rows[0] ?? []).some(isLong))
}

/** True if the columns have the same places, at one of their edges or in their middle, to a font height. */
const areSame = (above: ReadonlyArray<Column>, below: ReadonlyArray<Column>, size: number): boolean =>
  above.length === below.length &&
  above.every(([left, right], at) => {
    const [from, to] = below[at] ?? [0, 0]
    return Math.min(Math.abs(left - from), Math.abs(right - to), Math.abs(left + right - from - to) / 2) < size
  })

const edges = ({ box }: TableDraft): Column => [box.x0, box.x1]

const width = ({ rows }: TableDraft): number => Math.max(...rows.map((row) => row.length))

/** Share of the page's height that may be empty below a table that goes on, and above its next part. */
const widestGap = 0.35

const isSilent = (draft: Draft): draft is SilentDraft => !["text", "code", "table"].includes(draft.kind)

/** Most lines of a caption above a part. */
const mostLines = 4

/** True if texts above a part say no more than that it goes on, or what stands above the first part. */
const saysNothingNew = (texts: ReadonlyArray<TextDraft>, captions: ReadonlyArray<string>): boolean => {
  if (texts.reduce((sum, { lines }) => sum + lines.length, 0) > mostLines) return false
  const key = keyOf(texts.map(wholeText).join(" "))
  if (key === "") return true
  const isStart = (caption: string) => caption.startsWith(key) && !/^\d/.test(caption.slice(key.length))
  return captions.some((caption) => caption === key || (texts.some(saysContinued) && isStart(caption)))
}

const wholeText = ({ marker, text }: TextDraft): string => (marker === undefined ? text : `${marker.text} ${text}`)

const saysContinued = ({ text }: TextDraft): boolean => text.replace(continued, "") !== text

/** True for a line that only says that a table goes on. */
const isMerePointer = (draft: Draft): boolean => isText(draft) && saysContinued(draft) && keyOf(draft.text) === ""

const isText = (draft: Draft): draft is TextDraft => draft.kind === "text"

const silenced = (draft: Draft, kind: SilentDraft["kind"]): Draft =>
  isText(draft) ? { kind, box: draft.box, runs: [{ text: wholeText(draft), link: undefined }] } : draft

/** True if a table has the columns of the one that is open, and its place on the page after it. */
const isBelow = ({ first, last, page: above }: Open, table: TableDraft, page: LaidOut["page"]): boolean => {
  const gaps = [1 - last.box.y1 / above.height, table.box.y0 / page.height]
  const places = last.columns.length > 0 && table.columns.length > 0
  return (
    page.pageNumber === above.pageNumber + 1 &&
    gaps.every((gap) => gap < widestGap) &&
    width(first) === width(table) &&
    (places ? areSame(last.columns, table.columns, table.size) : areSame([edges(last)], [edges(table)], table.size))
  )
}

/** The drafts of a page that begins with a part of the table that is open, and that part; undefined if it begins with something else. */
const continuation = (open: Open, { drafts, page }: LaidOut, markers: boolean) => {
  const at = drafts.findIndex(({ kind }) => kind === "table" || kind === "code")
  const [table] = drafts.slice(at, at + 1)
  const above = drafts.slice(0, at)
  if (table?.kind !== "table" || !isBelow(open, table, page)) return undefined
  if (!saysNothingNew(above.filter(isText), open.captions)) return undefined
  const { first, followed } = open
  const repeated = repeatedRows(first, table)
  if (repeated === 0 && !above.some((draft) => isHeadLine(draft, first)) && !isHeadless(first, table)) return undefined
  const rows = table.rows.slice(repeated)
  const head = first.rows.slice(0, Math.max(1, repeated))
  const part: TableDraft =
    markers || followed ? { ...table, rows: [...head, ...rows] } : { ...table, rows, continues: true }
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
  const captions = [texts.slice(-1), texts].map((each) => keyOf(each.join(" ")))
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
