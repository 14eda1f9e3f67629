/** Spaces that the text of an item lacks, though the engine divides its words there: after a letter that leans over the space. */
import type * as Box from "./Box.ts"

interface GivenItem {
  readonly text: string
  readonly rotation: number
  readonly fontHeight?: number
  readonly words?: ReadonlyArray<Box.Rect & { readonly text: string }>
}

/** White space, in font heights, that is left of such a space; the parts of a word that the engine divides touch. */
const left = 0.03

/** An item with a space wherever two of its words stand apart. */
export const restore = <T extends GivenItem>(item: T): T => {
  const { fontHeight: size, rotation, words = [] } = item
  if (rotation !== 0 || size === undefined || words.length <= item.text.trim().split(/\s+/).length) return item
  let { text } = item
  let end = 0
  for (const [at, word] of words.entries()) {
    const start = text.indexOf(word.text, end)
    if (start < 0) return item
    const before = words[at - 1]
    const apart =
      before !== undefined &&
      word.x - before.x - before.width > size * left &&
      /\p{L}\p{L}$/u.test(before.text) &&
      /^\p{L}\p{L}/u.test(word.text)
    const lacks = apart && start === end
    if (lacks) text = `${text.slice(0, start)} ${text.slice(start)}`
    end = start + word.text.length + (lacks ? 1 : 0)
  }
  return { ...item, text }
}
