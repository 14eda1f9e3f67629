/** Accents that the text layer has as separate items, printed over a letter of another item. */
import type * as Box from "./Box.ts"
import * as Characters from "./Characters.ts"

interface Word extends Box.Rect {
  readonly text: string
}

interface TextItem extends Word {
  readonly words?: ReadonlyArray<Word>
}

/** The place in a text, by its share of the width, of the nearest letter that takes the accent. */
const placeOf = (accent: string, text: string, share: number): number | undefined => {
  const middle = share * text.length - 0.5
  return [Math.round(middle), Math.floor(middle), Math.ceil(middle)].find(
    (at) => Characters.accented(accent, text.charAt(at)) !== undefined
  )
}

const over = (accent: Word, word: Word): boolean => {
  const middle = accent.x + accent.width / 2
  const shared = Math.min(accent.y + accent.height, word.y + word.height) - Math.max(accent.y, word.y)
  return middle > word.x && middle < word.x + word.width && shared > Math.min(accent.height, word.height) * 0.3
}

/** The item with the accent on one of its words; undefined when it is over none. */
const accepted = <T extends TextItem>(item: T, accent: Word): T | undefined => {
  const words = item.words ?? [item]
  const at = words.findIndex((word) => over(accent, word))
  const word = words[at]
  if (word === undefined) return undefined
  const sign = accent.text.trim()
  const place = placeOf(sign, word.text, (accent.x + accent.width / 2 - word.x) / word.width)
  let start = 0
  for (const each of words.slice(0, at)) start = item.text.indexOf(each.text, start) + each.text.length
  start = item.text.indexOf(word.text, start)
  const letter = place === undefined ? undefined : Characters.accented(sign, word.text.charAt(place))
  if (place === undefined || letter === undefined || start < 0) return undefined
  const put = (text: string, offset: number) => text.slice(0, offset) + letter + text.slice(offset + 1)
  return {
    ...item,
    text: put(item.text, start + place),
    words: words.with(at, { ...word, text: put(word.text, place) })
  }
}

/** The items with such accents put on their letters. An accent that is over no letter that takes it stays an item. */
export const settle = <T extends TextItem>(items: ReadonlyArray<T>): ReadonlyArray<T> => {
  const isAccent = (item: T) =>
    Characters.accented(item.text.trim(), "e") !== undefined || /^[\u02d9\u02da]$/.test(item.text.trim())
  if (!items.some(isAccent)) return items
  const accents = items.filter(isAccent)
  const found = items.filter((item) => !isAccent(item))
  const left = accents.filter((accent) => {
    for (const [at, item] of found.entries()) {
      const taken = over(accent, item) ? accepted(item, accent) : undefined
      if (taken === undefined) continue
      found[at] = taken
      return false
    }
    return true
  })
  if (left.length === accents.length) return items
  return found.concat(left)
}
