/** Ascending whole numbers as ranges: `1, 3-5`. */
export const numberRanges = (numbers: ReadonlyArray<number>): string => {
  const found: Array<[number, number]> = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ")
}
