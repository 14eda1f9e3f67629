/** Places blocks in the Markdown. A place is taken only if the Markdown there equals the block's content. */
import type { Block, PageBlocks } from "../../base/parseResponse.ts"
import * as Units from "./offsets.ts"

export interface PlacedBlock {
  readonly block: Block
  /** 1-based physical page. */
  readonly page: number
  /** In UTF-16 code units; undefined when the block could not be placed. */
  readonly span: readonly [number, number] | undefined
}

/** Shortest content that is looked for, or taken within a line; shorter ones are too likely to stand in a wrong place. */
const shortest = 8

/** Distance after the last placed block in which a block's content is searched for. */
const reach = 20_000

interface Item {
  readonly block: Block
  readonly page: number
}

const inOrder = (pages: ReadonlyArray<PageBlocks>): ReadonlyArray<Item> =>
  pages.flatMap((page) => page.items.map((block) => ({ block, page: page.pageNumber })))

/** True when nothing else stands on the lines of a span. */
const onOwnLines = (markdown: string, start: number, end: number): boolean => {
  const before = markdown.slice(Math.max(0, start - 1), start)
  const after = markdown.slice(end, end + 1)
  return (before === "" || before === "\n") && (after === "" || after === "\n" || after === "\r")
}

const furniture: ReadonlySet<string> = new Set(["page_header", "page_footer", "page_number"])

/** True for headers, footers and page numbers. */
export const isFurniture = (block: Block): boolean => furniture.has(block.type)

/**
 * True for page furniture that the Markdown need not contain. It is not searched for ahead, where the heading that it repeats would be
 * found, but only between the blocks next to it.
 */
export const mayBeOutside = (block: Block): boolean => block.markdownSpan === null && isFurniture(block)

class Placer {
  private end = 0
  private readonly shifts: Array<number | undefined> = []
  private readonly markdown: string
  private readonly units: ReadonlyArray<Units.Offsets>

  constructor(markdown: string, items: ReadonlyArray<Item>) {
    this.markdown = markdown
    const units = Units.of(markdown)
    const scores = units.map((offset) => items.filter(({ block }) => this.exact(block, offset, 0) !== undefined).length)
    this.units = units
      .map((offset, index) => ({ offset, score: scores[index] ?? 0 }))
      .toSorted((left, right) => right.score - left.score)
      .map(({ offset }) => offset)
  }

  place(block: Block): readonly [number, number] | undefined {
    if (block.content === "" || mayBeOutside(block)) {
      return undefined
    }
    const span = this.bySpan(block) ?? this.byShift(block) ?? this.bySearch(block)
    if (span !== undefined) {
      this.end = span[1]
    }
    return span
  }

  private exact(block: Block, offset: Units.Offsets, from: number): readonly [number, number] | undefined {
    if (block.markdownSpan === null) {
      return undefined
    }
    const start = offset(block.markdownSpan[0])
    const end = offset(block.markdownSpan[1])
    const { content } = block
    return start >= from &&
      end - start === content.length &&
      this.markdown.startsWith(content, start) &&
      (content.length >= shortest || onOwnLines(this.markdown, start, end))
      ? [start, end]
      : undefined
  }

  private bySpan(block: Block): readonly [number, number] | undefined {
    for (const offset of this.units) {
      const span = this.exact(block, offset, this.end)
      if (span !== undefined) {
        return span
      }
    }
    return undefined
  }

  private byShift(block: Block): readonly [number, number] | undefined {
    if (block.markdownSpan === null) {
      return undefined
    }
    for (let unit = 0; unit < this.units.length; unit++) {
      const shift = this.shifts[unit]
      const start = this.units[unit]?.(block.markdownSpan[0]) ?? -1
      if (shift !== undefined && start >= 0 && start + shift >= this.end) {
        if (this.markdown.startsWith(block.content, start + shift)) {
          return [start + shift, start + shift + block.content.length]
        }
      }
    }
    return undefined
  }

  private bySearch(block: Block): readonly [number, number] | undefined {
    const { content, markdownSpan } = block
    if (content.length < shortest) {
      return undefined
    }
    const window = this.markdown.slice(this.end, this.end + reach + content.length)
    const found = window.indexOf(content)
    if (found < 0 || window.indexOf(content, found + 1) >= 0) {
      return undefined
    }
    const start = this.end + found
    if (markdownSpan !== null) {
      this.units.forEach((offset, unit) => {
        const read = offset(markdownSpan[0])
        if (read >= 0) {
          this.shifts[unit] = start - read
        }
      })
    }
    return [start, start + content.length]
  }
}

const occurrences = (markdown: string, content: string, from: number, to: number): ReadonlyArray<number> => {
  const gap = markdown.slice(from, to)
  const found: Array<number> = []
  for (let at = gap.indexOf(content); at >= 0; at = gap.indexOf(content, at + content.length)) {
    if (onOwnLines(markdown, from + at, from + at + content.length)) {
      found.push(from + at)
    }
  }
  return found
}

/**
 * Looks for the blocks between two placed ones in what lies between those. A content that stands there more or less often
 * than there are blocks with it is left.
 */
const fillGap = (
  markdown: string,
  gap: ReadonlyArray<PlacedBlock>,
  from: number,
  to: number
): ReadonlyArray<PlacedBlock> => {
  let start = from
  return gap.map((placed, index) => {
    const { content } = placed.block
    if (content === "" || to - from > reach + content.length) {
      return placed
    }
    const found = occurrences(markdown, content, start, to)
    const alike = gap.slice(index).filter(({ block }) => block.content === content).length
    const first = found[0]
    if (first === undefined || found.length !== alike) {
      return placed
    }
    start = first + content.length
    return { ...placed, span: [first, start] }
  })
}

/** Gaps of more blocks are left as they are, so that this stays linear. */
const mostInGap = 64

const fillGaps = (markdown: string, blocks: ReadonlyArray<PlacedBlock>): ReadonlyArray<PlacedBlock> => {
  const result: Array<PlacedBlock> = []
  let gap: Array<PlacedBlock> = []
  let from = 0
  const flush = (to: number): void => {
    result.push(...(gap.length === 0 || gap.length > mostInGap ? gap : fillGap(markdown, gap, from, to)))
    gap = []
  }
  for (const placed of blocks) {
    if (placed.span === undefined) {
      gap.push(placed)
      continue
    }
    flush(placed.span[0])
    result.push(placed)
    from = placed.span[1]
  }
  flush(markdown.length)
  return result
}

/** Every block in page and reading order, with its place. */
export const place = (markdown: string, pages: ReadonlyArray<PageBlocks>): ReadonlyArray<PlacedBlock> => {
  const items = inOrder(pages)
  const placer = new Placer(markdown, items)
  return fillGaps(
    markdown,
    items.map(({ block, page }) => ({ block, page, span: placer.place(block) }))
  )
}
