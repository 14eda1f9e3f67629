/** Numbers, sizes and times as text, for terminals and pages. */

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
    : milliseconds < 59_950
      ? `${(milliseconds / 1000).toFixed(1)} s`
      : lasted(milliseconds / 1000)

/** A share of 0 to 1 as a whole per cent. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Figures above 0, each with its word. */
export const tallies = (all: ReadonlyArray<readonly [figure: number, word: string]>): ReadonlyArray<string> =>
  all.flatMap(([figure, word]) => (figure > 0 ? [`${grouped(figure)} ${word}`] : []))

const binaryUnits = ["bytes", "KB", "MB", "GB", "TB"]

/** Bytes in the largest unit of 1024 that leaves a number above 1, as terminals have them. */
export const binarySized = (bytes: number): string => {
  const power = Math.min(binaryUnits.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${binaryUnits[power]}`
}

/** Seconds in words, to the second below an hour. */
export const lasted = (seconds: number): string => {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Milliseconds since the epoch as an ISO date; null for none. */
export const isoTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
