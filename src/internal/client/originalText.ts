const texts = new WeakMap<object, string>()

/** Registers the text that an answer was decoded from, for a cache that keeps it as it came. The text lives as long as the answer. */
export const attach = <A extends object>(answer: A, text: string): A => {
  texts.set(answer, text)
  return answer
}

/** The text that an answer was decoded from; undefined for one that did not come from the service. */
export const of = (answer: object): string | undefined => texts.get(answer)
