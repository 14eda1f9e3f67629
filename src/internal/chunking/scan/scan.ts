/**
 * The block structure of Markdown (CommonMark with GFM tables and footnotes), in one pass over the lines.
 *
 * Follows the first phase of CommonMark's parsing strategy: containers are matched, then block starts are tried, then
 * the line goes to the leaf that is open. Inline content is not read. Linear: containers nest at most 100 deep.
 */
import { last } from "../../base/at.ts"
import * as BlockStart from "./blockStart.ts"
import * as ContainerStart from "./containerStart.ts"
import { type Container, type Leaf, setText, trimEnd } from "./Leaf.ts"
import { Line } from "./Line.ts"
import { LineEnds } from "./LineEnds.ts"
import { ParagraphLines } from "./ParagraphLines.ts"

const deepest = 100

export class Scanner {
  readonly leaves: Array<Leaf> = []
  private readonly containers: Array<Container> = []
  private leaf: Leaf | undefined = undefined
  /** Start of the paragraph's last line, and of its text; -1 when it cannot be the head of a table. */
  private lastLine = 0
  private lastText = 0
  private readonly lines: ParagraphLines
  /** Character, length and indentation of an open fence. */
  private fenceUnit = 0
  private fenceLength = 0
  private indented = false
  private html = 0
  private lineStart = 0
  /** Trimmed end of the line. */
  private lineEnd = 0
  private readonly line: Line
  private readonly lineEnds: LineEnds
  /** In the line, a character that is part of no thematic break which starts before it. */
  private breaksEnd = -1
  private readonly text: string

  constructor(text: string) {
    this.text = text
    this.line = new Line(text)
    this.lineEnds = new LineEnds(text)
    this.lines = new ParagraphLines(text)
  }

  /** Reads the lines of `[start, end)` that start before `stop`; returns the start of the next. */
  advance(start: number, end: number, stop = end): number {
    let at = start
    while (at < stop) {
      const lineEnd = this.lineEnds.of(at, end)
      this.read(at, lineEnd)
      at = this.lineEnds.next(lineEnd)
    }
    return at
  }

  /** True when the next line, unread, belongs to a fence or an HTML block that blank lines do not end. */
  get verbatim(): boolean {
    return this.fenceLength > 0 || (this.html > 0 && this.html < 6)
  }

  /** Ends everything that is open. */
  finish(): void {
    this.close()
    this.containers.length = 0
  }

  private read(start: number, end: number): void {
    this.lineStart = start
    this.lineEnd = trimEnd(this.text, start, end)
    if (this.containers.length === 0 && (start < end ? this.readPlain(start, end) : this.readEmpty())) {
      return
    }
    const { line } = this
    line.open(start, end)
    this.breaksEnd = -1
    const matched = this.matchContainers()
    const all = matched === this.containers.length
    if (all && this.continueRaw(end)) {
      return
    }
    const opened = this.openBlocks(matched, end)
    if (opened === "leaf") {
      return
    }
    if (opened === "none" && !all && !line.blank && this.leaf?.kind === "paragraph") {
      this.paragraph(line.next, line.indent)
      return
    }
    if (opened === "none") {
      this.leave(matched)
    }
    if (line.blank) {
      this.close()
      this.coverMarkers()
    } else if (this.leaf?.kind === "table") {
      this.extend(this.leaf)
    } else {
      this.paragraph(line.next, line.indent)
    }
  }

  /** Takes an empty line outside of containers: it ends all but indented code, fences and most HTML. Always true. */
  private readEmpty(): boolean {
    if (!this.verbatim && !this.indented) {
      this.close()
    }
    return true
  }

  /** Takes a line outside of containers of which its first character says all; false when it does not. */
  private readPlain(start: number, end: number): boolean {
    const { leaf } = this
    const unit = this.text.charCodeAt(start)
    const plain = BlockStart.isPlain(unit)
    if (leaf === undefined || leaf.kind === "paragraph") {
      if (plain) {
        this.paragraph(start, 0)
      }
      return plain
    }
    const within =
      leaf.kind === "table"
        ? plain || unit === 124
        : this.fenceLength > 0 &&
          (plain || this.text.charCodeAt(BlockStart.blankEnd(this.text, start, end)) !== this.fenceUnit)
    if (within) {
      this.extend(leaf)
    }
    return within
  }

  /** Takes the line, whose text starts at `textStart`, after `indent` columns. */
  private paragraph(textStart: number, indent: number): void {
    if (this.leaf?.kind === "paragraph") {
      this.leaf.end = this.lineEnd
      this.lines.add(this.lineStart, textStart, this.lineEnd)
    } else {
      this.begin("paragraph")
      this.lines.start(this.lineStart, textStart, this.lineEnd)
    }
    this.lastLine = this.lineStart
    this.lastText = indent < 4 ? textStart : -1
  }

