/** Writes the Markdown fragment of each block. */
import type { CodeDraft, Draft, TableDraft, TextDraft } from "./Draft.ts"
import * as ContentsEntries from "./lines/ContentsEntries.ts"
import * as MarkdownText from "./MarkdownText.ts"
import type { Role } from "./Role.ts"

/** A block in its written form. */
export interface Fragment {
  readonly type: string
  readonly box: Draft["box"]
  readonly content: string
  /** True for a block whose content is left out of the document's Markdown. */
  readonly silent: boolean
  /**
   * True if it continues a list, the sentence of the block before it, or the table of the page before: preceded by one line feed, not by
   * a blank line.
   */
  readonly tight: boolean
}

/** Writes a table in pipe form; the first row is its header unless it continues another, short rows are filled up. */
export const table = (draft: TableDraft): string => {
  const columns = Math.max(...draft.rows.map((row) => row.length))
  const lines = draft.rows.map((row) => {
    const cells = Array.from({ length: columns }, (_, at) => MarkdownText.cell(row[at] ?? ""))
    return `| ${cells.join(" | ")} |`
  })
  if (draft.continues) return lines.join("\n")
  const rule = `|${" --- |".repeat(columns)}`
  return [lines[0], rule, ...lines.slice(1)].join("\n")
}

/** Writes code in a fence that is longer than any run of backticks in it. */
const code = (draft: CodeDraft): string => {
  const text = draft.lines.join("\n")
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

interface OpenItem {
  readonly indent: number
  /** Columns before the marker, and before the text after it. */
  readonly outer: number
  readonly inner: number
}

/** Largest distance, in font heights, from an item's marker to the left edge of its text. */
const widestHang = 5

/** Nesting of list items, by the left edges of their markers. */
class ListNesting {
  private open: Array<OpenItem> = []

  reset(): void {
    this.open = []
  }

  /** Columns before a paragraph that belongs to an item before it, right of whose marker it stands; 0 for any other. */
  belonging(draft: TextDraft): number {
    const slack = draft.size * 0.6
    while (this.open.length > 0 && (this.open.at(-1)?.indent ?? 0) > draft.indent - slack) this.open.pop()
    const last = this.open.at(-1)
    return last !== undefined && draft.indent < last.indent + draft.size * widestHang ? last.inner : 0
  }

  /** Columns before the marker; tells also if the item continues the list before it. */
  place(draft: TextDraft): { readonly outer: number; readonly tight: boolean } {
    const marker = draft.marker
    const slack = draft.size * 0.6
    const tight = this.open.length > 0
    while (this.open.length > 0 && (this.open.at(-1)?.indent ?? 0) > draft.indent + slack) this.open.pop()
    const last = this.open.at(-1)
    const sameLevel = last !== undefined && Math.abs(last.indent - draft.indent) <= slack
    const outer = last === undefined ? 0 : sameLevel ? last.outer : last.inner
    if (sameLevel) this.open.pop()
    this.open.push({
      indent: draft.indent,
      outer,
      inner: outer + (marker?.text.length ?? 1) + 1
    })
    return { outer, tight }
  }
}

const heading = (draft: TextDraft, level: number): string => {
  const number = draft.marker?.ordered === true ? `${draft.marker.text} ` : ""
  const text = (number + MarkdownText.fromRuns(draft.runs)).replace(/\s*\n/g, " ").replace(/(#+)$/, "\\$1")
  return `${"#".repeat(level)} ${text}`
}

/** Dots between a title and the number of its page. */
const leaders = /\s*(?:[.·…]\s?){4,}\s*/gu

/** Entries of a table of contents as a list; a line without a page number goes on in the next one. */
const entries = (text: string): string => {
  const found: Array<string> = []
  let open = ""
  for (const line of text.split("\n")) {
    open = `${open} ${line.trim()}`.trim()
    if (!ContentsEntries.isEntry(open)) continue
    found.push(open)
    open = ""
  }
  return [...found, ...(open === "" ? [] : [open])].map((each) => `- ${each.replace(leaders, " … ")}`).join("\n")
}

/** Fragments of one page, in the order of its drafts. A list does not continue across a page break. */
export const fragments = (
  drafts: ReadonlyArray<Draft>,
  roles: ReadonlyMap<TextDraft, Role>
): ReadonlyArray<Fragment> => {
  const lists = new ListNesting()
  let before: Fragment | undefined
  const isContents = (draft: Draft | undefined): boolean =>
    draft?.kind === "text" && roles.get(draft)?.type === "contents"
  const written = (draft: Draft, at: number): Fragment => {
    const { box } = draft
    switch (draft.kind) {
      case "table":
        lists.reset()
        return { type: "table", box, content: table(draft), silent: false, tight: draft.continues }
      case "code":
        lists.reset()
        return { type: "text", box, content: code(draft), silent: false, tight: false }
      case "text": {
        const role = roles.get(draft) ?? { type: "text" }
        if (role.type === "title" || role.type === "section_header") {
          lists.reset()
          return { type: role.type, box, content: heading(draft, role.level), silent: false, tight: false }
        }
        const text = MarkdownText.escapeStarts(MarkdownText.fromRuns(draft.runs))
        if (role.type === "contents") {
          lists.reset()
          const marked = draft.marker === undefined ? text : `${draft.marker.text} ${text}`
          const tight = at > 0 && isContents(drafts[at - 1])
          return { type: "text", box, content: entries(MarkdownText.escapeStart(marked)), silent: false, tight }
        }
        if (draft.continues && role.type === "text" && before?.type === "text") {
          return { type: "text", box, content: text, silent: false, tight: true }
        }
        const columns = draft.marker === undefined && role.type === "text" ? lists.belonging(draft) : 0
        if (columns > 0) {
          const content = text.replace(/^/gm, " ".repeat(columns))
          return { type: "text", box, content, silent: false, tight: false }
        }
        if (draft.marker === undefined || role.type !== "text") {
          lists.reset()
          const marked = draft.marker === undefined ? "" : `${draft.marker.text} `
          return { type: role.type, box, content: MarkdownText.escapeStart(marked + text), silent: false, tight: false }
        }
        const { outer, tight } = lists.place(draft)
        return { type: "text", box, content: `${" ".repeat(outer)}${draft.marker.text} ${text}`, silent: false, tight }
      }
      default:
        return {
          type: draft.kind,
          box,
          content: MarkdownText.escapeStart(MarkdownText.fromRuns(draft.runs)),
          silent: true,
          tight: false
        }
    }
  }
  return drafts.map((draft, at) => {
    const fragment = written(draft, at)
    if (!fragment.silent) before = fragment
    return fragment
  })
}
