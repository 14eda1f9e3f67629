import type { MetadataValue } from "../../DocumentChunk.ts"
import type { TextBlock } from "../../ParsedDocument.ts"
import { BlockList } from "./blocks.ts"
import { linesOf, type TextLine } from "./textLines.ts"

/** Reads a text into blocks, line by line: first its head, then one block after the other. */
export abstract class LineReader {
  readonly metadata: Record<string, MetadataValue> = {}
  protected readonly list = new BlockList()
  protected readonly lines: ReadonlyArray<TextLine>
  /** Index of the line that is read next. */
  protected at = 0
  private readonly length: number

  /** `start`: where the text starts, after front matter. */
  constructor(text: string, start = 0) {
    this.length = text.length
    this.lines = linesOf(text)
    while ((this.line?.start ?? start) < start) this.at++
  }

  read(): ReadonlyArray<TextBlock> {
    this.head()
    while (this.at < this.lines.length) this.block()
    return this.list.finish(this.length)
  }

  protected get line(): TextLine | undefined {
    return this.lines[this.at]
  }

  /** Takes the lines before the first block. */
  protected abstract head(): void

  /** Takes the next block, one line at least. */
  protected abstract block(): void
}
