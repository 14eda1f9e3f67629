/**
 * Finds the pages whose text layer is in doubt: only these are given to the engine's own check, which costs as much as a fifth of the reading.
 */

/** The part of an engine's text item that matters here. */
export interface RawText {
  readonly text: string
  readonly fontIsBuggy?: boolean
}

/** The engine finds no text below 20 bytes, and garbled text above 29 letters of which less than a fifth are vowels; these are wider. */
const fewCharacters = 64
const fewLetters = 25
const vowelShare = 0.25

/** Letters of an item above which the engine judges it by itself, and the share of vowels below which it ignores it; these are wider too. */
const itemLetters = 8
const itemVowelShare = 0.125

const lettersAndVowels = (text: string): readonly [letters: number, vowels: number] => {
  let letters = 0
  let vowels = 0
  for (let at = 0; at < text.length; at++) {
    // Lower case of a Latin letter without marks.
    const code = text.charCodeAt(at) | 0x20
    if (code < 0x61 || code > 0x7a) continue
    letters++
    if (code === 0x61 || code === 0x65 || code === 0x69 || code === 0x6f || code === 0x75) vowels++
  }
  return [letters, vowels]
}

/** True if the engine may call the page scanned, garbled or without text. False is certain: text in usable fonts, with vowels. */
export const isDoubtful = (items: ReadonlyArray<RawText>): boolean => {
  let characters = 0
  let letters = 0
  let vowels = 0
  for (const { fontIsBuggy, text } of items) {
    const [some, sounding] = lettersAndVowels(text)
    letters += some
    vowels += sounding
    const ignored = fontIsBuggy === true || (some >= itemLetters && sounding < some * itemVowelShare)
    if (!ignored) characters += text.length
  }
  return characters < fewCharacters || (letters >= fewLetters && vowels < letters * vowelShare)
}
