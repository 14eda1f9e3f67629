/**
 * The version of the rules of redaction, apart from the rules so that the host need not load them.
 *
 * @since 0.1.0
 */

/**
 * Raised with every change of rules or lists that changes what is found.
 *
 * @since 0.1.0
 * @category constants
 */
export const version = 2
