/** UTF-16 offset of an offset in another unit; -1 when no character starts there. */
export type Offsets = (offset: number) => number

const nonAscii = /[^\0-\x7f]/
const astral = /[\ud800-\udbff][\udc00-\udfff]/

const step = 64

/** Offsets that count so much for a code point, found from a table of every 64th code unit. */
const table = (text: string, size: (codePoint: number) => number): Offsets => {
  const marks = new Float64Array(Math.floor(text.length / step) + 2)
  let total = 0
  for (let at = 0; at < text.length;) {
    const codePoint = text.codePointAt(at) ?? 0
    const width = codePoint > 0xffff ? 2 : 1
    if (at % step === 0) {
      marks[at / step] = total
    } else if (width === 2 && (at + 1) % step === 0) {
      marks[(at + 1) / step] = total
    }
    total += size(codePoint)
    at += width
  }
  const last = Math.floor(Math.max(0, text.length - 1) / step)
  return (offset) => {
    if (offset > total) {
      return -1
    }
    let low = 0
    let high = last
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((marks[middle] ?? 0) <= offset) {
        low = middle
      } else {
        high = middle - 1
      }
    }
    let at = low * step
    let count = marks[low] ?? 0
    if (at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) {
      at--
    }
    while (count < offset && at < text.length) {
      const codePoint = text.codePointAt(at) ?? 0
      count += size(codePoint)
      at += codePoint > 0xffff ? 2 : 1
    }
    return count === offset ? at : -1
  }
}

const utf16 =
  (length: number): Offsets =>
  (offset) =>
    offset <= length ? offset : -1

const utf8Size = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4

/** The units that an offset into this text may be in: UTF-16, code points, UTF-8 bytes; those that differ only. */
export const of = (text: string): ReadonlyArray<Offsets> => {
  const units: Array<Offsets> = [utf16(text.length)]
  if (nonAscii.test(text)) {
    if (astral.test(text)) {
      units.push(table(text, () => 1))
    }
    units.push(table(text, utf8Size))
  }
  return units
}
