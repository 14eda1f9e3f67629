/** Numbers as text. */

/** A number in groups of three digits. */
export const grouped = (number: number): string => number.toLocaleString("en-US")

/** A number with its noun. */
export const counted = (number: number, noun: string, nouns: string = `${noun}s`): string =>
  `${grouped(number)} ${number === 1 ? noun : nouns}`

const units = ["B", "kB", "MB", "GB"]

/** Bytes in the largest decimal unit that leaves a number above 1. */
export const sized = (bytes: number): string => {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power] ?? "B"}`
}

/** Milliseconds in words. */
export const timed = (milliseconds: number): string =>
  milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : milliseconds < 60_000
      ? `${(milliseconds / 1000).toFixed(1)} s`
      : `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`

/** A share of 0 to 1 as a whole per cent. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`
