/** `.adoc` and `.asciidoc`: AsciiDoc. */
import type { TextBlock } from "../../ParsedDocument.ts"
import type { FormatReader, Reading } from "./contract.ts"
import { frontMatter } from "./frontMatter.ts"
import { LineReader } from "./lineReader.ts"
import type { TextLine } from "./textLines.ts"

const heading = /^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?$/u
const attribute = /^:(!?[\w][\w-]*!?):(?:\s+(.*))?$/u
const blockAttributes = /^\[(?:[^[\]]|\[[^\]]*\])*\]$/u
const blockTitle = /^\.[^\s.].*$/u
const listItem = /^(?:[*-]{1,5}|\.{1,5}|\d+\.|[a-zA-Z]\.|<(?:\d+|\.)>)\s+\S|^\S.*?(?:::|;;)(?:\s|$)/u

/** Marks of blocks whose content is taken as it is, by their first characters. */
const verbatim: Readonly<Record<string, TextBlock["kind"]>> = {
  "----": "code",
  "....": "code",
  "++++": "code",
  "////": "paragraph",
  "|===": "table",
  ",===": "table",
  ":===": "table",
  "!===": "table",
  "```": "code"
}

/** Marks around other blocks. */
const compound = /^(?:={4,}|\*{4,}|_{4,}|-{2}|~{4,})$/u

const underlines = "=-~^+"

const verbatimOf = ({ indent, text }: TextLine): TextBlock["kind"] | undefined => {
  if (indent > 0) return undefined
  const mark = text.startsWith("```") ? "```" : /^([-.+/])\1{3,}$|^[|,:!]={3,}$/u.test(text) ? text.slice(0, 4) : ""
  return verbatim[mark]
}

