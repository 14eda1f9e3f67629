/** Binary search. */

/** Number of leading indexes below `length` for which a test is true; it is false for all after them. */
export const leading = (length: number, test: (index: number) => boolean): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) low = middle + 1
    else high = middle
  }
  return low
}
