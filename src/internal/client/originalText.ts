const texts = new WeakMap<object, string>()

/** Length in UTF-16 code units up to which a text is worth keeping: a longer answer is written again, piece by piece. */
export const longest = 32_768

/**
 * Registers the text that an answer was decoded from, for a cache that keeps a short answer as it came. The text lives as long as the
 * object that holds the answer.
 */
export const attach = <A extends object>(answer: A, text: string): A => {
  if (text.length <= longest) texts.set(answer, text)
  return answer
}

/** The text that a short answer was decoded from; undefined for a long one, and for one that did not come from the service. */
export const of = (answer: object): string | undefined => texts.get(answer)
