/**
 * The keys of `metadata` whose meaning the interface document fixes, so that no document can set them.
 *
 * @since 0.1.0
 */

const reserved = new Set([
  "sourceURL",
  "url",
  "statusCode",
  "numPages",
  "totalPages",
  "contentType",
  "error",
  "concurrencyLimited",
  "concurrencyQueueDurationMs",
  "creditsUsed",
  "proxyUsed",
  "scrapeId",
  "cacheState",
  "__proto__"
])

/**
 * What a document says of itself, without the keys that only the service may set.
 *
 * @since 0.1.0
 * @category transformations
 */
export const without = (properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(properties).filter(([key, value]) => !reserved.has(key) && value !== undefined))
