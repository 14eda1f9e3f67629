/** Keys of `metadata` whose meaning the interface document fixes; no document can set them. */

const reserved = new Set([
  "sourceURL",
  "url",
  "statusCode",
  "numPages",
  "totalPages",
  "contentType",
  "error",
  "lacked",
  "concurrencyLimited",
  "concurrencyQueueDurationMs",
  "creditsUsed",
  "proxyUsed",
  "scrapeId",
  "cacheState",
  "__proto__"
])

/** A document's own metadata without the reserved keys. */
export const without = (properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(properties).filter(([key, value]) => !reserved.has(key) && value !== undefined))
