/** Number of seconds, whole or fractional; undefined for anything else. */
const seconds = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  if (typeof number !== "number" || !(number >= 0)) return undefined
  const millis = Math.ceil(number * 1000)
  return Number.isFinite(millis) ? millis : undefined
}

/** HTTP date (IMF-fixdate, RFC 850 or asctime): all forms begin with the name of a day. */
const date = (value: string | undefined): number | undefined => {
  if (value === undefined || !/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value.trim())) return undefined
  const time = Date.parse(/gmt\s*$/i.test(value) ? value : `${value} GMT`)
  return Number.isNaN(time) ? undefined : time
}

/** Wait in milliseconds by the header `Retry-After`: seconds, or a date. `now` is in milliseconds since the epoch. */
export const fromHeader = (headers: Readonly<Record<string, string | undefined>>, now: number): number | undefined => {
  const value = headers["retry-after"]
  const delay = seconds(value)
  if (delay !== undefined) return delay
  const until = date(value)
  if (until === undefined) return undefined
  // Relative to the service's own clock, if it sends one: the local clock may be wrong.
  const wait = until - (date(headers["date"]) ?? now)
  return wait >= 0 ? wait : undefined
}

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined

const fromBody = (body: unknown): number | undefined => {
  const details = member(body, "details")
  return (
    seconds(member(details, "retryAfterSeconds")) ??
    seconds(member(details, "retry_after_seconds")) ??
    seconds(member(body, "retry_after_seconds")) ??
    seconds(member(body, "retryAfterSeconds"))
  )
}

const fromText = (error: string): number | undefined => seconds(/retry after (\d+)\s?s/i.exec(error)?.[1])

/**
 * Wait in milliseconds that an answer asks for, from its possible places in order of trust; undefined when none holds a valid value.
 * `now` is in milliseconds since the epoch.
 */
export const retryAfter = (
  headers: Readonly<Record<string, string | undefined>>,
  body: unknown,
  error: string,
  now: number
): number | undefined => fromHeader(headers, now) ?? fromBody(body) ?? fromText(error)