  private begin(kind: Leaf["kind"], start = this.lineStart): Leaf {
    this.close()
    const innermost = last(this.containers)
    if (innermost !== undefined) {
      innermost.empty = false
    }
    this.leaf = {
      kind,
      start,
      end: this.lineEnd,
      depth: 0,
      textStart: 0,
      textEnd: 0,
      container: this.containers[0]?.kind ?? "none",
      level: this.containers.length,
      closing: ""
    }
    return this.leaf
  }

  private close(): void {
    if (this.leaf !== undefined) {
      if (this.leaf.end > this.leaf.start) {
        this.leaves.push(this.leaf)
      }
      this.leaf = undefined
      this.indented = false
      this.html = 0
      this.fenceLength = 0
    }
  }

  /** Closes the containers from `matched` on, and the leaf that stood in them. */
  private leave(matched: number): void {
    if (matched < this.containers.length) {
      this.close()
      this.containers.length = matched
    }
  }

  /** A line of container marks only belongs to a leaf too: the one before it, or one of its own. */
  private coverMarkers(): void {
    if (this.lineEnd <= this.lineStart) {
      return
    }
    const before = last(this.leaves)
    if (before !== undefined && this.containers[0]?.kind === "blockquote" && before.container === "blockquote") {
      before.end = this.lineEnd
      return
    }
    const innermost = last(this.containers)
    const empty = innermost?.empty
    this.begin("empty")
    this.close()
    if (innermost !== undefined && empty !== undefined) {
      innermost.empty = empty
    }
  }

  private matchContainers(): number {
    const { line } = this
    let matched = 0
    for (const container of this.containers) {
      if (container.kind === "blockquote") {
        if (line.indent >= 4 || line.first !== 62) {
          return matched
        }
        ContainerStart.takeQuoteMark(line)
      } else if (line.blank) {
        if (container.empty && container.kind === "list") {
          return matched
        }
      } else if (line.indent >= container.indent) {
        line.skip(container.indent)
      } else {
        return matched
      }
      matched++
    }
    return matched
  }

  /** Lines of an open fence, HTML block or indented code belong to it unread. */
  private continueRaw(end: number): boolean {
    const { line, leaf } = this
    if (leaf === undefined) {
      return false
    }
    if (this.fenceLength > 0) {
      const closes =
        line.indent < 4 && BlockStart.closesFence(this.text, line.next, end, this.fenceUnit, this.fenceLength)
      this.extend(leaf)
      if (closes) {
        this.close()
      }
      return true
    }
    if (this.indented) {
      if (!line.blank && line.indent < 4) {
        return false
      }
      if (!line.blank) {
        this.extend(leaf)
      }
      return true
    }
    if (this.html > 0) {
      if (this.html > 5 && line.blank) {
        return false
      }
      this.extend(leaf)
      if (BlockStart.closesHtml(this.text.slice(line.next, end), this.html)) {
        this.close()
      }
      return true
    }
    return false
  }

  private extend(leaf: Leaf): void {
    if (this.lineEnd > this.lineStart) {
      leaf.end = this.lineEnd
    }
  }

  /** Opens the containers that start on the line, and a leaf other than a paragraph. */
  private openBlocks(matched: number, end: number): "none" | "containers" | "leaf" {
    const { line } = this
    let depth = matched
    let opened = false
    while (!line.blank) {
      const inParagraph = !opened && depth === this.containers.length && this.leaf?.kind === "paragraph"
      if (line.indent >= 4) {
        if (!opened && this.leaf?.kind === "paragraph") {
          break
        }
        this.leave(depth)
        this.begin("code")
        this.indented = true
        return "leaf"
      }
      if (this.openLeaf(depth, inParagraph, opened, end)) {
        return "leaf"
      }
      const container = depth < deepest ? ContainerStart.open(line, inParagraph) : undefined
      if (container === undefined) {
        break
      }
      if (!opened) {
        this.leave(depth)
        this.close()
      }
      const around = last(this.containers)
      if (around !== undefined) {
        around.empty = false
      }
      this.containers.push(container)
      depth++
      opened = true
    }
    return opened ? "containers" : "none"
  }

