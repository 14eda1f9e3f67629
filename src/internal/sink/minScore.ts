/**
 * A `minScore` that refuses most questions which nothing stored answers, and loses few of the others (measured: `retrieval` in
 * `bench/README.md`).
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultMinScore = 0.4
