/**
 * The limits of the service, one constant a row.
 *
 * Source: interface document, "Limits"; `maxUploadBytes` is one byte less than the 50 MB of that table
 * because the public service already refuses exactly 50 MiB.
 */

/**
 * Largest upload in bytes that the interface names: 50 MiB. A server accepts it; see {@link maxUploadBytes} for what a client sends.
 *
 * @since 0.1.0
 * @category limits
 */
export const uploadBytes = 52_428_800

/**
 * Largest file in bytes that the client sends by default.
 *
 * @since 0.1.0
 * @category limits
 */
export const maxUploadBytes = 52_428_799

/**
 * `timeout` of a parse in milliseconds, when none is given.
 *
 * @since 0.1.0
 * @category limits
 */
export const defaultTimeout = 30_000

/**
 * Largest `timeout` of a parse, in milliseconds.
 *
 * @since 0.1.0
 * @category limits
 */
export const maxTimeout = 300_000

/**
 * Bounds of the PDF parser's `maxPages`, both inclusive.
 *
 * @since 0.1.0
 * @category limits
 */
export const maxPages = { min: 1, max: 10_000 } as const

/**
 * Longest `auditMetadata.username`, in characters.
 *
 * @since 0.1.0
 * @category limits
 */
export const maxUsernameLength = 1024

/**
 * Lifetime of a `screenshot`.
 *
 * @since 0.1.0
 * @category limits
 */
export const screenshotLifetime = "24 hours"

/**
 * Lifetime of the signed addresses of `audio` and `video`.
 *
 * @since 0.1.0
 * @category limits
 */
export const signedUrlLifetime = "1 hour"
