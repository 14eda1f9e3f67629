/**
 * A `minScore` that refuses most questions which nothing stored answers, and loses few of the others: of 100 each, 88 and 3 among
 * 140 short texts, 78 and 6 among 3,200 chunks, measured on questions in seven languages with vectors of `Embedder.hash`. It is
 * measured for these and for words alone; with the vectors of a model, whose similarities lie where they please, choose your own.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultMinScore = 0.5
