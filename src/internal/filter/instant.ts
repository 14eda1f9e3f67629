/** Dates in texts: the forms of ISO 8601 that a filter compares in time. */

const year = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
const leapYear = "(?:(?:0[48]|[2468][048]|[13579][26])00|[0-9]{2}(?:0[48]|[2468][048]|[13579][26]))"
const day = [
  `${year}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))`,
  `${leapYear}-02-29`
].join("|")
const minutes = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
const seconds = ":[0-5][0-9](?:[.][0-9]{1,9})?"
const zone = `(?:Z|[+-]${minutes})`

/**
 * A regular expression, without anchors and capturing groups, in the syntax that JavaScript, PostgreSQL and Rust share:
 * `YYYY-MM-DD`, or that and `T` or a space, `HH:MM`, optional seconds with up to 9 decimals, and an optional zone, `Z` or `+HH:MM`.
 * Years are 0001 to 9999; each matching text is a day that exists.
 */
export const datePattern = `(?:${day})(?:[T ]${minutes}(?:${seconds})?${zone}?)?`

const date = new RegExp(`^(?:${datePattern})$`, "u")

/** Number of the digits from `at` on. */
const digits = (text: string, at: number, count: number): number => Number(text.slice(at, at + count))

/**
 * Milliseconds since 1970 of a text that is a date as `datePattern` has it, null for any other. Without a zone it is UTC, without a
 * time the day's begin; decimals below a millisecond are cut off.
 */
export const instantOf = (text: string): number | null => {
  if (text.length < 10 || !date.test(text)) return null
  const whole = new Date(0)
  whole.setUTCFullYear(digits(text, 0, 4), digits(text, 5, 2) - 1, digits(text, 8, 2))
  const start = whole.getTime()
  if (text.length === 10) return start
  const minute = digits(text, 11, 2) * 60 + digits(text, 14, 2)
  const [, fraction = ""] = /\.([0-9]+)/u.exec(text) ?? []
  const second = text[16] === ":" ? digits(text, 17, 2) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0")) : 0
  const [, sign, hours = "0", rest = "0"] = /([+-])([0-9]{2}):([0-9]{2})$/u.exec(text) ?? []
  const ahead = (Number(hours) * 60 + Number(rest)) * (sign === "-" ? -1 : 1)
  return start + (minute - ahead) * 60_000 + second
}
