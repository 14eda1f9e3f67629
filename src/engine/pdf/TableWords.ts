import * as Tally from "../Tally.ts"
/** Compares the words of a table that the engine proposes with the text on its place. */
import type { Item } from "./PageItem.ts"

const wordsOf = (text: string): ReadonlyArray<string> => text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? []

/** Letters of the words that `some` has more often than `others`. */
const surplus = (some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): string =>
  [...some].map(([word, count]) => word.repeat(Math.max(0, count - (others.get(word) ?? 0)))).join("")

/**
 * The items whose words the table has; the others remain text. Undefined if the table lacks words of an item that it has other words of,
 * so that they would be lost. A merged cell may be repeated in each of its columns.
 */
export const itemsOf = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  items: ReadonlyArray<Item>
): ReadonlyArray<Item> | undefined => {
  const inTable = Tally.of(rows.flatMap((row) => row.flatMap(wordsOf)))
  const left = new Map(inTable)
  const has = (word: string): boolean => (left.get(word) ?? 0) > 0
  const taken = new Set<Item>()
  const take = (item: Item): void => {
    for (const word of wordsOf(item.text)) left.set(word, (left.get(word) ?? 0) - 1)
    taken.add(item)
  }
  for (const item of items) if (wordsOf(item.text).every(has)) take(item)
  for (const item of items) if (!taken.has(item) && wordsOf(item.text).some(has)) take(item)
  const inItems = Tally.of([...taken].flatMap((item) => wordsOf(item.text)))
  const lost = surplus(inItems, inTable)
  // A word that the table divides in another way, or joins, is there in other pieces.
  return lost.length <= surplus(inTable, inItems).length ? [...taken] : undefined
}
