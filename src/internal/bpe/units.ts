/** The UTF-16 code units of a text, in memory: a part of it ends where it is said to end, and it is read a little faster than a string. */
export type Units = Uint16Array

const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Node's way to copy a text; browsers and workers have none that is faster than unit by unit. */
const hasBuffer = "Buffer" in globalThis

/** A shorter text is copied unit by unit. */
const short = 24

/** Writes the code units of `text` to the start of `units`, which has room for them. */
export const write = (units: Units, text: string): void => {
  if (hasBuffer && littleEndian && text.length > short) {
    Buffer.from(units.buffer, units.byteOffset, units.byteLength).write(text, "utf16le")
    return
  }
  for (let at = 0; at < text.length; at++) {
    units[at] = text.charCodeAt(at)
  }
}

export const unitsOf = (text: string): Units => {
  const { buffer, byteOffset } = hasBuffer ? Buffer.allocUnsafe(text.length * 2) : new Uint16Array(text.length)
  const units = new Uint16Array(buffer, byteOffset, text.length)
  write(units, text)
  return units
}

/** The code unit at a place that the caller knows to be there. */
// A check on every access costs a tenth of all counting.
// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
export const unitAt = (units: Units, at: number): number => units[at] as number

const widest = 4096

/** The text of `[start, end)`. */
export const textOf = (units: Units, start: number, end: number): string => {
  let text = ""
  for (let at = start; at < end; at += widest) {
    text += String.fromCharCode(...units.subarray(at, Math.min(end, at + widest)))
  }
  return text
}