/** A title without the marks of its text. */
const plainText = (text: string): string =>
  text
    .replace(/(?:link|xref|https?|mailto):[^\s[]*\[([^\]]*)\]/gu, "$1")
    .replace(/<<[^,>]*,\s*([^>]*)>>/gu, "$1")
    .replace(/\[\[[^\]]*\]\]|\[[#.][^\]]*\](?=#)|anchor:\S+?\[[^\]]*\]/gu, "")
    .replace(/(\*\*|__|``|##|[*_`#])(\S(?:.*?\S)?)\1/gu, "$2")
    .trim()

class AsciiDocReader extends LineReader {
  /**
   * Title, author, revision and attributes up to the first blank line. With anything next to the title, they are in no chunk: the title
   * stands in the path of every section, the values in the metadata.
   */
  protected head(): void {
    while (this.line !== undefined && (this.line.text === "" || isComment(this.line))) this.at++
    const first = this.line
    if (first === undefined) return
    const before = this.attributes()
    const titleLine = this.line
    const [, mark, title] = heading.exec(titleLine?.text ?? "") ?? []
    if (titleLine === undefined || title === undefined || mark?.length !== 1) {
      if (before !== null) this.list.add({ kind: "omitted", start: first.start, end: before })
      return
    }
    this.at++
    const end = this.people() ?? before
    const last = this.attributes() ?? end
    const text = this.named(title)
    this.metadata["title"] = text
    this.list.add(
      last === null
        ? { kind: "heading", start: titleLine.start, end: titleLine.end, depth: 1, title: text }
        : { kind: "omitted", start: first.start, end: Math.max(last, titleLine.end), depth: 1, title: text }
    )
  }

  /** A title as a text, with the values of the attributes that it names. */
  private named(title: string): string {
    return plainText(title).replace(/\{([\w-]+)\}/gu, (reference, name: string) => {
      const value = this.metadata[name]
      return typeof value === "string" ? value : reference
    })
  }

  /** Author and revision line below the title; their end, or null where there are none. */
  private people(): number | null {
    const author = this.line
    if (author === undefined || !/^[\p{L}\w]/u.test(author.text) || author.indent > 0) return null
    if (attribute.test(author.text) || isMacro(author)) return null
    this.metadata["author"] = author.text.replace(/\s*<[^>]*>/gu, "")
    this.at++
    const revision = this.line
    if (revision === undefined || !/^v?\d|,\s*\d{4}/u.test(revision.text)) return author.end
    this.metadata["revision"] = revision.text
    this.at++
    return revision.end
  }

  /** Attribute entries and comments at the present line; their end, or null where there are none. */
  private attributes(): number | null {
    let end: number | null = null
    for (let line = this.line; line !== undefined; line = this.line) {
      const [, name, value] = attribute.exec(line.text) ?? []
      if (name === undefined && !isComment(line)) break
      if (name !== undefined && value !== undefined && !/^!|!$/u.test(name)) this.metadata[name] = value
      end = line.end
      this.at++
    }
    return end
  }

  protected block(): void {
    const { line } = this
    if (line === undefined) return
    if (line.text === "") {
      this.list.close()
      this.at++
      return
    }
    const kind = verbatimOf(line)
    if (kind !== undefined) return this.delimited(line, kind)
    if (line.indent === 0 && this.marked(line)) return
    if (line.indent > 0 && !listItem.test(line.text)) return this.run("code")
    if (listItem.test(line.text)) return this.item()
    this.run("paragraph")
  }

  /** Takes a heading, or a line that goes with the block next to it; false for any other. */
  private marked(line: TextLine): boolean {
    const [, mark, title] = heading.exec(line.text) ?? []
    if (mark !== undefined && title !== undefined) {
      this.list.add({ kind: "heading", start: line.start, end: line.end, depth: mark.length, title: this.named(title) })
      this.at++
      return true
    }
    if (this.underlined(line)) return true
    if (compound.test(line.text)) {
      // The blocks inside are read as any others; the mark goes with one of them.
      if ((this.lines[this.at + 1]?.text ?? "") === "") this.list.append(line)
      else this.list.prepend(line)
    } else if (blockAttributes.test(line.text) || blockTitle.test(line.text)) this.list.prepend(line)
    else if (/^(?:'{3,}|<{3,}|-{3}|\*{3})$/u.test(line.text)) this.list.close()
    else return false
    this.at++
    return true
  }

  /** A title underlined by a line of its length. */
  private underlined(line: TextLine): boolean {
    const next = this.lines[this.at + 1]
    const before = this.lines[this.at - 1]
    if (next === undefined || next.indent > 0 || (before !== undefined && before.text !== "")) return false
    const depth = underlines.indexOf(next.text.charAt(0)) + 1
    const whole = next.text.length >= 2 && next.text === next.text.charAt(0).repeat(next.text.length)
    if (depth === 0 || !whole || !/\p{L}|\d/u.test(line.text) || Math.abs(next.text.length - line.text.length) > 1)
      return false
    this.list.add({ kind: "heading", start: line.start, end: next.end, depth, title: this.named(line.text) })
    this.at += 2
    return true
  }

  /** A block up to the line with the same mark, or to the end. */
  private delimited(first: TextLine, kind: TextBlock["kind"]): void {
    const mark = first.text.startsWith("```") ? "```" : first.text
    const { at } = this
    let last = first
    for (this.at++; this.line !== undefined; this.at++) {
      last = this.line
      if (this.line.text === mark && this.line.indent === 0) {
        this.at++
        break
      }
    }
    this.list.add({ kind, start: first.start, end: last.end, ...(kind === "table" && headOf(this.lines, at, last)) })
  }

  /** Lines up to a blank one or a mark. */
  private run(kind: "code" | "paragraph"): void {
    for (let line = this.line; line !== undefined && line.text !== ""; line = this.line) {
      if (kind === "paragraph" && (verbatimOf(line) !== undefined || (line.indent === 0 && compound.test(line.text))))
        break
      this.list.line(kind, line)
      this.at++
    }
    this.list.close()
  }

  private item(): void {
    const first = this.line
    if (first === undefined) return
    let { end } = first
    this.at++
    for (let line = this.line; line !== undefined && line.text !== ""; line = this.line) {
      if (listItem.test(line.text) || verbatimOf(line) !== undefined || blockAttributes.test(line.text)) break
      end = line.end
      this.at++
    }
    this.list.add({ kind: "list", start: first.start, end })
  }
}

const isComment = ({ text }: TextLine): boolean => /^\/\/(?!\/)/u.test(text)

const isMacro = ({ text }: TextLine): boolean => /^\w+::/u.test(text)

/** The first row of a table that starts at a line, when a blank line after it makes it the head. */
const headOf = (lines: ReadonlyArray<TextLine>, at: number, last: TextLine): Pick<TextBlock, "headEnd"> => {
  const [row, blank] = [lines[at + 1], lines[at + 2]]
  return row !== undefined && row.text !== "" && blank?.text === "" && blank.start < last.start
    ? { headEnd: row.end }
    : {}
}

const read = (text: string): Reading => {
  const front = frontMatter(text)
  const reader = new AsciiDocReader(text, front?.end ?? 0)
  const blocks = reader.read()
  const omitted: ReadonlyArray<TextBlock> = front === null ? [] : [{ kind: "omitted", start: 0, end: front.end }]
  return {
    markdown: text,
    blocks: [...omitted, ...blocks],
    metadata: { ...reader.metadata, ...front?.metadata },
    warnings: front?.warnings
  }
}

export const asciidoc: FormatReader = { ofText: read }
