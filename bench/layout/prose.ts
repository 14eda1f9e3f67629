/** Sentences, headings, values and tables of values in a language. */
import type { Chance } from "./chance.ts"
import type { Language } from "./languages/language.ts"

export interface Prose {
  readonly sentence: () => string
  /** Sentences, joined as the language joins them. */
  readonly sentences: (count: number) => string
  /** Without a full stop. */
  readonly heading: () => string
  /** One to three words, as in a cell. */
  readonly phrase: () => string
  readonly noun: () => string
  readonly name: () => string
  /** A number as in a table: some with decimals, thousands, signs or units. */
  readonly figure: () => string
  readonly date: () => string
  readonly money: () => string
}

const capital = (text: string): string => text.replace(/^\P{L}*\p{L}/u, (start) => start.toUpperCase())

/** Every sentence differs: slots are filled by chance, and few sentences have less than four. */
export const make = (language: Language, chance: Chance): Prose => {
  const { pick } = chance
  const fill = (shape: string): string =>
    capital(
      shape.replace(/\{([nvaN0])\}/g, (_, slot: string) => {
        if (slot === "n") return pick(language.nouns)
        if (slot === "v") return pick(language.verbs)
        if (slot === "a") return pick(language.adjectives)
        return slot === "N" ? pick(language.names) : String(chance.between(2, chance.holds(0.4) ? 2030 : 98))
      })
    )
  const sentence = (): string => fill(pick(language.sentences))
  const figure = (): string => {
    const whole = chance.below(chance.pick([10, 100, 1000, 100_000]))
    const shape = chance.below(10)
    if (shape < 4) return String(whole)
    if (shape < 6) return `${whole}.${chance.digits(chance.between(1, 2))}`
    if (shape < 7) return `${whole % 100} %`
    if (shape < 8) return `−${whole}`
    return whole.toLocaleString("en-US")
  }
  return {
    sentence,
    sentences: (count) => chance.times(count, sentence).join(language.sentenceSpace ?? language.space),
    heading: () => fill(pick(language.headings)),
    phrase: () =>
      capital(
        chance
          .times(chance.between(1, 3), (at) => (at === 0 ? pick(language.adjectives) : pick(language.nouns)))
          .join(language.space)
      ),
    noun: () => pick(language.nouns),
    name: () => pick(language.names),
    figure,
    date: () =>
      `${chance.between(1990, 2026)}-${String(chance.between(1, 12)).padStart(2, "0")}-${String(chance.between(1, 28)).padStart(2, "0")}`,
    money: () => `${chance.between(1, 9999)}.${chance.digits(2)} ${chance.pick(["€", "$", "CHF", "EUR"])}`
  }
}
