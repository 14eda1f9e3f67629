/**
 * A `minScore` that refuses most questions which nothing stored answers, and loses few of the others: 80 and 5 of 100, measured on
 * questions in seven languages (`retrieval` in `bench/README.md`).
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultMinScore = 0.5
