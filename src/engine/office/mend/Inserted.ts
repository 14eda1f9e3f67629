/**
 * Markdown that is put into a document before it is parsed: the parser gets a word for each, which it does not escape, and the
 * answer gets the Markdown in the word's place.
 */
import * as RaisedText from "../../RaisedText.ts"

/** Part of a text in a tree of HTML: a text, or one that an element raises or lowers. */
export interface Piece {
  readonly text: string
  readonly script?: RaisedText.Script
}

interface Insertion {
  readonly markdown: string
  readonly piece: Piece
}

const words = /docsluiceinsert(\d+)end/gu

export class Inserted {
  private readonly insertions: Array<Insertion> = []

  private add(insertion: Insertion): string {
    this.insertions.push(insertion)
    return `docsluiceinsert${this.insertions.length - 1}end`
  }

  /** The word for a Markdown of one line. */
  word(markdown: string): string {
    return this.add({ markdown, piece: { text: markdown } })
  }

  /** The word for a raised or lowered text; undefined where it stays as it is. */
  raised(text: string, script: RaisedText.Script): string | undefined {
    const markdown = RaisedText.markdown(text, script)
    return markdown === text ? undefined : this.add({ markdown, piece: { text, script } })
  }

  /** The text with the Markdown in the places of the words. */
  restored(text: string): string {
    return this.insertions.length === 0
      ? text
      : text.replaceAll(words, (word, index: string) => this.insertions[Number(index)]?.markdown ?? word)
  }

  /** The parts of a text for a tree of HTML. */
  pieces(text: string): ReadonlyArray<Piece> {
    if (this.insertions.length === 0) return [{ text }]
    const pieces: Array<Piece> = []
    let from = 0
    for (const { 0: word, 1: index, index: start } of text.matchAll(words)) {
      const insertion = this.insertions[Number(index)]
      if (insertion === undefined) continue
      if (start > from) pieces.push({ text: text.slice(from, start) })
      pieces.push(insertion.piece)
      from = start + word.length
    }
    if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from) })
    return pieces
  }
}
