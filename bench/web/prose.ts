/** Reproducible texts for generated pages: words, sentences and paragraphs of a seed. */

const lists = {
  subject: `the council|a research team|the new library|our kitchen|the river|the old bridge|the committee|a small company|the northern line|the harbour|the garden|the author|the second edition|the museum|the local school|the engine|the storage layer|the parser|the weather service|a volunteer`,
  verb: `published|measured|opened|described|replaced|repaired|compared|approved|delayed|surveyed|restored|collected|tested|moved|extended|reviewed|counted|shared|documented|rebuilt`,
  object: `a report on water levels|the results of the survey|two hundred samples|the timetable for the winter|a set of recommendations|the archive of photographs|a plan for the main square|the recipe of the founder|the index of all entries|new rules for deliveries|the wooden doors|a map of the valley|the list of members|several pages of notes|the budget of the project|an open letter|the catalogue of plants|three working groups|a copy of the contract|the figures of last year`,
  place: `in the valley|near the station|on Tuesday morning|after a long debate|during the summer|without further delay|with help from neighbours|in a public meeting|at the edge of town|for the first time since 1987|under difficult conditions|within four weeks|according to the minutes|in both languages|despite heavy rain`,
  noun: `Bridge|Garden|Survey|Report|Harbour|Library|Winter|Season|Market|Archive|Valley|Index|Storage|Recipe|Museum|Railway|Council|Festival|Glacier|Workshop`
} as const

/** Pseudo-random numbers in [0, 1): mulberry32. */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Prose {
  readonly next: () => number
  readonly int: (from: number, to: number) => number
  readonly pick: <A>(list: ReadonlyArray<A>) => A
  readonly sentence: () => string
  readonly paragraph: (sentences?: number) => string
  readonly title: () => string
  readonly word: () => string
}

export const make = (seed: number): Prose => {
  const next = random(seed)
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const pick = <A>(list: ReadonlyArray<A>): A => {
    const found = list[Math.floor(next() * list.length)]
    if (found === undefined) throw new Error("an empty list")
    return found
  }
  const from = (list: keyof typeof lists): string => pick(lists[list].split("|"))
  const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
  const sentence = (): string =>
    upper(
      `${from("subject")} ${from("verb")} ${from("object")} ${from("place")}${next() < 0.4 ? `, and ${from("subject")} ${from("verb")} ${from("object")}` : ""}.`
    )
  const paragraph = (sentences = int(2, 5)): string => Array.from({ length: sentences }, sentence).join(" ")
  const title = (): string =>
    `${from("noun")} ${pick(["and", "of the", "in the", "without", "before the", "versus"])} ${from("noun")} ${int(2, 99)}`
  return { next, int, pick, sentence, paragraph, title, word: () => from("noun") }
}
