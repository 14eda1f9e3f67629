/** Means and shares over texts, each weighted by its number of characters. */

interface Text {
  readonly text: string
}

/** Number of characters. */
export const characters = (texts: ReadonlyArray<Text>): number => texts.reduce((sum, { text }) => sum + text.length, 0)

/** Mean of a value; 0 without any character. */
export const mean = <T extends Text>(texts: ReadonlyArray<T>, valueOf: (text: T) => number): number => {
  let length = 0
  let sum = 0
  for (const each of texts) {
    length += each.text.length
    sum += valueOf(each) * each.text.length
  }
  return sum / Math.max(1, length)
}

/** Share of the characters in texts that have a property. */
export const share = <T extends Text>(texts: ReadonlyArray<T>, has: (text: T) => boolean): number =>
  mean(texts, (each) => (has(each) ? 1 : 0))
