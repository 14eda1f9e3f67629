/**
 * Limit on the garbage that this process holds before it is collected.
 *
 * V8 lets a heap grow to some hundred megabytes before its first full collection, and to a multiple of what is alive before each further
 * one. A run allocates the garbage of every document, so its memory would grow with the number of documents although what is alive does
 * not.
 */
import { setFlagsFromString } from "node:v8"

/** Garbage that may be held, in percent of what was alive after the last collection. Less takes measurably more CPU time. */
const garbagePercent = 60

/**
 * Sets the limit for this process. V8 reads it again after every collection, so it takes effect with the next one. Young objects are
 * collected by one thread: what several of them gain in time they lose in waiting for each other.
 */
export const limit = (): void => {
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`)
  setFlagsFromString("--no-parallel-scavenge")
}
