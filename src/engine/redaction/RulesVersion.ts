/** The version of the rules of redaction, apart from the rules so that the host need not load them. */

/** Raised with every change of rules or lists that changes what is found. */
export const version = 2
