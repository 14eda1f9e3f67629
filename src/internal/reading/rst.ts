/** `.rst`: reStructuredText. */
import type { TextBlock } from "../../ParsedDocument.ts"
import type { FormatReader, Reading } from "./contract.ts"
import { frontMatter } from "./frontMatter.ts"
import { LineReader } from "./lineReader.ts"
import type { TextLine } from "./textLines.ts"

const adornment = /^([!-/:-@[-`{-~])\1+$/u

const field = /^:((?:[^:\\]|\\.)+):(?:\s+(.*))?$/u
const listItem = /^(?:[-*+•‣⁃]|(?:\(?(?:\d+|#|[a-zA-Z]|[ivxlcdm]+)[.)]))(?:\s|$)/u
const directive = /^\.\.\s+(?:\|[^|]+\|\s+)?([\w:.+-]+?)\s*::(?:\s|$)/u
const simpleBorder = /^=+(?:[ ]+=+)+$/u
const gridBorder = /^\+(?:[-=]+\+)+$/u

const codeDirectives: ReadonlySet<string> = new Set(
  "code code-block sourcecode highlight literalinclude parsed-literal doctest testcode testoutput ipython math raw graphviz digraph mermaid productionlist prompt".split(
    " "
  )
)

/** Columns of a text, those of East Asian characters twice. */
const widthOf = (text: string): number => {
  let width = 0
  for (const character of text)
    width += /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(character) ? 2 : 1
  return width
}

/** Inline marks of a title, without which it is a text: roles, literals, emphasis, references. */
const plainText = (text: string): string =>
  text
    .replace(/:[\w:.+-]+:`([^`<]*?)\s*(?:<[^`>]*>)?`/gu, "$1")
    .replace(/`([^`<]+?)\s*<[^`>]*>`_{0,2}/gu, "$1")
    .replace(/``(.+?)``/gu, "$1")
    .replace(/`([^`]+)`_{0,2}/gu, "$1")
    .replace(/\*\*(\S(?:.*?\S)?)\*\*|\*(\S(?:.*?\S)?)\*/gu, "$1$2")
    .replace(/\\(.)/gu, "$1")

/** A title with its adornment. */
interface Title {
  readonly text: string
  /** Its character, twice with an overline: titles of one style are of one depth. */
  readonly style: string
  readonly lines: number
}

class RstReader extends LineReader {
  private readonly styles: Array<string> = []

  private skipBlank(): void {
    while (this.line?.text === "") this.at++
  }

  /** Fields at the start, before or after the document's title: their values go to the metadata. */
  protected head(): void {
    this.skipBlank()
    const before = this.fields()
    this.skipBlank()
    const title = this.title(this.at)
    const first = this.line
    if (title === undefined || first === undefined) {
      if (before !== null) this.list.add(before)
      return
    }
    const start = before?.start ?? first.start
    const titleAt = this.at
    this.at += title.lines
    const titleEnd = this.lines[this.at - 1]?.end ?? start
    this.skipBlank()
    const after = this.fields()
    const name = plainText(title.text)
    this.metadata["title"] ??= name
    this.styles.push(title.style)
    if (after !== null) {
      // The title stands in the path of every section, and its lines between fields in no chunk.
      this.list.add({ kind: "omitted", start, end: after.end, depth: 1, title: name })
      return
    }
    if (before !== null) this.list.add(before)
    this.list.add({ kind: "heading", start: this.lines[titleAt]?.start ?? start, end: titleEnd, depth: 1, title: name })
    this.at = titleAt + title.lines
  }

  /** The field list at the present line, as a block that is omitted; null when there is none. */
  private fields(): TextBlock | null {
    const first = this.line
    if (first === undefined || first.indent > 0 || !field.test(first.text)) return null
    let { end } = first
    let name = ""
    for (let line = this.line; line !== undefined && line.text !== ""; line = this.line) {
      const [, found, value = ""] = line.indent === 0 ? (field.exec(line.text) ?? []) : []
      if (found === undefined && line.indent === 0) break
      name = found === undefined ? name : found.toLowerCase().replace(/\s+/gu, "_")
      const before = found === undefined ? this.metadata[name] : undefined
      const all = [...(typeof before === "string" ? [before] : []), found === undefined ? line.text : value]
        .join(" ")
        .trim()
      if (all !== "") this.metadata[name] = plainText(all)
      end = line.end
      this.at++
    }
    return { kind: "omitted", start: first.start, end }
  }

  /** The title whose first line is at an index. */
  private title(at: number): Title | undefined {
    const [first, second, third] = [this.lines[at], this.lines[at + 1], this.lines[at + 2]]
    if (first === undefined || second === undefined || first.text === "") return undefined
    const over = first.indent === 0 ? adornment.exec(first.text) : null
    if (over !== null && second.text !== "" && third?.text === first.text && third.indent === 0) {
      return widthOf(second.text) <= first.text.length && !adornment.test(second.text)
        ? { text: second.text, style: first.text.slice(0, 2), lines: 3 }
        : undefined
    }
    const under = first.indent === 0 && second.indent === 0 ? adornment.exec(second.text) : null
    if (over !== null || under === null) return undefined
    const width = widthOf(first.text)
    // A shorter underline is taken from four characters on, with a warning of docutils.
    return second.text.length >= width || (second.text.length >= 4 && width - second.text.length <= 2)
      ? { text: first.text, style: second.text.slice(0, 1), lines: 2 }
      : undefined
  }

  private depthOf(style: string): number {
    const known = this.styles.indexOf(style)
    if (known >= 0) return known + 1
    return this.styles.push(style)
  }

  protected block(): void {
    const { line } = this
    if (line === undefined) return
    if (line.text === "") {
      this.list.close()
      this.at++
      return
    }
    if (line.indent > 0) return this.indented("quote")
    const title = this.startsBlock() ? this.title(this.at) : undefined
    if (title !== undefined) {
      const last = this.lines[this.at + title.lines - 1] ?? line
      const depth = this.depthOf(title.style)
      this.list.add({ kind: "heading", start: line.start, end: last.end, depth, title: plainText(title.text) })
      this.at += title.lines
      return
    }
    if (gridBorder.test(line.text) || line.text.startsWith("|"))
      return this.run(gridBorder.test(line.text) ? "table" : "lines")
    if (simpleBorder.test(line.text)) return this.simpleTable()
    if (line.text === ".." || line.text.startsWith(".. ")) return this.explicit()
    if (line.text.startsWith(">>> ")) return this.run("code")
    if (listItem.test(line.text) || field.test(line.text)) return this.item()
    this.paragraph()
  }

  /** True after a blank line, a heading or at the start: a title is no line of a paragraph. */
  private startsBlock(): boolean {
    const before = this.lines[this.at - 1]
    return before === undefined || before.text === "" || this.list.blocks.at(-1)?.end === before.end
  }

  /** Lines up to a blank one. */
  private run(kind: "table" | "lines" | "code"): void {
    const first = this.line
    let head: TextLine | undefined
    let end = first?.end ?? 0
    for (let line = this.line; line !== undefined && line.text !== ""; line = this.line) {
      if (kind === "table" && head === undefined && /^\+(?:=+\+)+$/u.test(line.text)) head = line
      end = line.end
      this.at++
    }
    if (first !== undefined) this.list.add({ kind, start: first.start, end, ...(head && { headEnd: head.end }) })
  }

  /** A table between `===  ===` lines: the second one ends its head, the last one before a blank line ends it. */
  private simpleTable(): void {
    const first = this.line
    const borders: Array<TextLine> = []
    let { at } = this
    let after = at
    for (let line = this.lines[at]; line !== undefined; line = this.lines[++at]) {
      if (simpleBorder.test(line.text)) {
        borders.push(line)
        after = at + 1
      }
      if (borders.length > 1 && borders.at(-1) === line && (this.lines[at + 1]?.text ?? "") === "") break
      if (line.text === "" && (this.lines[at + 1]?.text ?? "") === "") break
    }
    const [, second, third] = borders
    const last = borders.at(-1)
    if (first === undefined || second === undefined || last === undefined) return this.paragraph()
    this.list.add({ kind: "table", start: first.start, end: last.end, ...(third && { headEnd: second.end }) })
    this.at = after
  }

  /** A directive, comment, target or footnote with the indented lines that belong to it. */
  private explicit(): void {
    const first = this.line
    if (first === undefined) return
    const name = directive.exec(first.text)?.[1] ?? ""
    const kind = codeDirectives.has(name) ? "code" : name.endsWith("table") ? "table" : "paragraph"
    this.at++
    // Two dots alone are an empty comment.
    const end = first.text === ".." && this.line?.text === "" ? first.end : this.body(first.end, 1)
    this.list.add({ kind, start: first.start, end })
  }

  /** End of the lines that are indented by at least so many columns, with blank lines between them. */
  private body(end: number, indent: number): number {
    let last = end
    for (let at = this.at; at < this.lines.length; at++) {
      const line = this.lines[at]
      if (line === undefined || (line.text !== "" && line.indent < indent)) break
      if (line.text === "") continue
      last = line.end
      this.at = at + 1
    }
    return last
  }

  private indented(kind: "quote" | "code" | "paragraph"): void {
    const first = this.line
    if (first === undefined) return
    this.at++
    this.list.add({ kind, start: first.start, end: this.body(first.end, 1) })
  }

  private item(): void {
    const first = this.line
    if (first === undefined) return
    this.at++
    this.list.add({ kind: "list", start: first.start, end: this.body(first.end, 1) })
  }

  /** A paragraph; the indented block after one that ends with `::` is code. */
  private paragraph(): void {
    let last = this.line
    for (let line = this.line; line !== undefined && line.text !== ""; line = this.line) {
      // Indented lines directly below are those of a definition.
      this.list.line("paragraph", line)
      last = line
      this.at++
    }
    this.list.close()
    if (last?.text.endsWith("::") !== true) return
    this.skipBlank()
    if ((this.line?.indent ?? 0) > 0) this.indented("code")
  }
}

const read = (text: string): Reading => {
  const front = frontMatter(text)
  const reader = new RstReader(text, front?.end ?? 0)
  const blocks = reader.read()
  const omitted: ReadonlyArray<TextBlock> = front === null ? [] : [{ kind: "omitted", start: 0, end: front.end }]
  return {
    markdown: text,
    blocks: [...omitted, ...blocks],
    metadata: { ...reader.metadata, ...front?.metadata },
    warnings: front?.warnings
  }
}

export const rst: FormatReader = { ofText: read }
