/** `.org`: Org mode. */
import type { TextBlock } from "../../ParsedDocument.ts"
import type { FormatReader, Reading } from "./contract.ts"
import { LineReader } from "./lineReader.ts"
import type { TextLine } from "./textLines.ts"

const headline = /^(\*+)\s+(.*)$/u
const keyword = /^#\+(\w+):\s*(.*)$/u
const begin = /^#\+begin_(\w+)/iu
const listItem = /^(?:[-+]|\d+[.)]|[a-zA-Z][.)])(?:\s|$)/u
const drawer = /^:[\w-]+:$/u

const kinds: Readonly<Record<string, TextBlock["kind"]>> = { quote: "quote", verse: "quote", center: "paragraph" }

/** Keywords at the head of a file whose values are metadata. */
const values: ReadonlySet<string> = new Set(
  "title subtitle author email date description keywords language filetags category".split(" ")
)

/** A headline's text without its state, priority, tags and marks. */
const plainText = (text: string): string =>
  text
    .replace(/^(?:TODO|DONE|NEXT|WAITING|CANCELL?ED|HOLD|STARTED)\s+/u, "")
    .replace(/^\[#\w\]\s+/u, "")
    .replace(/\s+:[\w@#%:]+:$/u, "")
    .replace(/\[\[[^\]]*\]\[([^\]]*)\]\]/gu, "$1")
    .replace(/\[\[([^\]]*)\]\]/gu, "$1")
    .replace(/(?<=^|\s)([*/_=~+])(\S(?:.*?\S)?)\1(?=$|[\s.,;:!?)])/gu, "$2")
    .trim()

class OrgReader extends LineReader {
  /** Index of the line before which a search found no end of a block, so that no line is looked at for each open block. */
  private readonly endless = new Map<string, number>()

  /** Keywords, comments and drawers before any other line: in no chunk, their values in the metadata. */
  protected head(): void {
    let start: number | null = null
    let end = 0
    for (let line = this.line; line !== undefined; line = this.line) {
      const [, name = "", value = ""] = keyword.exec(line.text) ?? []
      if (line.text !== "" && name === "" && !/^#(?:\s|$)/u.test(line.text)) break
      if (line.text !== "") {
        start ??= line.start
        end = line.end
      }
      if (values.has(name.toLowerCase()) && value !== "") this.value(name.toLowerCase(), value)
      this.at++
    }
    if (start !== null) this.list.add({ kind: "omitted", start, end })
  }

  private value(name: string, value: string): void {
    const before = this.metadata[name]
    if (name === "filetags") this.metadata["tags"] = value.split(/[:\s]+/u).filter((tag) => tag !== "")
    else this.metadata[name] = typeof before === "string" ? `${before} ${value}` : value
  }

  protected block(): void {
    const { line } = this
    if (line === undefined) return
    const [, stars, title] = line.indent === 0 ? (headline.exec(line.text) ?? []) : []
    const name = begin.exec(line.text)?.[1]?.toLowerCase()
    if (line.text === "") {
      this.list.close()
      this.at++
    } else if (stars !== undefined && title !== undefined) {
      this.list.add({ kind: "heading", start: line.start, end: line.end, depth: stars.length, title: plainText(title) })
      this.at++
    } else if (name !== undefined) this.until(line, kinds[name] ?? "code", new RegExp(`^#\\+end_${name}\\b`, "iu"))
    else if (drawer.test(line.text) && !/^:end:$/iu.test(line.text)) this.until(line, "lines", /^:end:$/iu)
    else if (keyword.test(line.text)) {
      // A caption or a name goes with the block after it.
      this.list.prepend(line)
      this.at++
    } else if (line.text.startsWith("|")) this.table(line)
    else if (/^:(?:\s|$)/u.test(line.text)) this.run("code", /^:(?:\s|$)/u)
    else if (listItem.test(line.text) || (line.indent > 0 && line.text.startsWith("* "))) this.item(line)
    else {
      this.list.line("paragraph", line)
      this.at++
    }
  }

  /** Lines up to the one that ends the block. Without one, the first line is text: no headline is taken in. */
  private until(first: TextLine, kind: TextBlock["kind"], ending: RegExp): void {
    const searched = this.endless.get(ending.source) ?? 0
    let at = this.at + 1
    for (; at < this.lines.length && this.at >= searched; at++) {
      const line = this.lines[at]
      if (line === undefined || (line.indent === 0 && headline.test(line.text) && kind !== "code")) break
      if (!ending.test(line.text)) continue
      this.list.add({ kind, start: first.start, end: line.end })
      this.at = at + 1
      return
    }
    this.endless.set(ending.source, Math.max(at, searched))
    this.list.line("paragraph", first)
    this.at++
  }

  private run(kind: TextBlock["kind"], mark: RegExp): void {
    for (let line = this.line; line !== undefined && mark.test(line.text); line = this.line) {
      this.list.line(kind, line)
      this.at++
    }
    this.list.close()
  }

  /** Rows; those before the first rule are the head. */
  private table(first: TextLine): void {
    let { end } = first
    let head: TextLine | undefined
    for (let line = this.line; line?.text.startsWith("|") === true; line = this.line) {
      if (head === undefined && line !== first && line.text.startsWith("|-")) head = line
      end = line.end
      this.at++
    }
    this.list.add({ kind: "table", start: first.start, end, ...(head && head.end < end && { headEnd: head.end }) })
  }

  /** An item and the lines that are indented more than it. */
  private item(first: TextLine): void {
    let { end } = first
    this.at++
    for (let line = this.line; line !== undefined && line.text !== ""; line = this.line) {
      if (line.indent <= first.indent || listItem.test(line.text) || begin.test(line.text)) break
      end = line.end
      this.at++
    }
    this.list.add({ kind: "list", start: first.start, end })
  }
}

const read = (text: string): Reading => {
  const reader = new OrgReader(text)
  return { markdown: text, blocks: reader.read(), metadata: reader.metadata }
}

export const org: FormatReader = { ofText: read }
