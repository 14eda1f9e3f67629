/** Signs that are written in several ways. */

const other = /[\u2007\u2009-\u2012\u202F\u3000\uFF01-\uFF5E]/g

const spaces = /[\u2007\u2009\u200A\u202F\u3000]/

/** Distance of the full-width signs from those of ASCII. */
const width = 0xfee0

/**
 * The text with full-width letters, digits and marks as those of ASCII, with the spaces of typesetters as spaces and their hyphens as hyphens.
 * Each character stands for the one at its place.
 */
export const plain = (text: string): string =>
  text.replace(other, (sign) => {
    if (spaces.test(sign)) return " "
    const code = sign.charCodeAt(0)
    if (code > width) return String.fromCharCode(code - width)
    return code >= 0x2010 ? "-" : sign
  })
