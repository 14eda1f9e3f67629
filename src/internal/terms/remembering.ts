/** Most words that are remembered at a time; words of texts repeat. */
const most = 50_000

/** Length from which V8 keeps the whole text for the sake of a part of it. */
const whole = 13

/** The same text, which keeps no other one in memory. */
const apart = (word: string): string => (word.length < whole ? word : ` ${word}`.slice(1))

/** What a pure function gives for a word, remembered. */
export const remembering = <A>(of: (word: string) => A): ((word: string) => A) => {
  const known = new Map<string, A>()
  return (word) => {
    const remembered = known.get(word)
    if (remembered !== undefined) return remembered
    const own = apart(word)
    const made = of(own)
    if (known.size >= most) known.clear()
    known.set(own, made)
    return made
  }
}