  /** Opens (and for those of one line, closes) a leaf that starts here, in the order of CommonMark. */
  private openLeaf(depth: number, inParagraph: boolean, opened: boolean, end: number): boolean {
    const { line, text } = this
    const unit = line.first
    const heading = unit === 35 ? BlockStart.headingDepth(text, line.next, end) : 0
    if (heading > 0) {
      this.enter(depth, opened)
      this.heading(heading, end)
      return true
    }
    if ((unit === 96 || unit === 126) && this.fence(depth, opened, end)) {
      return true
    }
    if (unit === 60 && this.openHtml(depth, opened, end)) {
      return true
    }
    if (inParagraph && (this.setext(end) || this.table(end))) {
      return true
    }
    if ((unit === 42 || unit === 45 || unit === 95) && this.isThematicBreak(end)) {
      this.enter(depth, opened)
      this.begin("thematicBreak")
      this.close()
      return true
    }
    return false
  }

  /** Looks at every character once only, however many list items start before it. */
  private isThematicBreak(end: number): boolean {
    const { next } = this.line
    if (next < this.breaksEnd) {
      return false
    }
    this.breaksEnd = BlockStart.marksEnd(this.text, next, end)
    return this.breaksEnd === end && BlockStart.isThematicBreak(this.text, next, end)
  }

  private enter(depth: number, opened: boolean): void {
    if (!opened) {
      this.leave(depth)
    }
  }

  private heading(depth: number, end: number): void {
    const leaf = this.begin("heading")
    leaf.depth = depth
    const textStart = this.line.next + depth
    const trimmed = trimEnd(this.text, textStart, end)
    let hashes = trimmed
    while (hashes > textStart && this.text.charCodeAt(hashes - 1) === 35) {
      hashes--
    }
    const before = this.text.charCodeAt(hashes - 1)
    const closed = hashes < trimmed && (hashes === textStart || before === 32 || before === 9)
    setText(this.text, leaf, textStart, closed ? hashes : trimmed)
    this.close()
  }

  private fence(depth: number, opened: boolean, end: number): boolean {
    const { line, text } = this
    const length = BlockStart.fenceLength(text, line.next, end)
    if (length === 0) {
      return false
    }
    this.enter(depth, opened)
    const leaf = this.begin("code")
    leaf.closing =
      text.slice(this.lineStart, line.next).replace(/[^>\s]/g, " ") + text.slice(line.next, line.next + length)
    leaf.textStart = line.next
    this.fenceUnit = text.charCodeAt(line.next)
    this.fenceLength = length
    return true
  }

  private openHtml(depth: number, opened: boolean, end: number): boolean {
    const content = this.text.slice(this.line.next, end)
    const kind = BlockStart.htmlKind(content)
    if (kind === 0 || (kind === 7 && !opened && this.leaf?.kind === "paragraph")) {
      return false
    }
    this.enter(depth, opened)
    this.begin("html")
    this.html = kind
    if (BlockStart.closesHtml(content, kind)) {
      this.close()
    }
    return true
  }

  private setext(end: number): boolean {
    const { leaf, line } = this
    const depth = BlockStart.setextDepth(this.text, line.next, end)
    if (depth === 0 || leaf === undefined) {
      return false
    }
    this.lines.passDefinitions()
    if (this.lines.first < 0) {
      return false
    }
    const { end: textEnd } = leaf
    const heading = this.divide(leaf, "heading", this.lines.first)
    heading.depth = depth
    setText(this.text, heading, this.lines.textStart, textEnd)
    this.close()
    return true
  }

  private table(end: number): boolean {
    const { leaf, line, text } = this
    const columns = BlockStart.delimiterCells(text, line.next, end)
    if (
      columns === 0 ||
      leaf === undefined ||
      this.lastText < 0 ||
      columns !== BlockStart.cellCount(text, this.lastText, leaf.end)
    ) {
      return false
    }
    const table = this.divide(leaf, "table", this.lastLine)
    table.textEnd = this.lineEnd
    return true
  }

  /** The open paragraph turns out to be something else from `start` on. */
  private divide(leaf: Leaf, kind: Leaf["kind"], start: number): Leaf {
    this.leaf = { ...leaf, kind, start, end: this.lineEnd }
    if (leaf.start < start) {
      leaf.end = trimEnd(this.text, leaf.start, start)
      this.leaves.push(leaf)
    }
    return this.leaf
  }
}

/**
 * Leaves of `text.slice(start, end)` in order. They are disjoint; what lies between them is white space. Each starts at the
 * start of a line (or at `start`).
 */
export const scan = (text: string, start: number, end: number): ReadonlyArray<Leaf> => {
  const scanner = new Scanner(text)
  scanner.advance(start, end)
  scanner.finish()
  return scanner.leaves
}
