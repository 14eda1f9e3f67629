/** The number, or 1 for a smaller one and for NaN: with no lane at all nothing would ever end. */
export const atLeastOne = (number: number): number => (number >= 1 ? number : 1)
