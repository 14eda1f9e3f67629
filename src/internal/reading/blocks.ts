import type { TextBlock } from "../../ParsedDocument.ts"
import type { TextLine } from "./textLines.ts"

type Kind = TextBlock["kind"]

/** Gathers the blocks of a text from its lines: those that follow each other and are of one kind make one block. */
export class BlockList {
  readonly blocks: Array<TextBlock> = []
  private open: { kind: Kind; start: number; end: number } | null = null
  /** Start of lines that belong to the block after them: attributes, titles, opening marks. */
  private ahead: number | null = null

  /** Adds a line to the block of this kind that is open, or opens one. */
  line(kind: Kind, { end, start }: TextLine): void {
    if (this.open?.kind !== kind) {
      this.close()
      this.open = { kind, start: this.ahead ?? start, end }
      this.ahead = null
    }
    this.open.end = end
  }

  /** Ends the block that is open, as a blank line does. */
  close(): void {
    if (this.open !== null) this.blocks.push(this.open)
    this.open = null
  }

  /** Adds a whole block. */
  add(block: TextBlock): void {
    this.close()
    this.blocks.push({ ...block, start: this.ahead ?? block.start })
    this.ahead = null
  }

  /** Keeps a line for the block after it. */
  prepend({ start }: TextLine): void {
    this.close()
    this.ahead ??= start
  }

  /** Adds a line to the block before it, whatever that is; to the next one where there is none. */
  append(line: TextLine): void {
    this.close()
    const last = this.blocks.pop()
    if (last === undefined || last.kind === "heading" || this.ahead !== null) {
      if (last !== undefined) this.blocks.push(last)
      this.ahead ??= line.start
    } else {
      this.blocks.push({ ...last, end: line.end })
    }
  }

  /** All blocks, in order; lines that nothing follows are a paragraph. */
  finish(end: number): ReadonlyArray<TextBlock> {
    this.close()
    if (this.ahead !== null && end > this.ahead) this.blocks.push({ kind: "paragraph", start: this.ahead, end })
    this.ahead = null
    return this.blocks
  }
}
