/**
 * Reads one line of Markdown from left to right in columns, where a tab reaches to the next multiple of four and may be
 * consumed in part (CommonMark, "Tabs").
 */
export class Line {
  /** Place of the next unread character. */
  at = 0
  /** End of the last character, line ending excluded. */
  end = 0
  column = 0
  /** Next character that is neither space nor tab; `end` when there is none. */
  next = 0
  /** Columns between here and `next`. */
  indent = 0

  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  open(start: number, end: number): void {
    this.at = start
    this.end = end
    this.column = 0
    this.look()
  }

  get blank(): boolean {
    return this.next === this.end
  }

  /** The character at `next`; -1 at the end of the line. */
  get first(): number {
    return this.next < this.end ? this.text.charCodeAt(this.next) : -1
  }

  look(): void {
    let at = this.at
    let column = this.column
    for (; at < this.end; at++) {
      const unit = this.text.charCodeAt(at)
      if (unit === 32) {
        column++
      } else if (unit === 9) {
        column += 4 - (column % 4)
      } else {
        break
      }
    }
    this.next = at
    this.indent = column - this.column
  }

  /** Moves over white space and then `count` characters that are no tabs. */
  take(count: number): void {
    this.column += this.indent + count
    this.at = this.next + count
    this.look()
  }

  /** Moves over `columns` columns of white space, at most to `next`. */
  skip(columns: number): void {
    const moved = Math.min(columns, this.indent)
    const target = this.column + moved
    while (this.at < this.next) {
      const width = this.text.charCodeAt(this.at) === 9 ? 4 - (this.column % 4) : 1
      if (this.column + width > target) {
        break
      }
      this.column += width
      this.at++
    }
    this.column = target
    this.indent -= moved
  }
}
