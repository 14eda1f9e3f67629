/** The word that was probably meant by a misspelt one. */

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
const distance = (left: string, right: string): number => {
  let [before, last]: [ReadonlyArray<number>, ReadonlyArray<number>] = [
    [],
    Array.from({ length: right.length + 1 }, (_, at) => at)
  ]
  for (let row = 1; row <= left.length; row++) {
    const next = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      const steps = [
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
          ? (before[column - 2] ?? 0) + 1
          : Infinity
      ]
      next.push(Math.min(...steps))
    }
    ;[before, last] = [last, next]
  }
  return last[right.length] ?? 0
}

/** Longest word that is compared; a longer one is no misspelt word. */
const longest = 40

/** The nearest candidate: at most a third of its letters differ, and never more than three; or the only one that begins so. */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  const given = word.toLowerCase()
  if (given === "" || given.length > longest) return undefined
  const all = [...new Set(candidates)]
  const ranked = all
    .map((candidate) => ({ candidate, steps: distance(given, candidate.toLowerCase()) }))
    .filter(({ candidate, steps }) => steps <= Math.min(3, Math.max(1, Math.floor(candidate.length / 3))))
    .toSorted((left, right) => left.steps - right.steps)
  const begun = all.filter((candidate) => given.length > 2 && candidate.toLowerCase().startsWith(given))
  return ranked[0]?.candidate ?? (begun.length === 1 ? begun[0] : undefined)
}

/** `; did you mean …?`, to end a message with; empty where no candidate is near. */
export const ending = (word: string, candidates: Iterable<string>, prefix: string = ""): string => {
  const meant = nearest(word, candidates)
  return meant === undefined ? "" : `; did you mean ${prefix}${meant}?`
}
