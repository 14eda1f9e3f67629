import { definitionLines } from "./definitions.ts"

/** The lines of the open paragraph that a setext underline makes a heading of. */
export class ParagraphLines {
  /** Start of the first of them; -1 when there is none but those of definitions. */
  first = 0
  /** Start of the text, after the link reference definitions. */
  textStart = 0
  /** Definitions may stand at the start. */
  private pending = false
  /** While it is so, of each line in turn: start and end of its text. */
  private readonly texts: Array<number> = []
  private readonly markdown: string

  constructor(markdown: string) {
    this.markdown = markdown
  }

  /** Begins with a paragraph's first line. */
  start(line: number, textStart: number, textEnd: number): void {
    this.first = -1
    this.pending = this.markdown.charCodeAt(textStart) === 91
    if (this.texts.length > 0) {
      this.texts.length = 0
    }
    this.add(line, textStart, textEnd)
  }

  add(line: number, textStart: number, textEnd: number): void {
    if (this.first < 0) {
      this.first = line
      this.textStart = textStart
    }
    if (this.pending) {
      this.texts.push(textStart, textEnd)
    }
  }

  /** Finds the definitions. When there is nothing else so far, the next line is the first line of text. */
  passDefinitions(): void {
    if (!this.pending) {
      return
    }
    const lines: Array<string> = []
    for (let at = 0; at < this.texts.length; at += 2) {
      lines.push(this.markdown.slice(this.texts[at], this.texts[at + 1]))
    }
    const textStart = this.texts[definitionLines(lines.join("\n")) * 2]
    this.pending = false
    if (textStart === undefined) {
      this.first = -1
    } else {
      this.textStart = textStart
    }
  }
}
