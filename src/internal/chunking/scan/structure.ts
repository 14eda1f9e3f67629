/** The leaves of a text whose blocks are known, as of a text in another format than Markdown. */
import type { TextBlock } from "../../../ParsedDocument.ts"
import { perStep, type Steps } from "../steps.ts"
import { type Leaf, type Opened, trimEnd, trimStart } from "./Leaf.ts"
import { scanSteps } from "./scanSteps.ts"

const containers: Readonly<Partial<Record<TextBlock["kind"], Leaf["container"]>>> = {
  list: "list",
  quote: "blockquote"
}

const kinds: Readonly<Record<Exclude<TextBlock["kind"], "markdown" | "omitted">, Leaf["kind"]>> = {
  heading: "heading",
  paragraph: "paragraph",
  lines: "lines",
  code: "code",
  list: "paragraph",
  quote: "paragraph",
  table: "table"
}

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim()

/** The headings that lead from one path to another; depth 0 leaves all of them. */
const opened = (from: ReadonlyArray<string>, to: ReadonlyArray<string>): ReadonlyArray<Opened> => {
  let common = 0
  while (common < from.length && common < to.length && from[common] === to[common]) common++
  if (common === from.length && common === to.length) return []
  if (to.length === 0) return [{ depth: 0, text: "" }]
  // The path of an outer section that goes on opens it again.
  const first = Math.min(common, to.length - 1)
  return to.slice(first).map((text, index) => ({ depth: first + index + 1, text }))
}

/** Makes the leaves of a document, one region after another. */
export class StructureScan {
  private readonly text: string
  private readonly blocks: ReadonlyArray<TextBlock>
  private index = 0
  private path: ReadonlyArray<string> = []
  /** Headings without text, which the next leaf opens. */
  private opens: Array<Opened> = []

  constructor(text: string, blocks: ReadonlyArray<TextBlock>) {
    this.text = text
    this.blocks = blocks
  }

  /**
   * Leaves of `[start, end)`. Regions come in order; a block on the border of two is in both, in parts.
   *
   * @yields {undefined} After each step.
   */
  *leaves(start: number, end: number): Steps<ReadonlyArray<Leaf>> {
    const found: Array<Leaf> = []
    let at = start
    for (let block = this.blocks[this.index]; block !== undefined && block.start < end;) {
      if (block.start > at) this.push(found, "paragraph", at, block.start)
      yield* this.block(found, block, Math.max(start, block.start), Math.min(end, block.end))
      if (this.index % perStep === 0) yield
      at = Math.max(at, Math.min(end, block.end))
      if (block.end > end) break
      this.index++
      block = this.blocks[this.index]
    }
    if (at < end) this.push(found, "paragraph", at, end)
    return found
  }

  private *block(found: Array<Leaf>, block: TextBlock, start: number, end: number): Steps<void> {
    const { depth = 1, kind, path, title } = block
    if (path !== undefined) {
      this.opens.push(...opened(this.path, path))
      this.path = path
    }
    if (kind === "omitted") {
      if (title !== undefined) this.opens.push({ depth, text: title })
      return
    }
    if (kind === "markdown") {
      const leaves = yield* scanSteps(this.text, start, end)
      leaves.forEach((leaf, index) => found.push(index === 0 ? this.opening(leaf) : leaf))
      return
    }
    const leaf = this.push(found, kind, start, end)
    if (leaf === undefined) return
    if (kind === "heading") {
      leaf.depth = depth
      leaf.title = title ?? oneLine(this.text.slice(leaf.start, leaf.end))
    }
    if (kind === "table") leaf.textEnd = Math.max(leaf.start, Math.min(leaf.end, block.headEnd ?? leaf.start))
  }

  /** Adds a leaf, unless it is white space; it starts at the start of a line where it can. */
  private push(
    found: Array<Leaf>,
    kind: Exclude<TextBlock["kind"], "markdown" | "omitted">,
    from: number,
    to: number
  ): Leaf | undefined {
    const end = trimEnd(this.text, from, to)
    if (end <= from) return undefined
    const first = trimStart(this.text, from, end)
    // Only blank lines are left out: the indentation of the first line belongs to the block.
    const line = Math.max(this.text.lastIndexOf("\n", first - 1), this.text.lastIndexOf("\r", first - 1)) + 1
    const container = containers[kind] ?? "none"
    const leaf = this.opening({
      kind: kinds[kind],
      start: Math.max(from, line),
      end,
      depth: 0,
      textStart: Math.max(from, line),
      textEnd: end,
      container,
      level: container === "none" ? 0 : 1,
      closing: ""
    })
    found.push(leaf)
    return leaf
  }

  private opening(leaf: Leaf): Leaf {
    if (this.opens.length === 0) return leaf
    const { opens } = this
    this.opens = []
    return { ...leaf, opens }
  }
}
