/**
 * The lowest relevance of a hit, where none is asked for, in programs, on the command line, on the page and for agents; it refuses
 * most questions which nothing stored answers, and loses few of the others: of 100 each, 88 and 3 among 140 short texts, 78 and 6 among
 * 3,200 chunks, measured on questions in seven languages with vectors of `Embedder.hash`. A vector of a model is judged by how far it
 * stands above those of the other hits found, since models differ in where their similarities lie; measured with simulated vectors only.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultMinScore = 0.5

/** Hits by which the relevance of each is judged: the same ones for every limit. */
export const poolSize = 40
