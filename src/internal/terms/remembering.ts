/** Most words that are remembered at a time; words of texts repeat. */
const most = 50_000

/** Length from which V8 keeps the whole text for the sake of a part of it. */
const whole = 13

/** What a pure function gives for a word, remembered for short ones. */
export const remembering = <A>(of: (word: string) => A): ((word: string) => A) => {
  const known = new Map<string, A>()
  return (word) => {
    const remembered = known.get(word)
    if (remembered !== undefined) return remembered
    const made = of(word)
    if (word.length >= whole) return made
    if (known.size >= most) known.clear()
    known.set(word, made)
    return made
  }
}
