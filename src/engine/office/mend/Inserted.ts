/**
 * Markdown that is put into a document before it is parsed: the parser gets a word for each, which it does not escape, and the
 * answer gets the Markdown in the word's place.
 *
 * @since 0.1.0
 */

const words = /docsluiceinsert(\d+)end/gu

/**
 * @since 0.1.0
 * @category models
 */
export class Inserted {
  private readonly texts: Array<string> = []

  /** The word for a Markdown of one line. */
  word(markdown: string): string {
    this.texts.push(markdown)
    return `docsluiceinsert${this.texts.length - 1}end`
  }

  /** The text with the Markdown in the places of the words. */
  restored(text: string): string {
    return this.texts.length === 0
      ? text
      : text.replaceAll(words, (word, index: string) => this.texts[Number(index)] ?? word)
  }
}
