/** Writes a document block by block and records the span of each. */

/** Separator of two pages without markers. */
const pageJoiner = "\n\n"

/** Separator of two pages without markers, of which the second one goes on with the rows of a table. */
const rowJoiner = "\n"

/**
 * Separator before page `pageNumber` with markers.
 *
 * Source: interface document, "PDF parser object", `pageMarkers`.
 */
const pageMarker = (pageNumber: number): string => `\n\n---\n\n<!-- page ${pageNumber} -->\n\n`

/**
 * The only place where Markdown is assembled: pages, markers and spans come from it, so that they agree.
 *
 * The Markdown is the concatenation of the pages with the separators between them: a page without content has its separator too. With
 * markers there is one before every page except page 1. They end a table, so that each page's part of one has the head; without markers
 * the rows of a page follow those of the page before.
 */
export class MarkdownWriter {
  private readonly parts: Array<string> = []
  private readonly markers: boolean
  private length = 0
  private pageStart = 0
  private pages = 0

  constructor(markers: boolean) {
    this.markers = markers
  }

  private put(text: string): void {
    this.parts.push(text)
    this.length += text.length
  }

  /** Begins a page; page numbers are 1-based and ascending. `tight`: it begins with rows of the table that ends the page before. */
  startPage(pageNumber: number, tight: boolean): void {
    if (this.markers) {
      if (pageNumber > 1) this.put(pageMarker(pageNumber))
    } else if (this.pages > 0) this.put(tight ? rowJoiner : pageJoiner)
    this.pages++
    this.pageStart = this.length
  }

  /**
   * Appends a block to the page, after a blank line or, if `tight`, a line feed. Returns its `[start, end)` in UTF-16 units; undefined
   * for an empty block, which writes nothing.
   */
  block(content: string, tight: boolean): readonly [number, number] | undefined {
    if (content === "") return undefined
    if (this.length > this.pageStart) this.put(tight ? "\n" : "\n\n")
    const start = this.length
    this.put(content)
    return [start, this.length]
  }

  /** Start of the current page. */
  get start(): number {
    return this.pageStart
  }

  /** Length of the Markdown so far, in UTF-16 units. */
  get end(): number {
    return this.length
  }

  toString(): string {
    return this.parts.join("")
  }
}
