import type { Version } from "../../../src/internal/terms/fold.ts"
import { languages, places, sought } from "../../../src/internal/terms/terms.ts"
import { words } from "../../../src/internal/terms/words.ts"
import { sentences } from "./pairs.ts"

/** Terms that a text gives for the words that stand in a sentence of its language. */
const held = (language: string, text: string, version: Version): ReadonlySet<string> => {
  const [before = "", after = ""] = (sentences[language] ?? "").split("…")
  const all = words(before + text + after, version)
  const end = before.length + text.length
  return new Set(
    places(all, languages(all, undefined, version), version)
      .filter((place) => place.start >= before.length && place.end <= end)
      .flatMap(({ terms }) => terms)
  )
}

/** True when the text holds all that is asked for: each word or all of its parts, or the whole that punctuation joins. */
export const isFound = (language: string, text: string, question: string, version: Version): boolean => {
  const terms = held(language, text, version)
  const asked = sought(question, version).filter(({ idle }) => !idle)
  const isHeld = (one: (typeof asked)[number]) => one.terms.some((term) => terms.has(term))
  const chains = asked.filter(({ kind }) => kind === "chain")
  if (chains.some(isHeld)) return true
  const runs = new Set(asked.filter(({ kind }) => kind !== "chain").map(({ run }) => run))
  return (
    runs.size > 0 &&
    [...runs].every((run) => {
      const own = asked.filter((one) => one.run === run)
      const of = (kind: string) => own.filter((one) => one.kind === kind)
      return of("word").every(isHeld) || (of("part").length > 0 && of("part").every(isHeld))
    })
  )
}
