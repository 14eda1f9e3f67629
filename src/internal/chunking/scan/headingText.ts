import { inlineText, nextMark } from "./inlineText.ts"

/** Characters of ASCII that are neither marks nor white space other than a space. */
const plain = Uint8Array.from({ length: 128 }, (_, unit) =>
  unit >= 32 && unit < 127 && nextMark(String.fromCharCode(unit), 0) === 1 ? 1 : 0
)

/** True for text without marks, and without white space but single spaces between words; false when a glance does not tell. */
const isPlain = (text: string): boolean => {
  let before = 32
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const known = unit < 128 ? plain[unit] === 1 : (unit > 0xa0 && unit < 0x1680) || (unit > 0x3000 && unit < 0xfe00)
    if (!known || (unit === 32 && before === 32)) {
      return false
    }
    before = unit
  }
  return before !== 32
}

/** The plain text of a heading, white space in it and around it as single spaces. */
export const headingText = (text: string): string =>
  isPlain(text) ? text : inlineText(text).replace(/\s+/g, " ").trim()
