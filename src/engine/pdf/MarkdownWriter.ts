/**
 * Writes the document block by block, and knows where each went.
 *
 * @since 0.1.0
 */

/**
 * What stands between two pages without markers.
 *
 * @since 0.1.0
 * @category constants
 */
export const pageJoiner = "\n\n"

/**
 * What stands before the content of page `pageNumber` with markers.
 *
 * Source: interface document, "PDF parser object", `pageMarkers`.
 *
 * @since 0.1.0
 * @category constants
 */
export const pageMarker = (pageNumber: number): string => `\n\n---\n\n<!-- page ${pageNumber} -->\n\n`

/**
 * The one place where Markdown is put together: pages, markers and spans come from it, so they agree.
 *
 * Put together, the texts of the pages with their joiners between are the whole: a page without content has its joiner
 * too. With markers the joiner stands before every page but page 1.
 *
 * @since 0.1.0
 * @category models
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

  /** Begins a page; 1-based and rising. */
  startPage(pageNumber: number): void {
    if (this.markers) {
      if (pageNumber > 1) this.put(pageMarker(pageNumber))
    } else if (this.pages > 0) this.put(pageJoiner)
    this.pages++
    this.pageStart = this.length
  }

  /**
   * Appends a block to the page, behind a blank line or, if `tight`, a line feed. Gives its `[start, end)` in UTF-16
   * units; nothing is written for an empty one.
   */
  block(content: string, tight: boolean): readonly [number, number] | undefined {
    if (content === "") return undefined
    if (this.length > this.pageStart) this.put(tight ? "\n" : "\n\n")
    const start = this.length
    this.put(content)
    return [start, this.length]
  }

  /** Where the page that was begun last starts. */
  get start(): number {
    return this.pageStart
  }

  /** Length of what is written so far, in UTF-16 units. */
  get end(): number {
    return this.length
  }

  toString(): string {
    return this.parts.join("")
  }
}
